"""Tile steps of a block: which of its barrier intervals compute with one filling of its tiles.

Found from the bytes alone: where an interval computes with what a store left in shared memory, and nothing was computed with it before, a
tile step may begin there. So it does not matter whether a tile is filled in an interval of its own, while the one before is computed with,
or several ahead, nor whether the last interval still fills anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from kernels.analysis.cases import Bools, Ints
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Trace

_PERIOD = 1 << 30
"""More bytes than a block's shared memory has."""
_WORD = 4
_NOBODY = -1


class TileSteps:
    """Tile steps of the blocks of a trace. `fills` are the sites that store tiles, `computes` those that read them to compute."""

    def __init__(self, trace: Trace, fills: Bools, computes: Bools) -> None:
        self._trace = trace
        self._fills, self._computes = fills, computes
        self._writes = np.array([each.space is Space.SHARED and each.operation != "load" for each in trace.sites], np.bool_)
        self._size = np.array([each.bytes for each in trace.sites], np.int64)
        self._words = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0) // _WORD + 1
        self._known: dict[bytes, tuple[Ints, Ints]] = {}
        self._words_read: dict[bytes, Ints] = {}
        self._of_alike: dict[bytes, list[int]] = {}
        rows, none = trace.rows, np.zeros(len(trace.rows.site), np.bool_)
        reads = np.array([each.space is Space.GLOBAL and each.operation == "load" for each in trace.sites], np.bool_)
        self._copied = none if rows.issued is None else rows.issued >= 0
        issuing = none if rows.issued is None else rows.site[np.clip(rows.issued, 0, None)]
        self._arrived = self._copied & reads[issuing] if rows.issued is not None else none
        """Asynchronous copies that read: those that do not fill with zeros."""
        engines = np.array([each.engine for each in trace.sites], np.bool_)
        engines[np.unique(issuing[self._copied])] = True
        self._loaded = (reads & ~engines)[rows.site] if len(reads) else none
        """What is read from global memory by the threads themselves, into registers."""
        shared = np.array([each.space is Space.SHARED for each in trace.sites], np.bool_)[rows.site] if len(reads) else none
        places = (column * shared for column in (rows.mask, rows.base, rows.offset % _PERIOD))
        self._columns = np.stack((rows.site, *places, self._copied, self._arrived)).astype(np.int64)
        """All that is asked of a row: of blocks that are alike in it one is looked at."""

    def of_block(self, intervals: Sequence[Ints]) -> list[int]:
        """The tile step of each barrier interval of a block, from 0. An interval is given by its access rows, ascending."""
        alike = self._columns[:, np.concatenate(intervals)].tobytes() + np.array([len(rows) for rows in intervals]).tobytes()
        if alike not in self._of_alike:
            self._of_alike[alike] = self._found(intervals)
        return self._of_alike[alike]

    def _found(self, intervals: Sequence[Ints]) -> list[int]:
        held = _Held(np.full(self._words, _NOBODY))
        found: list[int] = []
        for number, rows in enumerate(intervals):
            begins, computes = held.compute(self._read(rows[self._computes[self._trace.rows.site[rows]]]))
            tile = held.tile + begins
            if computes:  # what has come since the last one that computes has been for this
                found += repeat(tile, number + 1 - len(found))
            held.tile = tile
            self._fill(held, number, rows)
        return [*found, *repeat(held.tile, len(intervals) - len(found))]

    def _fill(self, held: _Held, number: int, rows: Ints) -> None:
        """Note what an interval stores. Threads' own stores fill only where they have read something since the last that did: what they
        have added up is no tile."""
        own = rows[self._writes[self._trace.rows.site[rows]]]
        fills, copied = self._fills[self._trace.rows.site[own]], self._copied[own]
        stored, loaded = own[fills & ~copied], rows[self._loaded[rows]]
        if len(stored):
            fills &= copied | held.pending | bool(len(loaded) and loaded[0] < stored[-1])
            held.pending = bool(len(loaded) and loaded[-1] > stored[-1])
        else:
            held.pending |= bool(len(loaded))
        fills &= ~copied | self._arrived[own]
        held.store(self._reached(own[~fills])[0])
        held.store(*self._reached(own[fills]), number)

    def _read(self, rows: Ints) -> Ints:
        """The words of shared memory that some rows read, each once."""
        key = self._columns[:4, rows].tobytes()
        if key not in self._words_read:
            self._words_read[key] = np.unique(self._spread(*self._columns[:4, rows])[0])
        return self._words_read[key]

    def _reached(self, rows: Ints) -> tuple[Ints, Ints]:
        """The words of shared memory that some rows reach, each with the number of the row among them."""
        columns = self._columns[:4, rows]
        key = columns.tobytes()
        if key not in self._known:
            self._known[key] = self._spread(*columns)
        return self._known[key]

    def _spread(self, site: Ints, mask: Ints, base: Ints, offset: Ints) -> tuple[Ints, Ints]:
        row, lane = np.nonzero(self._trace.masks[mask])
        first = self._trace.bases[base[row], lane] + offset[row]
        size = self._size[site[row]]
        parts = [(first // _WORD + part, row, first // _WORD + part <= (first + size - 1) // _WORD)
                 for part in range(int(size.max(initial=1)) // _WORD + 1)]  # fmt: skip
        word, row, inside = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        inside &= (word >= 0) & (word < self._words)  # else of another block, or past the end
        return word[inside], row[inside]


@dataclass(slots=True)
class _Held:
    """What a block's shared memory holds, as numbers of the stores that filled it, and which of them were computed with."""

    filler: Ints
    """For each word the number of the store that filled it last."""
    born: list[int] = field(default_factory=list)
    """The interval of each store."""
    seen: set[int] = field(default_factory=set)
    of_tile: set[int] = field(default_factory=set)
    """Those that the present tile step computes with."""
    tile: int = 0
    pending: bool = False
    """Whether threads have read global memory since they stored."""

    def store(self, words: Ints, numbers: Ints | None = None, interval: int = 0) -> None:
        """Note a store to some words; without numbers, of something that is no tile."""
        if numbers is None:
            self.filler[words] = _NOBODY
        elif len(numbers):
            self.filler[words] = len(self.born) + numbers
            self.born += [interval] * (int(numbers.max()) + 1)

    def compute(self, words: Ints) -> tuple[bool, bool]:
        """Tell of reads whether they begin a tile step, and whether they compute at all: what is new is filled later than all of the
        tile step, or nothing else is read: as where several tiles were filled at once."""
        read = set(np.unique(self.filler[words]).tolist()) - {_NOBODY}
        fresh = read - self.seen
        later = bool(fresh) and max(self.born[each] for each in fresh) > max((self.born[each] for each in self.of_tile), default=-1)
        begins = bool(self.of_tile and fresh) and (later or not read & self.of_tile)
        self.seen |= read
        self.of_tile = read if begins else self.of_tile | fresh
        return begins, bool(read)
