"""Frame of a program's page: one event of a run with all that stands around it, a pure function of (run, times of launches, event)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from kernels.base.values import dataclass
from kernels.simt.host.result import Allocated, Container, Copied, Event, EventKind, ProgramRun, Wrong
from kernels.simt.run.child_launches import TAIL

DEVICE_HOMES = frozenset({"device", "managed"})


class Side(StrEnum):
    """Side of a program that memory belongs to."""

    HOST = "host"
    DEVICE = "device"


class AllocationState(StrEnum):
    """State of an allocation at an event."""

    AHEAD = "ahead"
    LIVE = "live"
    FREED = "freed"
    LEAKED = "leaked"


@dataclass(frozen=True, slots=True)
class Cell:
    """Event in the host's lane. `wrong`: a finding is about its line, or in its launch; `child`: it is a launch by a kernel; `fills`: it
    copies nothing, but sets bytes."""

    event: int
    kind: EventKind
    line: int | None
    now: bool
    wrong: bool
    child: bool = False
    fills: bool = False


@dataclass(frozen=True, slots=True)
class LaunchTime:
    """Milliseconds of a launch: `predicted` by the model of the chosen GPU, `measured` on this machine's, the median of `samples`."""

    predicted: float | None = None
    measured: float | None = None
    samples: int = 0
    gpu: str = ""

    @property
    def milliseconds(self) -> float | None:
        """The measured time where there is one."""
        return self.predicted if self.measured is None else self.measured


@dataclass(frozen=True, slots=True)
class Bar:
    """Copy or launch on the clock, in milliseconds. `number` is that of the copy or launch; `time`: of a launch, where it is known.
    One whose threads launch others lasts until these have `ended`; it is itself done at `done`. `depth`: launches within each other."""

    event: int
    kind: EventKind
    number: int
    began: float
    ended: float
    time: LaunchTime | None
    refused: bool
    now: bool
    done: float = 0.0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Box:
    """Allocation, or what copies reach besides: memory of a `container` of the library, or a variable. `row` is its place from above;
    `used`: the event is about it."""

    side: Side
    name: str
    allocation: Allocated | None
    state: AllocationState
    row: int
    used: bool
    container: Container | None = None

    @property
    def bytes(self) -> int | None:
        """Its size; None of a variable."""
        known = self.allocation or self.container
        return None if known is None else known.bytes


@dataclass(frozen=True, slots=True)
class Arrow:
    """Copies between two boxes by their places in `ProgramFrame.boxes`, up to the event: the newest one's bytes, and how many."""

    source: int
    target: int
    bytes: int
    times: int
    now: bool


