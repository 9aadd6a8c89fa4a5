"""A lab report: what was measured, as tables, figures and sentences, with room for the student's own words.

- `content`: its parts as values. `asked`: what a report is about.
- `tables`: results by size, by tile, by variant. `build`: the whole report from the known results.
- `html`, `markdown`: the report as text in a language.
"""
