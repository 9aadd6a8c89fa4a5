"""What blocks of a cluster do together: the cluster's barrier; and their addresses of shared memory as PTX counts them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from kernels.simt.base.types import U64
from kernels.simt.base.windows import RANK_SHIFT, SHARED_WINDOW
from kernels.simt.machine.clusters import Member
from kernels.simt.trace.events import Happening

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

_OTHERS = np.uint64(1 << RANK_SHIFT)
"""From where on an address, counted in the window, is one of another block."""
_NOWHERE = np.uint64(1 << 32)
"""Beyond all blocks of a cluster: an H200 ends a kernel that reaches another block's memory as its own (`.shared::cta`)."""


def member_of(context: Context) -> Member:
    """The block as one of its cluster."""
    member: Member = context.state["cluster member"]
    return member


def _arrive(context: Context, address: Value) -> None:
    """Arrive, which a word of the block counts: as an access, by which it has its place among others."""
    for place in np.unique(context.vector(address).astype(np.int64)[context.active]).tolist():
        context.zero_if_undefined(place, U64.size)
    context.atomic(address, U64, lambda word, one: word + one, np.ones(context.lanes, np.uint64))
    member, lanes = member_of(context), context.geometry.start + context.mask.indices
    phase = member.cluster.arrive(len(lanes))
    member.arrived[lanes] = phase
    context.note(Happening.CLUSTER_ARRIVED, value=phase, other=member.cluster.number)


def _test(context: Context) -> Value:
    member = member_of(context)
    arrived = member.arrived[context.geometry.start : context.geometry.start + context.lanes]
    met = np.asarray(arrived < member.cluster.phase)
    mask, context.mask = context.mask, context.geometry.masks.intern(met & context.active)
    context.note(Happening.CLUSTER_WAITED, other=member.cluster.number)
    context.mask = mask
    return met


def _to_shared(context: Context, generic: Value) -> Value:
    """An address among all, with the block's rank in the upper byte as the hardware has it there."""
    address = np.atleast_1d(np.asarray(generic, np.uint64)) - np.uint64(SHARED_WINDOW)
    own = np.uint64(member_of(context).rank << RANK_SHIFT)
    return np.where(address < _OTHERS, address | own, address - _OTHERS)


def _to_generic(context: Context, shared: Value, *, others: np.uint64) -> Value:
    address, own = np.atleast_1d(np.asarray(shared, np.uint64)), np.uint64(member_of(context).rank)
    is_own = address >> np.uint64(RANK_SHIFT) == own
    return np.where(is_own, address & (_OTHERS - np.uint64(1)), address + others) + np.uint64(SHARED_WINDOW)


def functions() -> dict[str, Function]:
    """Return the operations by the names of their calls."""
    return {
        "cluster.arrive": _arrive,
        "cluster.test_wait": _test,
        "cvta.to.shared": _to_shared,
        "cvta.shared::cta": partial(_to_generic, others=_NOWHERE),
        "cvta.shared::cluster": partial(_to_generic, others=_OTHERS),
    }
