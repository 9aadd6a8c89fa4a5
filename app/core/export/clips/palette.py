"""256 colours for a clip: a GIF has no more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from app.core.export.clips.encoder import Pixels

COLOURS = 256
_EXACT = 160
"""How many of them are the most frequent ones, as they are: plain areas keep their colour. The others stand for all the rest."""


def palette_of(pictures: Sequence[Pixels]) -> Image.Image:
    """A picture whose palette suits others that are like these."""
    pixels = np.concatenate([picture.reshape(-1, 3) for picture in pictures])
    codes = (pixels.astype(np.uint32) << np.array((16, 8, 0), np.uint32)).sum(axis=1, dtype=np.uint32)
    known, counts = np.unique(codes, return_counts=True)
    order = np.argsort(counts)[::-1]
    exact, rest = known[order[:_EXACT]], known[order[_EXACT:]]
    colours = _rgb(exact)
    if len(rest):
        others = Image.fromarray(_rgb(rest)[np.newaxis]).quantize(COLOURS - _EXACT, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        colours = np.concatenate((colours, np.array(others.getpalette(), np.uint8).reshape(-1, 3)))
    full = np.zeros((COLOURS, 3), np.uint8)
    full[: len(colours)] = colours[:COLOURS]
    full[len(colours) :] = colours[0]
    made = Image.new("P", (1, 1))
    made.putpalette(full.tobytes())
    return made


def _rgb(codes: np.typing.NDArray[np.uint32]) -> Pixels:
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(np.uint8)
