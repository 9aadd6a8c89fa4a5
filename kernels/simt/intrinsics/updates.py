"""Atomic updates of several floats side by side, each by itself: vectors, and two halves in a register. And of a bfloat16."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.base.messages import message
from kernels.simt.base.instructions import UPDATE_NAMES
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value
from kernels.simt.base.types import U64, Scalar
from kernels.simt.frontend.declared_functions import BLOCK_SCOPE, SYSTEM_SCOPE
from kernels.simt.intrinsics.calling_convention import argument_dtype, result_dtype
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

_UNALIGNED = message("A vector of 16 bytes is updated at an address that is no multiple of 16.")


def increment(old: Vector, limit: Vector) -> Vector:
    """Counts up to the limit, then from 0."""
    return np.asarray(np.where(old >= limit, old.dtype.type(0), old + old.dtype.type(1)))


def decrement(old: Vector, limit: Vector) -> Vector:
    """Counts down to 0, then from the limit."""
    return np.asarray(np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1)))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "min": np.fmin, "max": np.fmax, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "inc": increment, "dec": decrement,
}  # fmt: skip
_LETTERS = {"b": "u", "u": "u", "s": "i", "f": "f"}


def updated(operation: str, kind: str, old: Vector, given: Vector) -> Vector:
    """Words with another value in each part, whose type is `kind`; both are of one type and shape."""
    change, part = _OPERATIONS[operation], kind.removesuffix("x2")
    if part == "bf16":
        parts = change(bfloat16_value(old.view(np.uint16)), bfloat16_value(given.view(np.uint16)))
        return np.asarray(bfloat16_bits(parts)).view(old.dtype)
    dtype = np.dtype(f"{_LETTERS[part[0]]}{int(part[1:]) // 8}")
    return np.asarray(change(old.view(dtype), given.view(dtype)), dtype).view(old.dtype)


def _update(context: Context, address: Value, *values: Value, operation: str, kind: str) -> Value:
    """Update the words that the values fill; what was there, if it is one."""
    parts = [context.vector(each, argument_dtype(context, 1 + number)) for number, each in enumerate(values)]
    data = np.stack(parts, axis=1)
    change = partial(updated, operation, kind)
    size = data.shape[1] * data.itemsize
    if size <= U64.size:
        assert context.call is not None
        assert isinstance(context.call.type, Scalar)
        return context.atomic(address, context.call.type, change, data.view(result_dtype(context))[:, 0])
    places = context.vector(address, np.int64)
    context.find_in(FindingKind.MISALIGNED_ACCESS, _UNALIGNED, np.flatnonzero(context.active & (places % size != 0)).tolist())
    for number, word in enumerate(data.view(np.uint64).T):
        before = context.atomic(places + U64.size * number, U64, change, np.ascontiguousarray(word))
    return before


def functions() -> dict[str, Function]:
    """Return these updates by the names of their calls."""
    found: dict[str, Function] = {}
    for name in UPDATE_NAMES:
        _, operation, kind, _ = name.split(".")
        function = partial(_update, operation=operation, kind=kind)
        found |= dict.fromkeys((name, name + BLOCK_SCOPE, name + SYSTEM_SCOPE), function)
    return found
