"""Lab report: what was measured, as tables, figures and sentences, with room for the student's own words.

- `content`: its parts as values, and what a report is about. `build`: the whole report from the known results, tables included.
- `written`: the report as HTML or Markdown in a language.
"""
