"""Types, layout and launches as values: what each part of the interpreter speaks of."""
