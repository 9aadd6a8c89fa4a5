"""What generated code calls besides access sites and arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.base.messages import message
from kernels.simt.base.types import Location, MemoryOrder, ThreadScope
from kernels.simt.intrinsics import bulk, copies
from kernels.simt.intrinsics.launches import CHILDREN
from kernels.simt.intrinsics.printf import PRINT_LIMIT, formatted
from kernels.simt.machine.budget import Meter
from kernels.simt.machine.context import Context
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Mask
from kernels.simt.machine.log import AccessLog
from kernels.simt.machine.memory import Memory, Region
from kernels.simt.machine.sites import CallSites
from kernels.simt.machine.weak_memory import WeakMemory
from kernels.simt.run.child_launches import ChildLaunch, ChildLaunches
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Printed


class Printer:
    """Printer: collects what a launch prints."""

    def __init__(self, memory: Memory) -> None:
        self.text_at = memory.text
        self.lines: list[Printed] = []
        self._room = PRINT_LIMIT

    def add(self, lanes: Lanes, lane: int, text: str) -> None:
        """One thread's text; dropped when the buffer is full, as a GPU does."""
        if len(text) <= self._room:
            self._room -= len(text) + 1
            self.lines.append(Printed(lanes.block, lanes.thread(lane), text))


class Runtime(Context):
    """The context of generated code. Locations come as numbers in the generated kernel's table."""

    def __init__(
        self,
        lanes: Lanes,
        sites: CallSites,
        log: AccessLog,
        findings: Findings,
        printer: Printer,
        state: dict[str, Any],
        meter: Meter,
        locations: tuple[Location, ...],
    ) -> None:
        super().__init__(lanes, sites, log, findings, printer.add, state)
        self.flops = 0
        self._meter = meter
        self._printer = printer
        self._locations = locations

    def check_budget(self, number: int) -> int:
        """Rounds until the next look."""
        return self._meter.check(self._locations[number])

    def leave_array(self, size: int, number: int, mask: Mask, place: str, asked: tuple[tuple[int, int, str], ...]) -> int:
        """One of the indices `asked` for, each with its array's count and name, leaves a local array: reported; the item to use instead."""
        if mask:
            location = self._locations[number]
            index, count, array = next(each for each in asked if not 0 <= each[0] < each[1])
            text = message(
                "{place} reaches element {index} of {array}, which has {count}.", place=place, index=index, array=array, count=count
            )
            self._findings.add(FindingKind.OUT_OF_BOUNDS, location, location, self.geometry, mask.indices, text)
        return size

    def clear(self, region: Region, mask: Mask) -> None:
        """Zero a variable of each active lane."""
        if region.stride:  # else an array of no elements
            region.bytes.reshape(-1, region.stride)[mask.indices + self.geometry.start] = 0

    def finish(self) -> None:
        """The threads have ended."""
        copies.finish(self)
        bulk.finish(self)

    def meet_warp(self, number: int, mask: Mask, named: Any) -> None:
        """`__syncwarp`."""
        self._meet_within_warps(mask, named, self._locations[number])

    def print_formatted(self, mask: Mask, template: str, values: list[Any]) -> None:
        """printf in every active lane, in lane order."""
        vectors = [np.broadcast_to(np.asarray(value), (self.lanes,)) for value in values]
        for lane in mask.indices.tolist():
            given = [vector[lane].item() for vector in vectors]
            self.print(lane, formatted(template, given, text_at=self._printer.text_at))

    def launch(self, number: int, mask: Mask, entry: str, values: list[Any]) -> None:
        """A launch by every active lane, in lane order: grid, block, bytes of shared memory and stream, then the kernel's arguments."""
        vectors = [np.broadcast_to(np.asarray(value), (self.lanes,)) for value in values]
        children: ChildLaunches = self.state[CHILDREN]
        row, epoch, warp_epoch = self._log.place
        for lane in mask.indices.tolist():
            given = [vector[lane].item() for vector in vectors]
            grid, block = (given[0], given[1], given[2]), (given[3], given[4], given[5])
            by = self.geometry.block, self.geometry.thread(lane)
            children.add(
                ChildLaunch(
                    entry,
                    self._locations[number],
                    grid,
                    block,
                    given[6],
                    given[7],
                    tuple(given[8:]),
                    by,
                    self.geometry.block_number,
                    self.geometry.start + lane,
                    row,
                    epoch,
                    warp_epoch,
                )
            )  # fmt: skip

    def fail_assertion(self, number: int, mask: Mask, text: str) -> None:
        """Say for which threads an assertion does not hold."""
        location = self._locations[number]
        for lane in mask.indices.tolist():
            self.print(lane, f"{location.line}: Assertion `{text}' failed.\n")
        reason = message("The assertion {text} does not hold: a GPU would end the launch here.", text=text)
        self._findings.add_end(location, self.geometry, mask, reason)


class WeakRuntime(Runtime):
    """Runtime of a launch whose memory shows stores late, or old values."""

    weak: WeakMemory

    def fence(self, reach: ThreadScope, order: MemoryOrder = MemoryOrder.ACQ_REL) -> None:
        """Order what the threads do, as `Context.fence`."""
        super().fence(reach, order)
        if self.mask:
            self.weak.fence(reach, order)


def merge(mask: Mask, new: Any, old: Any) -> Any:
    """The new value in the mask's lanes, the old one elsewhere."""
    if mask.full:
        return new
    return np.where(mask.active, new, old) if mask.count else old
