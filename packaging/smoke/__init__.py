"""Tries a finished package on a system that has next to nothing: no Python, no compiler, no font. Started by `dev.py smoke PACKAGE`."""
