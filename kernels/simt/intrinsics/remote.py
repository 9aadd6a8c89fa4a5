"""What goes from a block into the shared memory of a block of its cluster, and completes on a barrier there: copies and updates in bulk,
and values out of registers (st.async, red.async).

As of all copies the bytes are read when it is asked for, and are there when somebody there looks at the barrier. Values that lanes put
side by side travel as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.simt.base.instructions import CLUSTER_REDUCTIONS
from kernels.simt.base.windows import OWN_ADDRESS, RANK_SHIFT, SHARED_WINDOW
from kernels.simt.intrinsics.bulk import Change, Pieces, keep, lanes_of, pieces_of, send
from kernels.simt.intrinsics.calling_convention import argument_dtype
from kernels.simt.intrinsics.clusters import member_of
from kernels.simt.intrinsics.updates import updated
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

_ELSEWHERE = message("The barrier on which this completes is not in the shared memory of the block that it goes to.")
_UNALIGNED = message("The bytes that are sent go to an address that is no multiple of their number.")


def _copy(context: Context, target: Value, source: Value, size: Value, barrier: Value, change: Change | None = None) -> None:
    """Copy in bulk out of the own shared memory."""
    for lane, to, where, count, on in lanes_of(context, target, source, size, barrier):
        assert context.call is not None
        data = context.read_pieces(context.call, pieces_of(where, count), lane)
        _deliver(context, lane, to, data, on, change)


def _put(context: Context, target: Value, barrier: Value, *values: Value, change: Change | None = None) -> None:
    """Send values out of registers."""
    parts = [context.vector(each, argument_dtype(context, 2 + number)) for number, each in enumerate(values)]
    data = np.stack(parts, axis=1).view(np.uint8)
    to, on = (context.vector(each).astype(np.int64) for each in (target, barrier))
    wrong = context.active & (to % data.shape[1] != 0)
    context.find_in(FindingKind.MISALIGNED_ACCESS, _UNALIGNED, np.flatnonzero(wrong).tolist())
    for lanes in _side_by_side(context.mask.indices[~wrong[context.mask.indices]], to, on, data.shape[1]):
        _deliver(context, lanes[0], int(to[lanes[0]]), data[lanes].ravel(), int(on[lanes[0]]), change)


def _side_by_side(lanes: npt.NDArray[np.int64], to: npt.NDArray[np.int64], on: npt.NDArray[np.int64], size: int) -> Iterator[list[int]]:
    """Neighbouring lanes whose bytes stand one after another, and complete on one barrier, together."""
    run: list[int] = []
    for lane in lanes.tolist():
        if run and (to[lane] != to[run[-1]] + size or on[lane] != on[run[-1]]):
            yield run
            run = []
        run.append(lane)
    if run:
        yield run


def _deliver(context: Context, lane: int, to: int, data: npt.NDArray[np.uint8], on: int, change: Change | None) -> None:
    member = member_of(context)
    rank, of_barrier = ((each - SHARED_WINDOW) >> RANK_SHIFT for each in (to, on))
    own = member.rank + 1
    if (rank or own) != (of_barrier or own):
        context.find_in(FindingKind.ASYNCHRONOUS_ACCESS, _ELSEWHERE, [lane])
        return
    pieces, barrier = _at_home(to, len(data)), SHARED_WINDOW + (on - SHARED_WINDOW & OWN_ADDRESS)
    if rank in (0, own):
        keep(context, lane, pieces, data, barrier, change=change)
    else:
        send(context, lane, member.cluster.members.get(rank - 1), pieces, data, barrier, change=change)


def _at_home(address: int, size: int) -> Pieces:
    """The pieces as the block has them whose shared memory they are in."""
    return pieces_of(SHARED_WINDOW + (address - SHARED_WINDOW & OWN_ADDRESS), size)


def functions() -> dict[str, Function]:
    """Return these operations by the names of their calls."""
    found: dict[str, Function] = {"cp.async.bulk.cluster": _copy, "st.async": _put}
    for operation, kinds in CLUSTER_REDUCTIONS.items():
        for kind in kinds:
            change = partial(updated, operation, kind)
            found[f"cp.async.bulk.reduce.cluster.{operation}.{kind}"] = partial(_copy, change=change)
            found[f"red.async.{operation}.{kind}"] = partial(_put, change=change)
    return found
