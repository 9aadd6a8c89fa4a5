"""CUDA C executed without a GPU: parsed, made into a typed representation, run lock-step by warps, every access recorded."""
