"""The text of a file into its outermost table. Raises `BadFile` for what is no such text."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from app.core.base.files.fields import BadFile, FieldPath, LineOf, Table
from app.core.base.files.text_files import LARGEST_FILE, read_source
from kernels.base.messages import Message, message
from kernels.base.parser_errors import json_problem, toml_problem


def text_of(file: Path | Traversable) -> str:
    """The text of a file, which may be one that came with the program."""
    text = read_source(file)
    if isinstance(text, Message):
        raise BadFile(text)
    return text


_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_ENDLESS_NAME = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}){{32}}")
"""A name of so many parts that the parser, whose time grows with their square, would be at it for hours."""


def toml_table(text: str) -> Table:
    """The outermost table of a TOML text, whose fields know their lines."""
    unreadable = message("This is no TOML that can be read.")
    if _ENDLESS_NAME.search(text) is not None:
        raise BadFile(unreadable)
    try:
        return Table(tomllib.loads(text), lines_of(text))
    except ValueError as error:
        raise BadFile(toml_problem(error)) from error
    except RecursionError as error:
        raise BadFile(unreadable) from error


def json_table(text: str) -> Table:
    """The outermost object of a JSON text."""
    value = json_value(text)
    if not isinstance(value, dict):
        raise BadFile(message("This is no JSON object."))
    return Table(value)


def json_value(text: str) -> Any:
    """What a JSON text says. All texts in it can be written again: half a character, which JSON can have, is refused."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise BadFile(json_problem(error)) from error
    except (ValueError, RecursionError) as error:
        raise BadFile(message("This is no JSON that can be read.")) from error
    return value


def kept_object(file: Path, largest: int = LARGEST_FILE) -> dict[str, Any]:
    """The JSON object that a kept file holds; empty where there is no such file, or it holds something else."""
    text = read_source(file, largest)
    try:
        value = {} if isinstance(text, Message) else json_value(text)
    except BadFile:
        return {}
    return value if isinstance(value, dict) else {}


_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\-]+)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_\-]+)\s*=")
_QUOTES = ('"""', "'''")


def lines_of(text: str) -> LineOf:
    """On which line of a well-formed TOML text each field stands, which the parser of the standard library does not tell.

    Of what stands in one line with a field, it is the field's line.
    """
    places: dict[FieldPath, int] = {}
    counted: Counter[FieldPath] = Counter()
    table: FieldPath = ()
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

    def line_of(path: FieldPath) -> int | None:
        while path and path not in places:
            path = path[:-1]
        return places.get(path)

    return line_of


def _table(names: list[str], another: bool, counted: Counter[FieldPath]) -> FieldPath:
    """The path of a header's table. `counted` has how many entries each list of tables has so far."""
    path: FieldPath = ()
    for name in names[:-1]:
        path = _entered((*path, name), counted)
    path = (*path, names[-1])
    if another:
        counted[path] += 1
    return _entered(path, counted)


def _entered(path: FieldPath, counted: Counter[FieldPath]) -> FieldPath:
    """The newest entry of a list of tables; the table itself where it is no list."""
    return (*path, counted[path] - 1) if counted[path] else path
