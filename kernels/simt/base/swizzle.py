"""Where wgmma and tensor copies find an element in shared memory: swizzles, matrix descriptors, boxes of a tensor map.

Pieces of 16 bytes change places. A swizzle of 128 bytes adds (exclusive or) bits 7 to 9 of the address to bits 4 to 6, one of 64 bytes bits
7 and 8 to bits 4 and 5, one of 32 bytes bit 7 to bit 4. Addresses are bytes of the shared window.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass

Ints = npt.NDArray[np.int64]
Major = Literal["K", "MN"]

PIECE = 16
"""Bytes that stay together."""
SPANS = (0, 32, 64, 128)
"""Bytes within which a swizzle exchanges pieces; 0 is no swizzle."""
_ROW_SHIFT, _PIECE_SHIFT = 7, 4
_CORE_ROWS = 8
_MODES = {0: 0, 128: 1, 64: 2, 32: 3}
"""The layout type of a matrix descriptor, by span."""
_ADDRESS_BITS = 0x3FFFF


def exchanged(address: Ints, span: int, base_offset: int) -> Ints:
    """The bits that a swizzle of `span` bytes adds (exclusive or) to each address, as a number: bits 4 to 6 at most."""
    _check_span(span)
    pieces = max(span // PIECE, 1)
    return ((address >> _ROW_SHIFT) - base_offset & pieces - 1) << _PIECE_SHIFT


def swizzled(address: Ints, span: int, base_offset: int = 0) -> Ints:
    """Where a byte of `address` lies under a swizzle of `span` bytes; applied twice it gives the address back."""
    return address ^ exchanged(address, span, base_offset)


@dataclass(frozen=True, slots=True)
class MatrixDescriptor:
    """Descriptor of an operand of wgmma in shared memory: where it begins, and how far its parts lie apart, in bytes."""

    start: int
    leading: int
    """Leading dimension byte offset."""
    stride: int
    """Stride dimension byte offset."""
    span: int
    """Bytes of the swizzle: 0, 32, 64 or 128."""
    base_offset: int = 0
    """Which row of 128 bytes the swizzle's pattern begins at, modulo 8: 0 where that is aligned."""

    @staticmethod
    def of(bits: int) -> MatrixDescriptor:
        """The descriptor that the 64 bits of a register describe."""
        span = next(span for span, mode in _MODES.items() if mode == bits >> 62 & 3)
        start, leading, stride = ((bits >> shift & 0x3FFF) << 4 for shift in (0, 16, 32))
        return MatrixDescriptor(start, leading, stride, span, bits >> 49 & 7)

    @property
    def bits(self) -> int:
        """The 64 bits of the register."""
        start, leading, stride = ((value & _ADDRESS_BITS) >> 4 for value in (self.start, self.leading, self.stride))
        return start | leading << 16 | stride << 32 | self.base_offset << 49 | _MODES[self.span] << 62

    def addresses(self, rows: int, k: int, bits: int, major: Major) -> Ints:
        """The address of each element of `bits` bits, rows x k: rows of A, columns of B.

        `major` says what lies together in memory, "K" or "MN" (for elements of 16 bits alone). Which of the two offsets counts between
        what depends on it and on the swizzle, as in the tables of the PTX manual.
        """
        row, column = np.indices((rows, k))
        along, across = (column, row) if major == "K" else (row, column)
        piece, byte = np.divmod(along * bits // 8, PIECE)
        line, core = across % _CORE_ROWS, across // _CORE_ROWS
        offset = self._of_k(piece, line, core) if major == "K" else self._of_mn(piece, line, core)
        return swizzled(self.start + offset + byte, self.span, self.base_offset)

    def _of_k(self, piece: Ints, line: Ints, core: Ints) -> Ints:
        """Of 8 rows the one below another, pieces side by side; without a swizzle each piece has its own 8 rows of 16 bytes."""
        if not self.span:
            return line * PIECE + core * self.stride + piece * self.leading
        return line * self.span + core * self.stride + piece * PIECE

    def _of_mn(self, piece: Ints, line: Ints, core: Ints) -> Ints:
        """Of 8 steps of k one below another, pieces of rows side by side; the next of them a leading offset further."""
        if not self.span:
            return line * PIECE + core * self.leading + piece * self.stride
        pieces = self.span // PIECE
        return line * self.span + core * self.stride + piece % pieces * PIECE + piece // pieces * self.leading


def box_addresses(start: int, box: tuple[int, ...], element_bytes: int, span: int) -> Ints:
    """The address of each element of a tensor map's box that a copy puts at `start`; the last axis is the innermost dimension.

    `box` is counted as in the tensor map, the innermost dimension first. A row takes the whole span of a swizzle, also where it is shorter.
    ValueError where its row does not fit the swizzle.
    """
    _check_span(span)
    row_bytes = box[0] * element_bytes
    if row_bytes % PIECE or (span and row_bytes > span):
        limit = f"at most {span} bytes, the span of the swizzle" if span else "any number of them"
        raise ValueError(f"a row of the box has {row_bytes} bytes; it must have pieces of {PIECE} bytes, {limit}")
    pitch = max(span, row_bytes)
    inner = np.arange(box[0]) * element_bytes
    outer = np.arange(int(np.prod(box[1:], dtype=np.int64))) * pitch
    addresses = swizzled(start + outer[:, None] + inner, span)
    return addresses.reshape(*reversed(box))


def _check_span(span: int) -> None:
    if span not in SPANS:
        raise ValueError(f"a swizzle has a span of 32, 64 or 128 bytes, or 0 for none, not {span}")
