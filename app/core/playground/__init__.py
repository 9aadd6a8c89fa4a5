"""Kernels that the user edits: drafts, their launch, what is wrong with them, and how they survive."""
