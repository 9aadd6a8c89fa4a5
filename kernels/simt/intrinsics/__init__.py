"""What the functions that CUDA gives a kernel do, on lane vectors; `functions` has them all by name."""
