"""Matrices of a whole warp: ldmatrix, stmatrix and mma.sync, with what each lane's registers hold; and the functions of wmma, whose
fragment is a tile of the warp, spread over its lanes.

Which lane holds which element of a fragment is not specified by CUDA. Here element number i of lane l is element 32 i + l of the tile,
counted along its rows; nothing may be concluded from it, and the trace marks such accesses as a tile's. A product is computed as tensor
cores do it, in the steps of k that the compiler makes of it for compute capability 8.0 and later.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.fragments import matrix_map, mma_maps
from kernels.simt.base.instructions import MMA, Product
from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.tensor_cores import WMMA_TF32_TERMS, product
from kernels.simt.ir.fragments import PRODUCT, Fragment, fragment_of
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

EVERY_LANE = 0xFFFFFFFF
ROW_MAJOR = 0
"""`mem_row_major`; `mem_col_major` is 1."""
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


def _argument(context: Context, position: int) -> Fragment:
    assert context.call is not None
    return fragment_of(context.call.arguments[position].type)


def _address(context: Context, address: Value) -> npt.NDArray[np.int64]:
    return context.vector(address).astype(np.int64)


def _write(context: Context, fragment: Fragment, address: Value, elements: list[Vector]) -> None:
    first = _address(context, address)
    for number, element in enumerate(elements):
        context.store(first + number * fragment.scalar.size, element, fragment.scalar)


def _read(context: Context, fragment: Fragment, address: Value) -> list[Vector]:
    first = _address(context, address)
    return [context.load(first + number * fragment.scalar.size, fragment.scalar) for number in range(fragment.count)]


def _fill(context: Context, target: Value, value: Value) -> None:
    fragment = _argument(context, 0)
    _write(context, fragment, target, [context.vector(value, scalar_dtype(fragment.scalar))] * fragment.count)


def _load_tile(context: Context, target: Value, source: Value, stride: Value, layout: Value | None = None) -> None:
    fragment = _argument(context, 0)
    context.join_warp(EVERY_LANE)
    columns = fragment.column_major if layout is None else _is_column_major(context, layout)
    first, step = _address(context, source), context.vector(stride).astype(np.int64)
    offsets = fragment.offsets(step, column_major=columns)
    _write(context, fragment, target, [context.load(first + each * fragment.scalar.size, fragment.scalar) for each in offsets])


def _store_tile(context: Context, target: Value, source: Value, stride: Value, layout: Value) -> None:
    fragment = _argument(context, 1)
    context.join_warp(EVERY_LANE)
    elements = _read(context, fragment, source)
    first, step = _address(context, target), context.vector(stride).astype(np.int64)
    offsets = fragment.offsets(step, column_major=_is_column_major(context, layout))
    for element, offset in zip(elements, offsets, strict=True):
        context.store(first + offset * fragment.scalar.size, element, fragment.scalar)


def _is_column_major(context: Context, layout: Value) -> bool:
    """The layout of the first active lane: a warp's lanes must agree."""
    return int(context.vector(layout)[int(np.argmax(context.active))]) != ROW_MAJOR


def _multiply_add(context: Context, d: Value, a: Value, b: Value, c: Value, saturate: Value = False) -> None:
    context.join_warp(EVERY_LANE)
    target, inputs = _argument(context, 0), _argument(context, 1)
    left, right, start = (_tile(context, _argument(context, position), address) for position, address in ((1, a), (2, b), (3, c)))
    wider = np.promote_types(start.dtype, scalar_dtype(target.scalar))
    terms = WMMA_TF32_TERMS if inputs.tf32 else None
    total = product(left, right, start.astype(wider), _kind(inputs), terms, saturate=bool(np.any(saturate)))
    _write(context, target, d, _spread(total.astype(scalar_dtype(target.scalar)), target))


def _kind(inputs: Fragment) -> str:
    """The type of A and B as PTX names it."""
    scalar = inputs.scalar
    if scalar.brain or inputs.tf32:
        return "bf16" if scalar.brain else "tf32"
    return f"{scalar.kind[0]}{8 * scalar.size}"


def _tile(context: Context, fragment: Fragment, address: Value) -> npt.NDArray[Any]:
    """The tiles of all warps, of bfloat16 their bits."""
    stacked = np.stack(_read(context, fragment, address))
    warps = stacked.reshape(fragment.count, -1, WARP).swapaxes(0, 1)
    return warps.reshape(-1, fragment.rows, fragment.columns)


def _spread(tiles: npt.NDArray[Any], fragment: Fragment) -> list[Vector]:
    """The elements of tiles by number, in every lane."""
    numbered = tiles.reshape(-1, fragment.count, WARP).swapaxes(0, 1)
    return list(numbered.reshape(fragment.count, -1))


def functions() -> dict[str, Function]:
    """Return the instructions by the names of their calls, and the functions on fragments by their CUDA names."""
    table: dict[str, Function] = {
        "fill_fragment": _fill,
        "load_matrix_sync": _load_tile,
        "store_matrix_sync": _store_tile,
        PRODUCT: _multiply_add,
    }
    for trans in ("", ".trans"):
        for count in (1, 2, 4):
            table[f"ldmatrix.x{count}{trans}"] = partial(_load, count=count, transposed=bool(trans))
            table[f"stmatrix.x{count}{trans}"] = partial(_store, transposed=bool(trans))
    for name, shape in MMA.items():
        table[f"mma.{name}"] = partial(_multiply, shape=shape)
        if shape.sums == "s32":
            table[f"mma.{name}.satfinite"] = partial(_multiply, shape=shape, saturate=True)
    return table
