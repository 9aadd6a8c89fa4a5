"""How the warps of one block take turns through the same generated code: in lock step, or one after the other.

A warp that spins lets the others go first. A block all of whose warps wait, for other blocks or for ever, says so and goes on when told to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import field
from types import GeneratorType
from typing import Any, cast

import numpy as np

from kernels.base.values import dataclass
from kernels.simt.base.types import Location, Scope
from kernels.simt.generate.statements import GRID
from kernels.simt.generate.waiting_loops import SPIN
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Mask
from kernels.simt.machine.log import AccessLog
from kernels.simt.run.runtime import Runtime

Arrival = tuple[int, Mask, str | None, Any]
"""At a block barrier: the number of its location, the active lanes, what to reduce, and each lane's predicate. At a point of preemption the
third says which (see `generate.waiting_loops`)."""
Running = Generator[Arrival | None, int | None, None]
Kernel = Callable[[Runtime, Lanes], Running]
Version = tuple[object, ...]
"""Equal while memory holds the same."""
MOST_ROUNDS = 256
"""Rounds of a loop in lock step in which memory stays as it is, until the block's warps are let take turns instead."""


class Stalled(Exception):
    """Stall: what is executed together waits for what is not: warps must take turns, or more blocks be executed."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Halt where a block lets the others go on: at the grid's barrier, or where its warps spin. `stuck`: nothing has changed since it last
    did, so nothing will until another block changes memory."""

    location: Location
    spins: bool = False
    stuck: bool = False


@dataclass(slots=True)
class Strand:
    """Code under way for some lanes."""

    lanes: Lanes
    running: Running
    arrival: Arrival | None = None
    ended: bool = False
    _version: Version = ()
    _seen: dict[int, object] = field(default_factory=dict)

    @property
    def spins(self) -> bool:
        """Whether it waits for what another thread does, other than to come to a barrier."""
        return self.arrival is not None and self.arrival[2] == SPIN

    def is_stuck(self, version: Version) -> bool:
        """Whether it stands where it stood before with the same in all variables, and memory has not changed since: it repeats itself."""
        if version != self._version:
            self._version, self._seen = version, {}
        frame = cast("GeneratorType[Arrival | None, int | None, None]", self.running).gi_frame
        if frame is None:
            return False
        now = {name: _content(value) for name, value in frame.f_locals.items() if name != "ticks"}
        before, self._seen[frame.f_lasti] = self._seen.get(frame.f_lasti), now
        return before == now

    def resume(self, result: int | None) -> None:
        """Go on to the next barrier or to the end."""
        try:
            self.arrival = self.running.send(result)
        except StopIteration:
            self.arrival, self.ended = None, True


