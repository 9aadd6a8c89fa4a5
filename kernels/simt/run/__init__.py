"""Runs: from a text and a launch to its trace: read, lowered, generated and executed, here or in a process of its own."""
