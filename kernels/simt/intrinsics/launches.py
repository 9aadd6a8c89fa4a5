"""What a kernel asks about launches that it makes: its thread's last error, streams for them, and events that order streams."""

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


def _fail(context: Context, error: Value) -> None:
    errors = context.vector(error, np.int64)
    for lane in context.mask.indices.tolist():
        context.state[CHILDREN].fail(context.geometry.block_number, context.geometry.start + lane, int(errors[lane]))


def _handle(context: Context) -> Value:
    """Make a stream, or an event."""
    found = np.zeros(context.lanes, np.uint64)
    for lane in context.mask.indices.tolist():
        found[lane] = context.state[CHILDREN].handle()
    return found


def _record(context: Context, event: Value, stream: Value) -> None:
    events, streams = context.vector(event, np.uint64), context.vector(stream, np.uint64)
    for lane in context.mask.indices.tolist():
        context.state[CHILDREN].record(int(events[lane]), context.geometry.block_number, int(streams[lane]))


def _wait(context: Context, stream: Value, event: Value) -> None:
    streams, events = context.vector(stream, np.uint64), context.vector(event, np.uint64)
    for lane in context.mask.indices.tolist():
        context.state[CHILDREN].wait(context.geometry.block_number, int(streams[lane]), int(events[lane]))


def functions() -> dict[str, Function]:
    """Return these functions by the names that the prelude has for them."""
    return {
        "__tilescope_last_error": _last_error,
        "__tilescope_fail": _fail,
        "__tilescope_stream": _handle,
        "__tilescope_event": _handle,
        "__tilescope_record": _record,
        "__tilescope_wait": _wait,
    }
