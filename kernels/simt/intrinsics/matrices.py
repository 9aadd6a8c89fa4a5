"""Instructions of a whole warp on matrices: ldmatrix, stmatrix and mma.sync, with what each lane's registers hold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.fragments import matrix_map, mma_maps
from kernels.simt.base.instructions import MMA, Product
from kernels.simt.base.rounding import bfloat16_value
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

ROW_BYTES = 16
"""Of a row of 8 elements of ldmatrix and stmatrix."""
_DTYPES = {"f16": np.float16, "s8": np.int8, "u8": np.uint8, "tf32": np.float32, "f64": np.float64, "f32": np.float32, "s32": np.int32}


def _lanes_of_rows(context: Context, count: int) -> npt.NDArray[np.bool_]:
    """The lanes that give the addresses of the rows of `count` matrices."""
    return np.arange(context.lanes) % WARP < 8 * count


def _load(context: Context, named: Value, row: Value, count: int, transposed: bool) -> Any:
    context.join_warp(named)
    lanes = _lanes_of_rows(context, count)
    read = context.load_bytes(row, ROW_BYTES, lanes)
    rows = read.view(np.uint16).reshape(-1, WARP, 8)[:, : 8 * count]
    return _spread(matrix_map(count, transposed=transposed).pack(rows))


def _store(context: Context, named: Value, row: Value, *registers: Value, transposed: bool) -> None:
    context.join_warp(named)
    count = len(registers)
    rows = np.zeros((context.lanes // WARP, WARP, 8), np.uint16)
    rows[:, : 8 * count] = matrix_map(count, transposed=transposed).elements(_stacked(context, registers, np.uint32))
    context.store_bytes(row, rows.reshape(context.lanes, 8).view(np.uint8), _lanes_of_rows(context, count))


def _stacked(context: Context, registers: tuple[Value, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Registers by warp: warps x lanes x registers."""
    return np.stack([context.vector(each, dtype) for each in registers], axis=1).reshape(-1, WARP, len(registers))


def _spread(registers: npt.NDArray[Any]) -> Any:
    """The vector of each register, over all lanes; the only one, if there is one."""
    lanes = registers.reshape(-1, registers.shape[-1])
    return lanes[:, 0] if lanes.shape[1] == 1 else list(np.ascontiguousarray(lanes.T))


def values_of(bits: npt.NDArray[Any], kind: str) -> npt.NDArray[Any]:
    """The numbers that the bits of elements mean."""
    return bfloat16_value(bits) if kind == "bf16" else bits.view(_DTYPES[kind])


def _multiply(context: Context, named: Value, *registers: Value, shape: Product, saturate: bool = False) -> Any:
    context.join_warp(named)
    counts = [count for count, _ in shape.registers]
    a_map, b_map, c_map = mma_maps(shape.m, shape.n, shape.k, shape.left, shape.sum_bits)
    wide = np.float64 if shape.left == "f64" else np.uint32
    sums = np.dtype(np.uint32) if shape.sums == "f16" else np.dtype(_DTYPES[shape.sums])
    a, b = registers[: counts[0]], registers[counts[0] : counts[0] + counts[1]]
    left = values_of(a_map.elements(_stacked(context, a, wide)), shape.left)
    right = values_of(b_map.elements(_stacked(context, b, wide)), shape.right)
    start = c_map.elements(_stacked(context, registers[counts[0] + counts[1] :], sums)).view(_DTYPES[shape.sums])
    total = product(left, right, start, shape.left)
    if shape.sums == "s32":
        total = np.clip(total, -(1 << 31), (1 << 31) - 1) if saturate else total & 0xFFFFFFFF
        total = total.astype(np.int64).astype(np.uint32).view(np.int32)
    packed = c_map.pack(np.ascontiguousarray(total.astype(_DTYPES[shape.sums])))
    return _spread(packed.view(sums))


def product(a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any], kind: str) -> npt.NDArray[Any]:
    """a b + c of all warps."""
    wide = np.int64 if kind in ("s8", "u8") else np.float64
    return np.asarray(a.astype(wide) @ b.astype(wide) + c)


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
