"""Fuzzy search: how well a name answers what was typed, with letters left out or one of them wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = re.compile(r"[^\W_]+", re.UNICODE)
_BEGINS, _BEGINS_WORD, _INSIDE, _INITIALS, _MISTYPED = range(5)
_LEAST_MISTYPED = 4
"""Letters of a word from which on one may be wrong."""


def rank(typed: str, names: Iterable[str]) -> float | None:
    """Rank of the name that answers best, the less the better; None where none has all that was typed."""
    wanted = typed.casefold().split()
    found = [each for name in names if name and (each := _rank(wanted, name.casefold())) is not None]
    return min(found, default=None)


def _rank(wanted: list[str], name: str) -> float | None:
    """The sum over the words that were typed; of names that answer alike the shorter is meant. One that has all of several words whole
    comes first."""
    words = _WORDS.findall(name)
    total = len(name) / 1000 - (len(wanted) > 1 and set(wanted) <= set(words))
    for each in wanted:
        place = _place(each, name, words)
        if place is None:
            return None
        total += place
    return total


def _place(wanted: str, name: str, words: list[str]) -> int | None:
    if name.startswith(wanted):
        return _BEGINS
    if any(word.startswith(wanted) for word in words):
        return _BEGINS_WORD
    if wanted in name:
        return _INSIDE
    if len(wanted) > 1 and "".join(word[0] for word in words).startswith(wanted):
        return _INITIALS
    if len(wanted) >= _LEAST_MISTYPED and any(mistyped(wanted, word[:length]) for word in words for length in _lengths(wanted)):
        return _MISTYPED
    return None


def _lengths(wanted: str) -> range:
    return range(len(wanted) - 1, len(wanted) + 2)


def mistyped(one: str, other: str) -> bool:
    """Whether one letter too many, too few or wrong, or two that changed places, make one word of the other."""
    first = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[first:], other[first:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) <= 1 or (len(one) == 2 and one == other[::-1])
