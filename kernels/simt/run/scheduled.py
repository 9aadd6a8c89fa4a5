"""Executes a launch by a schedule: whoever goes is stopped before its next access of memory, and the schedule says who goes then.

Blocks are executed together, each with its own shared memory. Lanes of one warp can go apart; at what joins them they wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.launch import Dim3, LaunchRequest, Mode, index_in
from kernels.simt.base.schedule import Late, Old, Rule, Schedule, Thread, Turn
from kernels.simt.base.types import Scope
from kernels.simt.frontend.declared_functions import KNOWN, Known
from kernels.simt.generate.generated_kernel import GeneratedKernel
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.generate.statements import GRID
from kernels.simt.generate.waiting_loops import ACCESS, MEET, TOGETHER, Preempt
from kernels.simt.generate.walk import descendants
from kernels.simt.intrinsics.launches import CHILDREN
from kernels.simt.machine.budget import TICKS, BudgetExceeded
from kernels.simt.machine.clusters import Member
from kernels.simt.machine.lanes import Lanes
from kernels.simt.machine.memory import Memory
from kernels.simt.machine.sites import CallSites
from kernels.simt.machine.weak_memory import HeldStore, WeakMemory
from kernels.simt.run.block_execution import Execution
from kernels.simt.run.drivers import Drivers, reduced
from kernels.simt.run.execution import place_arguments
from kernels.simt.run.parties import Party, Scheduler, Went, arrival_of, bits_of, flags, merged, named_by
from kernels.simt.run.runtime import Runtime, WeakRuntime
from kernels.simt.trace.trace import WARP, Trace

_Chosen = TypeVar("_Chosen", Late, Old)


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A launch executed by a schedule. `possible` is False where a hold could not be kept, or the budget was used up before the
    end; `ended` where threads were left that wait."""

    trace: Trace
    turns: tuple[Turn, ...]
    possible: bool
    ended: bool
    memory: Mapping[str, npt.NDArray[np.uint8]]
    """The bytes of each array in global memory after the launch, by name."""
    made: Mapping[int, tuple[int, int]]
    """Who made the accesses of each row: its place in `parties`, and how many accesses it had made before."""
    parties: tuple[tuple[int, int, int], ...]
    """Block, warp, and lanes as bits, of all that go by themselves."""
    steps: int


def follow(
    kernel: ir.Kernel, request: LaunchRequest, schedule: Schedule, source: str = "", kernel_cache: KernelCache | None = None
) -> Followed:
    """Execute a launch, which must be one that `refuse_launch` lets pass, by a schedule. Raises Unsupported. The lanes of a warp that
    multiplies tiles have to go together (see `has_tiles`). `kernel_cache` is of the text's launches before."""
    memory = Memory(request.keep, request.variables)
    placed = place_arguments(kernel, request, memory)
    arguments = tuple(part for parts in placed.values.values() for part in parts)
    launch = _Scheduled(
        kernel, memory, request.grid, request.block, request.shared_bytes, request.budget, Mode.WARP, None, kernel_cache=kernel_cache
    )
    with np.errstate(all="ignore"):
        preempt = Preempt.FENCES if schedule.late or schedule.old else Preempt.ACCESSES
        generated = launch.prepare(arguments, contract=request.contract_fma, preempt=preempt)
        indices = range(prod(request.grid)) if request.blocks is None else request.blocks
        done = launch.follow(generated, [index_in(request.grid, index) for index in indices], schedule)
    arrays = {each.allocation.name: each.poisoned().copy() for each in memory.regions if each.space is ir.Space.GLOBAL}
    trace = launch.seen(launch.trace(source, done))
    parties = tuple((each.block, each.warp, each.bits) for each in launch.parties)
    turns = launch.went.turns(launch.parties, len(trace.rows.site))
    return Followed(trace, turns, launch.possible, launch.ended, arrays, launch.went.made(), parties, launch.steps)


def has_tiles(kernel: ir.Kernel) -> bool:
    """Whether the warps of a kernel do something on tiles or matrices as a whole."""
    return any(isinstance(each, ir.Call) and KNOWN.get(each.name) in (Known.TILE, Known.MATRIX) for each in descendants(kernel.body))


