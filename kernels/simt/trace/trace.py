"""What executing a launch yields: every access of every warp, exactly, in a compact form.

An access row is one execution of one site by some warps of one block in lock step. The byte address of lane l (counted through the
block: lane l is thread l, warp l // 32) is `bases[row.base][l] + row.offset`; it takes part where `masks[row.mask][l]`.
Rows are in the order executed. Rows of one block with equal `epoch` are not separated by a block barrier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kernels.base.architectures import WARP as WARP  # of what traces are about
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.types import Location, MemoryOrder, Scope, Space, ThreadScope
from kernels.simt.trace.events import Event
from kernels.simt.trace.finding_kinds import FindingKind

GUARD = 256
"""Allocations start at multiples of this many bytes."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """An array in memory: a pointer argument, a shared, constant or file-scope variable.

    `address` is its first byte (global and constant: in one address space, never 0; shared: the offset in the block's shared memory).
    `shape` is in elements, outermost first; `element_bytes` the size of one; `bytes` the whole.
    """

    name: str
    space: Space
    address: int
    bytes: int
    shape: tuple[int, ...]
    element_bytes: int
    element: str
    """The element's type as written in CUDA C, for example "float"."""


_BARRIERS, _UNITS = ("mbarrier.", "cp.async.mbarrier."), ("barrier.", "cluster.")
_COMPLETING = ("cp.async.bulk.", "st.async", "red.async.")


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the text that accesses memory. `operation` is "load", "store" or "atomic"; `bytes` what one lane moves (1, 2, 4, 8 or 16;
    a copy in bulk, which one lane asks for, also 128).

    `allocation` is the index of the only array it can reach, or -1 where that is known only when it runs.
    """

    operation: str
    space: Space
    bytes: int
    allocation: int
    location: Location
    text: str
    """The place as written, for example "As[ty][k]"."""
    tile: bool = False
    """A warp-wide tile operation (wmma): its lanes' addresses are not specified, so nothing is said of banks."""
    function: str = ""
    """The CUDA function that makes the access; "" where an expression does."""
    scope: ThreadScope = ThreadScope.SYSTEM
    """Of an atomic, the threads that it excludes."""
    volatile: bool = False
    """The place is volatile as written: read and written as often as the text says, past the caches of one processor."""
    waits: bool = False
    """A load in a loop that does nothing but wait for another value there."""
    around: bool = False
    """A load of which the bits around a bit-field that is written are stored again: none need have been written."""
    piece: bool = False
    """A part of what a copy moves, or an update in bulk changes."""

    @property
    def engine(self) -> bool:
        """Whether an engine of its own makes the access for a thread: tensor cores that read for wgmma, a copy in bulk."""
        return self.operand or self.function.startswith("cp.async.bulk.")

    @property
    def operand(self) -> bool:
        """Whether tensor cores read there by a descriptor (wgmma): no warp instruction loads it."""
        return self.function.startswith("wgmma.")

    @property
    def copied(self) -> bool:
        """Whether bytes move that no warp instruction waits for: a copy or an update in bulk, a value sent out of registers."""
        return self.function.startswith(_COMPLETING) and not self.barrier

    @property
    def barrier(self) -> bool:
        """Whether it is an operation on a barrier, by a thread or by what completes on it for one: a unit of its own serves it."""
        return self.barrier_in_memory or self.function.startswith(_UNITS)

    @property
    def barrier_in_memory(self) -> bool:
        """Whether that barrier is a word of shared memory (`mbarrier`), as those with a number and the cluster's are not."""
        completes = self.operation == "atomic" and not self.piece and self.function.startswith(_COMPLETING)
        return completes or self.function.startswith(_BARRIERS)


@dataclass(frozen=True, slots=True, eq=False)
class Updates:
    """Updates of integers by atomics: row `row[i]` read `before[start[i]:start[i + 1]]` and left `after` of the same places, for each of
    its active lanes in lane order."""

    row: npt.NDArray[np.int64]
    """Ascending."""
    start: npt.NDArray[np.int64]
    """One more than there are rows."""
    before: npt.NDArray[np.int64]
    after: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The access rows as columns of equal length."""

    site: npt.NDArray[np.int32]
    mask: npt.NDArray[np.int32]
    base: npt.NDArray[np.int32]
    offset: npt.NDArray[np.int64]
    epoch: npt.NDArray[np.int32]
    warp_epoch: npt.NDArray[np.int32]
    """Counts `__syncwarp`s too: accesses of one warp are ordered only across a change of it (or of `epoch`)."""
    block: npt.NDArray[np.int32]
    """Index into `Trace.blocks`."""
    changed: npt.NDArray[np.int32] | None = None
    """For a store the mask of its lanes that stored other bytes than were there before the row; None: not recorded."""
    lost: npt.NDArray[np.int32] | None = None
    """For a store the mask of its lanes that stored other bytes than are there after the row: another lane's won. None: not recorded."""
    issued: npt.NDArray[np.int32] | None = None
    """For the store of an asynchronous copy, which stands where it was waited for, how many rows there were when it was issued: from then
    on it may write. -1: another row. None: there are no such stores."""
    updates: Updates | None = None
    """What atomics read and left; after very many of them nothing more. None: not recorded, or there are none."""


class Held(StrEnum):
    """Kind of what an array holds before the launch (shared: before each block)."""

    UNDEFINED = "undefined"
    ZEROS = "zeros"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True, eq=False)
