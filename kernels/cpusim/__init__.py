"""Tracing of CPU kernels: their own Python source, executed on recording arrays."""
