"""Draws what the stage of a CPU kernel shows."""
