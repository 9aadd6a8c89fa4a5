"""How rows, columns and ranks are shared out."""

from __future__ import annotations

from itertools import pairwise

Part = tuple[int, int]
"""First, and one past the last."""


def parts(total: int, count: int) -> list[Part]:
    """`count` ranges that follow each other, as equal as can be: the first ones have one more; some are empty if need be."""
    least, more = divmod(total, count)
    return list(pairwise(i * least + min(i, more) for i in range(count + 1)))


def sizes(shares: list[Part], each: int = 1) -> list[int]:
    """How many elements each part has, where a row has `each`."""
    return [(last - first) * each for first, last in shares]


def panels(one: list[Part], other: list[Part]) -> list[tuple[int, int, int, int]]:
    """The ranges that lie in one part of `one` and one of `other`: first, one past the last, and which parts."""
    return [
        (max(first, start), min(last, end), x, y)
        for x, (first, last) in enumerate(one)
        for y, (start, end) in enumerate(other)
        if max(first, start) < min(last, end)
    ]


def grid(count: int) -> tuple[int, int]:
    """p and q with p q = `count`, as near to a square as can be, p not smaller than q; a prime gives one column."""
    q = next(q for q in range(int(count**0.5), 0, -1) if count % q == 0)
    return count // q, q
