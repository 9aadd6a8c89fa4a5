"""Foundations of all kernels and their measurement: texts as values, the types of the catalogue, matrices, limits and references."""
