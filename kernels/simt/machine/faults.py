"""Accesses that are not all good: each lane is looked at, what is wrong becomes a finding, and the good lanes go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Mask
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.site_plans import SiteSpec

Vector = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


NULL_PAGE = 4096
"""Addresses below are those of a null pointer, whichever array the text means by it."""
NOWHERE = message("{place} is in no array.")


def nowhere(place: str) -> Message:
    """Say that an address is in no array."""
    return Message(NOWHERE.template, (("place", place),))


class Faults:
    """Lane by lane access. `lanes` are those that execute now."""

    def __init__(self, memory: Memory, findings: Findings) -> None:
        self._memory = memory
        self._findings = findings
        self.lanes: Lanes | None = None
        self.changes = 0
        """Atomics that changed what was there."""

    @property
    def first_lane(self) -> int:
        """Where in the block the executing lanes begin."""
        return self.lanes.start if self.lanes is not None else 0

    def load(self, spec: SiteSpec, addresses: Integers, mask: Mask, row: int) -> list[Vector]:
        """Zeros where the access is out of bounds or misaligned."""
        values = [np.zeros(len(addresses), spec.dtype) for _ in range(spec.leaves)]
        good = list(self._good(spec, addresses, mask, row))
        self.report_undefined(spec, addresses, mask, row)
        for region, lanes, item in good:
            for leaf, value in enumerate(values):
                value[lanes] = region.view(spec.dtype)[item + leaf]
        return values

    def store(self, spec: SiteSpec, addresses: Integers, mask: Mask, values: tuple[Any, ...], row: int) -> tuple[Flags, Flags]:
        """Store in good lanes only. Return the lanes that changed what was there, and those that lost against another lane, bit by bit."""
        changed, lost = np.zeros((2, len(addresses)), np.bool_)
        bits = np.dtype(f"u{spec.dtype.itemsize}")
        for region, lanes, item in self._good(spec, addresses, mask, row):
            memory = region.view(bits)
            region.poison(item[:, None] * bits.itemsize + np.arange(bits.itemsize * spec.leaves))
            for leaf, value in enumerate(values):
                new = np.broadcast_to(np.asarray(value, spec.dtype), addresses.shape)[lanes].view(bits)
                changed[lanes] |= memory[item + leaf] != new
                memory[item + leaf] = new
                lost[lanes] |= memory[item + leaf] != new
                _define(region, item + leaf, spec.dtype.itemsize)
        return changed, lost

    def atomic(
        self, spec: SiteSpec, addresses: Integers, mask: Mask, update: Callable[..., Vector], operands: tuple[Vector, ...], row: int
    ) -> Vector:
        """Read, update, write, in lane order where addresses coincide; what was read."""
        self.report_undefined(spec, addresses, mask, row)
        old = np.zeros(len(addresses), spec.dtype)
        for region, lanes, item in self._good(spec, addresses, mask, row):
            memory = region.view(spec.dtype)
            for some in _turns(item):
                turn, place = lanes[some], item[some]
                old[turn] = memory[place]
                memory[place] = update(old[turn], *(operand[turn] for operand in operands))
                self.changes += bool((memory[place] != old[turn]).any())
            _define(region, item, spec.dtype.itemsize)
        return old

    def item(self, spec: SiteSpec, addresses: Integers, mask: Mask, row: int) -> Region | None:
        """The array in which all bytes of the only active lane lie, aligned; what is wrong with them is told."""
        self.report_undefined(spec, addresses, mask, row)
        good = [region for region, lanes, _ in self._good(spec, addresses, mask, row) if len(lanes)]
        return good[0] if good else None

    def held(self, spec: SiteSpec, addresses: Integers, mask: Mask) -> npt.NDArray[np.uint8]:
        """What memory holds in the active lanes, one after the other; zeros where a lane's bytes are in no array."""
        found = np.zeros((len(addresses), spec.dtype.itemsize * spec.leaves), np.uint8)
        for region, lanes, places in self._inside(spec, addresses, mask):
            region.poison(places)
            found[lanes] = region.bytes[places]
        return found[mask.indices]

    def put(self, spec: SiteSpec, addresses: Integers, mask: Mask, held: npt.NDArray[np.uint8]) -> None:
        """Let memory hold other bytes in the active lanes, as far as they are in an array."""
        given = np.zeros((len(addresses), spec.dtype.itemsize * spec.leaves), np.uint8)
        given[mask.indices] = held
        for region, lanes, places in self._inside(spec, addresses, mask):
            region.bytes[places] = given[lanes]

    def report_undefined(self, spec: SiteSpec, addresses: Integers, mask: Mask, row: int) -> None:
        """A finding for the active lanes that read what nobody wrote, which is POISON from now on."""
        for region, lanes, places in self._inside(spec, addresses, mask):
            if region.defined is None:
                continue
            region.poison(places)
            if spec.site.around:
                continue
            undefined = ~region.defined[places].all(axis=1)
            self._report(
                FindingKind.UNINITIALISED_READ,
                spec,
                lanes[undefined],
                message("{place} is read before it is written.", place=spec.site.text),
                row,
            )

    def check_index(self, spec: SiteSpec, index: Integers, count: int, mask: Mask) -> None:
        """A finding for the active lanes whose index leaves its dimension, though perhaps not the array."""
        wrong = mask.active & ((index < 0) | (index >= count))
        if wrong.any():
            worst = int(index[np.argmax(wrong)])
            text = message("{place}: index {index} leaves its dimension of {count}.", place=spec.site.text, index=worst, count=count)
            self._report(FindingKind.OUT_OF_BOUNDS, spec, np.flatnonzero(wrong), text, -1)

    def _good(self, spec: SiteSpec, addresses: Integers, mask: Mask, row: int) -> Iterator[tuple[Region, Integers, Integers]]:
        """Region, lanes and item indices of the lanes that are inside and aligned; the others are reported."""
        size = spec.dtype.itemsize * spec.leaves
        rest = mask.active.copy()
        for region, lanes in self._regions(spec, addresses, mask):
            start = addresses[lanes] - region.address
            own = (lanes + self.first_lane) * region.stride if region.stride else 0
            outside = (start < own) | (start + size > own + region.own)
            misaligned = (start - spec.within) % spec.alignment != 0
            self._report(FindingKind.MISALIGNED_ACCESS, spec, lanes[misaligned], _misaligned(spec, size), row)
            if spec.site.operation == "store":
                _excuse(region, start[misaligned & ~outside], size)
            if outside.any():
                self._report(
                    FindingKind.OUT_OF_BOUNDS, spec, lanes[outside], _outside(spec, region, int((start - own)[outside][0]), size), row
                )
            good = ~(outside | misaligned)
            rest[lanes] = False
            yield region, lanes[good], start[good] // spec.dtype.itemsize
        if rest.any():
            self._report(FindingKind.OUT_OF_BOUNDS, spec, np.flatnonzero(rest), self._nowhere(spec, int(addresses[np.argmax(rest)])), row)

    def _nowhere(self, spec: SiteSpec, address: int) -> Message:
        empty = self._memory.empty_near(address)
        if empty is not None:
            return _outside(spec, empty, address - empty.address, 1)
        freed = self._memory.freed_at(address)
        if freed is not None:
            return message(
                "{place} is in {array}, which was freed in line {line}.",
                place=spec.site.text,
                array=freed[0].allocation.name,
                line=freed[1],
            )
        return nowhere(spec.site.text)

    def _inside(self, spec: SiteSpec, addresses: Integers, mask: Mask) -> Iterator[tuple[Region, Integers, Integers]]:
        """Region, lanes and, lane by lane, the places in it of the bytes that they access: of the lanes that are inside."""
        size = spec.dtype.itemsize * spec.leaves
        for region, lanes in self._regions(spec, addresses, mask):
            start = addresses[lanes] - region.address
            inside = (start >= 0) & (start + size <= region.size)
            yield region, lanes[inside], start[inside, None] + np.arange(size)

    def _regions(self, spec: SiteSpec, addresses: Integers, mask: Mask) -> list[tuple[Region, Integers]]:
        if spec.region is not None:
            return [(spec.region, mask.indices)]
        found = self._memory.find_each(addresses[mask.indices])
        return [(region, mask.indices[places]) for region, places in found.items()]

    def _report(self, kind: FindingKind, spec: SiteSpec, lanes: Integers, text: Message, row: int) -> None:
        if len(lanes) and self.lanes is not None:
            self._findings.add(kind, spec.number, spec.site.location, self.lanes, lanes, text, row)


