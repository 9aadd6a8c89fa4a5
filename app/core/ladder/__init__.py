"""Ladder picture: all rungs of a device side by side at one n, each with what it gains over the rung that it improves on."""
