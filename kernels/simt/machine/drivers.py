"""Two ways to let the warps of a block take turns through the same generated code."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Mask
from kernels.simt.machine.log import AccessLog
from kernels.simt.machine.runtime import Runtime
from kernels.simt.types import Location

Arrival = tuple[int, Mask, str | None, Any]
"""At a block barrier: the number of its location, the active lanes, what to reduce, and each lane's predicate."""
Running = Generator[Arrival | None, int | None, None]
Kernel = Callable[[Runtime, Lanes], Running]


@dataclass(slots=True)
class Strand:
    """Code under way for some lanes."""

    lanes: Lanes
    running: Running
    arrival: Arrival | None = None
    ended: bool = False

    def resume(self, result: int | None) -> None:
        """Go on to the next barrier or to the end."""
        try:
            self.arrival = self.running.send(result)
        except StopIteration:
            self.arrival, self.ended = None, True


class Drivers:
    """Runs the blocks of one program."""

    def __init__(self, kernel: Kernel, locations: Sequence[Location], log: AccessLog, findings: Findings) -> None:
        self._kernel = kernel
        self._locations = locations
        self._log = log
        self._findings = findings

    def in_lock_step(self, runtime: Runtime) -> None:
        """All warps of a block together."""
        strand = self._start(runtime)
        result: int | None = None
        while True:
            strand.resume(result)
            if strand.arrival is None:
                runtime.finish()
                return
            number, mask, reduce, predicate = strand.arrival
            self._findings.check_block_barrier(strand.lanes, mask, self._locations[number])
            self._log.meet(self._locations[number], mask)
            self._log.next_epoch()
            result = reduced(reduce, [np.broadcast_to(np.asarray(predicate), mask.active.shape)[mask.active]])

    def by_turns(self, runtimes: Sequence[Runtime], choose: np.random.Generator, begin: Callable[[Lanes], None]) -> None:
        """One warp after the other up to the next barrier, in an order drawn anew each time. `begin` is told whose turn it is."""
        strands = [self._start(runtime) for runtime in runtimes]
        result: int | None = None
        while True:
            waiting = [strand for strand in strands if not strand.ended]
            if not waiting:
                break
            for turn in choose.permutation(len(waiting)):
                begin(waiting[turn].lanes)
                waiting[turn].resume(result)
            result = self._meet(waiting, begin)
        for runtime in runtimes:
            begin(runtime.geometry)
            runtime.finish()

    def _start(self, runtime: Runtime) -> Strand:
        running = self._kernel(runtime, runtime.geometry)
        next(running)
        return Strand(runtime.geometry, running)

    def _meet(self, strands: Sequence[Strand], begin: Callable[[Lanes], None]) -> int | None:
        """The warps of one interval at its end: who waits must wait at one barrier, and nobody may have run past it."""
        arrived = [(strand, strand.arrival) for strand in strands if strand.arrival is not None]
        if not arrived:
            return None
        first = self._locations[arrived[0][1][0]]
        predicates = []
        for strand, (number, mask, _, predicate) in arrived:
            location = self._locations[number]
            self._findings.check_block_barrier(strand.lanes, mask, location)
            if location != first:
                self._findings.add_missing(strand.lanes, strand.lanes.live.indices, first)
            predicates.append(np.broadcast_to(np.asarray(predicate), mask.active.shape)[mask.active])
        for strand in strands:
            if strand.ended and strand.lanes.live:
                self._findings.add_missing(strand.lanes, strand.lanes.live.indices, first)
                strand.lanes.leave(strand.lanes.live)
        for strand, (number, mask, _, _) in arrived:
            begin(strand.lanes)
            self._log.meet(self._locations[number], mask)
        self._log.next_epoch()
        return reduced(arrived[0][1][2], predicates)


def reduced(kind: str | None, predicates: Sequence[np.ndarray[Any, Any]]) -> int | None:
    """What `__syncthreads_count`, `_and` and `_or` give."""
    if kind is None:
        return None
    truth = np.concatenate(predicates) != 0
    return {"count": int(np.count_nonzero(truth)), "and": int(truth.all()), "or": int(truth.any())}[kind]
