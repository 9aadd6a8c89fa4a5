"""Sharing of states: as files and as text to paste, and those that were looked at before."""
