"""Predictions of a launch's counters and time, from its trace, beside what Nsight Compute and the clock measured."""
