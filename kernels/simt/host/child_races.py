"""Races between a grid and those that its threads launch, and among these.

Whatever the launching thread did before, and its block before a barrier, comes before the child. Nothing else is ordered: a parent never
waits for its child. Children in one stream of a block follow each other, and what was before an event that their stream waits for. Where
blocks tell each other something by atomics or fences, what they did before a launch is taken to be in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.types import Location
from kernels.simt.run.child_launches import FIRE_AND_FORGET, ChildLaunch
from kernels.simt.trace.trace import WARP, Trace

READ, WRITE, ATOMIC = 1, 2, 4
MOST_ACCESSES = 1 << 25
"""Of single threads, active or not, that are looked at of one grid; what is larger is not."""
MOST_PAIRS = 1 << 27
"""Accesses times children that are looked at."""
UNIT = 4
"""Bytes that are told apart."""
MOST_TOLD = 1000
"""Words that children share, of which the places are told."""
MOST_LOOKED_AT = 100_000
"""Such words that are looked at."""
MOST_OF_A_WORD = 64
"""Children that share one, of which the order is looked at."""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """Accesses of the device's memory by the threads of one grid, one each: its words, and who, when and how."""

    first: Ints
    words: Ints
    how: Ints
    row: Ints
    lane: Ints
    block: Ints
    epoch: Ints
    warp_epoch: Ints
    site: Ints
    places: tuple[Location, ...]
    """By site."""
    signals: bool
    """Whether threads may tell those of other blocks something: by atomics, or fences."""


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A grid with what it accessed, None where that is not known, and those that its threads launched, in order. `launch` is how it was."""

    launch: ChildLaunch | None
    touched: Touched | None
    children: list[Family]


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses of a word that nothing orders: at `location` and by what is launched at `other`."""

    location: Location
    other: Location
    address: int
    kind: str
    kernel: str

    def text(self, array: str) -> Message:
        """The race in words."""
        line = self.other.line
        if self.kind == "siblings":
            return message(
                "{array} is accessed by this launch and by that in line {line}, and one of them writes it: in different streams nothing"
                " orders them.", array=array, line=line,
            )  # fmt: skip
        if self.kind == "before":
            return message(
                "{array} is accessed here by another thread than the one that launches {kernel} in line {line}, which accesses it too, and"
                " one of them writes it: a child sees what its block did before a __syncthreads() before the launch.",
                array=array, kernel=self.kernel, line=line,
            )  # fmt: skip
        if self.kind == "read":
            return message(
                "{array} is read here although {kernel}, launched in line {line}, writes it: a kernel never waits for its child. Read it in"
                " a kernel that is launched with cudaStreamTailLaunch, or on the host.",
                array=array, kernel=self.kernel, line=line,
            )  # fmt: skip
        return message(
            "{array} is written here although {kernel}, launched in line {line}, accesses it: the two run at the same time.",
            array=array, kernel=self.kernel, line=line,
        )  # fmt: skip


def touched_by(trace: Trace) -> Touched | None:
    """Collect the accesses of a trace; None where they are too many."""
    rows, lanes = trace.rows, trace.masks.shape[1]
    spaces = np.array([site.space is ir.Space.GLOBAL for site in trace.sites] or [False])
    kept = np.flatnonzero(spaces[rows.site]) if len(rows.site) else np.zeros(0, np.int64)
    if len(kept) * lanes > MOST_ACCESSES:
        return None
    number, lane = np.nonzero(trace.masks[rows.mask[kept]])
    row = kept[number]
    site = rows.site[row].astype(np.int64)
    address = trace.bases[rows.base[row], lane] + rows.offset[row]
    sizes = np.array([site.bytes for site in trace.sites] or [0])
    hows = np.array([{"load": READ, "store": WRITE}.get(site.operation, ATOMIC) for site in trace.sites] or [0])
    first = address // UNIT
    words = (address + sizes[site] - 1) // UNIT - first + 1
    fences = any(event.scope is ir.Scope.FENCE for event in trace.barriers)
    atomic = bool((hows[site] == ATOMIC).any())
    columns = (rows.block[row], rows.epoch[row], rows.warp_epoch[row])
    block, epoch, warp_epoch = (each.astype(np.int64) for each in columns)
    places = tuple(site.location for site in trace.sites)
    return Touched(first, words, hows[site], row, lane, block, epoch, warp_epoch, site, places, fences or atomic)


def is_compared(touched: Touched | None, children: int) -> bool:
    """Say whether the accesses of a grid are compared with those of so many children."""
    return touched is not None and len(touched.row) * children <= MOST_PAIRS


def races(family: Family) -> Iterator[Race]:
    """Find the races between a grid and its children, and among its children: one for each pair of places."""
    children = [(each.launch, words) for each in family.children if each.launch is not None and (words := _words(each)) is not None]
    found: dict[tuple[Location, Location, str], Race] = {}
    if family.touched is not None and is_compared(family.touched, len(children)):
        for launch, words in children:
            for race in _with_parent(family.touched, launch, *words):
                found.setdefault((race.location, race.other, race.kind), race)
    for race in _among(children):
        found.setdefault((race.location, race.other, race.kind), race)
    yield from found.values()


