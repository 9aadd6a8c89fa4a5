"""Session: what the user chose, as values that tell of their changes, with undo, and the editor of drafts."""
