"""Measuring: warm-up, sampling, stopping rule, verification, conditions, and the store of results."""
