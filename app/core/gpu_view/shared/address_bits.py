"""How a tile lies in shared memory, found from where its elements were seen: which address bits are exchanged by exclusive or, or how far
its rows lie apart.

Nothing is known beforehand: neither the tile's order nor a swizzle's name. Coordinates and addresses are compared bit by bit.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from kernels.analysis.banks import BANKS, WORD_BYTES
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass

_LINE_BITS = (BANKS * WORD_BYTES).bit_length() - 1
"""Bits of an offset within a line of all banks."""


@dataclass(frozen=True, slots=True)
class BitOf:
    """Bit of a coordinate, and the bits of the byte offset that it changes, as a number."""

    of_row: bool
    bit: int
    changes: int

    @property
    def own(self) -> int:
        """The highest bit that it changes: its place in the dense layout; lower ones are changed by exclusive or."""
        return self.changes.bit_length() - 1


@dataclass(frozen=True)
class AddressBits:
    """Layout in which every bit of a byte offset is an exclusive or of bits of row and column."""

    bits: tuple[BitOf, ...]

    @cached_property
    def sources(self) -> dict[int, tuple[int, ...]]:
        """For each bit of an offset that is exchanged the bits of the dense offset that it is exchanged with."""
        found: dict[int, list[int]] = {}
        for each in sorted(self.bits, key=lambda each: each.own):
            for target in _set_bits(each.changes ^ 1 << each.own):
                found.setdefault(target, []).append(each.own)
        if min(found, default=0) >= _LINE_BITS:  # no bank is exchanged: parts of the tile lie apart
            return {}
        return {target: tuple(found[target]) for target in sorted(found)}

    def place(self, bit: BitOf) -> int:
        """The dense offset that a bit stands for."""
        return 1 << bit.own if self.sources else bit.changes

    @property
    def turned(self) -> bool:
        """Whether columns of the matrix lie one after the other, instead of rows."""
        rows, columns = ([each.own for each in self.bits if each.of_row is wanted] for wanted in (True, False))
        return bool(rows and columns) and min(rows) < min(columns)

    def dense(self, row: Ints, column: Ints) -> Ints:
        """Byte offsets as they would be without an exclusive or."""
        return _sum(row, column, [(each, self.place(each)) for each in self.bits])

    def offset(self, dense: Ints) -> Ints:
        """Byte offsets in memory of dense ones."""
        found: Ints = np.asarray(dense, np.int64).copy()
        for target, sources in self.sources.items():
            for source in sources:
                found ^= (dense >> source & 1) << target
        return found


@dataclass(frozen=True)
class Pitch:
    """Layout without an exclusive or: lines of the tile, `length` bytes long, begin every `pitch` bytes."""

    pitch: int
    length: int
    size: int
    """Bytes of an element."""
    turned: bool

    @property
    def sources(self) -> dict[int, tuple[int, ...]]:
        """No bit is exchanged."""
        return {}

    def dense(self, row: Ints, column: Ints) -> Ints:
        """Byte offsets as they would be without space between the lines."""
        line, place = (column, row) if self.turned else (row, column)
        return np.asarray(line * self.length + place * self.size)

    def offset(self, dense: Ints) -> Ints:
        """Byte offsets in memory of dense ones."""
        line, place = np.divmod(dense, self.length)
        return np.asarray(line * self.pitch + place)


Found = AddressBits | Pitch


def layout_of(row: Ints, column: Ints, offset: Ints, size: int) -> Found | None:
    """The layout in which the element at `row` and `column`, both from 0, of `size` bytes, has its byte `offset`, from 0; None where it is
    neither. Of elements shorter than a word those are given that words begin with."""
    return _by_bits(row, column, offset) or _by_pitch(row, column, offset, size)


def _by_bits(row: Ints, column: Ints, offset: Ints) -> AddressBits | None:
    place = dict(zip(zip(row.tolist(), column.tolist(), strict=True), offset.tolist(), strict=True))
    first = place.get((0, 0))
    if first is None:
        return None
    bits = []
    for of_row, coordinate in ((True, row), (False, column)):
        for bit in _set_bits(int(np.bitwise_or.reduce(coordinate))):
            there = place.get((1 << bit, 0) if of_row else (0, 1 << bit))
            if there is None:
                return None
            bits.append(BitOf(of_row, bit, there ^ first))
    if not all(each.changes for each in bits) or len({each.own for each in bits}) < len(bits):
        return None
    right = (_sum(row, column, [(each, each.changes) for each in bits]) ^ first == offset).all()
    return AddressBits(tuple(bits)) if right and not first else None


def _by_pitch(row: Ints, column: Ints, offset: Ints, size: int) -> Pitch | None:
    for turned, line, place in ((False, row, column), (True, column, row)):
        length = int(place.max()) * size + max(size, WORD_BYTES)
        second = np.flatnonzero(line == 1)
        pitch = int(offset[second[0]] - place[second[0]] * size) if len(second) else length
        if pitch >= length and (line * pitch + place * size == offset).all():
            return Pitch(pitch, length, size, turned)
    return None


def _sum(row: Ints, column: Ints, parts: list[tuple[BitOf, int]]) -> Ints:
    """The exclusive or of what the bits of each coordinate stand for."""
    found = np.zeros(np.shape(row), np.int64)
    for each, changes in parts:
        found ^= ((row if each.of_row else column) >> each.bit & 1) * changes
    return found


def _set_bits(number: int) -> list[int]:
    return [bit for bit in range(number.bit_length()) if number >> bit & 1]
