"""What went wrong, kept on this machine alone: nothing in here sends anything."""
