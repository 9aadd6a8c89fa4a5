"""Animated WebP without loss: the smallest of the exact formats; browsers and recent office programs show it."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

from PIL import Image

from app.core.export.clips.changes import change, milliseconds
from app.core.export.clips.encoder import Pixels

_ANIMATED, _TRANSPARENT = 0x02, 0x10
_OVER = 0x00
"""A picture is laid over the one before, which is seen where it is transparent, and stays."""
_EFFORT, _METHOD = 50, 2
"""How hard the encoder tries: a fifth of a second for a picture of half a million pixels."""
_RIFF = 12
"""Bytes of a file's head, before its first chunk."""


class WebpEncoder:
    """Writes pictures, shown `rate` times a second, over and over."""

    def __init__(self, path: Path, rate: int) -> None:
        self._file = path.open("wb")
        self._rate = rate
        self._before: Pixels | None = None
        self._pictures = 0

    def add(self, picture: Pixels) -> None:
        changed = change(self._before, picture)
        part = changed.part
        if self._before is None:
            rows, columns, _ = picture.shape
            self._file.write(b"RIFF\0\0\0\0WEBP")
            self._chunk(b"VP8X", struct.pack("<B3x", _ANIMATED | _TRANSPARENT) + _three(columns - 1) + _three(rows - 1))
            self._chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))
        place = _three(part.left // 2) + _three(part.top // 2) + _three(part.width - 1) + _three(part.height - 1)
        shown = _three(milliseconds(self._pictures, self._rate)) + bytes((_OVER,))
        self._chunk(b"ANMF", place + shown + _encoded(changed.layer))
        self._before = picture
        self._pictures += 1

    def finish(self) -> None:
        size = self._file.tell()
        self._file.seek(4)
        self._file.write(struct.pack("<I", size - 8))
        self._file.close()

    def abandon(self) -> None:
        self._file.close()

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._file.write(kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2))


def _three(number: int) -> bytes:
    """A number in three bytes."""
    return struct.pack("<I", number)[:3]


def _encoded(layer: Pixels) -> bytes:
    """The chunks of a still WebP that hold its pixels."""
    out = BytesIO()
    Image.fromarray(layer).save(out, "WEBP", lossless=True, exact=True, quality=_EFFORT, method=_METHOD)
    return out.getvalue()[_RIFF:]
