"""What the lanes of a warp tell each other: shuffles, votes, matches, reductions.

Every lane says who takes part by its own mask, so that the tiles of a partitioned warp can call at once. Of those named, only lanes
that execute the call count; to be named and absent is a finding. A value from an absent lane is undefined: the lane's own is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.types import I32
from kernels.simt.intrinsics.calling_convention import argument_dtype, result_dtype, settled
from kernels.simt.trace.trace import WARP

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

Words = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]


def ballot(lanes: npt.NDArray[np.bool_]) -> Words:
    """Return in every lane which lanes of its warp are set: bit l for lane l."""
    words = np.packbits(lanes.reshape(-1, WARP), axis=1, bitorder="little").view("<u4").astype(np.uint32)
    return np.repeat(words[:, 0], WARP)


def _present(context: Context, named: Value) -> Words:
    """Return in every lane which of the lanes that it names take part."""
    context.join_warp(named)
    return ballot(context.active) & context.vector(named, np.uint32)


def _agreed(context: Context, named: Value, predicate: Value) -> tuple[Words, Words]:
    present = _present(context, named)
    return present, ballot(context.vector(predicate).astype(np.bool_) & context.active) & present


def _any(context: Context, named: Value, predicate: Value) -> Value:
    return (_agreed(context, named, predicate)[1] != 0).astype(np.int32)


def _all(context: Context, named: Value, predicate: Value) -> Value:
    present, agreed = _agreed(context, named, predicate)
    return (agreed == present).astype(np.int32)


def _uniform(context: Context, named: Value, predicate: Value) -> Value:
    present, agreed = _agreed(context, named, predicate)
    return ((agreed == present) | (agreed == 0)).astype(np.int32)


def _ballot(context: Context, named: Value, predicate: Value) -> Value:
    return _agreed(context, named, predicate)[1]


def _active_mask(context: Context) -> Value:
    return ballot(context.active)


def source_lanes(kind: str, lane: Numbers, operand: Value, width: Value) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """For each lane of a warp the lane that a shuffle reads, and whether that lies within its part of `width` lanes."""
    segment = 32 - np.asarray(width).astype(np.int64)
    by = np.asarray(operand).astype(np.int64) & 31
    first = lane & segment
    last = first | (31 & ~segment)
    if kind == "up":
        return lane - by, lane - by >= first
    if kind == "down":
        return lane + by, lane + by <= last
    if kind == "xor":
        return lane ^ by, (lane ^ by) <= last
    return first | (by & ~segment), np.ones(lane.shape, np.bool_)


def _shuffle(context: Context, named: Value, value: Value, operand: Value, width: Value = WARP, kind: str = "") -> Value:
    context.join_warp(named)
    if np.ndim(value) == 0:
        return value
    lane = np.arange(context.lanes)
    source, inside = source_lanes(kind, lane % WARP, operand, width)
    source = np.where(inside, source & 31, lane % WARP) + (lane - lane % WARP)
    return np.where(context.active[source], value[source], value)


def _within(context: Context, operand: Value, width: Value, kind: str) -> Value:
    """Whether the lane that a shuffle reads lies within the own part of the warp."""
    lane = np.arange(context.lanes) % WARP
    return np.broadcast_to(source_lanes(kind, lane, operand, width)[1], lane.shape)


def _bits(context: Context, value: Value) -> Vector:
    vector = context.vector(value, argument_dtype(context, 1))
    return np.ascontiguousarray(vector).view(f"u{vector.itemsize}")


def _alike(context: Context, named: Value, value: Value) -> tuple[Words, Words]:
    """Return in every lane who takes part, and who of them has the lane's own value."""
    present = _present(context, named)
    rows = _bits(context, value).reshape(-1, WARP)
    equal = rows[:, :, None] == rows[:, None, :]
    words = np.packbits(equal, axis=2, bitorder="little").view("<u4").astype(np.uint32)
    return present, words.reshape(-1) & present


def _match_any(context: Context, named: Value, value: Value) -> Value:
    return _alike(context, named, value)[1]


def _match_all(context: Context, named: Value, value: Value, found: Value) -> Value:
    present, alike = _alike(context, named, value)
    same = present == alike
    context.store(found, same.astype(np.int32), I32)
    return np.where(same, present, np.uint32(0))


def _reduce(context: Context, named: Value, value: Value, ufunc: np.ufunc) -> Value:
    """Over those who take part, for each set of them that some lane names."""
    dtype = result_dtype(context)
    vector, names = context.vector(value, dtype), context.vector(named, np.uint32)
    context.join_warp(named)
    result = np.array(vector)
    bit = np.left_shift(np.uint32(1), np.arange(context.lanes, dtype=np.uint32) % np.uint32(WARP))
    for mask in np.unique(names[context.active]):
        members = (context.active & ((bit & mask) != 0)).reshape(-1, WARP)
        neutral = _neutral(ufunc, dtype)
        reduced = ufunc.reduce(np.where(members, vector.reshape(-1, WARP), neutral), axis=1, dtype=dtype)
        result = np.where(names == mask, np.repeat(reduced, WARP), result)
    return settled(result, dtype)


def _neutral(ufunc: np.ufunc, dtype: np.dtype[Any]) -> Any:
    limits = np.iinfo(dtype)
    every_bit = -1 if limits.min else limits.max
    neutral = {"minimum": limits.max, "maximum": limits.min, "bitwise_and": every_bit}
    return dtype.type(neutral.get(ufunc.__name__, 0))


SHUFFLES = {"up": "up", "down": "down", "bfly": "xor", "idx": ""}
"""PTX's names of the ways to shuffle, and CUDA's."""
_REDUCTIONS: dict[str, np.ufunc] = {
    "add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def functions() -> dict[str, Function]:
    """Return every function among the lanes of a warp by its CUDA name."""
    shuffles: dict[str, Callable[..., Value]] = {
        f"__shfl_{kind}_sync" if kind else "__shfl_sync": partial(_shuffle, kind=kind) for kind in ("", "up", "down", "xor")
    }
    within = {f"shfl.within.{name}": partial(_within, kind=kind) for name, kind in SHUFFLES.items()}
    reductions: dict[str, Callable[..., Value]] = {
        f"__reduce_{name}_sync": partial(_reduce, ufunc=ufunc) for name, ufunc in _REDUCTIONS.items()
    }
    votes: dict[str, Callable[..., Value]] = {
        "__any_sync": _any, "__all_sync": _all, "__uni_sync": _uniform, "__ballot_sync": _ballot, "__activemask": _active_mask,
        "__match_any_sync": _match_any, "__match_all_sync": _match_all,
    }  # fmt: skip
    return shuffles | within | reductions | votes
