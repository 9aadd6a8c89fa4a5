"""The views of a CUDA launch: matrices, threads, shared memory, global memory."""
