"""Lab reports with their figures, as files: HTML, Markdown, PDF."""
