"""Lessons in the window: a panel at the left with the lessons there are, or with the step that is played."""
