"""What a kernel asks about launches that it makes: its thread's last error, and a stream for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

CHILDREN = "child launches"
"""Where the state of a block has the launches of its grid."""


def _last_error(context: Context, forget: Value) -> Value:
    children, number, found = context.state[CHILDREN], context.geometry.block_number, np.zeros(context.lanes, np.int32)
    for lane in context.mask.indices.tolist():
        found[lane] = children.last_error(number, context.geometry.start + lane, forget=bool(np.any(forget)))
    return found


def _stream(context: Context) -> Value:
    found = np.zeros(context.lanes, np.uint64)
    for lane in context.mask.indices.tolist():
        found[lane] = context.state[CHILDREN].stream()
    return found


def functions() -> dict[str, Function]:
    """Return these functions by the names that the prelude has for them."""
    return {"__tilescope_last_error": _last_error, "__tilescope_stream": _stream}
