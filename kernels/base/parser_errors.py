"""Errors of the JSON and TOML readers in Python's standard library, as messages with line and column.

Their own words are English alone and differ between versions of Python: those that are known are said in ours, others are quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from kernels.base.messages import Message, message

_LONGEST = 120
_SIGN = message("“{sign}” is expected here", sign="")
_TWICE = message("what stands here was given before")
_ESCAPE = message("after the backslash stands what no text can have there")
_CHARACTER = message("this character cannot stand here")
_NO_END = message("a text has no end")
_AT = re.compile(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$")

_Table = Sequence[tuple[re.Pattern[str], Message]]

_JSON: _Table = [
    (re.compile(pattern), said)
    for pattern, said in (
        (r"Expecting value", message("a value is expected here")),
        (r"Expecting property name", message("a name in quotation marks is expected here")),
        (r"Expecting '(.)' delimiter", _SIGN),
        (r"Unterminated string", message("the text that begins here has no end")),
        (r"Invalid control character", message("a text holds a line break or another control character")),
        (r"Invalid \\", _ESCAPE),
        (r"Extra data", message("more stands here, after the end")),
        (r"Illegal trailing comma", message("a comma stands after the last entry")),
        (r"Unexpected UTF-8 BOM", message("a byte order mark stands before the beginning")),
    )
]
_TOML: _Table = [
    (re.compile(pattern), said)
    for pattern, said in (
        (r"Invalid statement", message("a name or a table in brackets is expected here")),
        (r"Expected newline or end of document", message("the line is to end here")),
        (r"Expected '(.{1,2})' ", _SIGN),
        (r"Expected [\"'](.{1,3})[\"']$", _SIGN),
        (r"(?:Found invalid|Illegal|Invalid initial) character", _CHARACTER),
        (r"Cannot (?:declare|mutate|redefine|overwrite)|Duplicate inline table key", _TWICE),
        (r"Unclosed array", message("a list has no end")),
        (r"Unclosed inline table", message("a table in braces has no end")),
        (r"Unterminated string", _NO_END),
        (r"Unescaped|Invalid hex value|Escaped character", _ESCAPE),
        (r"Invalid date or datetime", message("this is no date and no time")),
        (r"Invalid value", message("a value is expected here")),
        (r"Exceeds the limit", message("a number has too many digits")),
    )
]


def json_problem(error: json.JSONDecodeError) -> Message:
    """The sentence that says where a text is no JSON, and why."""
    place = {"line": error.lineno, "column": error.colno}
    return message("Line {line}, column {column}: this is no JSON: {problem}.", **place, problem=_said(error.msg, _JSON))


def toml_problem(error: ValueError) -> Message:
    """The sentence that says where a text is no TOML, and why; `error` is what `tomllib` raised."""
    words, line, column = _words_and_place(str(error))
    problem = _said(words, _TOML)
    if line:
        return message("Line {line}, column {column}: this is no TOML: {problem}.", line=line, column=column, problem=problem)
    return message("This is no TOML: {problem}.", problem=problem)


def _words_and_place(said: str) -> tuple[str, int, int]:
    """What a reader of TOML says, and the line and column that it ends with; 0 where it names none, or the end of the text."""
    found = _AT.match(said)
    if found is None:
        return said, 0, 0
    return found[1], int(found[2] or 0), int(found[3] or 0)


def _said(words: str, table: _Table) -> Message:
    for pattern, said in table:
        found = pattern.match(words)
        if found is not None:
            return Message(said.template, (("sign", found[1]),)) if said is _SIGN else said
    clean = "".join(sign if sign.isprintable() else " " for sign in words[:_LONGEST]).rstrip(". ")
    return message("in the words of Python, “{words}”", words=clean)
