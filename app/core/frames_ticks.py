"""Labels along an edge of a matrix."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tick:
    """Stands for the rows, or the columns, from `first` to `stop` (exclusive). The present one stands out."""

    text: str
    first: int
    stop: int
    present: bool
