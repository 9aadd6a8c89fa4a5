"""Copies in bulk (cp.async.bulk): one thread asks, the copy engine moves the bytes, a barrier or a group says when they have come.

The bytes are read when the copy is issued, and written when somebody looks at the barrier, or waits for the group, first: until then the
target in shared memory is pending. In a trace the accesses are those of the thread that asked, in pieces of a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.instructions import GLOBAL_REDUCTIONS
from kernels.simt.base.windows import LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW
from kernels.simt.intrinsics.clusters import member_of
from kernels.simt.intrinsics.updates import updated
from kernels.simt.trace.events import Happening
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.ir import Call
    from kernels.simt.machine.clusters import Member
    from kernels.simt.machine.context import Context, Function, Value

LINE, UNIT = 128, 16
_NOBODY = message("This copy goes to a block of the cluster that has not begun, or has ended: let all blocks meet before and after.")
_NOT_WAITED_FOR = message(
    "The thread ends without having waited for this copy: commit it (cp.async.bulk.commit_group), and wait (cp.async.bulk.wait_group),"
    " else shared memory may be gone before it is read."
)
Pieces = list[tuple[int, int]]
Change = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]
_UNALIGNED = message("A copy in bulk moves a multiple of 16 bytes between addresses that are multiples of 16.")


@dataclass(slots=True, eq=False)
class Copy:
    """A copy under way: the lane of `context` asked for it."""

    context: Context | None
    """None: a block of the cluster has sent it."""
    call: Call
    lane: int
    pieces: Pieces
    """Of the target."""
    data: npt.NDArray[np.uint8]
    issued: int
    barrier: int
    """Its address; -1 where a group counts."""
    group: int
    size: int
    change: Change | None = None
    """What it makes of the bytes that are there and those that come; None: it writes."""
    sender: int = -1
    """The rank of the block of the cluster that has sent it; -1: the own."""


def pieces_of(address: int, size: int) -> Pieces:
    """A stretch of memory in aligned pieces, lines where they fit, else sectors, so that none is asked for twice."""
    found: Pieces = []
    end = address + size
    while address < end:
        step = next(each for each in (128, 32, 16, 8, 4, 2, 1) if address % each == 0 and address + each <= end)
        found.append((address, step))
        address += step
    return found


def pieces_beside(address: int, size: int, shared: int) -> Pieces:
    """A stretch of global memory that is copied from or to a place in shared memory: the copy engine asks for what belongs to one line
    there at a time (so Nsight Compute counts it on an H100), and twice for a sector that belongs to two.
    """
    found: Pieces = []
    end = address + size
    while address < end:
        step = min(LINE - shared % LINE, end - address)
        found += pieces_of(address, step)
        address, shared = address + step, shared + step
    return found


def under_way(context: Context) -> list[Copy]:
    """The copies of the block that are not complete, in the order issued."""
    copies: list[Copy] = context.state.setdefault("bulk copies", [])
    return copies


def _committed(context: Context) -> npt.NDArray[np.int64]:
    """How many groups of bulk copies each lane of a warp, or of a block, has committed."""
    key = f"bulk groups of lane {context.geometry.start}"
    committed: npt.NDArray[np.int64] = context.state.setdefault(key, np.zeros(context.lanes, np.int64))
    return committed


def _load(context: Context, target: Value, source: Value, size: Value, barrier: Value, receivers: Value) -> None:
    """Copy into shared memory, completing on a barrier."""
    for lane, to, where, count, on, blocks in lanes_of(context, target, source, size, barrier, receivers):
        assert context.call is not None
        data = context.read_pieces(context.call, pieces_beside(where, count, to), lane)
        issue(context, lane, pieces_of(to, count), data, on, blocks)


def issue(
    context: Context, lane: int, pieces: Pieces, data: npt.NDArray[np.uint8], barrier: int, blocks: int, box: tuple[int, ...] = ()
) -> None:
    """Begin a copy into shared memory of what has been read: of the own block, or of those of its cluster whose ranks are bits of
    `blocks`, each at the same place. `box` is what an event tells of a box of a tensor."""
    member = member_of(context)
    for rank in range(16):
        if blocks >> rank & 1 and rank != member.rank:
            send(context, lane, member.cluster.members.get(rank), pieces, data, barrier, box=box)
    if not blocks or blocks >> member.rank & 1:
        keep(context, lane, pieces, data, barrier, box=box)


def keep(
    context: Context,
    lane: int,
    pieces: Pieces,
    data: npt.NDArray[np.uint8],
    barrier: int,
    *,
    change: Change | None = None,
    box: tuple[int, ...] = (),
) -> None:
    """Begin a copy into the own block."""
    assert context.call is not None
    size = sum(count for _, count in pieces)
    for address, count in pieces if change is None else ():
        context.undefine(address, count)
    under_way(context).append(Copy(context, context.call, lane, pieces, data, context.rows, barrier, -1, size, change))
    context.note(Happening.COPY_ISSUED, pieces[0][0] - SHARED_WINDOW, size, barrier - SHARED_WINDOW, lane, box)


def send(
    context: Context,
    lane: int,
    receiver: Member | None,
    pieces: Pieces,
    data: npt.NDArray[np.uint8],
    barrier: int,
    *,
    change: Change | None = None,
    box: tuple[int, ...] = (),
) -> None:
    """Begin a copy into another block of the cluster, which finds it when it looks at its barrier."""
    assert context.call is not None
    if receiver is None or receiver.held is None:
        context.find_in(FindingKind.OUT_OF_BOUNDS, _NOBODY, [lane])
        return
    for address, count in pieces if change is None else ():
        receiver.held[1][address - SHARED_WINDOW : address - SHARED_WINDOW + count] = False
    size = sum(count for _, count in pieces)
    copies: list[Copy] = receiver.state.setdefault("bulk copies", [])
    copies.append(Copy(None, context.call, 0, pieces, data, 0, barrier, -1, size, change, member_of(context).rank))
    there = receiver.rank + 1 << RANK_SHIFT | pieces[0][0] - SHARED_WINDOW
    context.note(Happening.COPY_ISSUED, there, size, barrier - SHARED_WINDOW, lane, box)


def _store(context: Context, target: Value, source: Value, size: Value, change: Change | None = None) -> None:
    """Copy out of shared memory, in the group that the thread commits next."""
    for lane, to, where, count in lanes_of(context, target, source, size):
        assert context.call is not None
        data = context.read_pieces(context.call, pieces_of(where, count), lane)
        issue_store(context, lane, pieces_beside(to, count, where), data, change)


def issue_store(context: Context, lane: int, pieces: Pieces, data: npt.NDArray[np.uint8], change: Change | None = None) -> None:
    """Begin a copy into global memory of what has been read."""
    assert context.call is not None
    size, group = sum(count for _, count in pieces), int(_committed(context)[lane])
    under_way(context).append(Copy(context, context.call, lane, pieces, data, context.rows, -1, group, size, change))
    context.note(Happening.COPY_ISSUED, pieces[0][0], size, lane=lane)


def lanes_of(context: Context, *values: Value) -> Any:
    """List for each active lane its values, if the first three are aligned."""
    vectors = [context.vector(each).astype(np.int64) for each in values]
    for lane in context.mask.indices.tolist():
        given = [int(each[lane]) for each in vectors]
        if any(each % UNIT for each in given[:3]):
            context.find_in(FindingKind.MISALIGNED_ACCESS, _UNALIGNED, [lane])
        elif given[2]:
            yield lane, *given


def complete(context: Context, barrier: int, transferred: Callable[[Context, int, int], None]) -> None:
    """Finish the copies that complete on a barrier; `transferred` counts their bytes there."""
    copies = under_way(context)
    done = [each for each in copies if each.barrier == barrier]
    if not done:
        return
    copies[:] = [each for each in copies if each.barrier != barrier]
    for copy in done:
        if copy.context is None:
            copy = replace(copy, context=context, lane=context.mask.first, issued=context.rows)
        write(copy)
        _count(copy, transferred)
    context.acting(context.geometry)


def _count(copy: Copy, transferred: Callable[[Context, int, int], None]) -> None:
    """Count a copy's bytes on its barrier, as its own thread."""
    own = copy.context
    assert own is not None
    call, mask = own.call, own.mask
    own.call, own.mask = copy.call, own.only(copy.lane)
    own.release()
    transferred(own, copy.barrier, copy.size)
    own.call, own.mask = call, mask


