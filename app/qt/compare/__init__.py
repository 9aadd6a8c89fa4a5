"""Two launches side by side."""
