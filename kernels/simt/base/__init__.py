"""Types, layout, rounding and launches as values: the vocabulary of every part of the interpreter."""
