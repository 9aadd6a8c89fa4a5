"""GIF: everything shows it; its colours are the nearest of 256."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from app.core.export.clips.changes import Change, change, milliseconds
from app.core.export.clips.encoder import Pixels
from app.core.export.clips.palette import TRANSPARENT, Palette

HUNDREDTHS = 10
"""Milliseconds in the unit of a GIF's times."""
_LOOP = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_FULL_PALETTE = 0xF7
_STAYS, _HAS_TRANSPARENT = 1 << 2, 1
_TRAILER, _EXTENSION, _IMAGE = 0x3B, 0x21, 0x2C


class GifEncoder:
    """Writes pictures, shown `rate` times a second, over and over. `samples` are some of them: the colours are chosen by these."""

    def __init__(self, path: Path, rate: int, samples: Sequence[Pixels]) -> None:
        self._palette = Palette(samples)
        self._file = path.open("wb")
        self._rate = rate
        self._before: Pixels | None = None
        self._pictures = 0

    def add(self, picture: Pixels) -> None:
        changed = change(self._before, picture)
        part = changed.part
        if self._before is None:
            rows, columns, _ = picture.shape
            self._file.write(b"GIF89a" + struct.pack("<HHBBB", columns, rows, _FULL_PALETTE, 0, 0))
            self._file.write(self._palette.table + _LOOP)
        time = milliseconds(self._pictures, self._rate, HUNDREDTHS)
        self._file.write(b"\x21\xf9\x04" + struct.pack("<BHBB", _STAYS | _HAS_TRANSPARENT, time, TRANSPARENT, 0))
        self._file.write(struct.pack("<BHHHHB", _IMAGE, part.left, part.top, part.width, part.height, 0))
        self._file.write(self._encoded(changed))
        self._before = picture
        self._pictures += 1

    def finish(self) -> None:
        self._file.write(bytes((_TRAILER,)))
        self._file.close()

    def abandon(self) -> None:
        self._file.close()

    def _encoded(self, changed: Change) -> bytes:
        """The compressed pixels of a change in the clip's colours."""
        indices = np.full(changed.different.shape, TRANSPARENT, np.uint8)
        indices[changed.different] = self._palette.nearest(changed.pixels[changed.different])
        picture, out = Image.fromarray(indices), BytesIO()
        picture.putpalette(self._palette.table)
        picture.save(out, "GIF", optimize=False, interlace=0)
        return _compressed(out.getvalue())


def _compressed(content: bytes) -> bytes:
    """What stands in a GIF of one picture between its head and its end: the size of the codes, then blocks of data."""
    place = 13 + _colours(content[10])
    while content[place] == _EXTENSION:
        place = _after_blocks(content, place + 2)
    place += 10 + _colours(content[place + 9])
    return content[place : _after_blocks(content, place + 1)]


def _colours(flags: int) -> int:
    """Bytes of the palette that the flags of a head announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _after_blocks(content: bytes, place: int) -> int:
    while content[place]:
        place += 1 + content[place]
    return place + 1
