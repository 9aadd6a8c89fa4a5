"""The CPU kernels' own Python source, executed on recording arrays."""
