"""Analyses of a trace or a launch: what it means for the hardware, as pure functions to a small frozen result."""
