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
from kernels.simt.frontend.known import BLOCK_SCOPE, SYSTEM_SCOPE
from kernels.simt.intrinsics.calls import argument_dtype, result_dtype
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

_OPERATIONS: dict[str, Callable[..., Any]] = {"add": np.add, "min": np.fmin, "max": np.fmax}
_UNALIGNED = message("A vector of 16 bytes is updated at an address that is no multiple of 16.")


def updated(operation: Callable[..., Any], kind: str, old: Vector, given: Vector) -> Vector:
    """Words with another value in each part; both are of one type and shape."""
    if kind.startswith("bf16"):
        parts = operation(bfloat16_value(old.view(np.uint16)), bfloat16_value(given.view(np.uint16)))
        return np.asarray(bfloat16_bits(parts)).view(old.dtype)
    part = np.float32 if kind == "f32" else np.float16
    return np.asarray(operation(old.view(part), given.view(part)), part).view(old.dtype)


def _update(context: Context, address: Value, *values: Value, operation: Callable[..., Any], kind: str) -> Value:
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
        function = partial(_update, operation=_OPERATIONS[operation], kind=kind)
        found |= dict.fromkeys((name, name + BLOCK_SCOPE, name + SYSTEM_SCOPE), function)
    return found
