"""Conflicts between accesses to the same piece of memory, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from kernels.analysis.accesses import ATOMIC, STORE, Accesses, narrow_rows, operation_of_rows
from kernels.analysis.cases import Bools, Ints
from kernels.analysis.release_acquire import ReleaseAcquire
from kernels.simt.frontend.known import BLOCK_SCOPE
from kernels.simt.trace.trace import Trace

Scope = Literal["warp", "block", "grid"]


WIDTHS = ("warp", "block", "grid")
"""Scopes from the narrowest on: what orders threads of one orders those of the scopes before it."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Level of conflicts, one way to be unordered: accesses with equal `key` and different `party`.

    Columns as long as those of the accesses.

    `key` numbers pieces of memory within the time in which nothing orders the parties; equal keys mean equal pieces. `scope` is where the
    two threads stand: in one warp, in one block, or in two blocks of the grid.
    """

    scope: Scope
    key: Ints
    party: Ints
    release_acquire: ReleaseAcquire | None = None
    """What orders some of them nevertheless."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Conflicts between two lines, with the earliest as the example: first the later of its two accesses, then the other."""

    scope: Scope
    piece: int
    row: int
    lane: int
    other_row: int
    other_lane: int
    equal: bool
    """Only stores of equal values."""
    count: int


def conflicts(trace: Trace, accesses: Accesses, levels: tuple[Level, ...], times: int) -> Iterator[Conflict]:
    """The conflicts between each two lines of the text, one at most with unequal values, one with equal ones. Counts are times `times`."""
    line = _line_of_rows(trace)[accesses.row]
    lines = [np.flatnonzero(line == each) for each in np.unique(line)]
    operation = operation_of_rows(trace)[accesses.row]
    narrow = narrow_rows(trace)[accesses.row]
    unequal = [_unequal(trace, accesses, level, operation == STORE) for level in levels]
    for number, mine in enumerate(lines):
        partners = [_Partners(level, mine) for level in levels]
        for theirs in lines[number:]:
            both = {int(operation[mine[0]]), int(operation[theirs[0]])}
            few = both == {ATOMIC} and bool(narrow[mine[0]] or narrow[theirs[0]])
            if STORE not in both and len(both) == 1 and not few:
                continue
            found = np.stack([partner.of(theirs) for partner in partners])
            if few:  # within a block these exclude each other
                found[[level.scope != "grid" for level in levels]] = -1
            differs = np.stack([each[level.key[theirs]] for each, level in zip(unequal, levels, strict=True)]) | (both != {STORE})
            for equal, chosen in ((False, (found >= 0) & differs), (True, (found >= 0) & ~differs)):
                if chosen.any():
                    yield _earliest(accesses, levels, theirs, np.where(chosen, found, -1), equal=equal, times=times)


class _Partners:
    """Partners in conflicts: for each key of a level the earliest access of one line, and the earliest by another party than that one's.

    Of the accesses to one piece these stand for all, also where release and acquire order them but not the others.
    """

    def __init__(self, level: Level, accesses: Ints) -> None:
        self._level = level
        self._first = np.full(int(level.key.max()) + 1, -1, np.int64)
        self._second = self._first.copy()
        # of repeated indices the last assignment stays: backwards, that of the earliest access
        backwards = accesses[::-1]
        self._first[level.key[backwards]] = backwards
        others = backwards[level.party[self._first[level.key[backwards]]] != level.party[backwards]]
        self._second[level.key[others]] = others

    def of(self, accesses: Ints) -> Ints:
        """For each access one of the line's by another party, -1 where there is none."""
        key, party = self._level.key[accesses], self._level.party
        first = self._first[key]
        differs = (first >= 0) & (party[first] != party[accesses])
        partner = np.where(differs, first, self._second[key])
        published = self._level.release_acquire
        return partner if published is None else np.where(published.order(accesses, partner), -1, partner)


def _unequal(trace: Trace, accesses: Accesses, level: Level, stores: Bools) -> Bools:
    """For each key whether its stores differ: one changed what an earlier row had stored, or lost against another of its own row."""
    store = np.flatnonzero(stores)
    key, row = level.key[store], accesses.row[store]
    first = np.zeros(int(level.key.max()) + 1, np.int64)
    first[key[::-1]] = row[::-1]
    changed, lost = (_in_mask(trace, column, accesses, store) for column in (trace.rows.changed, trace.rows.lost))
    unequal = np.zeros(len(first), np.bool_)
    unequal[key[(changed & (row > first[key])) | lost]] = True
    return unequal


def _in_mask(trace: Trace, masks: npt.NDArray[np.int32] | None, accesses: Accesses, chosen: Ints) -> Bools:
    """Whether the lane of each chosen access is in its row's mask; everywhere, if there are no masks."""
    row, lane = accesses.row[chosen], accesses.lane[chosen]
    return np.ones(len(chosen), np.bool_) if masks is None else trace.masks[masks[row], lane]


def _earliest(accesses: Accesses, levels: tuple[Level, ...], theirs: Ints, partner: Ints, *, equal: bool, times: int) -> Conflict:
    """The conflict of the accesses `theirs` with their partners (levels x accesses, -1 for none) of the widest scope that there
    is; of these the one whose later row comes first."""
    widths = np.array([WIDTHS.index(level.scope) for level in levels])
    wide = widths == widths[(partner >= 0).any(axis=1)].max()
    count = int((partner >= 0).any(axis=0).sum()) * times
    partner = np.where(wide[:, None], partner, -1)
    later = np.where(partner >= 0, np.maximum(accesses.row[theirs], accesses.row[partner]), np.iinfo(np.int64).max)
    level, place = np.unravel_index(later.argmin(), later.shape)
    other, this = sorted((int(theirs[place]), int(partner[level, place])))
    return Conflict(
        levels[level].scope, int(accesses.piece[this]), int(accesses.row[this]), int(accesses.lane[this]),
        int(accesses.row[other]), int(accesses.lane[other]), equal, count,
    )  # fmt: skip


def _line_of_rows(trace: Trace) -> Ints:
    """A number for each row, equal where its file, its line and its operation are."""
    numbers: dict[tuple[str, int, str, bool], int] = {}
    narrow = [site.function.endswith(BLOCK_SCOPE) for site in trace.sites]
    sites = [(site.location.file, site.location.line, site.operation, few) for site, few in zip(trace.sites, narrow, strict=True)]
    return np.array([numbers.setdefault(site, len(numbers)) for site in sites], np.int64)[trace.rows.site]
