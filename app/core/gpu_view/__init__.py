"""Stage of a CUDA launch as values: its record, the frame of a step, and what all views share; what some show lies in the folders."""