def _spread(touched: Touched, which: Any) -> tuple[Ints, Ints]:
    """The words of some accesses, and for each whose it is."""
    count = touched.words[which]
    owner = np.repeat(np.arange(len(count)), count)
    inside = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    return touched.first[which][owner] + inside, owner


def _words(family: Family) -> tuple[Ints, Ints] | None:
    """The words that a grid and all below it accessed, ascending, and how; None where that is not known of all."""
    if family.touched is None:
        return None
    words, owner = _spread(family.touched, slice(None))
    parts = [(words, family.touched.how[owner])]
    for each in family.children:
        below = _words(each)
        if below is None:
            return None
        parts.append(below)
    every, how = (np.concatenate(column) for column in zip(*parts, strict=True))
    unique, place = np.unique(every, return_inverse=True)
    together = np.zeros(len(unique), np.int64)
    np.bitwise_or.at(together, place, how)
    return unique, together


def _with_parent(touched: Touched, launch: ChildLaunch, words: Ints, how: Ints) -> Iterator[Race]:
    """Find accesses of the parent that the child conflicts with."""
    late = touched.row >= launch.row
    same = touched.block == launch.number
    own = same & (touched.lane == launch.lane)
    met = same & (touched.epoch < launch.epoch)
    warp = same & (touched.epoch == launch.epoch) & (touched.lane // WARP == launch.lane // WARP)
    met |= warp & (touched.warp_epoch < launch.warp_epoch)
    loose = (same & late) | (same & ~late & ~own & ~met) | (~same & ~touched.signals)
    which = np.flatnonzero(loose)
    there, owner = _spread(touched, which)
    place = np.searchsorted(words, there)
    inside = np.minimum(place, max(len(words) - 1, 0))
    hit = (words[inside] == there) if len(words) else np.zeros(len(there), np.bool_)
    mine, other = touched.how[which][owner], how[inside] if len(how) else np.zeros(len(there), np.int64)
    clash = hit & (((mine == WRITE) & (other > 0)) | ((mine == READ) & (other > READ)) | ((mine == ATOMIC) & ((other & ~ATOMIC) > 0)))
    for at in _firsts(touched.site[which][owner], clash):
        access = which[owner[at]]
        before = not late[access] or touched.block[access] != launch.number
        kind = "before" if before else "read" if touched.how[access] == READ else "write"
        location = touched.places[int(touched.site[access])]
        yield Race(location, launch.location, int(there[at]) * UNIT, kind, launch.entry)


def _firsts(site: Ints, clash: npt.NDArray[np.bool_]) -> list[int]:
    """The first clash of each site."""
    places = np.flatnonzero(clash)
    _, first = np.unique(site[places], return_index=True)
    return [int(each) for each in places[first]]


def _among(children: list[tuple[ChildLaunch, tuple[Ints, Ints]]]) -> Iterator[Race]:
    """Find a word that children in different streams access, one of them writing it; the first of each pair of launches."""
    if len(children) < 2:
        return
    streams: dict[object, int] = {}
    keys = []
    for number, (launch, _) in enumerate(children):
        alone = launch.stream == FIRE_AND_FORGET
        keys.append(streams.setdefault((number,) if alone else (launch.number, launch.stream), len(streams)))
    if len(streams) < 2:
        return
    lengths = [len(words) for _, (words, _) in children]
    words = np.concatenate([words for _, (words, _) in children])
    how = np.concatenate([how for _, (_, how) in children])
    child = np.repeat(np.arange(len(children)), lengths)
    key = np.array(keys)[child]
    order = np.lexsort((child, words))
    words, how, child, key = words[order], how[order], child[order], key[order]
    begins = np.flatnonzero(np.append(True, words[1:] != words[:-1])) if len(words) else np.zeros(0, np.int64)
    if not len(begins):
        return
    mixed = np.minimum.reduceat(key, begins) != np.maximum.reduceat(key, begins)
    every = np.bitwise_or.reduceat(how, begins)
    ends = np.append(begins[1:], len(words))
    told = 0
    for group in np.flatnonzero(mixed & (((every & WRITE) > 0) | (every == READ | ATOMIC)))[:MOST_LOOKED_AT]:
        part = slice(begins[group], ends[group])
        changed = child[part][(how[part] & (WRITE if every[group] & WRITE else ATOMIC)) > 0]
        clash = _clash([launch for launch, _ in children], changed.tolist(), child[part].tolist())
        if clash is not None:
            yield Race(clash[0].location, clash[1].location, int(words[begins[group]]) * UNIT, "siblings", clash[0].entry)
            told += 1
        if told == MOST_TOLD:
            return


def _clash(launches: list[ChildLaunch], changed: list[int], every: list[int]) -> tuple[ChildLaunch, ChildLaunch] | None:
    """The first two that nothing orders, one of them of those that change a word."""
    for one in changed[:MOST_OF_A_WORD]:
        for other in every[:MOST_OF_A_WORD]:
            first, second = launches[min(one, other)], launches[max(one, other)]
            if first is not second and not second.is_after(first):
                return first, second
    return None
