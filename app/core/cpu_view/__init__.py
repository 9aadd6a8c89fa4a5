"""Stage of a CPU kernel as values: its trace made ready for drawing, the frame of a step, caches and hit rates."""
