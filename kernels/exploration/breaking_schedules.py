"""Two schedules of one race: one whose result is wrong, and one that happens to work.

What is right is what the launch gives where all its warps go in step, as on the stage. Where both threads of the race read, change and
write one element, and threads one after the other give the same from the first as from the last, that is right instead.

Schedules are tried in a fixed order. First one warp after the other; then those that turn the two racing accesses round: one side is held
before its access until the other has made its own; then, where none of them changes the result, drawn ones with few changes of who goes. In
all of these each thread's accesses happen in its order, seen by all at once. Where that changes nothing others see late what one side
stores, or one side reads an old value, as far as the order of memory lets them. Of those that give a wrong result the one with the fewest
turns is kept, and so of those that work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle, islice, product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.analysis.races import races
from kernels.analysis.value_chains import WrongAccess, moved, with_last_writes, wrong_accesses
from kernels.analysis.weak_memory_sentences import seen_words
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.exploration.racing_accesses import Access, Pair, Racing
from kernels.simt import ir
from kernels.simt.base.launch import Keep, LaunchRequest
from kernels.simt.base.schedule import SINGLE_LANES, WHOLE_WARP, Hold, Late, Old, Rule, Schedule, Turn
from kernels.simt.base.types import Space
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.generate.waiting_loops import may_wait
from kernels.simt.generate.walk import descendants, waits_for_grid
from kernels.simt.run.scheduled import Followed, follow, has_tiles
from kernels.simt.run.worker import guarded, prepare, trace_job
from kernels.simt.trace.contents import scalars_of
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from kernels.simt.trace.trace import WARP, Finding, Trace

RANDOM_SCHEDULES = 24
"""Schedules that are drawn where none that turns the accesses round changes the result."""
MOST_ACCESSES = 150_000
"""Accesses in all that trying may take."""
_PAIRS = 3
_FEW_BLOCKS = 16
_FEW_THREADS, _MANY_THREADS = 64, 256
_CLOSE = 1e-4
_TOLD = 16
_STOPS = 3
"""Places behind a store that is seen late at which its thread is stopped: an access, an arrival, a fence."""
_RULES = (Rule.IN_ORDER, Rule.REVERSED, Rule.IN_STEP)
_ALL_RULES = (*_RULES, Rule.LAST_FIRST)
Memory = Mapping[str, npt.NDArray[np.uint8]]


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Schedule with what it does: who goes when, and the trace of the blocks concerned, recorded whole with its history."""

    schedule: Schedule
    turns: tuple[Turn, ...]
    trace: Trace
    racing: tuple[int, int]
    """The rows of the two racing accesses, that at the finding's own line first; -1 where one is not made."""
    ended: bool
    """Whether all threads came to their end; else some wait for ever."""


@dataclass(frozen=True, slots=True)
class Element:
    """Element of an array in global memory that ends up different. `right` and `wrong` as numbers."""

    array: str
    index: int
    right: float
    wrong: float
    address: int
    whole: bool
    """Whether it is a whole number."""


@dataclass(frozen=True, slots=True, eq=False)
class Interleavings:
    """Interleavings found for a race. `breaks` is None where no schedule tried changes the result."""

    finding: Finding
    works: Played
    breaks: Played | None
    serial: bool
    """What is right is what one thread after the other gives, not what all give in step."""
    tried: int
    seed: int
    wrong: tuple[WrongAccess, ...]
    """Accesses of `breaks` that move other values than in `works`, from the first to the output."""
    elements: tuple[Element, ...]
    """The first elements that differ."""
    count: int
    """How many do."""
    together: bool
    """Whether the lanes of a warp were never parted: see `has_tiles`."""

    @property
    def sentence(self) -> Message:
        """What came of it, in words."""
        seen = None if self.breaks is None else seen_words(self.breaks.trace)
        return self._outcome if seen is None else message("{outcome} {seen}", outcome=self._outcome, seen=seen)

    @property
    def _outcome(self) -> Message:
        one, other = self.finding.location.line, (self.finding.other or self.finding.location).line
        if self.breaks is None and self.together:
            return message(
                "{tried} schedules of lines {one} and {other} were tried, and all gave the same result. The lanes of a warp went together"
                " in each of them, as it works on tiles as a whole: that lanes run apart was not tried.",
                tried=self.tried,
                one=one,
                other=other,
            )
        if self.breaks is None:
            return message(
                "{tried} schedules of lines {one} and {other} were tried, and all gave the same result: also those in which stores are seen"
                " late, or old values are read, as far as fences and barriers let them.",
                tried=self.tried,
                one=one,
                other=other,
            )
        if not self.breaks.ended or not self.elements:
            return message(
                "After {tried} schedules: in one of {turns} turns threads wait for ever.", tried=self.tried, turns=len(self.breaks.turns)
            )
        first = self.elements[0]
        return message(
            "After {tried} schedules: one of {turns} turns gives {array}[{index}] = {wrong} instead of {right}; "
            "elements that differ: {count}.",
            tried=self.tried, turns=len(self.breaks.turns), array=first.array, index=first.index, wrong=_number(first.wrong),
            right=_number(first.right), count=self.count,
        )  # fmt: skip


