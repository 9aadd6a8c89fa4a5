"""Access log: rows as they are executed, with base vectors and masks interned by content, and what memory held after each write."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.types import Location, MemoryOrder, Scope, Space, ThreadScope
from kernels.simt.base.windows import SHARED_WINDOW
from kernels.simt.machine.lanes import Mask
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP, BarrierEvent, Rows, Updates, Written

_HISTORY_ROW_BYTES = 16


class History:
    """The rows in the order executed, with their bytes."""

    def __init__(self) -> None:
        self._rows = array("q")
        self._ends = array("q", [0])
        self._held = bytearray()

    @property
    def bytes(self) -> int:
        """Memory that the history takes, in bytes."""
        return len(self._held) + len(self._rows) * _HISTORY_ROW_BYTES

    def add(self, row: int, leaves: Sequence[npt.NDArray[Any]]) -> None:
        """For each leaf of what a lane writes, what memory holds in the active lanes; all leaves are of one type."""
        self._held += (leaves[0] if len(leaves) == 1 else np.stack(leaves, axis=1)).tobytes()
        self._rows.append(row)
        self._ends.append(len(self._held))

    def finish(self) -> Written:
        """Return the history as a trace has it, without a copy: nothing can be added any more."""
        return Written(np.frombuffer(self._rows, np.int64), np.frombuffer(self._ends, np.int64), np.frombuffer(self._held, np.uint8))


class Updated:
    """The rows in which atomics updated integers, in the order executed, with what they read and left."""

    def __init__(self) -> None:
        self.columns = (array("q"), array("q", [0]), array("q"), array("q"))
        """Row, end, before, after."""

    def add(self, row: int, before: npt.NDArray[Any], after: npt.NDArray[Any]) -> None:
        """Note the numbers of the active lanes of a row; what comes after very many of them is left out."""
        rows, ends, old, new = self.columns
        if len(old) < _MOST_UPDATES:
            rows.append(row)
            old.frombytes(before.astype(np.int64).tobytes())
            new.frombytes(after.astype(np.int64).tobytes())
            ends.append(len(old))

    def finish(self) -> Updates:
        """Return them as a trace has them, without a copy: nothing can be added any more."""
        return Updates(*(np.frombuffer(column, np.int64) for column in self.columns))


Addresses = npt.NDArray[np.int64]
_MOST_UPDATES = 1 << 20
_CHUNK = 1 << 18
_ROW_BYTES = 48
_MASK64 = (1 << 64) - 1


class Base:
    """A vector of byte offsets by lane, interned. The least is 0, the largest `span`."""

    __slots__ = ("id", "span", "vector")

    def __init__(self, vector: Addresses, number: int) -> None:
        self.vector = vector
        self.span = int(vector.max())
        self.id = number


class Bases:
    """All base vectors of a launch, by content."""

    def __init__(self, lanes: int) -> None:
        self._lanes = lanes
        self._by_content: dict[bytes, Base] = {}
        self.zero = self(0)[0]

    def __call__(self, vector: Any) -> tuple[Base, int]:
        """The base of a vector, and what to add to it."""
        values = np.asarray(vector)
        if values.shape != (self._lanes,) or values.dtype != np.int64:
            values = np.broadcast_to(values.astype(np.int64), (self._lanes,))
        low = int(values.min())
        key = (values - low).tobytes()
        found = self._by_content.get(key)
        if found is None:
            found = self._by_content[key] = Base(np.frombuffer(key, np.int64), len(self._by_content))
        return found, low

    @property
    def bytes(self) -> int:
        return len(self._by_content) * self._lanes * 8

    def matrix(self, lanes: int) -> Addresses:
        """bases x lanes; those of one warp are repeated for each."""
        rows = np.stack([each.vector for each in self._by_content.values()])
        return np.tile(rows, (1, lanes // self._lanes))


@dataclass(frozen=True, slots=True)
class _Mark:
    """Mark in the log: its block, warp and epochs hold for the rows from `row` on."""

    row: int
    block: int
    warp: int
    epoch: int
    warp_epoch: int


_Met = tuple[int, int, int, Location, Scope, int, ThreadScope, MemoryOrder]
"""A barrier or a fence: the mask, then what a `BarrierEvent` has of it, in its order."""


@dataclass(frozen=True, slots=True)
class Left:
    """Place where a block was left, to go on later."""

    mark: _Mark
    warp_epochs: dict[int, int]


class AccessLog:
    """Rows are pairs of a case (site, base, mask: see `case`) and an offset. Marks say where the epoch, the warp or the block changes."""

    def __init__(self, lanes: int, history: History | None = None, most: int | None = None) -> None:
        """Blocks that begin after `most` rows are not recorded; None: all are."""
        self._most = most
        self._kept: tuple[int, ...] | None = None
        """How much there was of each list when the first block began that is not recorded."""
        self.recorded = 0
        """Blocks."""
        self.bases = Bases(lanes)
        self.history = history
        self.changes = 0
        """Stores that changed what was there."""
        self.events: list[_Met] = []
        self.happened: list[Event] = []
        self.pending: list[int] = []
        """case, offset, case, offset ... not yet in `_chunks`."""
        self.stores: list[tuple[int, int, int]] = []
        """Of each store its row, the mask of the lanes that changed memory, and of those whose value another lane overwrote."""
        self.issued: list[tuple[int, int]] = []
        """Of each store of an asynchronous copy its row, and how many rows there were when it was issued."""
        self.updates = Updated()
        self.append: Callable[[tuple[int, int]], None] = self.pending.extend
        self._chunks: list[Addresses] = []
        self._flushed = 0
        self._cases: list[tuple[int, int, int]] = []
        self._warp_epochs: dict[int, int] = {}
        self._marks: list[_Mark] = [_Mark(0, 0, 0, 0, 0)]

    @property
    def count(self) -> int:
        """Rows so far."""
        return self._flushed + len(self.pending) // 2

    @property
    def place(self) -> tuple[int, int, int]:
        """Rows so far, how often the block has met, and its warp since."""
        last = self._marks[-1]
        return self.count, last.epoch, last.warp_epoch

    @property
    def bytes(self) -> int:
        """About what the log takes in memory."""
        return self.bases.bytes + self.count * _ROW_BYTES + (self.history.bytes if self.history is not None else 0)

    def case(self, site: int, base: Base, mask: Mask) -> int:
        """A number for a combination that rows refer to."""
        self._cases.append((site, base.id, mask.id))
        return len(self._cases) - 1

    def flush(self) -> None:
        """Make the pending rows compact."""
        if not self.pending:
            return
        try:
            rows = np.array(self.pending, np.int64)
        except OverflowError:  # an address beyond the 64-bit space wraps
            rows = np.array([value & _MASK64 for value in self.pending], np.uint64).view(np.int64)
        self._chunks.append(rows.reshape(-1, 2))
        self._flushed += len(self.pending) // 2
        self.pending.clear()

    def begin_block(self, block: int) -> None:
        """The rows that follow are of this block."""
        self._warp_epochs.clear()
        self._forget()
        self.recorded += self._kept is None
        self._mark(block, 0, 0, 0)

    def leave_block(self) -> Left:
        """Return what it takes to go on with this block later."""
        return Left(self._marks[-1], dict(self._warp_epochs))

    def return_to(self, left: Left) -> None:
        """The rows that follow are again of a block that was left."""
        self._forget()
        self._warp_epochs = dict(left.warp_epochs)
        mark = left.mark
        self._mark(mark.block, mark.warp, mark.epoch, mark.warp_epoch)

    def _forget(self) -> None:
        """Drop the rows of the last block where it is one that is not recorded; from now on none is where there are too many."""
        if self._most is None or (self._kept is None and self.count <= self._most):
            return
        self.flush()
        lists: tuple[Any, ...] = (self._chunks, self.stores, self.issued, self.events, self.happened, self._marks, *self.updates.columns)
        if self._kept is None:
            self._kept = (self._flushed, *(len(each) for each in lists))
        self._flushed = self._kept[0]
        for each, length in zip(lists, self._kept[1:], strict=True):
            del each[length:]

    def turn(self, warp: int) -> None:
        """The rows that follow are of this warp (0 in block mode)."""
        last = self._marks[-1]
        self._mark(last.block, warp, last.epoch, self._warp_epochs.get(warp, 0))

    def next_epoch(self) -> None:
        """The block's threads have met."""
        last = self._marks[-1]
        self._mark(last.block, last.warp, last.epoch + 1, last.warp_epoch)

    def meet(
        self,
        location: Location,
        mask: Mask,
        scope: Scope = Scope.BLOCK,
        reach: ThreadScope = ThreadScope.SYSTEM,
        order: MemoryOrder = MemoryOrder.ACQ_REL,
    ) -> None:
        """The threads in `mask` have come to a barrier, or execute a fence."""
        last = self._marks[-1]
        placed = self._mask_id(mask, last.warp)
        self.events.append((placed, last.block, self.count, location, scope, last.epoch, reach, order))

    def note(
        self, kind: Happening, location: Location, mask: Mask, name: str, what: tuple[int, int, int], more: tuple[int, ...] = ()
    ) -> None:
        """Note what the threads in `mask` do besides accesses; `what` is an event's address, value and other."""
        last, (address, value, other) = self._marks[-1], what
        placed = self._mask_id(mask, last.warp)
        self.happened.append(Event(kind, last.block, self.count, location, placed, name, address, value, other, more))

    def warp_barrier(self, mask: Mask, location: Location) -> None:
        """Note that within each warp the threads in `mask` synchronise."""
        if mask:
            self.meet(location, mask, Scope.WARP)
            last = self._marks[-1]
            self._warp_epochs[last.warp] = last.warp_epoch + 1
            self._mark(last.block, last.warp, last.epoch, last.warp_epoch + 1)

    def _mark(self, block: int, warp: int, epoch: int, warp_epoch: int) -> None:
        if len(self.pending) > _CHUNK:
            self.flush()
        if self._marks[-1].row == self.count:
            self._marks.pop()
        self._marks.append(_Mark(self.count, block, warp, epoch, warp_epoch))

    def stored(self, row: int, changed: Mask, lost: Mask) -> None:
        """Note what the store of a row did."""
        warp = self._marks[-1].warp
        self.changes += changed.count > 0
        self.stores.append((row, self._mask_id(changed, warp), self._mask_id(lost, warp)))

    def _mask_id(self, mask: Mask, warp: int) -> int:
        return mask.id << 8 | warp

    def finish(
        self, masks: list[Mask], lanes: int, spaces: list[Space]
    ) -> tuple[Rows, npt.NDArray[np.bool_], Addresses, tuple[BarrierEvent, ...], tuple[Event, ...]]:
        """Rows, masks x lanes, bases x lanes, barriers and other events as a trace has them. `spaces` are those of the sites."""
        if self._kept is not None:
            self._forget()
        self.flush()
        data = np.concatenate(self._chunks) if self._chunks else np.empty((0, 2), np.int64)
        marks = np.array([(m.row, m.block, m.warp, m.epoch, m.warp_epoch) for m in self._marks], np.int64)
        lengths = np.diff(np.append(marks[:, 0], len(data)))
        block, warp, epoch, warp_epoch = (np.repeat(marks[:, column], lengths) for column in range(1, 5))
        cases = np.array(self._cases, np.int64).reshape(-1, 3)[data[:, 0]]
        placed = cases[:, 2] << 8 | warp
        stores = np.array(self.stores, np.int64).reshape(-1, 3)
        met = np.array([*(event[0] for event in self.events), *(event.mask for event in self.happened)], np.int64)
        used = np.unique(np.concatenate([np.zeros(1, np.int64), placed, met, stores[:, 1], stores[:, 2]]))
        matrix = _matrix(masks, used, lanes)
        columns = (cases[:, 0], np.searchsorted(used, placed), cases[:, 1])
        site, mask, base = (column.astype(np.int32) for column in columns)
        windows = np.array([SHARED_WINDOW if space is Space.SHARED else 0 for space in spaces], np.int64)
        offset = data[:, 1] - windows[site] if len(site) else data[:, 1].copy()
        did = np.zeros((2, len(data)), np.int32)
        did[:, stores[:, 0]] = np.searchsorted(used, stores[:, 1:]).T
        when = (epoch.astype(np.int32), warp_epoch.astype(np.int32), block.astype(np.int32))
        updates = self.updates.finish() if len(self.updates.columns[0]) else None
        rows = Rows(site, mask, base, offset, *when, did[0], did[1], self._issued(len(data)), updates)
        numbers = np.searchsorted(used, met).tolist()
        events = tuple(
            BarrierEvent(block, row, location, number, scope, epoch, reach, order)
            for number, (_, block, row, location, scope, epoch, reach, order) in zip(numbers, self.events, strict=False)
        )
        happened = tuple(replace(event, mask=number) for number, event in zip(numbers[len(events) :], self.happened, strict=True))
        return rows, matrix, self.bases.matrix(lanes), events, happened

    def _issued(self, count: int) -> npt.NDArray[np.int32] | None:
        if not self.issued:
            return None
        column = np.full(count, -1, np.int32)
        row, issued = np.array(self.issued, np.int64).T
        column[row] = issued
        return column


def _matrix(masks: list[Mask], used: npt.NDArray[np.int64], lanes: int) -> npt.NDArray[np.bool_]:
    matrix = np.zeros((len(used), lanes), np.bool_)
    for row, key in enumerate(used):
        active = masks[key >> 8].active
        first = int(key & 0xFF) * WARP
        matrix[row, first : first + len(active)] = active
    return matrix
