"""Catalogue: every variant in teaching order, with its parameters and the launch that follows from them."""
