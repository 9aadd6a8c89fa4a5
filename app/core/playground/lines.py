"""Where the lines of a text are after it was edited in one place."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=8)
def _common(before: str, after: str) -> tuple[int, int, int, int]:
    """Lines that both begin with, lines that both end with, and how many each has."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    tail = next((number for number in range(most - head) if old[-1 - number] != new[-1 - number]), most - head)
    return head, tail, len(old), len(new)


def moved_line(before: str, after: str, line: int) -> int | None:
    """The line of `after` that is line `line` of `before`, counted from 1; None where it was edited."""
    head, tail, old, new = _common(before, after)
    if line <= head:
        return line
    if line > old - tail:
        return line + new - old
    edited = line - head - 1
    return line if old == new and edited < new - tail - head else None
