"""Crash reports: what went wrong, kept on this machine alone. Nothing in here sends anything."""
