"""Instructions of a whole warp on matrices: ldmatrix, stmatrix and mma.sync, with what each lane's registers hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.fragments import matrix_map, mma_maps
from kernels.simt.base.instructions import MMA, Product
from kernels.simt.base.tensor_cores import product
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

ROW_BYTES = 16
"""Of a row of 8 elements of ldmatrix and stmatrix."""
NUMBERS = {"f16": np.float16, "s8": np.int8, "u8": np.uint8, "tf32": np.float32, "f64": np.float64, "f32": np.float32, "s32": np.int32}


def _lanes_of_rows(context: Context, count: int) -> npt.NDArray[np.bool_]:
    """The lanes that give the addresses of the rows of `count` matrices."""
    return np.arange(context.lanes) % WARP < 8 * count


def _load(context: Context, named: Value, row: Value, count: int, transposed: bool) -> Any:
    context.join_warp(named)
    lanes = _lanes_of_rows(context, count)
    read = context.load_bytes(row, ROW_BYTES, lanes)
    rows = read.view(np.uint16).reshape(-1, WARP, 8)[:, : 8 * count]
    return spread(matrix_map(count, transposed=transposed).pack(rows))


def _store(context: Context, named: Value, row: Value, *registers: Value, transposed: bool) -> None:
    context.join_warp(named)
    count = len(registers)
    rows = np.zeros((context.lanes // WARP, WARP, 8), np.uint16)
    rows[:, : 8 * count] = matrix_map(count, transposed=transposed).elements(stacked(context, registers, np.uint32))
    context.store_bytes(row, rows.reshape(context.lanes, 8).view(np.uint8), _lanes_of_rows(context, count))


def stacked(context: Context, registers: Sequence[Value], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Registers by warp: warps x lanes x registers."""
    return np.stack([context.vector(each, dtype) for each in registers], axis=1).reshape(-1, WARP, len(registers))


def spread(registers: npt.NDArray[Any]) -> Any:
    """The vector of each register, over all lanes; the only one, if there is one."""
    lanes = registers.reshape(-1, registers.shape[-1])
    return lanes[:, 0] if lanes.shape[1] == 1 else list(np.ascontiguousarray(lanes.T))


def _multiply(context: Context, named: Value, *registers: Value, shape: Product, saturate: bool = False) -> Any:
    context.join_warp(named)
    counts = [count for count, _ in shape.registers]
    a_map, b_map, c_map = mma_maps(shape.m, shape.n, shape.k, shape.left, shape.sum_bits)
    wide = np.float64 if shape.left == "f64" else np.uint32
    sums = np.dtype(np.uint32) if shape.sums == "f16" else np.dtype(NUMBERS[shape.sums])
    a, b = registers[: counts[0]], registers[counts[0] : counts[0] + counts[1]]
    left, right = a_map.elements(stacked(context, a, wide)), b_map.elements(stacked(context, b, wide))
    start = c_map.elements(stacked(context, registers[counts[0] + counts[1] :], sums)).view(NUMBERS[shape.sums])
    context.note(Happening.PRODUCT)
    total = multiplied(left, right, start, (shape.left, shape.right), saturate=saturate)
    return spread(c_map.pack(np.ascontiguousarray(total)).view(sums))


def multiplied(
    left: npt.NDArray[Any], right: npt.NDArray[Any], start: npt.NDArray[Any], kinds: tuple[str, str], *, saturate: bool = False
) -> npt.NDArray[Any]:
    """The product of the bits of elements of two types, and a sum with it."""
    if kinds[0] == kinds[1]:
        return product(left, right, start, kinds[0], saturate=saturate)
    wide = [bits.view(NUMBERS[kind]).astype(np.int64) for bits, kind in zip((left, right), kinds, strict=True)]
    total, limits = wide[0] @ wide[1] + start, np.iinfo(np.int32)
    return np.asarray((np.clip(total, limits.min, limits.max) if saturate else total).astype(np.int32))


def functions() -> dict[str, Function]:
    """Return the instructions by the names of their calls."""
    table: dict[str, Function] = {}
    for trans in ("", ".trans"):
        for count in (1, 2, 4):
            table[f"ldmatrix.x{count}{trans}"] = partial(_load, count=count, transposed=bool(trans))
            table[f"stmatrix.x{count}{trans}"] = partial(_store, transposed=bool(trans))
    for name, shape in MMA.items():
        table[f"mma.{name}"] = partial(_multiply, shape=shape)
        if shape.sums == "s32":
            table[f"mma.{name}.satfinite"] = partial(_multiply, shape=shape, saturate=True)
    return table
