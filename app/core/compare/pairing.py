"""Pairing of two launches: which step of one stands beside a step of the other, and where they begin to differ.

A launch is taken apart into its blocks, a block into barrier intervals, an interval into warps, a warp's part into instructions. On each
level the things that are alike (intervals of the same phases, instructions that do the same) are numbered in both launches, and number i of
n stands beside number i of n, or where the other has m of them, beside the one at the same share. So first stands beside first and last
beside last, a launch beside itself at each moment, and a wait for a barrier beside the same wait. Where one side has no such thing, the
whole part is passed evenly. Time never runs backward unless the other side has fewer of something: then it shows these again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

import numpy as np

from app.core.compare.differences import SECTORS, WAVEFRONTS, counts, main_difference
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.phases import BarrierInterval
from kernels.base.values import dataclass

Keys = Sequence[Hashable]
Steps = tuple[int, int]
"""From the first to the one after the last."""
_BEFORE = 1 - 2**-20
"""The greatest fraction of a step that another one follows."""


def paired(own: Keys, other: Keys) -> tuple[int, ...] | None:
    """Return for each thing the number of the one that stands beside it; None where the other side has nothing of some kind."""
    places: dict[Hashable, list[int]] = {}
    for number, key in enumerate(other):
        places.setdefault(key, []).append(number)
    totals: dict[Hashable, int] = {}
    for key in own:
        totals[key] = totals.get(key, 0) + 1
    if not totals.keys() <= places.keys():
        return None
    seen: dict[Hashable, int] = {}
    found = []
    for key in own:
        number = seen.get(key, 0)
        seen[key] = number + 1
        found.append(places[key][beside(number, totals[key], len(places[key]))])
    return tuple(found)


def beside(number: int, count: int, others: int) -> int:
    """The number from 0 that stands beside `number` of `count`, where there are `others`."""
    if count == others:
        return number
    return (2 * number * (others - 1) + count - 1) // (2 * (count - 1)) if count > 1 else 0


class _Correspondence:
    """Correspondence of the steps of two launches, worked out piece by piece as it is asked for."""

    def __init__(self, source: LaunchIndex, target: LaunchIndex) -> None:
        self._source, self._target = source, target
        self._band = lru_cache(maxsize=512)(self._find_band)
        self._warps = lru_cache(maxsize=512)(self._find_warps)
        self._matched = lru_cache(maxsize=512)(self._find_matched)

    @cached_property
    def _own(self) -> list[list[BarrierInterval]]:
        return _blocks(self._source)

    @cached_property
    def _other(self) -> list[list[BarrierInterval]]:
        return _blocks(self._target)

    def moment(self, step: int, fraction: float) -> tuple[int, float]:
        """The step of the target, and the fraction of it, that stands beside a moment of the source."""
        if step == 0 and fraction == 0:
            return 0, 0.0
        if step + 1 == self._source.steps and fraction == 1:
            return self._target.steps - 1, 1.0
        if self._source.subject.schedule is not None and self._target.subject.schedule is not None:
            return _evenly(self._source, self._target, step, fraction)
        own, other, matched = self._piece(step)
        place = step - own[0]
        if matched is not None:
            return other[0] + matched[place], fraction if fraction < 1 else _BEFORE
        time = other[0] + (place + fraction) / (own[1] - own[0]) * (other[1] - other[0])
        found = min(int(time), other[1] - 1)
        return found, min(time - found, 1.0) if found + 1 == self._target.steps else min(time - found, _BEFORE)

    def _piece(self, step: int) -> tuple[Steps, Steps, tuple[int, ...] | None]:
        """Return the piece of the source that a step is in, that of the target beside it, and which step of that is beside each step.

        None in place of the last: the steps pass evenly.
        """
        number = bisect_right(self._own, step, key=lambda block: block[0].start) - 1
        block = self._own[number]
        band = bisect_right(block, step, key=lambda each: each.start) - 1
        other = self._band(number)
        if other is None:
            whole = self._other[beside(number, len(self._own), len(self._other))]
            return (block[0].start, block[-1].stop), (whole[0].start, whole[-1].stop), None
        warps = self._warps(block[band], other[band])
        part, partner = warps[bisect_right([own[0] for own, _ in warps], step) - 1]
        return part, partner, self._matched(part, partner)

    def _find_band(self, number: int) -> tuple[BarrierInterval, ...] | None:
        """Return for each interval of a block the one that stands beside it; None where there are none of their kind."""
        whole = self._other[beside(number, len(self._own), len(self._other))]
        found = paired([band.phases for band in self._own[number]], [band.phases for band in whole])
        return None if found is None else tuple(whole[place] for place in found)

    def _find_warps(self, own: BarrierInterval, other: BarrierInterval) -> tuple[tuple[Steps, Steps], ...]:
        """The warps of an interval with those that stand beside them."""
        ours, theirs = _warps(self._source, own), _warps(self._target, other)
        if ours is None or theirs is None:
            return (((own.start, own.stop), (other.start, other.stop)),)
        return tuple((part, theirs[beside(number, len(ours), len(theirs))]) for number, part in enumerate(ours))

    def _find_matched(self, own: Steps, other: Steps) -> tuple[int, ...] | None:
        """Instructions are alike if they are written alike, else if they do the same to the same memory, else if they serve the same."""
        for level in range(3):
            found = paired(_kinds(self._source, own, level), _kinds(self._target, other, level))
            if found is not None:
                return found
        return None


def _evenly(source: LaunchIndex, target: LaunchIndex, step: int, fraction: float) -> tuple[int, float]:
    """Two schedules of one launch have one clock: the same share of their accesses has been made."""
    time = (step + fraction) / source.steps * target.steps
    found = min(int(time), target.steps - 1)
    return found, min(time - found, _BEFORE)


def _blocks(index: LaunchIndex) -> list[list[BarrierInterval]]:
    """The barrier intervals of each block, in the order in which the blocks are shown."""
    return [list(bands) for _, bands in groupby(index.record.bands, lambda band: band.block)]


def _warps(index: LaunchIndex, band: BarrierInterval) -> list[Steps] | None:
    """The steps of each warp; None where warps take turns."""
    ranges = sorted((first, last + 1) for first, last in index.warp_ranges(band).values())
    return ranges if all(one[1] <= two[0] for one, two in pairwise(ranges)) else None


def _kinds(index: LaunchIndex, part: Steps, level: int) -> list[Hashable]:
    order, trace = index.record.order, index.trace
    sites = trace.rows.site[order.row[slice(*part)]].tolist()
    kinds: dict[int, Hashable] = {number: _kind(index, number, level) for number in set(sites)}
    return [kinds[number] for number in sites]


def _kind(index: LaunchIndex, number: int, level: int) -> Hashable:
    site = index.trace.sites[number]
    phase = int(index.record.phases[number])
    return ((site.space, site.operation, site.text, phase), (site.space, site.operation, phase), phase)[level]


MOST_SOUGHT = 4000
"""Steps among which the first that differs is looked for: the window waits meanwhile."""
_COLUMNS = {WAVEFRONTS: "wavefronts", SECTORS: "sectors"}
_VIEWS = {WAVEFRONTS: View.SHARED_MEMORY, SECTORS: View.GLOBAL_MEMORY}


@dataclass(frozen=True)
class Pair:
    """Pair of launches, the pinned one and the live one, with what stands beside what."""

    left: LaunchIndex
    right: LaunchIndex

    @property
    def same(self) -> bool:
        """Whether there is nothing to compare yet."""
        return self.left is self.right

    def right_of(self, step: int, fraction: float) -> tuple[int, float]:
        """The step of the right launch, and the fraction of it, that stands beside a moment of the left one."""
        return self._to_right.moment(step, fraction)

    def left_of(self, step: int, fraction: float) -> tuple[int, float]:
        """The step of the left launch, and the fraction of it, that stands beside a moment of the right one."""
        return self._to_left.moment(step, fraction)

    def first_difference(self, shown: int) -> int | None:
        """The first step of the right launch that costs other than what stands beside it, in what differs most. Where only their number
        differs, the next one that costs anything. None where the step of the left one that is `shown` is such a one already.
        """
        found = main_difference(counts(self.left, self.right))
        column = None if found is None else _COLUMNS.get(found.title)
        if column is None:
            return None
        theirs, own = (np.diff(index.record.sums[column]) for index in (self.left, self.right))
        at = self.right_of(shown, 0.0)[0]
        if own[at] != theirs[shown]:
            return None
        steps = range(min(self.right.steps, MOST_SOUGHT))
        found_at = next((step for step in steps if own[step] != theirs[self.left_of(step, 0.0)[0]]), None)
        if found_at is not None or own[at]:
            return found_at
        return next((at + step for step in np.flatnonzero(own[at:]).tolist()), None)

    @property
    def view_of_difference(self) -> View:
        """The view in which the two differ most: shared memory where both use it in clearly different numbers of wavefronts, global memory
        where they move different numbers of sectors, else the matrices."""
        found = main_difference(counts(self.left, self.right))
        return _VIEWS.get(found.title, View.MATRICES) if found is not None else View.MATRICES

    @cached_property
    def _to_right(self) -> _Correspondence:
        return _Correspondence(self.left, self.right)

    @cached_property
    def _to_left(self) -> _Correspondence:
        return _Correspondence(self.right, self.left)
