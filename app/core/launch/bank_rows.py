"""Which rows of shared memory are drawn: all, or where these are too many those that matter, the others folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_ROWS = 48
GROUP = 8
"""Rows that are shown together, so that a step further the same ones are."""


@dataclass(frozen=True, slots=True)
class Part:
    """The rows from `start` to `stop` (exclusive), one under the other, or folded."""

    start: int
    stop: int
    folded: bool = False

    @property
    def rows(self) -> int:
        return self.stop - self.start


def parts(rows: int, touched: Iterable[int], begins: Sequence[int]) -> tuple[Part, ...]:
    """The parts of `rows` rows, in order. `touched` are always shown; `begins` are the rows where arrays begin, in ascending order."""
    shown = set(range(rows)) if rows <= MOST_ROWS else _chosen(rows, {row for row in touched if 0 <= row < rows}, begins)
    found: list[Part] = []
    for row in range(rows):
        folded = row not in shown
        if found and found[-1].folded == folded and (folded or row not in begins):
            found[-1] = Part(found[-1].start, row + 1, folded)
        else:
            found.append(Part(row, row + 1, folded))
    return tuple(found)


def _chosen(rows: int, touched: set[int], begins: Sequence[int]) -> set[int]:
    """The most of: the groups of the touched rows with one of each other array, those groups, the rows' neighbours, the rows alone."""
    groups = {other for row in touched for other in range(row // GROUP * GROUP, row // GROUP * GROUP + GROUP)}
    idle = {row for begin, end in zip(begins, (*begins[1:], rows), strict=True) if not groups & set(range(begin, end))
            for row in range(begin, min(begin + GROUP, end))}  # fmt: skip
    near = {row + step for row in touched for step in (-1, 0, 1)}
    choices = (groups | idle, groups, near)
    return next((_filled(choice, rows) for choice in choices if choice and len(_filled(choice, rows)) <= MOST_ROWS), touched)


def _filled(chosen: set[int], rows: int) -> set[int]:
    """With every single row between two chosen ones: folding it would save nothing."""
    inside = {row for row in chosen if 0 <= row < rows}
    return inside | {row + 1 for row in inside if row + 2 in inside}
