"""A table of a file, asked for field by field. What is missing, of the wrong kind or unknown is refused with its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

from app.core.base.parsing import shown
from kernels.base.messages import Message, ReasonedError, message

T = TypeVar("T")
FieldPath = tuple[str | int, ...]
"""Where a field is: the names of tables, and the places in lists, from 0 on."""
LineOf = Callable[[FieldPath], int | None]
"""The line that a field stands on; None where that is not known."""

LONGEST_TEXT = 2000
MOST_FIELDS = 200
LARGEST_GRID = 2**31 - 1
_MOST_NAMES, _NEAREST = 12, 3
"""Of more names than that only so many are told."""


class BadFile(ReasonedError, ValueError):
    """Error: a file cannot be used. `reason` says where and why."""


def no_lines(_path: FieldPath) -> int | None:
    """For files whose fields have no lines worth telling."""
    return None


class _Required:
    """Marker given in place of a default: the field must be there."""


REQUIRED = _Required()


class Table:
    """Table of a file. Each method takes a field's name and returns its checked value; without a default the field must be there."""

    def __init__(self, values: Mapping[str, Any], line_of: LineOf = no_lines, path: FieldPath = ()) -> None:
        self._values = values
        self._line_of = line_of
        self._path = path
        self._asked: set[str] = set()
        if len(values) > MOST_FIELDS:
            self.wrong(None, message("has more than {most} fields", most=MOST_FIELDS))

    def __contains__(self, name: str) -> bool:
        return name in self._values

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are there."""
        return tuple(self._values)

    @property
    def line(self) -> int:
        """Where the table begins; 0 where that is not known."""
        return self._line_of(self._path) or 0

    def is_text(self, name: str) -> bool:
        """Whether the field is a text."""
        return isinstance(self._values.get(name), str)

    def is_list(self, name: str) -> bool:
        """Whether the field is a list."""
        return isinstance(self._values.get(name), list)

    def text(self, name: str, default: str | _Required = REQUIRED, longest: int = LONGEST_TEXT) -> str:
        """A text of at most `longest` characters."""

        def check(value: Any) -> str:
            if not isinstance(value, str):
                self._expected(name, message("a text"), value)
            if len(value) > longest:
                self.wrong(name, message("is longer than {longest} characters", longest=longest))
            return value

        return self._checked(name, check, default)

    def whole(self, name: str, minimum: int, maximum: int, default: int | _Required = REQUIRED) -> int:
        """A whole number from `minimum` to `maximum`."""
        return self._checked(name, lambda value: self._whole(name, value, minimum, maximum), default)

    def number(self, name: str, minimum: float, maximum: float, default: float | _Required = REQUIRED) -> float:
        """A number from `minimum` to `maximum`."""

        def check(value: Any) -> float:
            if isinstance(value, bool) or not isinstance(value, int | float) or (isinstance(value, float) and not math.isfinite(value)):
                self._expected(name, message("a number"), value)
            if not minimum <= value <= maximum:
                self._out_of_range(name, value, minimum, maximum)
            return float(value)

        return self._checked(name, check, default)

    def flag(self, name: str, default: bool | _Required = REQUIRED) -> bool:
        """True or false."""
        return self._checked(name, lambda value: value if isinstance(value, bool) else self._expected(name, _FLAG, value), default)

    def one_of(self, name: str, names: Collection[str], default: str | _Required = REQUIRED) -> str:
        """One of some names."""

        def check(value: Any) -> str:
            if not isinstance(value, str) or value not in names:
                self._expected(name, _one_of(names, value), value)
            return value

        return self._checked(name, check, default)

    def texts(self, name: str, most: int, default: tuple[str, ...] | _Required = REQUIRED) -> tuple[str, ...]:
        """A list of texts."""
        return self._checked(name, lambda value: tuple(self._items(name, value, most, str, message("texts"))), default)

    def wholes(self, name: str, minimum: int, maximum: int, most: int, default: tuple[int, ...] | _Required = REQUIRED) -> tuple[int, ...]:
        """A list of whole numbers."""

        def check(value: Any) -> tuple[int, ...]:
            items = self._items(name, value, most, int, message("whole numbers"))
            return tuple(self._whole(name, item, minimum, maximum) for item in items)

        return self._checked(name, check, default)

    def three(self, name: str, minimum: int, maximum: int, called: Message) -> tuple[int, int, int]:
        """A list of three whole numbers, told as `called` where it has another length."""
        values = self.wholes(name, minimum, maximum, 3)
        if len(values) != 3:
            self.wrong(name, called)
        return values[0], values[1], values[2]

    def dim3(self, name: str) -> tuple[int, int, int]:
        """A grid or a block: x, y and z."""
        return self.three(name, 1, LARGEST_GRID, message("must hold x, y and z"))

    def table(self, name: str) -> Table:
        """A table in this one; empty where it is not there."""
        self._asked.add(name)
        value = self._values.get(name, {})
        if not isinstance(value, dict):
            self._expected(name, message("a table"), value)
        return Table(value, self._line_of, (*self._path, name))

    def tables(self, name: str, most: int) -> list[Table]:
        """The tables of a list; none where it is not there."""
        self._asked.add(name)
        value = self._values.get(name, [])
        items = self._items(name, value, most, dict, message("tables"))
        return [Table(item, self._line_of, (*self._path, name, place)) for place, item in enumerate(items)]

    def finish(self) -> None:
        """Refuse what nobody asked for: it is misspelt, or of a later version."""
        unknown = next((name for name in self._values if name not in self._asked), None)
        if unknown is not None:
            known = ", ".join(sorted(self._asked))
            self.wrong(unknown, message("is not known here; known are {known}", known=known))

    def wrong(self, name: str | None, problem: Message) -> NoReturn:
        """Refuse the file for a field, or for the whole table."""
        path = self._path if name is None else (*self._path, name)
        field, line = _written(path), self._line_of(path)
        if line is None:
            raise BadFile(message("{field} {problem}.", field=field, problem=problem))
        raise BadFile(message("Line {line}: {field} {problem}.", line=line, field=field, problem=problem))

    def refuse(self, reason: Message) -> NoReturn:
        """Refuse the file for what the table means as a whole; `reason` is a sentence."""
        raise BadFile(message("Line {line}: {reason}", line=self.line, reason=reason) if self.line else reason)

    def _checked(self, name: str, check: Callable[[Any], T], default: T | _Required) -> T:
        self._asked.add(name)
        if name in self._values:
            return check(self._values[name])
        if isinstance(default, _Required):
            self.wrong(name, message("is missing"))
        return default

    def _whole(self, name: str, value: Any, minimum: int, maximum: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self._expected(name, message("a whole number"), value)
        if not minimum <= value <= maximum:
            self._out_of_range(name, value, minimum, maximum)
        return int(value)

    def _items(self, name: str, value: Any, most: int, kind: type, called: Message) -> list[Any]:
        if not isinstance(value, list):
            self._expected(name, message("a list of {things}", things=called), value)
        for item in value:
            if not isinstance(item, kind) or isinstance(item, bool):
                self._expected(name, message("a list of {things} alone", things=called), item)
        if len(value) > most:
            self.wrong(name, message("has more than {most} entries", most=most))
        return list(value)

    def _out_of_range(self, name: str, value: float, minimum: float, maximum: float) -> NoReturn:
        given = shown(str(value) if abs(value) < 1e15 else f"{float(value):.3g}" if abs(value) < 1e300 else "…")
        self.wrong(name, message("must be from {minimum} to {maximum}, not {given}", minimum=minimum, maximum=maximum, given=given))

    def _expected(self, name: str, wanted: Message, value: Any) -> NoReturn:
        if isinstance(value, str):
            given: Message | str = f'"{shown(value)}"'
        elif isinstance(value, float):  # also what is no number and infinite, which are of the kind of numbers
            given = shown(str(value))
        else:
            given = _KINDS.get(type(value), type(value).__name__)
        self.wrong(name, message("must be {wanted}, not {given}", wanted=wanted, given=given))


def _one_of(names: Collection[str], value: Any) -> Message:
    """All names, or where they are many, those that are most like the one that is there."""
    near = get_close_matches(value, sorted(names), _NEAREST, 0.5) if isinstance(value, str) and len(names) > _MOST_NAMES else []
    if near:
        return message("one of {count} names, of which {names} are the nearest", count=len(names), names=", ".join(near))
    return message("one of {names}", names=", ".join(sorted(names)))


_FLAG = message("true or false")
_KINDS: Mapping[type, Message] = {
    dict: message("a table"), list: message("a list"), bool: message("true or false"), int: message("a whole number"),
    type(None): message("nothing"),
}  # fmt: skip


def _written(path: FieldPath) -> str:
    """A path as it is told: "step 3, question.choices"; of lists the entries are counted from 1 on."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f" {part + 1},"
        else:
            text += f" {part}" if text.endswith(",") else f".{part}" if text else part
    return shown(text.removesuffix(","), 120) or "/"
