"""Painters of matrices: one canvas, and painters that turn a frame into a picture."""
