"""Teaches numba the functions of `simd`: importing this module registers the machine instructions that each of them means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import Signature
from numba.extending import overload

from kernels.cpu import simd
from kernels.jit.simd_types import FLOAT, FLOAT_BYTES, INDEX, INT, UNALIGNED, Code, TileType, VectorType, constant, instruction

PLACE = (types.intp, types.intp)
"""Row and column."""
TO_READ, TO_WRITE, ALL_CACHES, NOT_L1, DATA = 0, 1, 3, 2, 1
"""Arguments of LLVM's prefetch."""
FLOATS_OF_A_LINE = simd.LINE


@instruction(simd.load, lambda matrix, row, column, lanes: VectorType(constant(lanes))(matrix, *PLACE, lanes))
def _load(code: Code, signature: Signature, values: Any) -> Any:
    return code.load(code.address(signature.args[0], *values[:3]), signature.return_type.lanes)


@instruction(simd.load_first, lambda matrix, row, column, lanes, count: VectorType(constant(lanes))(matrix, *PLACE, lanes, types.intp))
def _load_first(code: Code, signature: Signature, values: Any) -> Any:
    mask = code.first_lanes(values[4], signature.return_type.lanes)
    return code.masked_load(code.address(signature.args[0], *values[:3]), mask)


@instruction(simd.store_first, lambda matrix, row, column, vector, count: types.void(matrix, *PLACE, vector, types.intp))
def _store_first(code: Code, signature: Signature, values: Any) -> None:
    mask = code.first_lanes(values[4], signature.args[3].lanes)
    code.masked_store(values[3], code.address(signature.args[0], *values[:3]), mask)


@instruction(simd.words, lambda low, high: low(low, high))
def _words(code: Code, signature: Signature, values: Any) -> Any:
    builder = code.builder
    low, high = (_rounded(code, value) for value in values)
    lanes = low.type.count
    half, upper = (ir.Constant(low.type, [int(bits)] * lanes) for bits in (simd.HALF, simd.UPPER_HALF))
    return builder.bitcast(builder.or_(builder.lshr(low, half), builder.and_(high, upper)), values[0].type)


def _rounded(code: Code, value: Any) -> Any:
    """As `simd._rounded`."""
    builder = code.builder
    kind = ir.VectorType(INT, value.type.count)
    half, one, below_half, quiet = (ir.Constant(kind, [int(bits)] * kind.count) for bits in (simd.HALF, 1, 0x7FFF, simd.QUIET))
    bits = builder.bitcast(value, kind)
    rounded = builder.add(bits, builder.add(below_half, builder.and_(builder.lshr(bits, half), one)))
    return builder.select(builder.fcmp_unordered("uno", value, value), builder.or_(bits, quiet), rounded)


@instruction(simd.store, lambda matrix, row, column, vector: types.void(matrix, *PLACE, vector))
def _store(code: Code, signature: Signature, values: Any) -> None:
    code.store(values[3], code.address(signature.args[0], *values[:3]))


@instruction(simd.broadcast, lambda value, lanes: VectorType(constant(lanes))(types.float32, lanes))
def _broadcast(code: Code, signature: Signature, values: Any) -> Any:
    return code.splat(values[0], signature.return_type.lanes)


@instruction(simd.fma, lambda a, b, c: c(a, b, c))
def _fma(code: Code, signature: Signature, values: Any) -> Any:
    return code.fma(*values)


@instruction(simd.total, lambda vector: types.float32(vector))
def _total(code: Code, signature: Signature, values: Any) -> Any:
    lanes = signature.args[0].lanes
    sum_type = ir.FunctionType(FLOAT, [FLOAT, values[0].type])
    function = code.function(f"llvm.vector.reduce.fadd.v{lanes}f32", sum_type)
    return code.builder.call(function, [ir.Constant(FLOAT, 0.0), values[0]], fastmath=("reassoc",))


