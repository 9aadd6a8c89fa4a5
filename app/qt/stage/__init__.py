"""Stage panel, step card, timeline bar, and a view as a table."""
