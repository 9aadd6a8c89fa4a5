"""Trace of a launch: every access of every warp, what memory held, and questions to both."""
