"""Foundations of the window: commands and their keys, theme and style, bindings to core fields, refreshing, settings, features."""
