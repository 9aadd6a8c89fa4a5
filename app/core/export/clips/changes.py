"""What is different between two pictures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.core.export.clips.encoder import Pixels


class Part(NamedTuple):
    """A rectangle of a picture, in pixels; `bottom` and `right` are the first ones outside."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    def of(self, picture: Pixels) -> Pixels:
        """That part of a picture."""
        return np.ascontiguousarray(picture[self.top : self.bottom, self.left : self.right])


def changed_part(before: Pixels | None, now: Pixels) -> Part:
    """The smallest rectangle that holds all that is different; one pixel where nothing is. It begins at even places, as WebP wants."""
    rows, columns, _ = now.shape
    if before is None:
        return Part(0, 0, rows, columns)
    different = (before != now).any(axis=2)
    down, across = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    if not len(down):
        return Part(0, 0, 1, 1)
    return Part(int(down[0]) & ~1, int(across[0]) & ~1, int(down[-1]) + 1, int(across[-1]) + 1)


def milliseconds(number: int, rate: int, unit: int = 1) -> int:
    """How long picture `number` is shown, so that what rounding takes from one the next gets back; in `unit` milliseconds."""
    return round((number + 1) * 1000 / (rate * unit)) - round(number * 1000 / (rate * unit))
