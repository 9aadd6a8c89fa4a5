"""Matrix operations of a whole warp (wmma): a fragment is a tile of the warp, spread over its lanes.

Which lane holds which element is not specified by CUDA. Here element number i of lane l is element 32 i + l of the tile, counted along its
rows; nothing may be concluded from it, and the trace marks such accesses as a tile's. A product is computed as tensor cores do it, in the
steps of k that the compiler makes of it for compute capability 8.0 and later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.tensor_cores import WMMA_TF32_TERMS, product
from kernels.simt.ir.fragments import PRODUCT, Fragment, fragment_of
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

EVERY_LANE = 0xFFFFFFFF
ROW_MAJOR = 0
"""`mem_row_major`; `mem_col_major` is 1."""


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


def _load(context: Context, target: Value, source: Value, stride: Value, layout: Value | None = None) -> None:
    fragment = _argument(context, 0)
    context.join_warp(EVERY_LANE)
    columns = fragment.column_major if layout is None else _is_column_major(context, layout)
    first, step = _address(context, source), context.vector(stride).astype(np.int64)
    offsets = fragment.offsets(step, column_major=columns)
    _write(context, fragment, target, [context.load(first + each * fragment.scalar.size, fragment.scalar) for each in offsets])


def _store(context: Context, target: Value, source: Value, stride: Value, layout: Value) -> None:
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
    """Return the functions on fragments by their CUDA names."""
    return {"fill_fragment": _fill, "load_matrix_sync": _load, "store_matrix_sync": _store, PRODUCT: _multiply_add}
