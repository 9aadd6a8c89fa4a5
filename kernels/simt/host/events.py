"""Events of a run in order, with the simulated clock: what a program did, to be shown one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kernels.simt.base.types import Location
from kernels.simt.host.arena import ArenaAllocation, Home
from kernels.simt.host.result import Container, Event, EventKind

MOST_EVENTS, MOST_OF_MEMORY = 10_000, 4_000
"""Events that are kept of a run, and how many of them may be allocations of the host and their ends."""
LISTED = (Home.HOST, Home.PINNED, Home.MANAGED, Home.DEVICE)
"""Whose allocations a run lists."""
_OF_CONTAINERS = "kept"
"""The function by which containers of the library allocate."""


class EventLog:
    """Events of one run. `clock` and `printed` are where the simulated clock and standard output (in bytes) stood last."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.left_out = 0
        self.clock = 0.0
        self.printed = 0
        self.here = Location(0, 0)
        """Where the call stands that is being answered."""
        self._numbers: dict[int, int] = {}
        self._of_memory = 0
        self._held = 0
        self._lives: dict[int, Container] = {}
        self._reached: dict[int, int] = {}

    def note(self, kind: EventKind, location: Location, number: int = 0, clock: float | None = None) -> None:
        """Keep an event that has just ended, when the simulated clock stands at `clock`; None: where it stood before."""
        began = self.clock
        self.clock = began if clock is None else clock
        if len(self.events) < MOST_EVENTS:
            self.events.append(Event(kind, location, began, self.clock, number, self.printed, self._held))
        else:
            self.left_out += 1

    def join(self, kind: EventKind, first: int, count: int) -> None:
        """Let `count` events of a kind, numbered from `first` on, be the first of them: the last ones there are."""
        kept = [each for each in self.events[-count:] if each.kind is kind and each.number >= first]
        if len(kept) == count:
            self.events[-count:] = [replace(kept[0], ended=kept[-1].ended)]

    def memory(self, allocation: ArenaAllocation) -> None:
        """Note that an allocation was made or freed."""
        if (allocation.home, allocation.function) == (Home.KEPT, _OF_CONTAINERS):
            self._contained(allocation)
        if allocation.home not in LISTED:
            return
        number = self._numbers.setdefault(id(allocation), len(self._numbers))
        if allocation.home is Home.HOST:
            self._of_memory += 1
            if self._of_memory > MOST_OF_MEMORY:
                self.left_out += 1
                return
        freed = allocation.freed
        self.note(EventKind.ALLOCATE if freed is None else EventKind.FREE, freed or allocation.location, number)

    def _contained(self, allocation: ArenaAllocation) -> None:
        """Count what a container has allocated or freed: it is no event, as there may be many."""
        made = self._lives.get(id(allocation))
        self._held += allocation.bytes if made is None else -allocation.bytes
        now = len(self.events)
        self._lives[id(allocation)] = Container(allocation.bytes, now, None) if made is None else replace(made, freed=now)

    @property
    def containers(self) -> tuple[Container, ...]:
        """Those that copies reach, by number."""
        return tuple(self._lives[each] for each in tuple(self._reached))  # a program whose time is over may still copy

    def container(self, allocation: ArenaAllocation | None) -> int | None:
        """Give the number of the container that a copy reaches in an allocation."""
        if allocation is None or id(allocation) not in self._lives:
            return None
        return self._reached.setdefault(id(allocation), len(self._reached))

    def number(self, allocation: ArenaAllocation | None) -> int | None:
        """Give the number of an allocation among those that a run lists."""
        return None if allocation is None else self._numbers.get(id(allocation))

    def out(self, size: int) -> None:
        """Note that so many bytes were printed; what is printed without anything between is one event."""
        self.printed += size
        last = self.events[-1] if self.events else None
        if last is not None and last.kind is EventKind.PRINT:
            self.events[-1] = replace(last, output=self.printed)
        else:
            self.note(EventKind.PRINT, self.here)

    def told(self, written: bytes) -> tuple[Event, ...]:
        """Give the events, with places in standard output as characters of its text."""
        events = tuple(self.events)  # a program whose time is over may still go on, and make more
        ends = _characters(written, [event.output for event in events])
        return tuple(replace(event, output=end) for event, end in zip(events, ends, strict=True))


def _characters(written: bytes, places: Sequence[int]) -> list[int]:
    """Places in bytes, in order, as places in characters."""
    found, before, count = [], 0, 0
    for place in places:
        count += len(written[before:place].decode("utf-8", "surrogateescape"))
        before = place
        found.append(count)
    return found
