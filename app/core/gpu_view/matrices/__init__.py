"""Matrices as values: which elements are read, written and held at a step, where values come from, which of them are wrong."""
