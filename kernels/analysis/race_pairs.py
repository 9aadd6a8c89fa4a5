"""Conflicts between accesses to the same piece of memory, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from kernels.analysis.accesses import ATOMIC, FLAG, LOAD, STORE, Accesses, narrow_rows
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import ThreadScope
from kernels.simt.trace.trace import Trace

RaceScope = Literal["warp", "block", "grid"]

Ordered = Callable[[Ints, Ints], Bools]
"""Tells for pairs of accesses (indices; the second may be -1) which are ordered nevertheless."""
PAIRS_AT_MOST = 1 << 24
"""Looked at of two lines. Where there are more, of those of each access the ones next to it."""
WIDTHS = ("warp", "block", "grid")
"""Scopes from the narrowest on: what orders threads of one orders those of the scopes before it."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Level of conflicts, one way to be unordered: accesses with equal `key` and different `party`.

    Columns as long as those of the accesses.

    `key` numbers pieces of memory within the time in which nothing orders the parties; equal keys mean equal pieces. `scope` is where the
    two threads stand: in one warp, in one block, or in two blocks of the grid.
    """

    scope: RaceScope
    key: Ints
    party: Ints


@dataclass(frozen=True, slots=True)
class Conflict:
    """Conflicts between two lines, with the earliest as the example: first the later of its two accesses, then the other."""

    scope: RaceScope
    piece: int
    row: int
    lane: int
    other_row: int
    other_lane: int
    count: int


def conflicts(
    trace: Trace, accesses: Accesses, operation: Ints, levels: tuple[Level, ...], times: int, ordered: Ordered | None = None
) -> Iterator[Conflict]:
    """The conflicts between each two lines of the text, one at most; stores of equal values do not conflict. Counts are times `times`.

    `operation` is LOAD, STORE, ATOMIC or FLAG for each access.
    """
    line = _line_of_accesses(trace, accesses, operation)
    lines = [np.flatnonzero(line == each) for each in np.unique(line)]
    narrow = narrow_rows(trace)[accesses.row]
    stores = (operation == STORE) | (operation == FLAG)
    unequal = [_unequal(trace, accesses, level, stores) for level in levels]
    for number, mine in enumerate(lines):
        partners = [_Partners(level, mine, ordered) for level in levels]
        for theirs in lines[number:]:
            both = {int(operation[mine[0]]), int(operation[theirs[0]])}
            few = both == {ATOMIC} and bool(narrow[mine[0]] or narrow[theirs[0]])
            if (both in ({LOAD}, {ATOMIC}) and not few) or both == {ATOMIC, FLAG}:
                continue
            found = np.stack([partner.of(theirs) for partner in partners])
            if few:  # within a block these exclude each other
                found[[level.scope != "grid" for level in levels]] = -1
            differs = np.stack([each[level.key[theirs]] for each, level in zip(unequal, levels, strict=True)]) | bool(both & {LOAD, ATOMIC})
            if both == {LOAD, STORE}:
                differs = ~_reads_what_it_stored(trace, accesses, operation, levels, unequal, (theirs, found))
            racing = (found >= 0) & differs
            if racing.any():
                yield _earliest(accesses, levels, theirs, np.where(racing, found, -1), times)


def _reads_what_it_stored(
    trace: Trace, accesses: Accesses, operation: Ints, levels: tuple[Level, ...], unequal: list[Bools], pairs: tuple[Ints, Ints]
) -> Bools:
    """For each level and pair of a load and a store whether all stores there are of one value, and the loading thread's among them.

    The pairs are `theirs`, and for each level their partners, -1 for none.
    """
    theirs, found = pairs
    result = np.zeros(found.shape, np.bool_)
    for number, (level, differing, partner) in enumerate(zip(levels, unequal, found, strict=True)):
        chosen = np.flatnonzero((partner >= 0) & ~differing[level.key[theirs]])
        if len(chosen):
            load = np.where(operation[theirs[chosen]] == LOAD, theirs[chosen], partner[chosen])
            result[number, chosen] = _stored_before(trace, accesses, operation == STORE, level.key, load)
    return result


def _stored_before(trace: Trace, accesses: Accesses, stores: Bools, key: Ints, loads: Ints) -> Bools:
    """For each load (index) whether its thread stored with the same key before."""
    lanes = trace.masks.shape[1]
    by = (key * len(trace.blocks) + trace.rows.block[accesses.row]) * lanes + accesses.lane
    store = np.flatnonzero(stores)
    stored, first = np.unique(by[store], return_index=True)
    place = np.minimum(np.searchsorted(stored, by[loads]), len(stored) - 1)
    return np.asarray((stored[place] == by[loads]) & (accesses.row[store[first[place]]] < accesses.row[loads]))


class _Partners:
    """Partners in conflicts: accesses of one line by another party, with the same key.

    Where nothing but levels orders, the earliest access of each key and the earliest by another party than that one's stand for all.
    """

    def __init__(self, level: Level, accesses: Ints, ordered: Ordered | None) -> None:
        self._level = level
        self._accesses = accesses
        self._ordered = ordered
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
        if self._ordered is None:
            return partner
        ordered = self._ordered(accesses, partner)
        partner[ordered] = self._another(accesses[ordered], self._ordered)
        return partner

    def _another(self, accesses: Ints, ordered: Ordered) -> Ints:
        """For each access any of the line's by another party that is not ordered with it, those next to it first; -1 for none."""
        level, found = self._level, np.full(len(accesses), -1)
        span = int(max(self._accesses.max(initial=0), accesses.max(initial=0))) + 2
        order = np.argsort(level.key[self._accesses] * span + self._accesses)
        mine = self._accesses[order]
        key = level.key[mine]
        low, high = (np.searchsorted(key, level.key[accesses], side) for side in ("left", "right"))
        middle = np.searchsorted(key * span + mine, level.key[accesses] * span + accesses)
        reach = min(int((high - low).max(initial=0)), PAIRS_AT_MOST // max(len(accesses), 1))
        rest = np.arange(len(accesses))
        for step in range(reach + 1):
            for at in (middle[rest] + step, middle[rest] - 1 - step):
                inside = (at >= low[rest]) & (at < high[rest])
                candidate = mine[np.clip(at, 0, len(mine) - 1)]
                good = inside & (level.party[candidate] != level.party[accesses[rest]])
                good[good] = ~ordered(accesses[rest[good]], candidate[good])
                found[rest[good & (found[rest] < 0)]] = candidate[good & (found[rest] < 0)]
            rest = rest[(found[rest] < 0) & ((middle[rest] + step < high[rest]) | (middle[rest] - step > low[rest]))]
            if not len(rest):
                break
        return found


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


def _earliest(accesses: Accesses, levels: tuple[Level, ...], theirs: Ints, partner: Ints, times: int) -> Conflict:
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
        int(accesses.row[other]), int(accesses.lane[other]), count,
    )  # fmt: skip


def _line_of_accesses(trace: Trace, accesses: Accesses, operation: Ints) -> Ints:
    """A number for each access, equal where its file, its line and its operation are."""
    numbers: dict[tuple[str, int, bool], int] = {}
    sites = [(site.location.file, site.location.line, site.scope is ThreadScope.BLOCK) for site in trace.sites]
    line = np.array([numbers.setdefault(site, len(numbers)) for site in sites], np.int64)
    return line[trace.rows.site[accesses.row]] * (FLAG + 1) + operation
