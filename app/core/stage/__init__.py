"""Stage: what is traced and shown, the place in it, and the background tasks that run while nothing else is to be traced."""
