"""The results that the memory model of PTX allows a small program, by its axioms: all candidate executions are tried.

An execution says which write each read takes its value from, in which order the writes of each place lie (coherence), and in which order
fences stand (Fence-SC). It is allowed if none of the axioms forbids it: coherence, Fence-SC, atomicity, SC-per-location, causality
(PTX ISA, Memory Consistency Model). `__threadfence()` is a `fence.sc` of the device, `__threadfence_block()` one of the block; atomics are
relaxed, of the scope that they name; volatile accesses relaxed, of the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal

Kind = Literal["store", "load", "add", "fence"]
Thread = tuple[int, int]
"""Block and lane."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a thread does: `wide` of the device's scope, else of the block's; `strong`: a load or store is volatile."""

    kind: Kind
    place: int = 0
    value: int = 0
    wide: bool = True
    strong: bool = False


Program = tuple[tuple[Thread, tuple[Action, ...]], ...]
Result = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""Memory at the end, and what each thread has read."""
Relation = list[int]
"""For each event those behind it, as bits."""


@dataclass(frozen=True, slots=True)
class _Event:
    thread: int
    action: Action

    @property
    def reads(self) -> bool:
        return self.action.kind in ("load", "add")

    @property
    def writes(self) -> bool:
        return self.action.kind in ("store", "add")


class Model:
    """The executions of one program of `places` places, which all begin as 0."""

    def __init__(self, program: Program, places: int) -> None:
        self._program, self._places = program, places
        self._events = [_Event(number, action) for number, (_, actions) in enumerate(program) for action in actions]
        count = len(self._events)
        self._po = [
            sum(1 << other for other in range(each + 1, count) if self._events[other].thread == self._events[each].thread)
            for each in range(count)
        ]
        self._writes = [
            [each for each, event in enumerate(self._events) if event.writes and event.action.place == place] for place in range(places)
        ]
        self._reads = [each for each, event in enumerate(self._events) if event.reads]
        self._fences = [each for each, event in enumerate(self._events) if event.action.kind == "fence"]

    def results(self) -> dict[Result, bool]:
        """All that are allowed, and for each whether an execution gives it that is no more than plain stores seen late and plain loads of
        old values (see `_plain`)."""
        found: dict[Result, bool] = {}
        choices = [[-1, *self._writes[self._events[read].action.place]] for read in self._reads]
        for chosen in product(*choices):
            source = dict(zip(self._reads, chosen, strict=True))
            values = self._values(source)
            if values is None:
                continue
            for order in product(*(permutations(each) for each in self._writes)):
                result = self._result(source, values, order)
                if not found.get(result, False) and self._allowed(source, order):
                    found[result] = self._plain(source, order)
        return found

    def _values(self, source: dict[int, int]) -> dict[int, int] | None:
        """What each write leaves; None where updates would feed themselves."""
        values = {-1: 0}
        waiting = [each for each, event in enumerate(self._events) if event.writes]
        while waiting:
            left = []
            for each in waiting:
                action = self._events[each].action
                if action.kind == "store":
                    values[each] = action.value
                elif source[each] in values:
                    values[each] = values[source[each]] + action.value
                else:
                    left.append(each)
            if len(left) == len(waiting):
                return None
            waiting = left
        return values

    def _result(self, source: dict[int, int], values: dict[int, int], order: Sequence[Sequence[int]]) -> Result:
        memory = tuple(values[each[-1]] if each else 0 for each in order)
        seen: list[list[int]] = [[] for _ in self._program]
        for read in self._reads:
            seen[self._events[read].thread].append(values[source[read]])
        return memory, tuple(map(tuple, seen))

    # ------------------------------------------------------------ axioms

    def _allowed(self, source: dict[int, int], order: Sequence[Sequence[int]]) -> bool:
        return self._sound_by_place(source, order) and any(
            self._sound_causally(source, order, fences) for fences in permutations(self._fences)
        )

    def _sound_by_place(self, source: dict[int, int], order: Sequence[Sequence[int]]) -> bool:
        """SC-per-location and atomicity: of what is morally strong relative to each other."""
        relation = [sum(1 << other for other in self._bits(self._po[each]) if self._same(each, other)) for each in range(len(self._events))]
        for first, second in self._communication(source, order):
            if self._strong(first, second):
                relation[first] |= 1 << second
        return not _cyclic(relation) and not any(self._strong(each, update) for each, update in self._between(source, order))

    def _plain(self, source: dict[int, int], order: Sequence[Sequence[int]]) -> bool:
        """Whether each place is in order for all who access it, and time leaves a thread's accesses in their order, but that a plain store
        takes place later and a plain load earlier. Atomics of other blocks' scopes need not exclude each other."""
        relation = [0] * len(self._events)
        for each, event in enumerate(self._events):
            for other in self._bits(self._po[each]):
                stays = (self._is_strong(each) or event.reads) and (self._is_strong(other) or self._events[other].writes)
                relation[each] |= (stays or self._same(each, other)) << other
        for first, second in self._communication(source, order):
            if not self._parted(second, first):
                relation[first] |= 1 << second
        return not _cyclic(relation) and all(self._parted(update, each) for each, update in self._between(source, order))

    def _between(self, source: dict[int, int], order: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
        """Writes that come between what an update has read and what it leaves, each with the update."""
        for update in self._reads:
            if self._events[update].action.kind == "add":
                line = order[self._events[update].action.place]
                begin = -1 if source[update] < 0 else line.index(source[update])
                place = line.index(update)
                yield from ((each, update) for each in line[begin + 1 : place])
                if begin > place:
                    yield update, update

    def _sound_causally(self, source: dict[int, int], order: Sequence[Sequence[int]], fences: Sequence[int]) -> bool:
        """Coherence, Fence-SC and causality, for one order of the fences."""
        base = list(self._po)
        for first, second in self._fences_in_order(fences):
            base[first] |= 1 << second
        seen = self._observed(source)
        for first, second in seen:
            for release in self._releasing(first):
                for acquire in self._acquiring(second):
                    if self._strong(release, acquire):
                        base[release] |= 1 << acquire
        base = _closed(base)
        if any(line >> each & 1 for each, line in enumerate(base)):
            return False
        cause = list(base)
        for first, second in seen:
            cause[first] |= base[second]
        if any(cause[second] >> first & 1 for first, second in self._fences_in_order(fences)):
            return False
        if any(cause[later] >> earlier & 1 for line in order for place, earlier in enumerate(line) for later in line[place + 1 :]):
            return False
        return not any(cause[second] >> first & 1 for first, second in self._communication(source, order))

    def _fences_in_order(self, fences: Sequence[int]) -> Iterator[tuple[int, int]]:
        for place, first in enumerate(fences):
            for second in fences[place + 1 :]:
                if self._strong(first, second):
                    yield first, second

    def _observed(self, source: dict[int, int]) -> list[tuple[int, int]]:
        """Who reads what an atomic or volatile access wrote, or what updates made of it since."""
        direct = [(write, read) for read, write in source.items() if write >= 0 and self._strong(write, read)]
        found = set(direct)
        while True:
            more = {(a, d) for a, b in found for c, d in direct if b == c and self._events[b].action.kind == "add"} - found
            if not more:
                return sorted(found)
            found |= more

    def _releasing(self, write: int) -> Iterator[int]:
        return (each for each in self._fences if self._is_strong(write) and self._po[each] >> write & 1)

    def _acquiring(self, read: int) -> Iterator[int]:
        return (each for each in self._fences if self._is_strong(read) and self._po[read] >> each & 1)

    def _communication(self, source: dict[int, int], order: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
        """Reads-from, coherence, and from-reads."""
        behind = {each: line[place + 1 :] for line in order for place, each in enumerate(line)}
        for read, write in source.items():
            if write >= 0:
                yield write, read
            place = self._events[read].action.place
            yield from ((read, each) for each in (behind[write] if write >= 0 else order[place]) if each != read)
        for each, later in behind.items():
            yield from ((each, other) for other in later)

    # ------------------------------------------------------------ strength

    def _is_strong(self, each: int) -> bool:
        action = self._events[each].action
        return action.kind in ("add", "fence") or action.strong

    def _strong(self, one: int, other: int) -> bool:
        """Whether two are morally strong: of one thread, or both strong and each in the other's scope."""
        a, b = self._events[one], self._events[other]
        if a.thread == b.thread:
            return True
        near = self._program[a.thread][0][0] == self._program[b.thread][0][0]
        return self._is_strong(one) and self._is_strong(other) and (near or (a.action.wide and b.action.wide))

    def _parted(self, update: int, other: int) -> bool:
        """Whether an atomic of its block's scope does not exclude an access of another block."""
        a, b = self._events[update], self._events[other]
        near = self._program[a.thread][0][0] == self._program[b.thread][0][0]
        return a.action.kind == "add" and not a.action.wide and not near

    def _same(self, one: int, other: int) -> bool:
        a, b = self._events[one].action, self._events[other].action
        return "fence" not in (a.kind, b.kind) and a.place == b.place

    def _bits(self, line: int) -> Iterator[int]:
        return (each for each in range(len(self._events)) if line >> each & 1)


def _closed(relation: Relation) -> Relation:
    """The transitive closure."""
    found = list(relation)
    for middle in range(len(found)):
        for each in range(len(found)):
            if found[each] >> middle & 1:
                found[each] |= found[middle]
    return found


def _cyclic(relation: Relation) -> bool:
    return any(line >> each & 1 for each, line in enumerate(_closed(relation)))
