"""A model of memory order for small programs, and all of their interleavings: what may race is tried, one step after the other.

A program is a list of actions for each thread. Events of one thread are in its order. Who reads what an atomic wrote, or what atomic
updates made of it since, comes behind every fence that its writer executed before, if the fence and both atomics are in a scope that holds
both threads; who takes a lock, only from its own next fence of such a scope on. Order is the closure of both: accesses that it does not
hold between race.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["store", "load", "fence", "set", "wait", "take", "free"]
Thread = tuple[int, int]
"""Block and lane."""
Pair = frozenset[int]
"""The lines of two accesses; one, if they stand on the same."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a thread does next, on a line of its own: `place` names a variable, a flag or a lock; `wide` is true for the device's scope."""

    kind: Kind
    line: int
    place: int = 0
    wide: bool = True


Program = tuple[tuple[Thread, tuple[Action, ...]], ...]
Step = tuple[int, Action]
"""The number of the thread, and what it does."""


@dataclass(slots=True)
class _Event:
    thread: int
    action: Action
    before: int
    """The events before it, as bits."""


@dataclass(slots=True)
class Execution:
    """An interleaving, or the beginning of one."""

    program: Program
    done: list[int]
    events: list[_Event] = field(default_factory=list)
    held: dict[tuple[str, int], bool] = field(default_factory=dict)
    written: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    """For each atomic place the events that wrote to it."""

    def copy(self) -> Execution:
        """Return a copy that goes on by itself."""
        written = {place: list(events) for place, events in self.written.items()}
        return Execution(self.program, list(self.done), list(self.events), dict(self.held), written)

    def next_steps(self) -> list[Step]:
        """The threads that can go on, with what they do."""
        found = []
        for number, (_, actions) in enumerate(self.program):
            if self.done[number] < len(actions):
                action = actions[self.done[number]]
                flagged = self.held.get((_family(action), action.place), False)
                if not ((action.kind == "wait" and not flagged) or (action.kind == "take" and flagged)):
                    found.append((number, action))
        return found

    def step(self, number: int, action: Action) -> set[Pair]:
        """Let a thread go on; the races of its access with earlier ones."""
        before = 0
        for earlier, event in enumerate(self.events):
            if event.thread == number:
                before |= event.before | 1 << earlier
        before |= self._heard(number, action)
        self.done[number] += 1
        mine = len(self.events)
        self.events.append(_Event(number, action, before))
        key = (_family(action), action.place)
        if action.kind in ("set", "take", "free"):
            self.held[key] = action.kind != "free"
            self.written.setdefault(key, []).append(mine)
        return self._races(mine)

    def _heard(self, number: int, action: Action) -> int:
        if action.kind == "wait":
            return self._published(number, action)
        if action.kind != "fence":
            return 0
        found, heard = 0, 0
        for position, event in enumerate(self.events):
            if event.thread == number and event.action.kind == "take":
                heard = self._published(number, event.action, until=position, fence=action)
                found |= heard
        return found

    def _published(self, number: int, reading: Action, until: int | None = None, fence: Action | None = None) -> int:
        """What writers of the place that is read had fenced before, as far as the scopes hold both threads."""
        found = 0
        for position in self.written.get((_family(reading), reading.place), ()):
            event = self.events[position]
            if until is not None and position >= until:
                continue
            together = self._block(number) == self._block(event.thread)
            if not (together or (reading.wide and event.action.wide and (fence is None or fence.wide))):
                continue
            for earlier in range(position):
                other = self.events[earlier]
                if other.thread == event.thread and other.action.kind == "fence" and (together or other.action.wide):
                    found |= other.before | 1 << earlier
        return found

    def _block(self, number: int) -> int:
        return self.program[number][0][0]

    def _races(self, mine: int) -> set[Pair]:
        event = self.events[mine]
        if event.action.kind not in ("store", "load"):
            return set()
        return {
            frozenset((event.action.line, other.action.line))
            for earlier, other in enumerate(self.events[:mine])
            if other.thread != event.thread
            and other.action.place == event.action.place
            and other.action.kind in ("store", "load")
            and "store" in (other.action.kind, event.action.kind)
            and not event.before >> earlier & 1
        }


def _family(action: Action) -> str:
    return "lock" if action.kind in ("take", "free") else "flag"


def executions(program: Program) -> Iterator[tuple[list[Step], set[Pair]]]:
    """All interleavings that come to an end, with the races that each of them shows."""
    waiting: list[tuple[Execution, list[Step], set[Pair]]] = [(Execution(program, [0] * len(program)), [], set())]
    while waiting:
        execution, steps, races = waiting.pop()
        following = execution.next_steps()
        if not following and all(done == len(actions) for done, (_, actions) in zip(execution.done, program, strict=True)):
            yield steps, races
        for number, action in following:
            further = execution.copy()
            shown = further.step(number, action)
            waiting.append((further, [*steps, (number, action)], races | shown))
