"""Encoders by a file's ending: WebP without loss, GIF with a palette of at most 255 colours, APNG; MP4 from its own module.

Imported when a clip is exported: Pillow is not needed before. WebP is the smallest of the exact formats; GIF is shown by everything; APNG
is exact, and what cannot show it moving shows the first picture.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from app.core.export.clips.encoder import Change, Encoder, Part, Pixels, change, milliseconds
from app.core.export.clips.mp4 import Mp4Encoder

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEEP, _OVER_PNG = 0, 1
"""What becomes of a picture when its time is over, and how the next one is laid over it."""
_ANIMATED, _TRANSPARENT = 0x02, 0x10
_OVER = 0x00
"""A picture is laid over the one before, which is seen where it is transparent, and stays."""
_EFFORT, _METHOD = 50, 2
"""How hard the encoder tries: a fifth of a second for a picture of half a million pixels."""
_RIFF = 12
"""Bytes of a file's head, before its first chunk."""


class ChangeEncoder:
    """Writes pictures, shown `rate` times a second, over and over: of each what differs from the one before."""

    def __init__(self, path: Path, rate: int) -> None:
        self._file = path.open("wb")
        self._rate = rate
        self._before: Pixels | None = None
        self._pictures = 0

    def add(self, picture: Pixels) -> None:
        self._write(change(self._before, picture))
        self._before = picture
        self._pictures += 1

    def abandon(self) -> None:
        self._file.close()

    def _write(self, changed: Change) -> None:
        """Write the next picture, and before the first what a file begins with."""
        raise NotImplementedError


class WebpEncoder(ChangeEncoder):
    """Encoder of a WebP."""

    def _write(self, changed: Change) -> None:
        part = changed.part
        if self._before is None:
            rows, columns, _ = changed.layer.shape
            self._file.write(b"RIFF\0\0\0\0WEBP")
            self._chunk(b"VP8X", struct.pack("<B3x", _ANIMATED | _TRANSPARENT) + _three(columns - 1) + _three(rows - 1))
            self._chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))
        place = _three(part.left // 2) + _three(part.top // 2) + _three(part.width - 1) + _three(part.height - 1)
        shown = _three(milliseconds(self._pictures, self._rate)) + bytes((_OVER,))
        self._chunk(b"ANMF", place + shown + _encoded(changed.layer))

    def finish(self) -> None:
        size = self._file.tell()
        self._file.seek(4)
        self._file.write(struct.pack("<I", size - 8))
        self._file.close()

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._file.write(kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2))


def _three(number: int) -> bytes:
    """Return a number in three bytes."""
    return struct.pack("<I", number)[:3]


def _encoded(layer: Pixels) -> bytes:
    """The chunks of a still WebP that hold its pixels."""
    out = BytesIO()
    Image.fromarray(layer).save(out, "WEBP", lossless=True, exact=True, quality=_EFFORT, method=_METHOD)
    return out.getvalue()[_RIFF:]


TRANSPARENT = 255
"""The last of a GIF's 256 colours stands for what stays as it is."""
_EXACT = 160
"""How many colours are the most frequent ones, as they are: plain areas keep theirs. The others stand for all the rest."""
_AT_ONCE = 4096
Codes = npt.NDArray[np.uint32]


class Palette:
    """Palette of up to 255 colours that suit pictures like `pictures`."""

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
    """Return at most `most` colours that stand for all of these."""
    chosen = Image.fromarray(colours[np.newaxis]).quantize(most, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return np.array(chosen.getpalette(), np.uint8).reshape(-1, 3)[:most]


def _codes(pixels: Pixels) -> Codes:
    """Return each colour as one number."""
    codes: Codes = (pixels.astype(np.uint32) << np.array((16, 8, 0), np.uint32)).sum(axis=1, dtype=np.uint32)
    return codes


def _rgb(codes: Codes) -> Pixels:
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(np.uint8)


HUNDREDTHS = 10
"""Milliseconds in the unit of a GIF's times."""
_LOOP = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_FULL_PALETTE = 0xF7
_STAYS, _HAS_TRANSPARENT = 1 << 2, 1
_TRAILER, _EXTENSION, _IMAGE = 0x3B, 0x21, 0x2C


class GifEncoder(ChangeEncoder):
    """Encoder of a GIF. `samples` are some of the pictures: the colours are chosen by these."""

    def __init__(self, path: Path, rate: int, samples: Sequence[Pixels]) -> None:
        super().__init__(path, rate)
        self._palette = Palette(samples)

    def _write(self, changed: Change) -> None:
        part = changed.part
        if self._before is None:
            rows, columns, _ = changed.layer.shape
            self._file.write(b"GIF89a" + struct.pack("<HHBBB", columns, rows, _FULL_PALETTE, 0, 0))
            self._file.write(self._palette.table + _LOOP)
        time = milliseconds(self._pictures, self._rate, HUNDREDTHS)
        self._file.write(b"\x21\xf9\x04" + struct.pack("<BHBB", _STAYS | _HAS_TRANSPARENT, time, TRANSPARENT, 0))
        self._file.write(struct.pack("<BHHHHB", _IMAGE, part.left, part.top, part.width, part.height, 0))
        self._file.write(self._encoded(changed))

    def finish(self) -> None:
        self._file.write(bytes((_TRAILER,)))
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


def encoder_for(path: Path, rate: int, count: int, samples: Sequence[Pixels]) -> Encoder:
    """The encoder of `count` pictures, of which `samples` are some. Raises `OSError` where the file cannot be opened."""
    match path.suffix.lower():
        case ".webp":
            return WebpEncoder(path, rate)
        case ".apng":
            return ApngEncoder(path, rate, count)
        case ".gif":
            return GifEncoder(path, rate, samples)
        case _:
            rows, columns, _ = samples[0].shape
            return Mp4Encoder(path, rate, (columns, rows))


class ApngEncoder(ChangeEncoder):
    """Encoder of an animated PNG of `count` pictures."""

    def __init__(self, path: Path, rate: int, count: int) -> None:
        super().__init__(path, rate)
        self._count = count
        self._chunks = 0
        """Of those that are numbered."""

    def _write(self, changed: Change) -> None:
        header, data = _encoded_png(changed.layer)
        if self._before is None:
            self._file.write(_SIGNATURE)
            self._chunk(b"IHDR", header)
            self._chunk(b"acTL", struct.pack(">II", self._count, 0))
        self._chunk(b"fcTL", self._control(changed.part))
        if self._before is None:
            self._chunk(b"IDAT", data)
        else:
            self._chunk(b"fdAT", self._number() + data)

    def finish(self) -> None:
        self._chunk(b"IEND", b"")
        self._file.close()

    def _control(self, part: Part) -> bytes:
        place = struct.pack(">IIII", part.width, part.height, part.left, part.top)
        return self._number() + place + struct.pack(">HHBB", 1, self._rate, _KEEP, _OVER_PNG)

    def _number(self) -> bytes:
        self._chunks += 1
        return struct.pack(">I", self._chunks - 1)

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def _encoded_png(layer: Pixels) -> tuple[bytes, bytes]:
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
