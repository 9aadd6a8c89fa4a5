"""Window shell: the main window and its bars, the workspaces in it, the composition root, and ending in order."""
