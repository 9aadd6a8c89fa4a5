"""Page of a whole program: its geometry, its painter, the panel that shows it, the files that it may read."""
