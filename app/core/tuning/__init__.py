"""Tuning of a variant's settings: which are the fastest, tried in the background, shown as a heat map."""
