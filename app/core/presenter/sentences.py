"""Texts in sentences, and how much room they take in a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_END = re.compile(r"(?<=[.?!])\s+(?=[^a-z\s])|(?<=[。？！])\s*(?=\S)")
"""Between two sentences; a full stop before a small letter ends an abbreviation."""
_MARKS = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def sentences(paragraphs: Iterable[str]) -> tuple[str, ...]:
    """The sentences of some paragraphs, with their marks for code and stress."""
    return tuple(part for text in paragraphs for part in _END.split(text) if part)


def width_of(text: str) -> int:
    """About how wide a text is, in Latin letters: a Han character takes two. Marks take none."""
    plain = _MARKS.sub(lambda match: match[1] or match[2], text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in plain)


def without_number(said: tuple[str, ...], number: str) -> tuple[str, ...]:
    """The sentences less a first one that says no more than a number which stands beside them anyway: "32." or "32 个。"."""
    if number and said and said[0].startswith(number) and len(said[0]) <= len(number) + 3:
        return said[1:]
    return said