def write(copy: Copy) -> None:
    """Write what a copy has read, as its own thread."""
    own = copy.context
    assert own is not None
    own.acting(own.geometry)
    if copy.change is None:
        own.write_pieces(copy.call, copy.pieces, copy.data, copy.lane, copy.issued)
    else:
        own.update_pieces(copy.call, copy.pieces, copy.data, copy.lane, copy.issued, copy.change)
    call, own.call = own.call, copy.call
    window = SHARED_WINDOW if SHARED_WINDOW <= copy.pieces[0][0] < LOCAL_WINDOW else 0
    own.note(Happening.COPY_COMPLETED, copy.pieces[0][0] - window, copy.size, copy.sender, copy.lane)
    own.call = call


def _commit(context: Context) -> None:
    committed = _committed(context)
    if context.mask:
        context.note(Happening.GROUP_COMMITTED, value=int(committed[context.mask.first]))
    committed[context.active] += 1


def _wait(context: Context, left: Value) -> None:
    """All groups but the `left` last ones of each lane are complete."""
    before = _committed(context) - context.vector(left).astype(np.int64)
    copies = under_way(context)
    done = [
        each
        for each in copies
        if each.barrier < 0 and each.context is context and context.active[each.lane] and each.group < before[each.lane]
    ]
    copies[:] = [each for each in copies if each not in done]
    for copy in done:
        write(copy)
    if context.mask:
        context.note(Happening.GROUP_WAITED, value=int(context.vector(left)[context.mask.first]))


def finish(context: Context) -> None:
    """The threads end: what nobody waited for is written all the same, and said of copies out of shared memory."""
    copies = under_way(context)
    done = [each for each in copies if each.context is context]
    copies[:] = [each for each in copies if each.context is not context]
    for copy in done:
        if copy.barrier < 0:
            call, context.call = context.call, copy.call
            context.find_in(FindingKind.ASYNCHRONOUS_ACCESS, _NOT_WAITED_FOR, [copy.lane])
            context.call = call
        write(copy)


def functions() -> dict[str, Function]:
    """Return the copies in bulk by the names of their calls."""
    return {
        "cp.async.bulk.shared": _load,
        "cp.async.bulk.global": _store,
        "cp.async.bulk.commit_group": _commit,
        "cp.async.bulk.wait_group": _wait,
        **{
            f"cp.async.bulk.reduce.global.{operation}.{kind}": partial(_store, change=partial(updated, operation, kind))
            for operation, kinds in GLOBAL_REDUCTIONS.items()
            for kind in kinds
        },
    }