class Initial:
    """Initial content of an array. `bytes` are all of its bytes where it `held` BYTES, else None."""

    held: Held
    bytes: npt.NDArray[np.uint8] | None = None

    def unchanging(self) -> Initial:
        """The same in bytes that nobody else has."""
        return self if self.bytes is None else Initial(self.held, self.bytes.copy())


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """Writes to memory: what it held after each row that wrote, stores and atomics.

    Row `row[i]` left `bytes[start[i]:start[i + 1]]`: for each of its active lanes, in lane order, as many bytes as its site moves: those at
    the lane's address when all lanes had written. A lane whose access went wrong wrote nothing: its bytes mean nothing.
    """

    row: npt.NDArray[np.int64]
    """Ascending."""
    start: npt.NDArray[np.int64]
    """One more than there are rows."""
    bytes: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Unordered:
    """Stores and loads that threads see in another order than it is done, as a weak memory lets them.

    The stores in `row` stand where others see them, in the order in which their threads made them; there were `made` rows then. The loads
    and atomics in `read` found older values than memory held: these bytes; for each of their active lanes, in lane order, `missed` is
    the row of the first write to its bytes that it did not see, -1 where it found what memory held.
    """

    row: npt.NDArray[np.int64]
    made: npt.NDArray[np.int64]
    read: Written
    missed: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong that happened.

    `threads` are up to 32 thread indices (x, y, z) of `block` (x, y, z); for a race first the one thread, then the other, which may be in
    `other_block`; so too for a deadlock with who could end it. `row` is the access row where it shows, -1 where there is none.
    """

    kind: FindingKind
    location: Location
    block: tuple[int, int, int]
    threads: tuple[tuple[int, int, int], ...]
    message: Message
    other: Location | None = None
    other_block: tuple[int, int, int] | None = None
    row: int = -1
    count: int = 1
    """How many accesses like it were found; the others are left out."""


@dataclass(frozen=True, slots=True)
class Printed:
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    text: str


@dataclass(frozen=True, slots=True)
class BarrierEvent:
    """One barrier of one block, or of the warps in `mask`: after `row` access rows had been executed in all."""

    block: int
    row: int
    location: Location
    mask: int
    scope: Scope = Scope.BLOCK
    """WARP for `__syncwarp`; shuffles and votes order no memory."""
    epoch: int = 0
    """The block's barriers before it."""
    reach: ThreadScope = ThreadScope.SYSTEM
    """Of a fence, the threads that it orders for."""
    order: MemoryOrder = MemoryOrder.ACQ_REL
    """Of a fence."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The record of one launch. Immutable; all queries are functions of it."""

    kernel: str
    source: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    mode: str
    """"block" or "warp"."""
    blocks: tuple[tuple[int, int, int], ...]
    """The blocks executed, in order, as (x, y, z)."""
    allocations: tuple[Allocation, ...]
    sites: tuple[Site, ...]
    rows: Rows
    masks: npt.NDArray[np.bool_]
    """masks x lanes; lanes are the threads of a block, rounded up to whole warps."""
    bases: npt.NDArray[np.int64]
    """bases x lanes."""
    barriers: tuple[BarrierEvent, ...]
    flops: int
    """Floating-point operations of active threads: add, subtract, multiply, divide, compare-free math count 1, a fused multiply-add 2."""
    findings: tuple[Finding, ...]
    """Those that show while executing: bounds, alignment, uninitialised, divergence, budget. Races are an analysis."""
    printed: tuple[Printed, ...]
    values: Mapping[str, npt.NDArray[np.generic]] = field(default_factory=dict)
    """The arguments' memory after the launch, by name; empty where the history of memory was kept instead."""
    initial: tuple[Initial, ...] = ()
    """For each allocation what it began with; empty where no history was kept."""
    written: Written | None = None
    """None: no history was kept."""
    unordered: Unordered | None = None
    """None: every access is seen where it is made."""
    events: tuple[Event, ...] = ()
    """What happened besides accesses, in order."""
    cluster: tuple[int, int, int] = (1, 1, 1)
    """How many blocks a cluster has along each axis."""