def _content(value: Any) -> object:
    """What a variable of generated code holds, to be compared."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.str, value.shape, value.tobytes()
    return [_content(each) for each in value] if isinstance(value, list | tuple) else value


class Drivers:
    """Runs the blocks of one generated kernel. `version` tells whether memory has changed."""

    def __init__(
        self, kernel: Kernel, locations: Sequence[Location], log: AccessLog, findings: Findings, version: Callable[[], Version]
    ) -> None:
        self._kernel = kernel
        self._locations = locations
        self._log = log
        self._findings = findings
        self._version = version

    def in_lock_step(self, runtime: Runtime) -> Iterator[Halt]:
        """All warps of a block together. Raises Stalled where they wait for what they would do themselves, or other blocks."""
        strand = self.start(runtime)
        result: int | None = None
        while True:
            strand.resume(result)
            result = None
            if strand.spins:
                self._spin_in_step(strand)
            if strand.arrival is None:
                runtime.finish()
                return
            number, mask, reduce, _ = strand.arrival
            grid = reduce == GRID
            self._findings.check_block_barrier(strand.lanes, mask, self._locations[number], grid=grid)
            self._log.meet(self._locations[number], mask)
            if grid:
                yield Halt(self._locations[number])
                self._log.meet(self._locations[number], mask, Scope.GRID)
            self._log.next_epoch()
            result = reduced(reduce, [strand.arrival])

    def _spin_in_step(self, strand: Strand) -> None:
        """Go on until the loop that waits is left, where it is."""
        version, rounds = self._version(), 0
        while strand.spins:
            if rounds >= MOST_ROUNDS or (rounds and strand.is_stuck(version)):
                raise Stalled
            strand.resume(None)
            now = self._version()
            version, rounds = now, rounds + 1 if now == version else 0

    def by_turns(
        self, runtimes: Sequence[Runtime], strands: Sequence[Strand], choose: np.random.Generator, begin: Callable[[Lanes], None]
    ) -> Iterator[Halt]:
        """One warp after the other up to the next barrier, in an order drawn anew each time. `begin` is told whose turn it is."""
        result: int | None = None
        while True:
            waiting = [strand for strand in strands if not strand.ended]
            if not waiting:
                break
            for turn in choose.permutation(len(waiting)):
                begin(waiting[turn].lanes)
                waiting[turn].resume(result)
            yield from self._spin_by_turns(waiting, begin)
            arrived = self.meet(waiting, begin)
            if arrived:
                number, mask, reduce, _ = arrived[0]
                if reduce == GRID:
                    yield Halt(self._locations[number])
                    self._log.meet(self._locations[number], mask, Scope.GRID)
                self._log.next_epoch()
                result = reduced(reduce, arrived)
        for runtime in runtimes:
            begin(runtime.geometry)
            runtime.finish()

    def _spin_by_turns(self, strands: Sequence[Strand], begin: Callable[[Lanes], None]) -> Iterator[Halt]:
        """Let those that spin go on, one after the other, until all have come to a barrier or ended. Where all still spin, other blocks can
        go first."""
        while spinning := [strand for strand in strands if strand.spins]:
            for strand in spinning:
                begin(strand.lanes)
                strand.resume(None)
            if all(strand.spins for strand in spinning):
                version = self._version()
                stuck = [strand.is_stuck(version) for strand in spinning]
                assert spinning[0].arrival is not None
                yield Halt(self._locations[spinning[0].arrival[0]], spins=True, stuck=all(stuck))

    def start(self, runtime: Runtime) -> Strand:
        """The code of some lanes, about to begin."""
        running = self._kernel(runtime, runtime.geometry)
        next(running)
        return Strand(runtime.geometry, running)

    def meet(self, strands: Sequence[Strand], begin: Callable[[Lanes], None]) -> list[Arrival]:
        """The warps of one interval at its end: who waits must wait at one barrier, and nobody may have run past it."""
        arrived = [(strand, strand.arrival) for strand in strands if strand.arrival is not None]
        if not arrived:
            return []
        first, grid = self._locations[arrived[0][1][0]], arrived[0][1][2] == GRID
        paired = all(mask is strand.lanes.live and (reduce == GRID) == grid for strand, (_, mask, reduce, _) in arrived)
        for strand, (number, mask, reduce, _) in arrived:
            location = self._locations[number]
            self._findings.check_block_barrier(strand.lanes, mask, location, grid=reduce == GRID)
            if location != first and paired:
                self._findings.add_paired(strand.lanes, location, first)
            elif location != first:
                self._findings.add_missing(strand.lanes, strand.lanes.live.indices, first, grid=grid)
        for strand in strands:
            if strand.ended and strand.lanes.live:
                self._findings.add_missing(strand.lanes, strand.lanes.live.indices, first, grid=grid)
                strand.lanes.leave(strand.lanes.live)
        for strand, (number, mask, _, _) in arrived:
            begin(strand.lanes)
            self._log.meet(self._locations[number], mask)
        return [arrival for _, arrival in arrived]


def reduced(kind: str | None, arrived: Sequence[Arrival]) -> int | None:
    """What `__syncthreads_count`, `_and` and `_or` give those who have arrived."""
    if kind is None or kind == GRID:
        return None
    truth = np.concatenate([np.broadcast_to(np.asarray(given), mask.active.shape)[mask.active] for _, mask, _, given in arrived]) != 0
    return {"count": int(np.count_nonzero(truth)), "and": int(truth.all()), "or": int(truth.any())}[kind]
