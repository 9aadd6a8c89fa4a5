"""What happens besides accesses: products of matrices, asynchronous copies and their groups, barriers in shared memory."""

from __future__ import annotations

from enum import StrEnum

from kernels.base.values import dataclass
from kernels.simt.base.types import Location


class Happening(StrEnum):
    """Kind of an event."""

    PRODUCT = "product"
    """A tensor core multiplies: `name` is the instruction; `value` counts those of the warp in wgmma that are not waited for."""
    OPERAND = "operand"
    """wgmma has read an operand in shared memory, in the rows just before: `value` is its descriptor, `other` 0 for A and 1 for B.
    `numbers` are its rows (of B: columns), its steps of k, the bits of an element, and 1 where rows lie together in memory, 0 where steps
    of k do."""
    COPY_ISSUED = "copy-issued"
    """A copy in bulk of `value` bytes to `address`; `other` is the address of the barrier that it completes on (-1: a group). One that goes
    to another block of the cluster has the rank of that in its address, as `windows.RANK_SHIFT` says. Of a box of a tensor `numbers` are
    the address of that, bytes of an element, the span of the swizzle, then for each dimension, the innermost first, where the box begins
    and how large it is."""
    COPY_COMPLETED = "copy-completed"
    """Its bytes are there; `other` is the rank of the block of the cluster that has sent them, -1 for the own."""
    GROUP_COMMITTED = "group-committed"
    """`value` is the number of the group among those of the threads, from 0; `name` the instruction: copies, bulk copies or wgmma."""
    GROUP_WAITED = "group-waited"
    """All groups but the `value` last ones are complete."""
    BARRIER_INIT = "barrier-init"
    """A barrier at `address` for `value` arrivals."""
    BARRIER_ARRIVE = "barrier-arrive"
    """`value` arrivals at the barrier at `address`."""
    BARRIER_EXPECT = "barrier-expect"
    """`value` bytes more are to come in the barrier's phase."""
    BARRIER_PHASE = "barrier-phase"
    """The phase of the barrier is complete: `value` counts those of the barrier, modulo 8."""
    BARRIER_WAITED = "barrier-waited"
    """Threads have seen the phase of parity `value` complete."""
    CLUSTER_ARRIVED = "cluster-arrived"
    """Threads arrive at the barrier of their cluster, in its phase `value`; the cluster's number in the launch is `other`."""
    CLUSTER_WAITED = "cluster-waited"
    """They have seen all threads of the cluster arrive."""
    REGISTERS = "registers"
    """setmaxnreg: `value` registers for each thread from here on."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the threads in `mask` of a block, after `row` access rows had been executed in all."""

    kind: Happening
    block: int
    """Index into `Trace.blocks`."""
    row: int
    location: Location
    mask: int
    """Index into `Trace.masks`."""
    name: str = ""
    """The instruction."""
    address: int = -1
    """In the block's shared memory; for a copy to global memory there."""
    value: int = 0
    other: int = -1
    numbers: tuple[int, ...] = ()
