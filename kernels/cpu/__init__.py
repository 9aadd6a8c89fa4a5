"""CPU rungs: one kernel a file, plain Python that numba compiles."""
