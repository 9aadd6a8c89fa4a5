"""Core of the program: all that it knows and does without a window."""
