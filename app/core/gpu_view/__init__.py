"""A CUDA launch on the stage as values: its record, the frame of a step, and for each view what it shows, in pictures and words."""
