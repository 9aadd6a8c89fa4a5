"""Lab reports with their figures, as files: HTML, Markdown, PDF.

- `writer`: the three forms; `figures` draws their charts, `paging` keeps titles with what they are above.
- `window`: the report on what is ticked; `feature`: its command, and its button on the page of times.
"""
