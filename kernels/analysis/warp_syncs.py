"""Which threads of a warp have synchronised before what they access: `__syncwarp` joins those that take part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, groupby
from operator import itemgetter

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Scope
from kernels.simt.trace.trace import WARP, Trace

NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class GroupPair:
    """Pair of groups of lanes, and the masks of the warp synchronisations that both take part in."""

    one: Bools
    other: Bools
    masks: list[int]

    def party(self, lane: Ints) -> Ints:
        """What differs between lanes of the two groups, or between lanes of the group if they are one; NONE outside."""
        if (self.one == self.other).all():
            return np.where(self.one[lane], lane, NONE)
        return np.where(self.one[lane] | self.other[lane], self.one[lane], NONE)


class WarpSyncs:
    """Warp synchronisations of a launch, numbered in order."""

    def __init__(self, trace: Trace) -> None:
        events = [event for event in trace.barriers if event.scope is Scope.WARP]
        self._row = np.array([event.row for event in events], np.int64)
        self._mask = np.array([event.mask for event in events], np.int64)
        self._of_mask = {mask: np.flatnonzero(self._mask == mask) for mask in np.unique(self._mask).tolist()}
        self._lanes = trace.masks
        warps = trace.masks.reshape(len(trace.masks), -1, WARP) if len(trace.masks) else trace.masks[:, :, None]
        self._warps = np.repeat(warps.any(axis=2), warps.shape[2], axis=1)
        block, epoch = trace.rows.block, trace.rows.epoch
        self._starts = np.flatnonzero(np.r_[True, (block[1:] != block[:-1]) | (epoch[1:] != epoch[:-1])])

    @property
    def partial(self) -> bool:
        """Whether threads stayed away from a synchronisation of their warp."""
        met = list(self._of_mask)
        return bool((self._lanes[met] != self._warps[met]).any())

    def last_of_warp(self, row: Ints, lane: Ints) -> Ints:
        """Return the last synchronisation that any thread of the lane's warp took part in before a row, in the row's barrier interval;
        NONE if none.
        """
        return self._last(self._warps, self._of_mask, row, lane)

    def group_pairs(self) -> Iterator[GroupPair]:
        """Yield each two groups that share a warp, one with itself too.

        A group is the lanes that take part in the same warp synchronisations.
        """
        masks = list(self._of_mask)
        part, group = np.unique(self._lanes[masks], axis=1, return_inverse=True)
        group = group.reshape(-1)
        for one, other in combinations_with_replacement(range(part.shape[1]), 2):
            lanes = (group == one, group == other)
            if np.logical_and(*(each.reshape(-1, WARP).any(axis=1) for each in lanes)).any():
                yield GroupPair(*lanes, [mask for mask, both in zip(masks, part[:, one] & part[:, other], strict=True) if both])

    def last_of(self, pair: GroupPair, row: Ints, lane: Ints) -> Ints:
        """Return the last synchronisation that both groups of the lane's warp took part in."""
        return self._last(self._lanes, pair.masks, row, lane)

    def since_row_before(self, rows: Ints) -> Ints:
        """Return for each of some ascending rows a number that is equal where the same lanes synchronised since the one before; 0 if
        none did.
        """
        place = np.searchsorted(rows, self._row)
        numbers: dict[tuple[int, ...], int] = {}
        found = np.zeros(len(rows) + 1, np.int64)
        for number, group in groupby(zip(place.tolist(), self._mask.tolist(), strict=True), key=itemgetter(0)):
            found[number] = numbers.setdefault(tuple(mask for _, mask in group), len(numbers) + 1)
        return found[:-1]

    def _last(self, taking_part: Bools, masks: Iterable[int], row: Ints, lane: Ints) -> Ints:
        last = np.full(len(row), NONE, np.int64)
        start = self._starts[np.searchsorted(self._starts, row, "right") - 1]
        for mask in masks:
            syncs = self._of_mask[mask]
            number = syncs[np.searchsorted(self._row[syncs], row, "right") - 1]
            counts = taking_part[mask, lane] & (self._row[number] <= row) & (self._row[number] > start)
            last[counts] = np.maximum(last[counts], number[counts])
        return last
