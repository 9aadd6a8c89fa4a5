"""Animated PNG: exact, and what cannot show it moving shows the first picture."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

from PIL import Image

from app.core.export.clips.encoder import Part, Pixels, change

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEEP, _OVER = 0, 1
"""What becomes of a picture when its time is over, and how the next one is laid over it."""


class ApngEncoder:
    """Writes `count` pictures, shown `rate` times a second, over and over."""

    def __init__(self, path: Path, rate: int, count: int) -> None:
        self._file = path.open("wb")
        self._rate, self._count = rate, count
        self._before: Pixels | None = None
        self._chunks = 0
        """Of those that are numbered."""

    def add(self, picture: Pixels) -> None:
        changed = change(self._before, picture)
        header, data = _encoded(changed.layer)
        if self._before is None:
            self._file.write(_SIGNATURE)
            self._chunk(b"IHDR", header)
            self._chunk(b"acTL", struct.pack(">II", self._count, 0))
        self._chunk(b"fcTL", self._control(changed.part))
        if self._before is None:
            self._chunk(b"IDAT", data)
        else:
            self._chunk(b"fdAT", self._number() + data)
        self._before = picture

    def finish(self) -> None:
        self._chunk(b"IEND", b"")
        self._file.close()

    def abandon(self) -> None:
        self._file.close()

    def _control(self, part: Part) -> bytes:
        place = struct.pack(">IIII", part.width, part.height, part.left, part.top)
        return self._number() + place + struct.pack(">HHBB", 1, self._rate, _KEEP, _OVER)

    def _number(self) -> bytes:
        self._chunks += 1
        return struct.pack(">I", self._chunks - 1)

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def _encoded(layer: Pixels) -> tuple[bytes, bytes]:
    """The header and the compressed data of a PNG."""
    out = BytesIO()
    Image.fromarray(layer).save(out, "PNG")
    content, place = out.getvalue(), len(_SIGNATURE)
    header, data = b"", b""
    while place < len(content):
        size, kind = struct.unpack_from(">I4s", content, place)
        body = content[place + 8 : place + 8 + size]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            data += body
        place += 12 + size
    return header, data
