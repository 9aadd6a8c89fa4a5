"""Comparison of two launches: which moment of one corresponds to which of the other, what differs between them, and why."""
