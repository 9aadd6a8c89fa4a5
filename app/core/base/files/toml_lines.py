"""On which line of a TOML text a field stands: the parser of the standard library does not tell."""

from __future__ import annotations

import re
from collections import Counter

from app.core.base.files.fields import LineOf, Path

_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\-]+)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_\-]+)\s*=")
_QUOTES = ('"""', "'''")


def lines_of(text: str) -> LineOf:
    """Answers for paths of a text that is well-formed TOML; of what stands in one line with a field, the field's line."""
    places: dict[Path, int] = {}
    counted: Counter[Path] = Counter()
    table: Path = ()
    within = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if within:
            within = "" if within in line else within
            continue
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            table = _table(header[2].split("."), header[1] == "[[", counted)
            places.setdefault(table, number)
        elif key is not None:
            places.setdefault((*table, key[1]), number)
        within = next((quotes for quotes in _QUOTES if line.count(quotes) % 2), "")

    def line_of(path: Path) -> int | None:
        while path and path not in places:
            path = path[:-1]
        return places.get(path)

    return line_of


def _table(names: list[str], another: bool, counted: Counter[Path]) -> Path:
    """The path of a header's table. `counted` has how many entries each list of tables has so far."""
    path: Path = ()
    for name in names[:-1]:
        path = _entered((*path, name), counted)
    path = (*path, names[-1])
    if another:
        counted[path] += 1
    return _entered(path, counted)


def _entered(path: Path, counted: Counter[Path]) -> Path:
    """The newest entry of a list of tables; the table itself where it is no list."""
    return (*path, counted[path] - 1) if counted[path] else path
