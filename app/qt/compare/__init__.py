"""Comparison of two launches, side by side."""
