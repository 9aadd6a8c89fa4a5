"""Ladder page: all rungs of a device as bars, and what is said of the chosen one."""
