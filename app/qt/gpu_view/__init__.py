"""Views and painters of the stage of a CUDA launch: matrices, threads, shared memory, global memory."""