@instruction(simd.turned, lambda block: TileType(block.columns, block.rows)(block))
def _turned(code: Code, signature: Signature, values: Any) -> Any:
    kind = signature.args[0]
    rows = [code.builder.extract_value(values[0], row) for row in range(kind.rows)]
    return _tile_of(code, signature, code.transpose(rows, kind.rows // 2))


@instruction(simd.tile_load_turned, lambda matrix, row, column, lanes: _tile_type(lanes, lanes)(matrix, *PLACE, lanes))
def _tile_load_turned(code: Code, signature: Signature, values: Any) -> Any:
    matrix, row, column = values[:3]
    half = signature.return_type.rows // 2
    rows = [code.address(signature.args[0], matrix, code.builder.add(row, INDEX(number)), column) for number in range(2 * half)]
    halves = [[code.load(code.builder.gep(row, [INDEX(first)]), half) for row in rows] for first in (0, half)]
    exchanged = [code.beside(half_rows[number], half_rows[number + half]) for half_rows in halves for number in range(half)]
    return _tile_of(code, signature, code.transpose(exchanged, half // 2))


def _tile_of(code: Code, signature: Signature, rows: Sequence[Any]) -> Any:
    tile = ir.Constant(code.context.get_value_type(signature.return_type), ir.Undefined)
    for number, row in enumerate(rows):
        tile = code.builder.insert_value(tile, row, number)
    return tile


@instruction(simd.tile_load, lambda matrix, row, column, rows, columns: _tile_type(rows, columns)(matrix, *PLACE, rows, columns))
def _tile_load(code: Code, signature: Signature, values: Any) -> Any:
    matrix, row, column = values[:3]
    kind = signature.return_type
    tile = ir.Constant(code.context.get_value_type(kind), ir.Undefined)
    for number in range(kind.rows):
        address = code.address(signature.args[0], matrix, code.builder.add(row, INDEX(number)), column)
        tile = code.builder.insert_value(tile, code.load(address, kind.columns), number)
    return tile


@instruction(simd.tile_zeros, lambda rows, columns: _tile_type(rows, columns)(rows, columns))
def _tile_zeros(code: Code, signature: Signature, values: Any) -> Any:
    return ir.Constant(code.context.get_value_type(signature.return_type), None)


@instruction(simd.rank_one, lambda tile, a, b, k: tile(tile, a, b, types.intp))
def _rank_one(code: Code, signature: Signature, values: Any) -> Any:
    tile, a, b, k = values
    kind = signature.args[0]
    zero = INDEX(0)
    right = code.load(code.address(signature.args[2], b, k, zero), kind.columns)
    left = code.address(signature.args[1], a, k, zero)
    for row in range(kind.rows):
        value = code.splat(code.builder.load(code.builder.gep(left, [INDEX(row)])), kind.columns)
        tile = code.builder.insert_value(tile, code.fma(value, right, code.builder.extract_value(tile, row)), row)
    return tile


@instruction(simd.tile_store, lambda matrix, row, column, tile, rows, columns: _write_type(matrix, tile))
def _tile_store(code: Code, signature: Signature, values: Any) -> None:
    _write(code, signature, values, lambda address, load, value: value)


@instruction(simd.tile_stream, lambda matrix, row, column, tile, rows, columns: _write_type(matrix, tile))
def _tile_stream(code: Code, signature: Signature, values: Any) -> None:
    matrix, row, column, tile, rows, columns = values
    kind = signature.args[3]
    builder = code.builder
    addresses = [code.address(signature.args[0], matrix, builder.add(row, INDEX(number)), column) for number in range(kind.rows)]
    whole = builder.and_(builder.icmp_signed("==", rows, INDEX(kind.rows)), builder.icmp_signed("==", columns, INDEX(kind.columns)))
    with builder.if_else(builder.and_(whole, code.are_aligned(addresses, kind.columns))) as (inside, edge):
        with inside:
            for number, address in enumerate(addresses):
                code.store_streaming(builder.extract_value(tile, number), address)
        with edge:
            _write(code, signature, values, lambda address, load, value: value)


@instruction(simd.floats_to_line, lambda matrix, row, column: types.intp(matrix, *PLACE))
def _line_after(code: Code, signature: Signature, values: Any) -> Any:
    return _floats_to_line(code, code.address(signature.args[0], *values))


def _floats_to_line(code: Code, address: Any) -> Any:
    floats = code.builder.udiv(code.builder.ptrtoint(address, INDEX), INDEX(FLOAT_BYTES))
    return code.builder.and_(code.builder.neg(floats), INDEX(FLOATS_OF_A_LINE - 1))


@instruction(simd.stream_lines, lambda matrix, row, column, left, right: types.void(matrix, *PLACE, left, right))
def _stream_lines(code: Code, signature: Signature, values: Any) -> None:
    matrix, row, column, left, right = values
    builder, kind = code.builder, signature.args[3]
    for number in range(kind.rows):
        address = code.address(signature.args[0], matrix, builder.add(row, INDEX(number)), column)
        first = _floats_to_line(code, address)
        line = code.joined(builder.extract_value(left, number), builder.extract_value(right, number), first)
        code.store_streaming(line, builder.gep(address, [first]))


@instruction(simd.tile_add, lambda matrix, row, column, tile, rows, columns: _write_type(matrix, tile))
def _tile_add(code: Code, signature: Signature, values: Any) -> None:
    _write(code, signature, values, lambda address, load, value: code.builder.fadd(load(address), value))


@instruction(simd.prefetch, lambda matrix, row, column, rows, columns: types.void(matrix, *PLACE, rows, columns))
def _prefetch_to_write(code: Code, signature: Signature, values: Any) -> None:
    _prefetch(code, signature, values, TO_WRITE, ALL_CACHES)


@instruction(simd.prefetch_to_read, lambda matrix, row, column, rows, columns: types.void(matrix, *PLACE, rows, columns))
def _prefetch_to_read(code: Code, signature: Signature, values: Any) -> None:
    _prefetch(code, signature, values, TO_READ, ALL_CACHES)


@instruction(simd.prefetch_to_l2, lambda matrix, row, column, rows, columns: types.void(matrix, *PLACE, rows, columns))
def _prefetch_to_l2(code: Code, signature: Signature, values: Any) -> None:
    _prefetch(code, signature, values, TO_READ, NOT_L1)


def _prefetch(code: Code, signature: Signature, values: Any, intent: int, caches: int) -> None:
    matrix, row, column = values[:3]
    byte = ir.IntType(8).as_pointer()
    for down in range(constant(signature.args[3])):
        start = code.address(signature.args[0], matrix, code.builder.add(row, INDEX(down)), column)
        for along in range(0, constant(signature.args[4]), FLOATS_OF_A_LINE):
            address = code.builder.bitcast(code.builder.gep(start, [INDEX(along)]), byte)
            code.call("llvm.prefetch.p0", ir.VoidType(), [address, INT(intent), INT(caches), INT(DATA)])


@overload(simd.panel)
def _panel(rows: Any, columns: Any) -> Callable[..., Any]:
    def aligned(rows: Any, columns: Any) -> Any:
        memory = np.empty(rows * columns + FLOATS_OF_A_LINE, np.float32)
        start = -memory.ctypes.data // UNALIGNED % FLOATS_OF_A_LINE
        return memory[start : start + rows * columns].reshape(rows, columns)

    return aligned


def _tile_type(rows: Any, columns: Any) -> TileType:
    return TileType(constant(rows), constant(columns))


def _write_type(matrix: Any, tile: TileType) -> Signature:
    return types.void(matrix, *PLACE, tile, *PLACE)


def _write(code: Code, signature: Signature, values: Any, combine: Any) -> None:
    """A whole tile by whole vectors; at the edges of the matrix only what is inside."""
    matrix, row, column, tile, rows, columns = values
    kind = signature.args[3]
    builder = code.builder
    whole = builder.and_(builder.icmp_signed("==", rows, INDEX(kind.rows)), builder.icmp_signed("==", columns, INDEX(kind.columns)))
    addresses = [code.address(signature.args[0], matrix, builder.add(row, INDEX(number)), column) for number in range(kind.rows)]
    vectors = [builder.extract_value(tile, number) for number in range(kind.rows)]
    with builder.if_else(whole) as (inside, edge):
        with inside:
            for address, value in zip(addresses, vectors, strict=True):
                code.store(combine(address, lambda place: code.load(place, kind.columns), value), address)
        with edge:
            mask = code.first_lanes(columns, kind.columns)
            for number, (address, value) in enumerate(zip(addresses, vectors, strict=True)):
                with builder.if_then(builder.icmp_signed("<", INDEX(number), rows)):
                    code.masked_store(combine(address, lambda place: code.masked_load(place, mask), value), address, mask)
