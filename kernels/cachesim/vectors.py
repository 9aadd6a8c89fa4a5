"""What instrumented source calls beside the functions of `kernels.cpu.simd`: rows of floats that are touched vector by vector.

As in `recording`, the last two arguments of each are the recorder and the place in the source.
"""

# ruff: noqa: ARG001, ARG005 - numba wants the same names where types and where values are given

from __future__ import annotations

from typing import Any

from numba import types

import kernels.jit.simd_numba
import kernels.jit.teams_numba  # noqa: F401  # both teach numba what the functions of their namesakes mean
from kernels.base.compiled_functions import compiled
from kernels.base.spec import FLOAT32_BYTES
from kernels.cachesim.memory import compiles_as
from kernels.cachesim.recording import address_of, note, note_strided
from kernels.cachesim.stream import READ, STREAM, WRITE
from kernels.cpu.simd import LANES


@compiled
def note_row(recorder: int, address: int, count: int, kind: int, place: int) -> None:
    """Note `count` floats as full vectors and one that is masked."""
    for first in range(0, count, LANES):
        note(recorder, address + first * FLOAT32_BYTES, min(LANES, count - first) * FLOAT32_BYTES, kind, place)


def read_block(_matrix: Any, _row: Any, _column: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> Any:
    """The matrix, of which a primitive reads a rectangle."""


@compiles_as(read_block)
def _read_block(matrix: Any, row: Any, column: Any, rows: Any, columns: Any, recorder: Any, place: Any) -> Any:
    def block(matrix: Any, row: int, column: int, rows: int, columns: int, recorder: int, place: int) -> Any:
        for down in range(rows):
            note_row(recorder, address_of(matrix, (row + down, column)), columns, READ, place)
        return matrix

    return block


def write_block(_matrix: Any, _row: Any, _column: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> None:
    """A primitive has written a rectangle. `_columns` may be the vector that was written."""


@compiles_as(write_block)
def _write_block(matrix: Any, row: Any, column: Any, rows: Any, columns: Any, recorder: Any, place: Any) -> Any:
    def block(matrix: Any, row: int, column: int, rows: int, columns: int, recorder: int, place: int) -> Any:
        for down in range(rows):
            note_row(recorder, address_of(matrix, (row + down, column)), width(columns), WRITE, place)

    return block


def stream_block(_matrix: Any, _row: Any, _column: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> None:
    """A primitive has written a rectangle past the caches."""


@compiles_as(stream_block)
def _stream_block(matrix: Any, row: Any, column: Any, rows: Any, columns: Any, recorder: Any, place: Any) -> Any:
    def block(matrix: Any, row: int, column: int, rows: int, columns: int, recorder: int, place: int) -> Any:
        for down in range(rows):
            note_row(recorder, address_of(matrix, (row + down, column)), columns, STREAM, place)

    return block


def stream_block_lines(_matrix: Any, _row: Any, _column: Any, _rows: Any, _tile: Any, _recorder: Any, _place: Any) -> None:
    """A primitive has written past the caches, in each row of a tile, the line that begins there."""


@compiles_as(stream_block_lines)
def _stream_block_lines(matrix: Any, row: Any, column: Any, rows: Any, tile: Any, recorder: Any, place: Any) -> Any:
    height, size = tile.rows, tile.columns * FLOAT32_BYTES

    def lines(matrix: Any, row: int, column: int, rows: int, tile: Any, recorder: int, place: int) -> Any:
        for down in range(height):
            address = address_of(matrix, (row + down, column))
            note_row(recorder, address + -address % size, size // FLOAT32_BYTES, STREAM, place)

    return lines


def update_block(_matrix: Any, _row: Any, _column: Any, _rows: Any, _columns: Any, _recorder: Any, _place: Any) -> None:
    """A primitive has read and written a rectangle, a row after the other."""


@compiles_as(update_block)
def _update_block(matrix: Any, row: Any, column: Any, rows: Any, columns: Any, recorder: Any, place: Any) -> Any:
    def block(matrix: Any, row: int, column: int, rows: int, columns: int, recorder: int, place: int) -> Any:
        for down in range(rows):
            address = address_of(matrix, (row + down, column))
            note_row(recorder, address, columns, READ, place)
            note_row(recorder, address, columns, WRITE, place)

    return block


def read_floats(_matrix: Any, _row: Any, _recorder: Any, _place: Any) -> Any:
    """The matrix, of which a primitive reads a row, float by float."""


@compiles_as(read_floats)
def _read_floats(matrix: Any, row: Any, recorder: Any, place: Any) -> Any:
    def floats(matrix: Any, row: int, recorder: int, place: int) -> Any:
        note_strided(recorder, address_of(matrix, (row, 0)), matrix.strides[1], matrix.shape[1], FLOAT32_BYTES, READ, place)
        return matrix

    return floats


def read_vectors(_matrix: Any, _row: Any, _recorder: Any, _place: Any) -> Any:
    """The matrix, of which a primitive reads a row, vector by vector."""


@compiles_as(read_vectors)
def _read_vectors(matrix: Any, row: Any, recorder: Any, place: Any) -> Any:
    def vectors(matrix: Any, row: int, recorder: int, place: int) -> Any:
        note_row(recorder, address_of(matrix, (row, 0)), matrix.shape[1], READ, place)
        return matrix

    return vectors


def width(_columns: Any) -> Any:
    """A number of floats: itself, or the length of a vector."""


@compiles_as(width)
def _width(columns: Any) -> Any:
    if isinstance(columns, types.Integer):
        return lambda columns: columns
    lanes = columns.lanes
    return lambda columns: lanes
