"""Challenges in the window: a panel at the left with the list of them, or with the one that is tried."""
