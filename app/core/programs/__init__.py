"""Whole programs as values: what a user's main runs, what it did as a page, a moment of the page, and its sentences."""
