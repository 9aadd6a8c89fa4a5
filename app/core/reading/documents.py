"""The text of a file into its outermost table. Raises `BadFile` for what is no such text."""

from __future__ import annotations

import json
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.reading.fields import BadFile, Table
from app.core.reading.toml_lines import lines_of
from app.core.source_files import read_source
from kernels.messages import Message, message


def text_of(file: Path | Traversable) -> str:
    """The text of a file, which may be one that came with the program."""
    text = read_source(file)
    if isinstance(text, Message):
        raise BadFile(text)
    return text


def toml_table(text: str) -> Table:
    """The outermost table of a TOML text, whose fields know their lines."""
    try:
        return Table(tomllib.loads(text), lines_of(text))
    except ValueError as error:
        raise BadFile(message("This is no TOML: {problem}.", problem=str(error).rstrip("."))) from error
    except RecursionError as error:
        raise BadFile(message("This is no TOML that can be read.")) from error


def json_table(text: str) -> Table:
    """The outermost object of a JSON text."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise BadFile(message("Line {line}, column {column}: this is no JSON: {problem}.", **place, problem=error.msg)) from error
    except (ValueError, RecursionError) as error:
        raise BadFile(message("This is no JSON that can be read.")) from error
    if not isinstance(value, dict):
        raise BadFile(message("This is no JSON object."))
    return Table(value)
