"""A CUDA launch on the stage: what is executed, the record of its execution, and frames of it as values."""
