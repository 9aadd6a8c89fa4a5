"""Presenter in the window: what a hall sees, drawn by the painters of the stage, and what the lecturer sees besides."""