def _number(value: float) -> str:
    return f"{value:.7g}"


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    schedule: Schedule
    done: Followed

    @property
    def turns(self) -> int:
        return len(self.done.turns)


def interleavings(kernel: ir.Kernel, request: LaunchRequest, finding: Finding, source: str = "", seed: int = 0) -> Interleavings | Message:
    """Look for the two schedules of a data race of a launch; why there are none, if so. Raises Unsupported.

    The same arguments give the same answer: the budget is one of accesses, not of time.
    """
    concerned = _blocks(kernel, request, finding)
    request = replace(request, blocks=concerned, keep=Keep.HISTORY)
    return _Search(kernel, request, finding, source, seed).answer()


def schedules_of(job: LaunchSpec) -> tuple[Interleavings | Message, ...] | NotTraced:
    """The two schedules of each race of a launch, or why there are none; why it cannot be executed. Never raises for what the job holds."""
    return guarded(_schedules_of, job)


def _schedules_of(job: LaunchSpec) -> tuple[Interleavings | Message, ...] | NotTraced:
    prepared = prepare(job)
    if isinstance(prepared, NotTraced):
        return prepared
    traced = trace_job(job)
    if isinstance(traced, NotTraced):
        return traced
    read, launch = prepared
    return tuple(interleavings(read.kernel, launch, each, job.text, launch.seed) for each in races(traced.trace))


def schedules_of_race(job: LaunchSpec, finding: Finding) -> Interleavings | NotTraced:
    """The two schedules of one race, or why there are none. Never raises for what the job holds."""

    def answer(asked: LaunchSpec) -> Interleavings | NotTraced:
        prepared = prepare(asked)
        if isinstance(prepared, NotTraced):
            return prepared
        found = interleavings(prepared[0].kernel, prepared[1], finding, asked.text, prepared[1].seed)
        return NotTraced(found) if isinstance(found, Message) else found

    return guarded(answer, job)


