"""Tilescope without its window: the workbench that joins choices to workers, and the controllers of lessons and challenges."""
