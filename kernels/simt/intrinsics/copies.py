"""Asynchronous copies into shared memory (`__pipeline_*`, cp.async): read when issued, written only by the wait.

Between the two the target is pending: to read it is a finding, as if it had not been written.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.windows import LOCAL_WINDOW, SHARED_WINDOW
from kernels.simt.generate.build import Unsupported

if TYPE_CHECKING:
    from kernels.simt.ir import Call
    from kernels.simt.machine.context import Context, Function, Value, Vector
    from kernels.simt.machine.lanes import Lanes

Bits = npt.NDArray[np.bool_]
_SIZES = (4, 8, 16)


class Copier(Protocol):
    """Interface of what a copy needs of the machine's context."""

    geometry: Lanes
    lanes: int
    call: Call | None
    state: dict[str, Any]

    @property
    def active(self) -> Bits: ...

    def vector(self, value: Value, dtype: npt.DTypeLike | None = None) -> Vector: ...

    def read_ahead(self, target: Value, source: Value, size: int, filled: Vector) -> tuple[Vector, ...]:
        """Read `size` bytes in every active lane, the last `filled` of them zeros; the target counts as not written."""

    @property
    def rows(self) -> int:
        """How many accesses have been recorded."""

    def write_late(self, call: Call, target: Vector, items: tuple[Vector, ...], lanes: Bits, issued: int) -> None:
        """What `call`, a copy, read when there were `issued` rows is written in these lanes."""


@dataclass(slots=True, eq=False)
class _Copy:
    call: Call
    target: Vector
    items: tuple[Vector, ...]
    issued: int
    """How many rows there were."""
    waiting: Bits
    group: npt.NDArray[np.int64]
    """In each lane, the number of the group that it was committed to, or will be."""


@dataclass(slots=True, eq=False)
class _Queue:
    """The copies of the lanes that execute together, in the order issued."""

    committed: npt.NDArray[np.int64]
    """Groups that each lane has committed."""
    copies: list[_Copy] = field(default_factory=list)


def _queue(context: Copier) -> _Queue:
    queue: _Queue = context.state.setdefault(f"copies of lane {context.geometry.start}", _Queue(np.zeros(context.lanes, np.int64)))
    return queue


def _copy(context: Copier, target: Value, source: Value, size: Value, filled: Value = 0) -> None:
    assert context.call is not None
    if not context.active.any():
        return
    queue = _queue(context)
    sizes, zeros = (context.vector(each).astype(np.int64) for each in (size, filled))
    bytes_ = int(sizes[np.argmax(context.active)])
    good = np.isin(bytes_, _SIZES) & (sizes == bytes_) & (zeros >= 0) & (zeros <= bytes_)
    if not good[context.active].all():
        text = message("An asynchronous copy moves 4, 8 or 16 bytes, the same number in all threads, and no more of them are zeros.")
        raise Unsupported(context.call.location, text)
    place, issued = context.vector(target).astype(np.int64), context.rows
    _check_spaces(context, place, context.vector(source).astype(np.int64))
    items = context.read_ahead(target, source, bytes_, zeros)
    queue.copies.append(_Copy(context.call, place, items, issued, context.active.copy(), queue.committed.copy()))


def _check_spaces(context: Copier, target: Vector, source: Vector) -> None:
    assert context.call is not None
    into_shared = (target >= SHARED_WINDOW) & (target < LOCAL_WINDOW)
    if not (into_shared & (source < SHARED_WINDOW))[context.active].all():
        text = message("An asynchronous copy goes from global to shared memory: swap the two, or write an assignment instead.")
        raise Unsupported(context.call.location, text)


def _commit(context: Copier) -> None:
    _queue(context).committed[context.active] += 1


def _wait_prior(context: Copier, left: Value) -> None:
    """All groups but the `left` last ones of each lane are complete."""
    queue = _queue(context)
    _complete(context, queue, context.active, queue.committed - context.vector(left).astype(np.int64))


def _complete(context: Copier, queue: _Queue, lanes: Bits, before: npt.NDArray[np.int64]) -> None:
    """The copies of the lanes that belong to groups before this one are written."""
    for copy in queue.copies:
        done = copy.waiting & lanes & (copy.group < before)
        if done.any():
            context.write_late(copy.call, copy.target, copy.items, done, copy.issued)
            copy.waiting &= ~done
    queue.copies = [copy for copy in queue.copies if copy.waiting.any()]


@dataclass(slots=True, eq=False)
class Arrival:
    """Threads that arrive at a barrier when what they copied before has come."""

    context: Context
    call: Call
    barrier: int
    lanes: Bits
    copies: tuple[_Copy, ...]

    def complete(self) -> None:
        """Write what has been copied."""
        for copy in self.copies:
            done = copy.waiting & self.lanes
            if done.any():
                self.context.write_late(copy.call, copy.target, copy.items, done, copy.issued)
                copy.waiting &= ~done


def arrivals_behind_copies(context: Copier) -> list[Arrival]:
    """The arrivals of the block's threads that wait for copies, in order."""
    found: list[Arrival] = context.state.setdefault("arrivals behind copies", [])
    return found


def arrive_behind_copies(context: Context, barrier: int, lanes: Bits) -> None:
    """Let these lanes arrive at a barrier when what they copied so far has come."""
    assert context.call is not None
    copies = tuple(each for each in _queue(context).copies if (each.waiting & lanes).any())
    arrivals_behind_copies(context).append(Arrival(context, context.call, barrier, lanes, copies))


def finish(context: Copier) -> None:
    """The threads end: what nobody waited for is written all the same."""
    queue = _queue(context)
    _complete(context, queue, np.ones(context.lanes, np.bool_), queue.committed + 1)


def functions() -> dict[str, Function]:
    """Return the functions of asynchronous copies by their CUDA names."""
    return {
        "__pipeline_memcpy_async": _copy,
        "__pipeline_commit": _commit,
        "__pipeline_wait_prior": _wait_prior,
    }
