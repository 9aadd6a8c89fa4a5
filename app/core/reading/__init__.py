"""Files that strangers may have written, into values: every field is checked, and what is wrong is told with its place.

- `fields`: a table asked for field by field.
- `documents`: the text of a file, JSON or TOML, into the outermost table.
- `toml_lines`: on which line a field of a TOML file stands.
"""
