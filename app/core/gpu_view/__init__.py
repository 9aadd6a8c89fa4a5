"""Stage of a CUDA launch as values: its record, the frame of a step, and what each view shows, in pictures and words."""
