"""Encoder interface of all formats of a clip, and the rectangle in which two successive pictures differ."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""A picture: rows, columns, and red, green and blue."""


class Encoder(Protocol):
    """Takes the pictures one by one, all of one size. Raises `OSError` where the file cannot be written."""

    def add(self, picture: Pixels) -> None:
        """Add the next picture."""
        ...

    def finish(self) -> None:
        """Complete the file and close it: all pictures have been added."""
        ...

    def abandon(self) -> None:
        """Close the file as it is; whoever opened it removes it."""
        ...


Mask = npt.NDArray[np.bool_]
OPAQUE = 255


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


class Change(NamedTuple):
    """Difference of two successive pictures: a rectangle, its pixels, and which of them differ."""

    part: Part
    pixels: Pixels
    different: Mask

    @property
    def layer(self) -> Pixels:
        """The pixels with a fourth value each: opaque where they differ, transparent (and black, which takes the least room) where not."""
        shown = self.pixels * self.different[..., np.newaxis]
        return np.dstack((shown, np.where(self.different, np.uint8(OPAQUE), np.uint8(0))))


def change(before: Pixels | None, now: Pixels) -> Change:
    """The smallest rectangle that holds all that is different; one pixel where nothing is. It begins at even places, as WebP wants."""
    rows, columns, _ = now.shape
    if before is None:
        return Change(Part(0, 0, rows, columns), now, np.ones((rows, columns), np.bool_))
    different = (before != now).any(axis=2)
    down, across = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    part = Part(0, 0, 1, 1)
    if len(down):
        part = Part(int(down[0]) & ~1, int(across[0]) & ~1, int(down[-1]) + 1, int(across[-1]) + 1)
    place = slice(part.top, part.bottom), slice(part.left, part.right)
    return Change(part, now[place], different[place])


def milliseconds(number: int, rate: int, unit: int = 1) -> int:
    """How long picture `number` is shown, so that what rounding takes from one the next gets back; in `unit` milliseconds."""
    return round((number + 1) * 1000 / (rate * unit)) - round(number * 1000 / (rate * unit))