class _Scheduled(Execution):
    """One launch while it is executed by a schedule."""

    parties: list[Party]
    possible = True
    ended = True
    steps = 0

    def follow(self, generated: GeneratedKernel, blocks: Sequence[Dim3], schedule: Schedule) -> tuple[Dim3, ...]:
        """Execute the blocks together."""
        self._schedule = schedule
        self._weak = self._sites.weak = WeakMemory(self._log, self._show) if schedule.late or schedule.old else None
        self._calls = CallSites(self._sites, generated.targets)
        self._generated = generated
        self._drivers = Drivers(self._load(generated), generated.locations, self._log, self._findings, self._version)
        self._held: dict[int, Any] = {}
        self._current, self._members = -1, dict[int, Member]()
        self._going: Party | None = None
        self._stopped: list[Party] = []
        self.went = Went()
        self.parties = []
        self._whole: dict[tuple[int, int], Runtime] = {}
        self._fellows: dict[tuple[int, int], list[Party]] = {}
        for number, block in enumerate(blocks):
            self._begin_block(number, block)
        self._intervals = {number: [each for each in self.parties if each.block == number] for number in range(len(blocks))}
        self._by_thread = {
            Thread(each.block, each.warp * WARP + lane): each for each in self.parties for lane in range(WARP) if each.bits >> lane & 1
        }
        for hold in schedule.holds:
            one, other = (self._by_thread.get(each) for each in (hold.thread, hold.until))
            if one is not None and other is not None and one is not other:
                one.holds.append((hold, other))
        if self._weak is not None:
            homes = [
                {each.rank: number for number, each in self._members.items() if each.cluster is member.cluster}
                for member in self._members.values()
            ]
            self._weak.begin([each.block for each in self.parties], homes, self._by_party(schedule.late), self._by_party(schedule.old))
        try:
            self._drive(Scheduler(schedule, len(self.parties)))
            self._finish()
        except BudgetExceeded as stopped:
            self._findings.add_budget(stopped.location, blocks[max(self._current, 0)], stopped.reason)
            self.ended = self.possible = False
        return tuple(blocks)

    def _begin_block(self, number: int, block: Dim3) -> None:
        self._leave()
        self._shared.reset()
        self._sites.forget()
        self._log.begin_block(number)
        self._current = number
        member = self._members[number] = self.clusters.begin(block, self._shape.lanes)
        member.state[CHILDREN] = self._children
        for start in range(0, self._shape.lanes, WARP):
            whole = self.lanes(block, number, start)
            self._whole[number, start // WARP] = self.runtime(whole, self._calls, self._generated, member.state)
            for bits in self._schedule.parts:
                lanes = self.lanes(block, number, start)
                lanes.all = lanes.live = self._masks.where(flags(bits), lanes.all)
                if lanes.all:
                    runtime = self.runtime(lanes, self._calls, self._generated, member.state)
                    strand = self._drivers.start(runtime)
                    self.parties.append(Party(len(self.parties), number, start // WARP, bits, strand, runtime))
                    self._fellows.setdefault((number, start // WARP), []).append(self.parties[-1])

    def runtime(self, lanes: Lanes, calls: CallSites, generated: GeneratedKernel, state: dict[str, Any]) -> Runtime:
        """What some lanes of a block call."""
        if self._weak is None:
            return super().runtime(lanes, calls, generated, state)
        made = WeakRuntime(lanes, calls, self._log, self._findings, self._printer, state, self._meter, generated.locations)
        made.weak = self._weak
        return made

    # ------------------------------------------------------------ what is seen late

    def _by_party(self, chosen: Iterable[_Chosen]) -> dict[int, list[_Chosen]]:
        found: dict[int, list[_Chosen]] = {}
        for each in chosen:
            if each.thread in self._by_thread:
                found.setdefault(self._by_thread[each.thread].number, []).append(each)
        return found

    def _show(self, held: HeldStore) -> None:
        """Let a store happen that was held back: of its party, whoever goes."""
        going = self._going
        self.went.note(self._log.count, held.party, held.access, late=True)
        self._begin(self.parties[held.party])
        held.happen(held)
        if going is not None:
            self._begin(going)
            self.went.note(self._log.count, going.number, going.count - 1)

    def _show_due(self, weak: WeakMemory) -> None:
        """Let those stores happen that are held back no longer."""
        for late in self._schedule.late:
            until = None if late.until is None else self._by_thread.get(late.until)
            for each in [each for each in weak.held if each.late is late]:
                if until is not None and until.count >= late.reached and each in weak.held:
                    weak.show(each)

    # ------------------------------------------------------------ who goes

    def _drive(self, order: Scheduler) -> None:
        """Let parties go until all have ended, or none can."""
        while True:
            self._release()
            ready = [each for each in self.parties if each.ready]
            if not ready:
                if all(each.strand.ended for each in self.parties) or not self._force():
                    return
                continue
            free = [each for each in ready if not each.held]
            if not free:
                self.possible = False
                for each in ready:
                    each.holds.clear()
                continue
            if all(each.strand.spins for each in free):
                self._spin(free, len(free) == len(ready))
                if not self.ended:
                    return
                continue
            if self._schedule.rule in (Rule.IN_STEP, Rule.LAST_FIRST):
                self._round(free if self._schedule.rule is Rule.IN_STEP else free[::-1])
            else:
                self._run(order.choose([each for each in free if not each.strand.spins]), order)

    def _round(self, free: Iterable[Party]) -> None:
        for each in free:
            if each.ready and not each.held:
                self._step(each)

    def _run(self, party: Party, order: Scheduler) -> None:
        """Let one go until it has to stop, or the order gives way to another."""
        while True:
            self._step(party)
            if not party.ready or party.strand.spins or (party.holds and party.held) or order.changes(party, self.steps):
                return

    def _spin(self, free: Sequence[Party], alone: bool) -> None:
        """All that can go spin: each makes a round. Where that changes nothing, and nobody is held (`alone`), they spin for ever."""
        stuck, before = [], self._changes()
        for each in free:
            self._step(each)
            while each.ready and not each.strand.spins and not each.held and self._changes() == before:
                self._step(each)
            stuck.append(each.strand.spins and each.strand.is_stuck(self._version()))
        if all(stuck) and self._changes() == before and alone:
            self.ended = self._weak is not None and self._weak.settle()

    def _step(self, party: Party) -> None:
        """One access, and all up to the next."""
        self._begin(party)
        if self._weak is not None:
            self._weak.party, self._weak.access = party.number, party.count
        if party.kind == ACCESS:
            self.went.note(self._log.count, party.number, party.count)
            party.count += 1
        self.steps += 1
        if self.steps % TICKS == 0:
            self._meter.check(self._kernel.location)
        result, party.result = party.result, None
        party.strand.resume(result)
        if self._weak is not None:
            self._show_due(self._weak)
        if self._schedule.copies_at_once:
            party.runtime.finish()
        if not party.ready:
            self._stopped.append(party)

    def _begin(self, party: Party) -> None:
        """What follows is done by this party: its block's memory is in place."""
        if party is self._going:
            return
        if party.block != self._current:
            self._leave()
            shared, local, left = self._held[party.block]
            self._shared.put(shared)
            self._memory.put_locally(local)
            self._sites.forget()
            self._log.return_to(left)
            self._current = party.block
            self.clusters.enter(self._members[party.block])
        self._turn(party.strand.lanes)
        self._going = party

    def _leave(self) -> None:
        if self._current >= 0:
            held = self._held[self._current] = self._shared.held(), self._memory.held_locally(), self._log.leave_block()
            ended = all(each.strand.ended for each in self.parties if each.block == self._current)
            self.clusters.leave(self._members[self._current], None if ended else held[0])
        self._going = None

    # ------------------------------------------------------------ what joins them

    def _release(self) -> None:
        """Let those go on that all have come whom they wait for. Only what has stopped since can have made that so."""
        stopped, self._stopped = self._stopped, []
        for party in stopped:
            for each in [party] if party.waits else self._fellows[party.block, party.warp]:
                if each.kind in (MEET, TOGETHER) and (together := self._complete(each)):
                    self._join(together)
        for number in {each.block for each in stopped}:
            kinds = self._arrived(number)
            if kinds and GRID not in kinds:
                self._meet(number)
        if stopped and all(self._arrived(number) for number in {each.block for each in self.parties if not each.strand.ended}):
            for number in {each.block for each in self.parties if not each.strand.ended}:
                self._meet(number)

    def _arrived(self, number: int) -> set[str | None]:
        """At which kinds of barriers all threads of a block are that have not ended; nothing where one is at none."""
        left = [each for each in self._intervals[number] if not each.strand.ended]
        return {each.kind for each in left} if all(each.waits and each.kind not in (MEET, TOGETHER) for each in left) else set()

    def _meet(self, number: int) -> None:
        """The threads of a block have come to its barrier."""
        interval = self._intervals[number]
        self._begin(interval[0])
        if self._weak is not None:
            grid = GRID in self._arrived(number)
            met = [each.number for each in self.parties if grid or each.block == number]
            self._weak.knowledge.join(met)
            self._weak.show_own(met, wide=grid)
        by_lanes = {id(each.strand.lanes): each for each in interval}
        arrived = self._drivers.meet([each.strand for each in interval], lambda lanes: self._begin(by_lanes[id(lanes)]))
        location, mask, kind, _ = arrived[0]
        if kind == GRID:
            self._log.meet(self._generated.locations[location], mask, Scope.GRID)
        self._log.next_epoch()
        self._intervals[number] = [each for each in interval if not each.strand.ended]
        for each in self._intervals[number]:
            each.result, each.strand.arrival = reduced(kind, arrived), None

    def _complete(self, party: Party) -> list[Party]:
        """The parties of the warp that come together with this one; none while one that is named and lives is missing."""
        fellows = self._fellows[party.block, party.warp]
        living = sum(bits_of(each.strand.lanes.live) for each in fellows if not each.strand.ended)
        waiting = sum(each.bits for each in fellows if each.waits)
        if named_by(party) & living & ~waiting:
            return []
        here = [each for each in fellows if each.waits and each.kind == party.kind and self._place(each) == self._place(party)]
        found, needed = {party.number: party}, named_by(party) & living
        while True:
            more = [each for each in here if each.number not in found and bits_of(arrival_of(each)[1]) & needed]
            if not more:
                break
            for each in more:
                found[each.number] = each
                needed |= named_by(each) & living
        present = sum(bits_of(arrival_of(each)[1]) for each in found.values())
        return list(found.values()) if not needed & ~present else []

    def _place(self, party: Party) -> object:
        return self._generated.locations[arrival_of(party)[0]]

    def _join(self, parties: Sequence[Party]) -> None:
        """What these lanes do together: a barrier of the warp, or a function in which they exchange values."""
        self._begin(parties[0])
        whole = self._whole[parties[0].block, parties[0].warp]
        fellows = self._fellows[parties[0].block, parties[0].warp]
        whole.geometry.live = self._masks.where(flags(sum(bits_of(each.strand.lanes.live) for each in fellows)), whole.geometry.all)
        number, _, kind, given = arrival_of(parties[0])
        masks = [arrival_of(each)[1] for each in parties]
        mask = reduce(self._masks.union, masks)
        result = None
        self._faults.lanes = whole.geometry
        if kind == MEET:
            if self._weak is not None:
                self._weak.knowledge.join(each.number for each in parties)
            whole.meet_warp(number, mask, merged(masks, [arrival_of(each)[3] for each in parties]))
        else:
            function, call, _ = given
            arguments = [arrival_of(each)[3][2] for each in parties]
            whole.call, whole.mask = call, mask
            result = function(whole, *(merged(masks, each) for each in zip(*arguments, strict=True)))
        self._going = None
        for each in parties:
            each.result, each.strand.arrival = result, None

    def _force(self) -> bool:
        """Nobody can go: let lanes go on that wait for others of their warp, as some GPUs do. False where there are none."""
        stuck = [each for each in self.parties if each.kind in (MEET, TOGETHER)]
        if stuck:
            fellows = self._fellows[stuck[0].block, stuck[0].warp]
            self._join([each for each in fellows if each in stuck and self._place(each) == self._place(stuck[0])])
        else:
            self.ended = False
        return bool(stuck)

    def _finish(self) -> None:
        if self._weak is not None:
            self._weak.settle()
        for each in self.parties:
            if each.strand.ended:
                self._begin(each)
                each.runtime.finish()
            self._flops += each.runtime.flops

    # ------------------------------------------------------------ what is told

    def seen(self, trace: Trace) -> Trace:
        """Add to a trace what was seen late, and what old values were."""
        return trace if self._weak is None else replace(trace, unordered=self._weak.finish())
