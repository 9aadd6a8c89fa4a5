"""Tilescope: matrix kernels made visible."""

__version__ = "0.1.0"
