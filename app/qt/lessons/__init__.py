"""Lessons in the window: a panel at the left with the list of lessons, or with the step that is played."""
