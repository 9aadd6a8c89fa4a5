"""What the user chose, as values that tell of their changes, with undo."""
