"""The running program without its window: the workbench that joins choices to workers; lessons and challenges played."""