@dataclass(frozen=True, slots=True)
class ProgramFrame:
    """Frame of one event. `length` is the time of the whole run on the clock, `clock` where the event begins and ends."""

    run: ProgramRun
    selected: int
    cells: tuple[Cell, ...]
    bars: tuple[Bar, ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    clock: tuple[float, float]
    length: float

    @property
    def event(self) -> Event:
        """The event itself."""
        return self.run.events[self.selected]

    def held(self, side: Side) -> int:
        """The bytes that are allocated on a side at the event, by the program and by its containers."""
        live = (AllocationState.LIVE, AllocationState.LEAKED)
        boxes = (each.allocation for each in self.boxes if each.side is side and each.state in live)
        return sum(each.bytes for each in boxes if each is not None) + (self.event.containers if side is Side.HOST else 0)

    def first_event(self, box: Box) -> int | None:
        """The event that made an allocation."""
        if box.allocation is None:
            return None
        number = next(number for number, each in enumerate(self.run.allocations) if each is box.allocation)
        made = (place for place, each in enumerate(self.run.events) if (each.kind, each.number) == (EventKind.ALLOCATE, number))
        return next(made, None)


Times = Mapping[int, LaunchTime]
"""By the numbers of launches."""
_Key = tuple[Side, int | str]


def frame_of(run: ProgramRun, times: Times, selected: int) -> ProgramFrame:
    """The frame of an event; IndexError where the run has no such event."""
    moments = schedule(run, times)
    boxes = _Boxes(run, selected)
    return ProgramFrame(
        run, selected, tuple(_cells(run, selected)), tuple(_bars(run, times, moments, selected)), boxes.placed, boxes.arrows,
        moments[selected], moments[-1][1],
    )  # fmt: skip


def schedule(run: ProgramRun, times: Times) -> list[tuple[float, float]]:
    """When each event begins and ends, on the clock that goes on by the launches' times where they are known."""
    clock, found = 0.0, []
    for event in run.events:
        lasts = event.ended - event.began
        if event.kind is EventKind.LAUNCH and lasts:
            known = times.get(event.number, LaunchTime()).milliseconds
            lasts = lasts if known is None else known
        found.append((clock, clock + lasts))
        clock += lasts
    return found


def sides_of(copied: Copied) -> tuple[Side, Side]:
    """From which side a copy goes to which; a fill has none."""
    source, target = copied.direction.lower().split("to")
    return Side(source), Side(target)


def fills(copied: Copied) -> bool:
    """Whether it is a fill, of `cudaMemset` or its like."""
    return copied.direction == "Set"


def _cells(run: ProgramRun, selected: int) -> Iterator[Cell]:
    wrong = {(finding.location.file, finding.location.line) for finding in run.findings}
    for number, event in enumerate(run.events):
        at = event.location
        line = at.line if at.line and not at.file and event.kind is not EventKind.END else None
        launched = run.launches[event.number] if event.kind is EventKind.LAUNCH else None
        faulty = (line is not None and (at.file, at.line) in wrong) or (launched is not None and bool(launched.findings))
        child = launched is not None and launched.parent is not None
        filled = event.kind is EventKind.COPY and fills(run.copies[event.number])
        yield Cell(number, event.kind, line, number == selected, faulty, child, filled)


def _bars(run: ProgramRun, times: Times, moments: list[tuple[float, float]], selected: int) -> Iterator[Bar]:
    depths = _depths(run)
    whole = _whole_ends(run, moments)
    for number, (event, (began, ended)) in enumerate(zip(run.events, moments, strict=True)):
        if event.kind in (EventKind.COPY, EventKind.LAUNCH):
            launched = event.kind is EventKind.LAUNCH
            refused = launched and run.launches[event.number].refused is not None
            time = times.get(event.number) if launched and not refused else None
            end, depth = (whole.get(event.number, ended), depths[event.number]) if launched else (ended, 0)
            yield Bar(number, event.kind, event.number, began, end, time, refused, number == selected, ended, depth)


def _depths(run: ProgramRun) -> list[int]:
    """How many launches stand around each; what a launch leaves for after its end does not stand within it."""
    found: list[int] = []
    for launched in run.launches:
        above = -1 if launched.parent is None else found[launched.parent]
        found.append(max(above, 1) if launched.stream == TAIL and launched.parent is not None else above + 1)
    return found


def _whole_ends(run: ProgramRun, moments: list[tuple[float, float]]) -> dict[int, float]:
    """When each launch ends whose threads launch others: when all of these have."""
    found: dict[int, float] = {}
    for event, (_, ended) in zip(run.events, moments, strict=True):
        below = run.launches[event.number] if event.kind is EventKind.LAUNCH else None
        while below is not None and below.parent is not None:
            above = run.launches[below.parent]
            if below.stream != TAIL or above.parent is None:
                found[below.parent] = max(found.get(below.parent, 0.0), ended)
            below = above
    return found


class _Boxes:
    """The boxes of memory and the arrows between them, as one event has them."""

    def __init__(self, run: ProgramRun, selected: int) -> None:
        self._run = run
        self._selected = selected
        self._leaks = {finding.location for finding in run.findings if finding.wrong is Wrong.LEAK}
        self._states = self._found_states()
        self._used = set(self._found_used(run.events[selected]))
        copies = [(event, number) for number, event in enumerate(run.events) if event.kind is EventKind.COPY]
        pairs = dict.fromkeys(ends for event, _ in copies if (ends := self._ends(event.number)) is not None)
        rows = _rows([*map(self._key, range(len(run.allocations)))], pairs)
        self._containers = self._found_containers(copies)
        self.placed = tuple(sorted((self._box(key, row) for key, row in rows.items()), key=lambda box: (box.row, box.side)))
        places = {key: place for place, key in enumerate(sorted(rows, key=lambda key: (rows[key], key[0])))}
        self.arrows = tuple(self._arrows(copies, places))

    def _key(self, number: int) -> _Key:
        return (Side.DEVICE if self._run.allocations[number].home in DEVICE_HOMES else Side.HOST), number

    def _ends(self, copy: int) -> tuple[_Key, _Key] | None:
        """The boxes that a copy is between; None of a fill."""
        made = self._run.copies[copy]
        if fills(made):
            return None
        ends = zip((made.source, made.target), made.names, sides_of(made), strict=True)
        first, second = (self._key(number) if number is not None else (side, name) for number, name, side in ends)
        return first, second

    def _found_states(self) -> dict[int, AllocationState]:
        found = dict.fromkeys(range(len(self._run.allocations)), AllocationState.AHEAD)
        for event in self._run.events[: self._selected + 1]:
            if event.kind in (EventKind.ALLOCATE, EventKind.FREE):
                found[event.number] = AllocationState.LIVE if event.kind is EventKind.ALLOCATE else AllocationState.FREED
        if self._run.events[self._selected].kind is EventKind.END:
            live = [number for number, state in found.items() if state is AllocationState.LIVE]
            found.update((number, AllocationState.LEAKED) for number in live if self._run.allocations[number].location in self._leaks)
        return found

    def _found_containers(self, copies: list[tuple[Event, int]]) -> dict[_Key, Container]:
        """The containers that boxes are of: what goes by one name may be several one after the other, of which the newest counts."""
        found: dict[_Key, Container] = {}
        for event, number in copies:
            for key, which in zip(self._ends(event.number) or (), self._run.copies[event.number].containers, strict=False):
                if which is not None and (key not in found or number <= self._selected):
                    found[key] = self._run.containers[which]
        return found

    def _state(self, container: Container | None) -> AllocationState:
        """What a variable, or the memory of a container, is at the event."""
        if container is None or container.made <= self._selected < (container.freed or len(self._run.events)):
            return AllocationState.LIVE
        return AllocationState.AHEAD if self._selected < container.made else AllocationState.FREED

    def _found_used(self, event: Event) -> Iterator[_Key]:
        if event.kind in (EventKind.ALLOCATE, EventKind.FREE):
            yield self._key(event.number)
        elif event.kind is EventKind.LAUNCH:
            yield from map(self._key, self._run.launches[event.number].given)
        elif event.kind is EventKind.COPY:
            filled = self._run.copies[event.number].target
            yield from self._ends(event.number) or (() if filled is None else (self._key(filled),))

    def _box(self, key: _Key, row: int) -> Box:
        side, which = key
        if isinstance(which, str):
            container = self._containers.get(key)
            return Box(side, which, None, self._state(container), row, key in self._used, container)
        made = self._run.allocations[which]
        return Box(side, made.name, made, self._states[which], row, key in self._used)

    def _arrows(self, copies: list[tuple[Event, int]], places: Mapping[_Key, int]) -> Iterator[Arrow]:
        found: dict[tuple[_Key, _Key], Arrow] = {}
        for event, number in copies:
            ends = self._ends(event.number)
            if ends is None or number > self._selected:
                continue
            times = found[ends].times + 1 if ends in found else 1
            size = self._run.copies[event.number].bytes
            found[ends] = Arrow(places[ends[0]], places[ends[1]], size, times, number == self._selected)
        return iter(found.values())


def _rows(allocations: list[_Key], pairs: Mapping[tuple[_Key, _Key], None]) -> dict[_Key, int]:
    """A row for each box, its own on its side. What is copied between the sides stands face to face, as far as that can be."""
    rows: dict[_Key, int] = {}
    facing: dict[_Key, _Key] = {}
    for source, target in pairs:
        if source[0] is not target[0]:
            facing.setdefault(source, target)
            facing.setdefault(target, source)
    taken: dict[Side, set[int]] = {Side.HOST: set(), Side.DEVICE: set()}
    lowest: dict[tuple[Side, ...], int] = {}
    for key in dict.fromkeys([*allocations, *(end for pair in pairs for end in pair)]):
        beside = rows.get(facing.get(key, key))
        if beside is None or beside in taken[key[0]]:
            beside = _free(tuple(taken) if key in facing else (key[0],), taken, lowest)
        rows[key] = beside
        taken[key[0]].add(beside)
    return rows


def _free(sides: tuple[Side, ...], taken: Mapping[Side, set[int]], lowest: dict[tuple[Side, ...], int]) -> int:
    """Find the first row that is free on the sides; none below the one that was the lowest before becomes free again."""
    row = lowest.get(sides, 0)
    while any(row in taken[side] for side in sides):
        row += 1
    lowest[sides] = row
    return row
