"""Caches as their definition says, in plain Python and without haste: what the compiled model is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from kernels.cachesim.geometry import Hierarchy, Level, Replacement, Writing


@dataclass
class Way:
    """What one way of a set holds."""

    line: int | None = None
    used: int = -1
    came: int = -1
    dirty: bool = False


@dataclass
class OracleLevel:
    """One cache with its counters. `events` says of each line that was looked up whether it was found, in which way, and what left."""

    level: Level
    written: bool
    below: OracleLevel | None = None
    reads: int = 0
    writes: int = 0
    read_misses: int = 0
    write_misses: int = 0
    write_backs: int = 0
    kinds: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Misses: conflict, capacity, compulsory."""
    used: list[int] = field(default_factory=list)
    """The lines of a cache of the same size with one set and LRU, the last used one at the end."""
    known: set[int] = field(default_factory=set)
    sets: list[list[Way]] = field(default_factory=list)
    trees: list[dict[tuple[int, int], str]] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    events: list[tuple[int, int, int | None, bool, int | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sets = [[Way() for _ in range(self.level.ways)] for _ in range(self.level.sets)]
        self.trees = [{} for _ in range(self.level.sets)]

    def stream(self, address: int, size: int) -> None:
        """A streaming write: whatever holds one of its lines, here or below, lets go of it."""
        for line in range(address // self.level.line, (address + size - 1) // self.level.line + 1):
            for way in self.sets[line % self.level.sets]:
                if way.line == line:
                    if way.dirty:
                        self.write_back(line * self.level.line)
                    way.line, way.dirty, way.used, way.came = None, False, -1, -1
                    self.dropped.append(line)
        if self.below is not None:
            self.below.stream(address, size)

    def access(self, address: int, size: int, write: bool) -> None:
        """Look every line of an access up, and go on below if one was missing, or if writes go through."""
        if write:
            self.writes += 1
        else:
            self.reads += 1
        lines = range(address // self.level.line, (address + size - 1) // self.level.line + 1)
        found, kinds = [], []
        for line in lines:
            kinds.append(self.kind(line, kept=not (write and self.level.writing is Writing.THROUGH)))
            found.append(self.look_up(line, write))
        if not all(found):
            self.kinds[max(kind for kind, hit in zip(kinds, found, strict=True) if not hit)] += 1
            if write:
                self.write_misses += 1
            else:
                self.read_misses += 1
        through = write and self.level.writing is Writing.THROUGH
        if self.below is not None and (through or not all(found)):
            self.below.access(address, size, write)

    def look_up(self, line: int, write: bool) -> bool:
        number = line % self.level.sets
        ways = self.sets[number]
        way = next((way for way in ways if way.line == line), None)
        hit, left = way is not None, None
        if way is None:
            if write and self.level.writing is Writing.THROUGH:
                self.events.append((line, number, None, False, None))
                return False
            way = self.victim(number)
            left = way.line
            if way.dirty:
                assert way.line is not None
                self.write_back(way.line * self.level.line)
            way.line, way.dirty, way.came = line, False, len(self.events)
        way.used = len(self.events)
        way.dirty = way.dirty or (write and self.written and self.level.writing is Writing.BACK)
        self.point_away(number, ways.index(way))
        self.events.append((line, number, ways.index(way), hit, left))
        return hit

    def kind(self, line: int, kept: bool) -> int:
        """Which kind of miss this is if it is one, after the cache with one set has had the line."""
        kind = 0 if line in self.used else 1 if line in self.known else 2
        self.known.add(line)
        if line in self.used or kept:
            self.used = ([other for other in self.used if other != line] + [line])[-self.level.lines :]
        return kind

    def victim(self, number: int) -> Way:
        ways = self.sets[number]
        free = [way for way in ways if way.line is None]
        if free:
            return free[0]
        match self.level.replacement:
            case Replacement.LRU:
                return min(ways, key=lambda way: way.used)
            case Replacement.FIFO:
                return min(ways, key=lambda way: way.came)
            case Replacement.PLRU:
                first, last = 0, len(ways)
                while last - first > 1:
                    middle = (first + last) // 2
                    first, last = (middle, last) if self.trees[number].get((first, last)) == "right" else (first, middle)
                return ways[first]

    def point_away(self, number: int, index: int) -> None:
        first, last = 0, self.level.ways
        while last - first > 1 and self.level.replacement is Replacement.PLRU:
            middle = (first + last) // 2
            self.trees[number][first, last] = "right" if index < middle else "left"
            first, last = (first, middle) if index < middle else (middle, last)

    def write_back(self, address: int) -> None:
        self.write_backs += 1
        below = self.below
        if below is None:
            return
        line = address // below.level.line
        held = next((way for way in below.sets[line % below.level.sets] if way.line == line), None)
        if held is None or below.level.writing is Writing.THROUGH:
            below.write_back(address)
        else:
            held.dirty = True


def oracle(hierarchy: Hierarchy) -> list[OracleLevel]:
    """Empty caches, the TLB last."""
    levels: list[OracleLevel] = []
    for number, level in enumerate(hierarchy.levels):
        written = all(above.writing is Writing.THROUGH for above in hierarchy.levels[:number])
        levels.append(OracleLevel(level, written))
    for above, below in pairwise(levels):
        above.below = below
    return levels + ([OracleLevel(hierarchy.tlb, written=False)] if hierarchy.tlb is not None else [])
