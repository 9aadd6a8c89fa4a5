"""The colours of a clip that may have no more than 255."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from app.core.export.clips.encoder import Pixels

TRANSPARENT = 255
"""The last of a GIF's 256 colours stands for what stays as it is."""
_EXACT = 160
"""How many colours are the most frequent ones, as they are: plain areas keep theirs. The others stand for all the rest."""
_AT_ONCE = 4096
Codes = npt.NDArray[np.uint32]


class Palette:
    """Up to 255 colours that suit pictures like `pictures`."""

    def __init__(self, pictures: Sequence[Pixels]) -> None:
        codes = np.concatenate([_codes(picture.reshape(-1, 3)) for picture in pictures])
        known, counts = np.unique(codes, return_counts=True)
        order = np.argsort(counts)[::-1]
        exact, rest = known[order[:_EXACT]], known[order[_EXACT:]]
        self.colours = _rgb(exact) if not len(rest) else np.concatenate((_rgb(exact), _few(_rgb(rest), TRANSPARENT - _EXACT)))

    @property
    def table(self) -> bytes:
        """Red, green and blue of 256 colours, black where there are fewer."""
        return self.colours.tobytes().ljust(3 * (TRANSPARENT + 1), b"\0")

    def nearest(self, pixels: Pixels) -> npt.NDArray[np.uint8]:
        """For each pixel of a row the number of the colour that is the least different."""
        known, place = np.unique(_codes(pixels), return_inverse=True)
        found = [self._nearest(_rgb(known[first : first + _AT_ONCE])) for first in range(0, len(known), _AT_ONCE)]
        numbers: npt.NDArray[np.uint8] = np.concatenate([np.zeros(0, np.uint8), *found])[place]
        return numbers

    def _nearest(self, colours: Pixels) -> npt.NDArray[np.uint8]:
        away = colours[:, np.newaxis].astype(np.int32) - self.colours[np.newaxis]
        numbers: npt.NDArray[np.uint8] = (away * away).sum(axis=2).argmin(axis=1).astype(np.uint8)
        return numbers


def _few(colours: Pixels, most: int) -> Pixels:
    """At most so many colours that stand for all of these."""
    chosen = Image.fromarray(colours[np.newaxis]).quantize(most, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return np.array(chosen.getpalette(), np.uint8).reshape(-1, 3)[:most]


def _codes(pixels: Pixels) -> Codes:
    """Each colour as one number."""
    codes: Codes = (pixels.astype(np.uint32) << np.array((16, 8, 0), np.uint32)).sum(axis=1, dtype=np.uint32)
    return codes


def _rgb(codes: Codes) -> Pixels:
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(np.uint8)
