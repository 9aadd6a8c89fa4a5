"""Tuning page: a heat map of what settings reach."""
