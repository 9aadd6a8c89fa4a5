"""What a CUDA function sees of the machine while it is executed for the active lanes of a block or a warp."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message
from kernels.simt.base.types import MemoryOrder, ThreadScope
from kernels.simt.ir import Call, Location, Pointer, Scalar, Scope
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Mask
from kernels.simt.machine.log import AccessLog
from kernels.simt.machine.sites import AnySite, CallSites
from kernels.simt.trace.events import Happening
from kernels.simt.trace.finding_kinds import FindingKind

Vector = npt.NDArray[Any]
Value = Any
"""A lane vector, or a scalar equal in all lanes: int and bool for integers, NumPy scalars for floats. A struct is a tuple of these."""
Function = Callable[..., Value]
"""`FUNCTIONS[name](context, *arguments)`; what it returns need be right only in active lanes."""


class Context:
    """Given to every CUDA function: geometry, the active lanes, logged memory access.

    A lane vector has `lanes` elements: all lanes of the block in block mode, the 32 of one warp in warp mode. Lanes of one warp are
    neighbours, so `vector.reshape(-1, 32)` has a row for each warp. `call` and `mask` are those of the call being executed.
    """

    def __init__(
        self,
        lanes: Lanes,
        sites: CallSites,
        log: AccessLog,
        findings: Findings,
        record: Callable[[Lanes, int, str], None],
        state: dict[str, Any],
    ) -> None:
        self.geometry = lanes
        self.lanes = lanes.count
        self.mask: Mask = lanes.all
        self.call: Call | None = None
        self.state = state
        """For what functions remember from call to call; one dictionary for each block executed."""
        self._sites = sites
        self._log = log
        self._findings = findings
        self._record = record

    @property
    def active(self) -> npt.NDArray[np.bool_]:
        """The lanes that execute the call."""
        return self.mask.active

    @property
    def location(self) -> Location:
        assert self.call is not None
        return self.call.location

    def vector(self, value: Value, dtype: npt.DTypeLike | None = None) -> Vector:
        """`value` in every lane."""
        return np.broadcast_to(np.asarray(value, dtype), (self.lanes,))

    def _site(self, operation: str, scalar: Scalar | Pointer) -> AnySite:
        assert self.call is not None
        return self._sites.find(self.call, operation, scalar)

    def load(self, address: Value, scalar: Scalar | Pointer) -> Vector:
        """Read one scalar in every active lane."""
        return self._site("load", scalar).load(*self._log.bases(address), self.mask)

    def store(self, address: Value, value: Value, scalar: Scalar | Pointer) -> None:
        """Write one scalar in every active lane."""
        self._site("store", scalar).store(*self._log.bases(address), self.mask, value)

    def atomic(self, address: Value, scalar: Scalar | Pointer, update: Callable[..., Vector], *operands: Value) -> Vector:
        """Read, update and write in every active lane, one lane after the other where addresses coincide; the value read.

        `update(old, *operands)` takes vectors of some of the lanes, of the scalar's type.
        """
        vectors = tuple(self.vector(operand) for operand in operands)
        return self._site("atomic", scalar).atomic(*self._log.bases(address), self.mask, update, vectors)

    def read_ahead(self, target: Value, source: Value, size: int, filled: Vector) -> tuple[Vector, ...]:
        """Read `size` bytes in every active lane, the last `filled` of them zeros that are not read; the items to write at `target`.

        Shared memory there counts as not written until `write_late` or a store writes it.
        """
        assert self.call is not None
        found = np.zeros((self.lanes, size), np.uint8)
        base, offset = self._log.bases(source)
        for zeros in np.unique(filled[self.mask.indices]).tolist():
            lanes = self.geometry.masks.where(filled == zeros, self.mask)
            for start, count in _pieces(size - zeros):
                items = self._sites.find_copy(self.call, "load", count).load_each(base, offset + start, lanes)
                found[lanes.indices, start : start + count] = np.stack(items, axis=1).view(np.uint8)[lanes.indices]
        self._sites.undefine(self.vector(target, np.int64)[self.mask.indices], size)
        return tuple(found.view(f"u{min(size, 8)}").T)

    def load_bytes(self, address: Value, size: int, lanes: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
        """Read `size` bytes (1, 2, 4, 8 or 16) as one access in those of these lanes that are active: lanes x size."""
        assert self.call is not None
        mask = self.geometry.masks.where(lanes, self.mask)
        items = self._sites.find_copy(self.call, "load", size).load_each(*self._log.bases(address), mask)
        return np.stack(items, axis=1).view(np.uint8)

    def store_bytes(self, address: Value, data: npt.NDArray[np.uint8], lanes: npt.NDArray[np.bool_]) -> None:
        """Write `data`, lanes x bytes (1, 2, 4, 8 or 16), as one access in those of these lanes that are active."""
        assert self.call is not None
        mask, size = self.geometry.masks.where(lanes, self.mask), data.shape[1]
        items = np.ascontiguousarray(data).view(f"u{min(size, 8)}").T
        self._sites.find_copy(self.call, "store", size).store(*self._log.bases(address), mask, *items)

    def acting(self, lanes: Lanes) -> None:
        """The rows that follow are of these lanes, which may be another warp's."""
        self._sites.turn(lanes)

    def read_pieces(self, call: Call, pieces: Sequence[tuple[int, int]], lane: int) -> npt.NDArray[np.uint8]:
        """Read pieces (address and bytes: 16 or 128) for one lane, each as an access; their bytes one after another."""
        mask, zero = self.only(lane), self._log.bases.zero
        found = [self._sites.find_copy(call, "load", size).load_item(zero, address, mask) for address, size in pieces]
        return np.concatenate(found)

    def write_pieces(self, call: Call, pieces: Sequence[tuple[int, int]], data: npt.NDArray[np.uint8], lane: int, issued: int) -> None:
        """Write what `read_pieces` gives, for a call that was issued when there were `issued` rows."""
        mask, at, first = self.only(lane), 0, self._log.count
        for address, size in pieces:
            self._sites.find_copy(call, "store", size).store_item(self._log.bases.zero, address, mask, data[at : at + size])
            at += size
        self._log.issued.extend((row, issued) for row in range(first, self._log.count))

    def update_pieces(
        self, call: Call, pieces: Sequence[tuple[int, int]], data: npt.NDArray[np.uint8], lane: int, issued: int,
        change: Callable[[Vector, Vector], Vector],
    ) -> None:  # fmt: skip
        """Update by what `read_pieces` gives, as `write_pieces` writes it: `change(old, given)` takes and gives bytes."""
        mask, at, first = self.only(lane), 0, self._log.count
        for address, size in pieces:
            self._sites.find_copy(call, "atomic", size).update_item(self._log.bases.zero, address, mask, data[at : at + size], change)
            at += size
        self._log.issued.extend((row, issued) for row in range(first, self._log.count))

    def peek(self, addresses: npt.NDArray[np.int64], bits: int) -> npt.NDArray[Any]:
        """The elements of so many bits at places of shared memory, which is no access; zeros outside of it."""
        return self._sites.peek(addresses, bits)

    def bytes_at(self, address: int, size: int) -> npt.NDArray[np.uint8] | None:
        """Bytes at an address of any memory, which is no access; None where there is no array."""
        return self._sites.bytes_at(address, size)

    def zero_if_undefined(self, address: int, size: int) -> None:
        """Bytes of shared memory that nobody has written are zeros from now on."""
        self._sites.zero_if_undefined(address, size)

    def undefine(self, start: int, size: int) -> None:
        """Bytes of shared memory, a multiple of 16 or a power of two below, count as not written."""
        step = min(size, 16)
        self._sites.undefine(np.arange(start, start + size, step, dtype=np.int64), step)

    def note(
        self, kind: Happening, address: int = -1, value: int = 0, other: int = -1, lane: int | None = None, more: tuple[int, ...] = ()
    ) -> None:
        """Note what the active lanes (or one) do besides accesses; addresses are those of the memory that they lie in."""
        assert self.call is not None
        mask = self.mask if lane is None else self.only(lane)
        if mask:
            self._log.note(kind, self.call.location, mask, self.call.name, (address, value, other), more)

    def only(self, lane: int) -> Mask:
        """The mask of one lane."""
        chosen = np.zeros(self.lanes, np.bool_)
        chosen[lane] = True
        return self.geometry.masks.intern(chosen)

    @property
    def rows(self) -> int:
        """How many accesses have been recorded."""
        return self._log.count

    def write_late(self, call: Call, target: Vector, items: tuple[Vector, ...], lanes: npt.NDArray[np.bool_], issued: int) -> None:
        """Write in these lanes what `read_ahead` read for `call` when there were `issued` rows; recorded at the place of the call."""
        size, first = sum(item.itemsize for item in items), self._log.count
        self._sites.find_copy(call, "store", size).store(*self._log.bases(target), self.geometry.masks.intern(lanes), *items)
        self._log.issued.extend((row, issued) for row in range(first, self._log.count))

    def join_warp(self, named: Value) -> None:
        """Hold that the named threads of each warp are here, as shuffles, votes and operations on tiles need them; this orders no memory
        (CUDA guide, warp vote and warp shuffle functions).

        A thread that is named, lives, and is not here is a finding; so are active lanes that name different threads or not themselves.
        """
        self._findings.check_warp_barrier(self.geometry, self.mask, named, self.location)

    def fence(self, reach: ThreadScope, order: MemoryOrder = MemoryOrder.ACQ_REL) -> None:
        """What the threads wrote comes before what they write from here on, as the threads within `reach` see it."""
        if self.mask:
            self._log.meet(self.location, self.mask, Scope.FENCE, reach, order)

    def release(self) -> None:
        """Let the next atomic of the active lanes publish all that they did before."""
        self.fence(ThreadScope.BLOCK, MemoryOrder.RELEASE)

    def _meet_within_warps(self, mask: Mask, named: Value, location: Location) -> None:
        """Synchronise those of the threads in `mask` that name the same lanes: each tile of a warp synchronises for itself."""
        names = np.asarray(named)
        for value in np.unique(names[mask.indices]).tolist() if names.ndim else (named,):
            self._log.warp_barrier(self.geometry.masks.where(names == value, mask) if names.ndim else mask, location)
        self._findings.check_warp_barrier(self.geometry, mask, named, location)

    def end_launch(self, reason: Message) -> None:
        """Tell that the active lanes would end the launch on a GPU."""
        if self.mask:
            self._findings.add_end(self.location, self.geometry, self.mask, reason)

    def find(self, kind: FindingKind, reason: Message) -> None:
        """Tell what goes wrong in the active lanes at this call."""
        if self.mask:
            self._findings.add(kind, self.location, self.location, self.geometry, self.mask.indices, reason)

    def find_in(self, kind: FindingKind, reason: Message, lanes: list[int]) -> None:
        """Tell what goes wrong in some of the lanes at this call."""
        if lanes:
            self._findings.add(kind, self.location, self.location, self.geometry, lanes, reason)

    def take(self, size: int) -> int:
        """Allocate on the device's heap: the address, 0 where there is no room."""
        return self._sites.take(size, self.location)

    def give_back(self, address: int) -> bool:
        """Free what `take` gave, and say whether there was such an allocation."""
        return self._sites.give_back(address, self.location)

    def print(self, lane: int, text: str) -> None:
        """Record what one thread printed."""
        self._record(self.geometry, lane, text)


def _pieces(size: int) -> Iterator[tuple[int, int]]:
    """Start and length of accesses that cover `size` bytes (at most 16): powers of two, the longest first, so that each is aligned."""
    start = 0
    for length in (16, 8, 4, 2, 1):
        if size & length:
            yield start, length
            start += length


Functions = Mapping[str, Function]
