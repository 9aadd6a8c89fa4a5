"""What blocks of a cluster do together: the cluster's barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernels.simt.base.types import U64
from kernels.simt.machine.clusters import Member
from kernels.simt.trace.events import Happening

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value


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


def functions() -> dict[str, Function]:
    """Return the operations by the names of their calls."""
    return {"cluster.arrive": _arrive, "cluster.test_wait": _test}
