"""What the caches are like: levels of sets and ways, and how a level is written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Operation, Problem
from kernels.base.values import dataclass

LARGEST_BYTES = 1 << 34
LARGEST_WAYS = 1 << 16
LARGEST_LINE = 1 << 21
"""A page of a TLB may be as large."""
MOST_LEVELS = 8


class Replacement(StrEnum):
    """Replacement policy: which line leaves a full set. An empty way is filled before any line leaves, the first of them first."""

    LRU = "lru"
    """The one that was used longest ago."""
    PLRU = "plru"
    """The one that a binary tree points at; each use turns the nodes above the line to the other side."""
    FIFO = "fifo"
    """The one that came first."""


class Writing(StrEnum):
    """Write policy of a level."""

    BACK = "wb"
    """A miss fetches the line; the line is written below when it leaves."""
    THROUGH = "wt"
    """Every write goes to the level below as well; a miss fetches nothing."""


@dataclass(frozen=True, slots=True)
class Level:
    """One cache: `size` and `line` in bytes. A line's set is its number modulo the number of sets. Made by `level_of`, which checks it."""

    name: str
    size: int
    ways: int
    line: int
    replacement: Replacement = Replacement.LRU
    writing: Writing = Writing.BACK

    @property
    def lines(self) -> int:
        """How many it holds."""
        return self.size // self.line

    @property
    def sets(self) -> int:
        """How many sets its lines are divided into."""
        return self.lines // self.ways

    def __str__(self) -> str:
        """As `parse_level` reads it."""
        return f"{self.name}:{self.size}:{self.ways}:{self.line}:{self.replacement}:{self.writing}"


T = TypeVar("T")


def with_tlb(levels: tuple[T, ...], tlb: T | None) -> tuple[T, ...]:
    """The levels, or what is known of them, and then, where there is one, the TLB."""
    return levels if tlb is None else (*levels, tlb)


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Data caches, the nearest first: each sees what the one before it does not hold. `tlb` is a cache of pages, asked by every access."""

    name: str
    levels: tuple[Level, ...]
    tlb: Level | None = None
    note: Message | None = None
    """What one must know of it before believing its numbers."""

    @property
    def all_levels(self) -> tuple[Level, ...]:
        return with_tlb(self.levels, self.tlb)


def parse_level(field: str, text: str) -> Level | Message:
    """The level that `NAME:SIZE:WAYS:LINE[:lru|plru|fifo][:wb|wt]` writes, sizes in bytes; or why it is none, calling it `field`."""
    parts = [part.strip() for part in text.split(":")]
    if not 4 <= len(parts) <= 6 or not parts[0]:
        return message("{field}: '{text}' is not a level such as {example}.", field=field, text=text, example="L1:32768:8:64:lru:wb")
    numbers: list[int] = []
    for name, part, most in zip(_NUMBERS, parts[1:4], (LARGEST_BYTES, LARGEST_WAYS, LARGEST_LINE), strict=True):
        value = _number(part)
        if value is None or not 1 <= value <= most:
            return message(
                "{field}: the {part} of {level} is '{text}', not a whole number from 1 to {most}.",
                field=field, part=name, level=parts[0], text=part, most=most,
            )  # fmt: skip
        numbers.append(value)
    replacement, writing = Replacement.LRU, Writing.BACK
    for part in (part.lower() for part in parts[4:]):
        if part in set(Replacement):
            replacement = Replacement(part)
        elif part in set(Writing):
            writing = Writing(part)
        else:
            return message(
                "{field}: '{text}' of {level} is not one of {choices}.",
                field=field, text=part, level=parts[0], choices=", ".join((*Replacement, *Writing)),
            )  # fmt: skip
    size, ways, line = numbers
    level = Level(parts[0], size, ways, line, replacement, writing)
    return refuse_level(field, level) or level


def parse_levels(field: str, texts: Sequence[str]) -> tuple[Level, ...] | Message:
    """The levels of a hierarchy, the nearest first; or why they are none."""
    if len(texts) > MOST_LEVELS:
        return message("{field}: at most {most} levels are possible, not {count}.", field=field, most=MOST_LEVELS, count=len(texts))
    levels: list[Level] = []
    for text in texts:
        level = parse_level(field, text)
        if isinstance(level, Message):
            return level
        if any(level.name == above.name for above in levels):
            return message("{field}: there are two levels called {level}.", field=field, level=level.name)
        if levels and level.line < levels[-1].line:
            return message(
                "{field}: the lines of {level} are shorter than those of {above}.", field=field, level=level.name, above=levels[-1].name
            )
        levels.append(level)
    return tuple(levels)


def refuse_level(field: str, level: Level) -> Message | None:
    """Why there can be no such cache, or None."""
    if level.line & (level.line - 1):
        return message(
            "{field}: the line size of {level}, {line} bytes, is not a power of two.", field=field, level=level.name, line=level.line
        )
    if level.size % (level.ways * level.line):
        return message(
            "{field}: the size of {level}, {size} bytes, is not a multiple of {ways} ways of {line} bytes.",
            field=field, level=level.name, size=level.size, ways=level.ways, line=level.line,
        )  # fmt: skip
    if level.replacement is Replacement.PLRU and (level.ways & (level.ways - 1) or level.ways > _MOST_TREE_WAYS):
        return message(
            "{field}: {level} has {ways} ways; a tree of bits (plru) needs 1, 2, 4, 8, 16, 32 or 64.",
            field=field, level=level.name, ways=level.ways,
        )  # fmt: skip
    return None


_NUMBERS = (message("size"), message("number of ways"), message("line size"))
_MOST_TREE_WAYS = 64


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def fits_up_to(operation: Operation, level: Level) -> float:
    """The side of the largest squares, one of each matrix, that the level holds together: a bound for a tile as for whole matrices."""
    matrices = len(Problem.square(operation, 1).shapes)
    return math.sqrt(level.size / (FLOAT32_BYTES * matrices))
