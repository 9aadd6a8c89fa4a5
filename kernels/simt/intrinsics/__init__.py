"""Functions that CUDA gives a kernel, on lane vectors; `functions.FUNCTIONS` has them all by name."""
