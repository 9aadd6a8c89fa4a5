"""Challenges in the window: a panel at the left with those there are, or with the one that is tried."""