def _misaligned(spec: SiteSpec, size: int) -> Message:
    if spec.vector:
        return message(
            "{place} is accessed together with other members of its vector, which begins at an address that is no multiple of {bytes}.",
            place=spec.site.text, bytes=spec.vector,
        )  # fmt: skip
    return message("{place} moves {bytes} bytes from an address that is no multiple of {bytes}.", place=spec.site.text, bytes=size)


def _outside(spec: SiteSpec, region: Region, start: int, size: int) -> Message:
    """Name the first element outside, of `size` bytes from `start` on."""
    if not region.stride and 0 <= region.address + start < NULL_PAGE:
        return nowhere(spec.site.text)
    element, end = max(1, region.allocation.element_bytes), region.own
    reached = max(start, end) if start >= 0 and start + size > end else start
    return message(
        "{place} reaches element {index} of {array}, which has {count}.",
        place=spec.site.text, index=reached // element, array=region.allocation.name, count=end // element,
    )  # fmt: skip


def _define(region: Region, item: Integers, size: int) -> None:
    if region.defined is not None:
        region.defined.reshape(-1, size)[item] = True


def _excuse(region: Region, start: Integers, size: int) -> None:
    """What a misaligned store was meant to write is not written, but to read it is no mistake of its own."""
    if region.defined is not None:
        places = start[:, None] + np.arange(size)
        region.poison(places)
        region.defined[places] = True


def _turns(item: Integers) -> Iterator[Integers]:
    """Positions in rounds, so that no item occurs twice in a round and those of one item come in order."""
    order = np.argsort(item, kind="stable")
    ordered = item[order]
    begins = np.append(True, ordered[1:] != ordered[:-1]) if len(item) else np.zeros(0, np.bool_)
    turn = np.arange(len(item)) - np.maximum.accumulate(np.where(begins, np.arange(len(item)), 0))
    for number in range(int(turn.max()) + 1 if len(item) else 0):
        yield order[turn == number]
