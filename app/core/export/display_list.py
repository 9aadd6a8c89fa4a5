"""Display lists: what painters drew at each step, in two themes, packed so that what did not change is written once.

A packed scene is one block of bytes: the length of the text, the text (JSON: tables, and for each step what differs from the step before),
and the pixels of the images. `resources/player/drawing.js` unpacks and draws it.
"""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass

Matrix = tuple[float, float, float, float, float, float]
"""The way from a mark's pixels to the scene's, as SVG writes it."""
_CLEAR = "#00000000"
_WHOLE_AFTER = 40
"""Changes of an image after which it is written whole, so that a reader who jumps need not make them all."""
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fill:
    """Area: its colour (#rrggbbaa) and its outline as SVG writes it. `hatch` are the pixels of 8 x 8 that are painted: a byte a row, in
    hexadecimal, the highest bit at the left; "" for all."""

    colour: str
    outline: str
    matrix: Matrix
    even: bool
    """Whether what is enclosed twice is left out."""
    hatch: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """Line along an outline; `dashes`, in its widths, are none where it is drawn through."""

    colour: str
    outline: str
    matrix: Matrix
    width: float
    cap: str
    join: str
    dashes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Line of text: the outlines of its glyphs, where each begins, and by how much they are scaled."""

    colour: str
    matrix: Matrix
    scale: float
    glyphs: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """Image, as rows of colours (0xrrggbbaa), and the rectangle that it fills: x, y, width, height."""

    pixels: npt.NDArray[np.uint32]
    place: tuple[float, float, float, float]
    matrix: Matrix
    opacity: float


Mark = Fill | Stroke | Glyphs | Raster


@dataclass(frozen=True, slots=True)
class StepWords:
    """Words of a step, rendered: where it is, its title, its sentence, each view's verdict, and the line that runs."""

    place: str
    title: str
    sentence: str
    views: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Spot where a pointer is told something: the rectangle (x, y, width, height) and the words. `lane` is that of the warp that runs."""

    place: tuple[float, float, float, float]
    text: str
    lane: int = -1


class _Numbers(Generic[T]):
    """Numbers for values, from 0, in the order met."""

    def __init__(self) -> None:
        self.of: dict[T, int] = {}

    def __call__(self, value: T) -> int:
        return self.of.setdefault(value, len(self.of))

    @property
    def values(self) -> list[T]:
        return list(self.of)


@dataclass(slots=True, eq=False)
class _Shown:
    """The last image at a place: its number, its pixels in both themes, and how many changes it is away from a whole one."""

    number: int
    pixels: npt.NDArray[np.uint64]
    changes: int


class PackedScene:
    """Scene to be packed, of `width` x `height` pixels: add its steps in order, in both themes, then ask for the bytes."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._colours: _Numbers[tuple[str, str]] = _Numbers()
        self._pairs: dict[int, int] = {}
        self._texts: _Numbers[str] = _Numbers()
        self._matrices: _Numbers[Matrix] = _Numbers()
        self._pens: _Numbers[tuple[Any, ...]] = _Numbers()
        self._lines: _Numbers[tuple[float, ...]] = _Numbers()
        self._marks: _Numbers[tuple[float, ...]] = _Numbers()
        self._images: list[tuple[int, ...]] = []
        self._shown: dict[tuple[object, ...], _Shown] = {}
        self._pixels: list[bytes] = []
        self._places: _Numbers[tuple[float, ...]] = _Numbers()
        self._said: _Numbers[str] = _Numbers()
        self._spots: _Numbers[tuple[int, ...]] = _Numbers()
        self._before: list[int] = []
        self._steps: list[dict[str, Any]] = []
        self._chapters: list[dict[str, object]] = []
        self._begun = 0

    def add(self, light: Sequence[Mark], dark: Sequence[Mark], words: StepWords, spots: Sequence[Sequence[Spot]] = ()) -> None:
        """Add the next step. Where the themes draw different things, each is invisible in the other. `spots` are those of each view."""
        pairs: Iterable[tuple[Mark | None, Mark | None]] = zip(light, dark, strict=False)
        if len(light) != len(dark) or not all(_alike(one, other) for one, other in zip(light, dark, strict=True)):
            pairs = [(mark, None) for mark in light] + [(None, mark) for mark in dark]
        marks = [self._numbered(one, other) for one, other in pairs]
        told = [self._spots(tuple(part for spot in view for part in self._spot(spot))) for view in spots]
        self._steps.append({**asdict(words), "drawn": _edits(self._before, marks), "spots": told})
        self._before = marks

    def end_chapter(self, **more: object) -> int:
        """End what belongs together since the last chapter; `more` is said of all its steps. Returns its number."""
        self._chapters.append({"begin": self._begun, "end": len(self._steps), **more})
        self._begun = len(self._steps)
        return len(self._chapters) - 1

    def packed(self, **more: object) -> bytes:
        """All chapters as bytes, compressed; `more` is said of the whole page."""
        known = {
            "places": self._places.values, "said": self._said.values, "spots": self._spots.values, "chapters": self._chapters,
            "size": self._size, "colours": self._colours.values, "texts": self._texts.values, "matrices": self._matrices.values,
            "pens": self._pens.values, "lines": self._lines.values, "marks": self._marks.values, "images": self._images,
            "steps": self._steps, **more,
        }  # fmt: skip
        text = json.dumps(known, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 2)  # pixels are pairs of bytes
        return gzip.compress(struct.pack("<I", len(text)) + text + b"".join(self._pixels), 9, mtime=0)

    def _spot(self, spot: Spot) -> tuple[int, int, int]:
        return self._places(tuple(round(number, 1) for number in spot.place)), self._said(spot.text), spot.lane

    def _numbered(self, light: Mark | None, dark: Mark | None) -> int:
        """The number of a mark; one that a theme does not have is drawn in no colour there."""
        mark = light if light is not None else dark
        assert mark is not None
        matrix = self._matrices(mark.matrix)
        if isinstance(mark, Raster):
            image = self._image(mark, *(each.pixels if isinstance(each, Raster) else np.zeros_like(mark.pixels) for each in (light, dark)))
            return self._marks((3, image, matrix, *mark.place, mark.opacity))
        one, other = (_CLEAR if each is None or isinstance(each, Raster) else each.colour for each in (light, dark))
        colour = self._colours((one, other))
        if isinstance(mark, Fill):
            hatch = (self._texts(mark.hatch),) if mark.hatch else ()
            return self._marks((0, colour, matrix, self._texts(mark.outline), int(mark.even), *hatch))
        if isinstance(mark, Stroke):
            pen = self._pens((mark.width, mark.cap, mark.join, mark.dashes))
            return self._marks((1, colour, matrix, self._texts(mark.outline), pen))
        line = tuple(number for shape, x, y in mark.glyphs for number in (self._texts(shape), x, y))
        return self._marks((2, colour, matrix, self._lines(line), mark.scale))

    def _image(self, mark: Raster, light: npt.NDArray[np.uint32], dark: npt.NDArray[np.uint32]) -> int:
        """The number of an image: the one before at its place where they are equal, else what differs from that."""
        pixels = light.astype(np.uint64) << np.uint64(32) | dark
        place = (mark.place, mark.matrix, pixels.shape)
        before = self._shown.get(place)
        if before is None or before.changes == _WHOLE_AFTER:
            number, changes = self._write(-1, 0, 0, pixels, pixels.shape), 0
        else:
            other = before.pixels != pixels
            if not other.any():
                return before.number
            rows, columns = (np.flatnonzero(other.any(axis=axis)) for axis in (1, 0))
            top, left = int(rows[0]), int(columns[0])
            part = pixels[top : rows[-1] + 1, left : columns[-1] + 1]
            number, changes = self._write(before.number, left, top, part, pixels.shape), before.changes + 1
        self._shown[place] = _Shown(number, pixels, changes)
        return number

    def _write(self, base: int, left: int, top: int, part: npt.NDArray[np.uint64], shape: tuple[int, ...]) -> int:
        """Write a part of an image, which is that of number `base` else; its number."""
        height, width = part.shape
        self._images.append((base, shape[1], shape[0], left, top, width, height))
        self._pixels.append(self._colours_of(part).astype("<u2").tobytes())
        return len(self._images) - 1

    def _colours_of(self, pixels: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """The numbers of an image's colours."""
        found, places = np.unique(pixels, return_inverse=True)
        numbers = np.array([self._pair(int(each)) for each in found], np.int64)
        assert numbers.max(initial=0) < 1 << 16, "more colours than a scene has"
        return numbers[places]

    def _pair(self, both: int) -> int:
        if both not in self._pairs:
            self._pairs[both] = self._colours((f"#{both >> 32:08x}", f"#{both & 0xFFFFFFFF:08x}"))
        return self._pairs[both]


def _alike(one: Mark, other: Mark) -> bool:
    """Whether two marks differ in their colours alone."""
    if isinstance(one, Raster) or isinstance(other, Raster):
        same = isinstance(one, Raster) and isinstance(other, Raster) and one.pixels.shape == other.pixels.shape
        return same and (one.place, one.matrix, one.opacity) == (other.place, other.matrix, other.opacity)  # type: ignore[union-attr]
    return type(one) is type(other) and _without_colour(one) == _without_colour(other)


def _without_colour(mark: Fill | Stroke | Glyphs) -> tuple[object, ...]:
    return tuple(getattr(mark, name) for name in mark.__slots__ if name != "colour")


def _edits(before: Sequence[int], after: Sequence[int]) -> list[list[int]]:
    """What makes one list the other: from which place on, how many go, and what comes there instead; the last edit first."""
    if len(before) == len(after):
        changed = [place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
        return [[place, 1, after[place]] for place in reversed(changed)]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    edits = [(first, last - first, after[begin:end]) for kind, first, last, begin, end in matcher.get_opcodes() if kind != "equal"]
    return [[first, gone, *come] for first, gone, come in reversed(edits)]
