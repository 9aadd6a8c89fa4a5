"""The parts of a report. Texts are messages; numbers are written where the report is."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.messages import Message

Cell = Message | str | int | float | None
"""None: nothing was measured there."""


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences, one after the other."""

    sentences: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Sentences of which each stands alone."""

    entries: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. The first column names its rows; `notes` are told below it."""

    title: Message
    columns: tuple[Message, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """The curves along an axis, n or a parameter, in a quantity. Who writes the report draws them."""

    title: Message
    axis: str
    quantity: str


@dataclass(frozen=True, slots=True)
class Room:
    """Room for the student's own text."""

    prompt: Message


Part = Words | Listing | Grid | Figure | Room


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it."""

    heading: Message
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole. `author` and `day` are as the reader is told them."""

    title: Message
    author: str
    day: str
    sections: tuple[Section, ...]
