"""GPU rungs: one CUDA C kernel a file, and how they are compiled, launched and timed."""
