"""Layouts of the CuTe library's algebra: functions from coordinates to offsets, written shape:stride.

(8,(4,2)):(1,(8,64)) has 8 x 8 coordinates; the second is itself a pair. A number stands for a coordinate too, counted with the first mode
fastest. In `A o B` B is applied first. What an operation cannot give comes back as a message that says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TypeAlias

import numpy as np

from kernels.analysis.columns import Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

IntTuple: TypeAlias = "int | tuple[IntTuple, ...]"

CHECKED = 1 << 16
"""The most coordinates for which a composition is compared with what it stands for."""


@dataclass(frozen=True, slots=True)
class CuteLayout:
    """Layout: `shape` and `stride` are numbers or tuples nested alike."""

    shape: IntTuple
    stride: IntTuple

    @property
    def modes(self) -> tuple[CuteLayout, ...]:
        """The layouts of the top level: of a number itself."""
        if isinstance(self.shape, int):
            return (self,)
        assert isinstance(self.stride, tuple)
        return tuple(CuteLayout(shape, stride) for shape, stride in zip(self.shape, self.stride, strict=True))

    @property
    def flat(self) -> tuple[tuple[int, int], ...]:
        """Shape and stride of each number, in order."""
        return tuple(zip(_numbers(self.shape), _numbers(self.stride), strict=True))

    @property
    def size(self) -> int:
        """How many coordinates there are."""
        return prod(_numbers(self.shape))

    @property
    def cosize(self) -> int:
        """The offset behind its last one."""
        return 1 + sum((shape - 1) * stride for shape, stride in self.flat)

    def offsets(self, index: Ints) -> Ints:
        """The offset of each number of a coordinate; beyond the size the last mode goes on."""
        total = np.zeros_like(index)
        flat = self.flat
        for place, (shape, stride) in enumerate(flat):
            last = place == len(flat) - 1
            total += (index if last else index % shape) * stride
            index = index // shape
        return total

    def offset(self, coordinate: IntTuple) -> int:
        """The offset of a coordinate: nested like the shape, or with numbers for whole modes. ValueError where it fits neither."""
        if isinstance(coordinate, int):
            return int(self.offsets(np.array(coordinate)))
        modes = self.modes
        if isinstance(self.shape, int) or len(coordinate) != len(modes):
            raise ValueError(f"coordinate {coordinate} does not fit the shape {self.shape}")
        return sum(mode.offset(part) for mode, part in zip(modes, coordinate, strict=True))

    def __str__(self) -> str:
        """As it is written, shape:stride."""
        return f"{_written(self.shape)}:{_written(self.stride)}"


@dataclass(frozen=True, slots=True)
class Swizzle:
    """Exchange of offsets: the `bits` bits from `base + shift` on are added (exclusive or) to those from `base` on."""

    bits: int
    base: int
    shift: int

    def offsets(self, offset: Ints) -> Ints:
        """Where each offset goes; the same function leads back."""
        return offset ^ (offset >> self.shift & ((1 << self.bits) - 1) << self.base)

    def __str__(self) -> str:
        """As it is written, Sw<B,M,S>."""
        return f"Sw<{self.bits},{self.base},{self.shift}>"


@dataclass(frozen=True, slots=True)
class ComposedLayout:
    """Functions applied from the last, a layout, to the first. A number is an offset that is added."""

    parts: tuple[CuteLayout | Swizzle | int, ...]

    @property
    def domain(self) -> CuteLayout:
        """The layout that coordinates are given to."""
        last = self.parts[-1]
        assert isinstance(last, CuteLayout)
        return last

    def offsets(self, index: Ints) -> Ints:
        """The offset of each number of a coordinate."""
        for part in reversed(self.parts):
            index = index + part if isinstance(part, int) else part.offsets(index)
        return index

    @property
    def last(self) -> int:
        """No offset is greater."""
        last = self.domain.size - 1
        for part in reversed(self.parts):
            if isinstance(part, CuteLayout):
                *first, (_, step) = part.flat
                last = last // prod(shape for shape, _ in first) * step + sum((shape - 1) * stride for shape, stride in first)
            else:
                last = last + part if isinstance(part, int) else last | (1 << part.base + part.bits) - 1
        return last

    def table(self) -> Ints:
        """The offsets of all coordinates: an axis for each mode of the top level."""
        sizes = tuple(mode.size for mode in self.domain.modes)
        return self.offsets(np.arange(self.domain.size)).reshape(sizes, order="F")

    def __str__(self) -> str:
        """As it is written."""
        return " o ".join(map(str, self.parts))


def compact(shape: IntTuple) -> CuteLayout:
    """The layout of a shape whose strides leave no gap, the first mode fastest."""

    def strides(part: IntTuple, below: int) -> tuple[IntTuple, int]:
        if isinstance(part, int):
            return below, below * part
        inner: list[IntTuple] = []
        for each in part:
            stride, below = strides(each, below)
            inner.append(stride)
        return tuple(inner), below

    return CuteLayout(shape, strides(shape, 1)[0])


def joined(*layouts: CuteLayout) -> CuteLayout:
    """The layout whose modes these are."""
    return CuteLayout(tuple(each.shape for each in layouts), tuple(each.stride for each in layouts))


def coalesce(layout: CuteLayout) -> CuteLayout:
    """The same function of a number with as few modes as possible."""
    kept: list[tuple[int, int]] = []
    for shape, stride in layout.flat:
        if shape == 1:
            continue
        if kept and stride == kept[-1][0] * kept[-1][1]:
            kept[-1] = (kept[-1][0] * shape, kept[-1][1])
        else:
            kept.append((shape, stride))
    return _of_pairs(kept)


def tile_to_shape(layout: ComposedLayout, rows: int, columns: int) -> ComposedLayout:
    """The layout, of one mode or two, repeated until there are so many rows and columns: below each other first, each copy where the one
    before it ends."""
    row, column = (*layout.domain.modes, CuteLayout(1, 0))[:2]
    down, across, size = -(-rows // row.size), -(-columns // column.size), layout.domain.cosize
    row = joined(row, CuteLayout(down, size)) if down > 1 else row
    column = joined(column, CuteLayout(across, size * down)) if across > 1 else column
    return ComposedLayout((*layout.parts[:-1], joined(row, column)))


def composition(outer: CuteLayout, inner: CuteLayout) -> CuteLayout | Message:
    """The layout of the function outer(inner(coordinate)), with the shape of `inner`, where there is such a layout."""
    found = _composed(coalesce(outer), inner)
    if isinstance(found, CuteLayout) and found.size == inner.size <= CHECKED:
        index = np.arange(inner.size)
        if (found.offsets(index) == outer.offsets(inner.offsets(index))).all():
            return found
    return message(
        "{outer} o {inner} is a function, but no layout: the strides do not divide the shapes.", outer=str(outer), inner=str(inner)
    )


def complement(layout: CuteLayout, cosize: int) -> CuteLayout | Message:
    """The layout of what `layout` leaves out below `cosize`: each offset is a sum of one of both."""
    kept: list[tuple[int, int]] = []
    below = 1
    for stride, shape in sorted((stride, shape) for shape, stride in layout.flat if stride and shape > 1):
        if stride % below:
            return message("{layout} has no complement: its parts overlap, or do not divide one another.", layout=str(layout))
        kept.append((stride // below, below))
        below = shape * stride
    kept.append((-(-cosize // below), below))
    return coalesce(_of_pairs(kept))


def logical_divide(layout: CuteLayout, tiler: CuteLayout) -> CuteLayout | Message:
    """The layout as a pair: coordinates within a tile, and which tile. `tiler` says what a tile is, of numbers of a coordinate."""
    rest = complement(tiler, layout.size)
    return rest if isinstance(rest, Message) else composition(layout, joined(tiler, rest))


def _composed(outer: CuteLayout, inner: CuteLayout) -> CuteLayout | None:
    """The composition by the library's rules, which suppose that everything divides; `outer` is coalesced."""
    if isinstance(inner.shape, tuple):
        parts = [_composed(outer, mode) for mode in inner.modes]
        return joined(*(part for part in parts if part)) if all(parts) else None
    assert isinstance(inner.stride, int)
    if not inner.stride:
        return CuteLayout(inner.shape, 0)
    kept: list[tuple[int, int]] = []
    left, step = inner.shape, inner.stride
    for shape, stride in outer.flat[:-1]:
        taken = min(max(1, shape // step), left)
        if left % taken:
            return None
        if taken > 1:
            kept.append((taken, step * stride))
        left, step = left // taken, -(-step // shape)
    if left > 1 or not kept:
        kept.append((left, step * outer.flat[-1][1]))
    return _of_pairs(kept)


def _of_pairs(pairs: list[tuple[int, int]]) -> CuteLayout:
    if len(pairs) == 1:
        return CuteLayout(*pairs[0])
    return joined(*(CuteLayout(*pair) for pair in pairs)) if pairs else CuteLayout(1, 0)


def _numbers(nested: IntTuple) -> Iterator[int]:
    if isinstance(nested, int):
        yield nested
        return
    for part in nested:
        yield from _numbers(part)


def _written(nested: IntTuple) -> str:
    return str(nested) if isinstance(nested, int) else f"({','.join(map(_written, nested))})"