def _blocks(kernel: ir.Kernel, request: LaunchRequest, finding: Finding) -> tuple[int, ...] | None:
    """The blocks of the race, with their clusters; all, where there are few and they have to do with each other."""
    x, y, z = request.grid
    sizes = kernel.cluster
    first = {
        tuple(place // size * size for place, size in zip(each, sizes, strict=True))
        for each in (finding.block, finding.other_block or finding.block)
    }
    indices = {a + i + x * (b + j + y * (c + k)) for a, b, c in first for i, j, k in product(*map(range, sizes))}
    joined = finding.other_block is not None or may_wait(kernel.body) or any(_is_atomic(each) for each in descendants(kernel.body))
    if waits_for_grid(kernel.body) or (joined and x * y * z <= _FEW_BLOCKS):
        return None
    return tuple(sorted(indices))


def _is_atomic(node: object) -> bool:
    return isinstance(node, ir.Call) and node.name.startswith("atomic")


class _Search:
    """One search. What was tried is kept: the shortest that gives each result."""

    def __init__(self, kernel: ir.Kernel, request: LaunchRequest, finding: Finding, source: str, seed: int) -> None:
        self._kernel, self._request, self._finding, self._source, self._seed = kernel, request, finding, source, seed
        self._tries: list[_Try] = []
        self._kernel_cache = KernelCache()
        self._steps = 0
        self._trace = self._follow(Schedule(Rule.IN_STEP)).trace
        self._racing = Racing(self._trace, moved(self._trace), finding)

    def answer(self) -> Interleavings | Message:
        """Try, until a schedule changes the result or the budget is used up."""
        in_step = self._follow(Schedule(Rule.IN_STEP))
        if not in_step.possible:
            return message("The launch as it is came to no end within what an execution may take here.")
        pairs = list(islice(self._racing.pairs(), _PAIRS))
        if not pairs:
            return message("The two accesses are not made in the blocks that were executed again.")
        after = self._serial() if self._racing.updates(pairs[0]) else None
        right = after or in_step
        for group in self._groups(pairs):
            tried = [each for each in map(self._attempt, group) if each is not None and self._differs(each, right)]
            if tried:
                return self._result(right, min(tried, key=lambda each: each.turns), pairs[0], serial=after is not None)
        return self._result(right, None, pairs[0], serial=after is not None)

    def _groups(self, pairs: list[Pair]) -> Iterator[list[Schedule]]:
        """What is tried, those with the fewest changes of who goes first; a group is tried to its end before anything is chosen of it."""
        partings = self._partings(pairs[0])
        for parts in partings:
            yield [Schedule(rule, (), parts) for rule in (Rule.IN_ORDER, Rule.REVERSED)]
            yield list(self._turned_round(pairs, parts))
        span = max(self._tries[0].done.steps, 2)
        drawn = [
            Schedule(Rule.RANDOM, (), partings[-1 if number % 2 else 0], self._seed + number, 1 + number % 3, span)
            for number in range(RANDOM_SCHEDULES)
        ]
        yield from ([each] for each in drawn)
        unordered = [list(self._unordered(pairs, parts, stores=stores)) for stores, parts in product((True, False), partings)]
        yield from unordered
        for each, weak in zip(drawn, cycle(part for group in unordered for part in group[:: len(_ALL_RULES)]), strict=False):
            yield [replace(weak, rule=Rule.RANDOM, seed=each.seed, changes=each.changes, span=span)]

    def _turned_round(self, pairs: list[Pair], parts: tuple[int, ...]) -> Iterator[Schedule]:
        in_step = Schedule(Rule.IN_STEP, (), parts)
        yield in_step
        done = self._follow(in_step)
        for one, other in pairs:
            for late, early in ((one, other), (other, one)):
                hold = self._hold(done, late, early)
                if hold is not None:
                    yield from (Schedule(rule, (hold,), parts) for rule in _RULES)
        if done.trace.rows.issued is not None:
            yield from (Schedule(rule, (), parts, copies_at_once=True) for rule in _RULES)

    def _unordered(self, pairs: list[Pair], parts: tuple[int, ...], *, stores: bool) -> Iterator[Schedule]:
        """Others see late what one side stores, or one side reads an old value. Where no order of all shows it, who stores late is stopped
        soon behind its store, until the other side has come."""
        sides = {access: other for pair in pairs for access, other in (pair, pair[::-1])}
        for each, other in sides.items():
            site = self._trace.sites[self._trace.rows.site[each.row]]
            at = each.thread, site.location.file, site.location.line
            if site.volatile or (site.operation == "store") != stores:
                continue
            if not stores:
                yield from (Schedule(rule, (), parts, old=(Old(*at),)) for rule in _ALL_RULES)
                continue
            late = (Late(*at),)
            yield from (Schedule(rule, (), parts, late=late) for rule in _ALL_RULES)
            hold = self._hold(self._follow(Schedule(Rule.IN_STEP, (), parts, late=late)), each, other)
            if hold is not None:
                held = (replace(hold, access=hold.access + behind) for behind in range(1, _STOPS + 1))
                yield from (Schedule(Rule.IN_STEP, (one,), parts, late=late) for one in held)

    def _partings(self, pair: Pair) -> list[tuple[int, ...]]:
        """How the lanes of each warp go: together where the race is between warps, else one of the two by itself, halves, all alone."""
        one, other = (each.thread for each in pair)
        threads = prod(self._request.block) * len(self._request.blocks or range(prod(self._request.grid)))
        alone = [SINGLE_LANES] if threads <= _FEW_THREADS else []
        if has_tiles(self._kernel):
            return [(WHOLE_WARP,)]
        if (one.block, one.lane // WARP) != (other.block, other.lane // WARP):
            return [(WHOLE_WARP,), *alone]
        bits = [1 << each.lane % WARP for each in (one, other)]
        return [*((each, WHOLE_WARP & ~each) for each in bits), (0xFFFF, 0xFFFF0000), *alone]

    def _hold(self, done: Followed, late: Access, early: Access) -> Hold | None:
        """Hold one before its access until the other has made its own."""
        first, second = (_place_among(done, each) for each in (late, early))
        return None if first is None or second is None else Hold(late.thread, first, early.thread, second + 1)

    # ------------------------------------------------------------ trying

    def _attempt(self, schedule: Schedule) -> _Try | None:
        if self._steps > MOST_ACCESSES:
            return None
        done = self._follow(schedule)
        return _Try(schedule, done) if done.possible else None

    def _follow(self, schedule: Schedule) -> Followed:
        known = next((each.done for each in self._tries if each.schedule == schedule), None)
        if known is None:
            known = follow(self._kernel, self._request, schedule, self._source, self._kernel_cache)
            self._steps += known.steps
            self._tries.append(_Try(schedule, known))
        return known

    def _serial(self) -> Followed | None:
        """What one thread after the other gives, if it is the same from the last to the first: then it is what is meant."""
        threads = prod(self._request.block) * len(self._request.blocks or range(prod(self._request.grid)))
        if threads > _MANY_THREADS or has_tiles(self._kernel):
            return None
        first, last = (self._follow(Schedule(rule, (), SINGLE_LANES)) for rule in (Rule.IN_ORDER, Rule.REVERSED))
        return first if first.ended and last.ended and _about_equal(first, last) else None

    def _differs(self, tried: _Try, right: Followed) -> bool:
        done = tried.done
        return done.ended != right.ended or any((done.memory[name] != held).any() for name, held in right.memory.items())

    # ------------------------------------------------------------ the answer

    def _result(self, right: Followed, broken: _Try | None, pair: Pair, *, serial: bool) -> Interleavings:
        alike = [each for each in self._tries if each.done.possible and not self._differs(each, right)]
        parts = broken.schedule.parts if broken is not None else (WHOLE_WARP,)
        kin = [each for each in alike if each.schedule.parts == parts] or alike
        works = self._played(min(kin, key=lambda each: each.turns).schedule, pair)
        together = has_tiles(self._kernel)
        if broken is None:
            return Interleavings(self._finding, works, None, serial, len(self._tries), self._seed, (), (), 0, together)
        breaks = self._played(broken.schedule, pair)
        elements = list(_elements(breaks.trace, right.memory, broken.done.memory))
        wrong, right_values = moved(breaks.trace), moved(works.trace)
        chain = with_last_writes(
            wrong_accesses(right_values, wrong, breaks.trace), wrong, breaks.trace, [each.address for each in elements]
        )
        return Interleavings(
            self._finding, works, breaks, serial, len(self._tries), self._seed, chain, tuple(elements[:_TOLD]), len(elements), together
        )  # fmt: skip

    def _played(self, schedule: Schedule, pair: Pair) -> Played:
        done = self._follow(schedule)
        values, lanes = moved(done.trace), done.trace.masks.shape[1]
        rows = [values.find(each.thread.block * lanes + each.thread.lane, each.ordinal) for each in pair]
        return Played(schedule, done.turns, done.trace, (rows[0], rows[1]), done.ended)


def _place_among(done: Followed, access: Access) -> int | None:
    """Which access of those that go with it a thread's access is."""
    ordinal = -1
    for row in np.flatnonzero(done.trace.rows.block == access.thread.block).tolist():
        if done.trace.masks[done.trace.rows.mask[row], access.thread.lane]:
            ordinal += 1
            if ordinal == access.ordinal:
                return done.made[row][1] if row in done.made else None
    return None


def _about_equal(one: Followed, other: Followed) -> bool:
    """Whether two results are equal, but for the rounding of sums in another order."""
    for element in _elements(one.trace, one.memory, other.memory):
        if not np.isclose(element.right, element.wrong, rtol=_CLOSE, atol=_CLOSE) or element.whole:
            return False
    return True


def _elements(trace: Trace, right: Memory, wrong: Memory) -> Iterator[Element]:
    """The elements of arrays that differ, as scalars."""
    for array in trace.allocations:
        if array.name not in right or array.space is not Space.GLOBAL:
            continue
        scalars = scalars_of(array)
        one, other = (each[array.name][: array.bytes // scalars.bytes * scalars.bytes].view(scalars.bits) for each in (right, wrong))
        for index in np.flatnonzero(one != other).tolist():
            values: Any = (scalars.values(one[index : index + 1])[0], scalars.values(other[index : index + 1])[0])
            yield Element(
                array.name, index, float(values[0]), float(values[1]), array.address + index * scalars.bytes, scalars.dtype.kind != "f"
            )
