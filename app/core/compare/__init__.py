"""Two launches side by side: what of one stands beside what of the other, what differs between them, and why."""
