"""Comparison of two launches, one pinned and one following the choice: the same event, the same view, the same selection in both.

A launch is taken apart into its blocks, a block into barrier intervals, an interval into warps, a warp's part into instructions. On each
level the things that are alike (intervals of the same phases, instructions that do the same) are numbered in both launches, and number i of
n stands beside number i of n, or where the other has m of them, beside the one at the same share. So first stands beside first and last
beside last, a launch beside itself at each moment, and a wait for a barrier beside the same wait. Where one side has no such thing, the
whole part is passed evenly. Time never runs backward unless the other side has fewer of something: then it shows these again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby, pairwise
from math import prod

import numpy as np

from app.core.base.observable import Field
from app.core.base.timeline import Position
from app.core.compare.differences import SECTORS, WAVEFRONTS, counts, main_difference
from app.core.cpu_view.index import TraceIndex
from app.core.gpu_view.captions import shape_of
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.phases import Band
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.views import View
from app.core.stage.model import AnyPicture, GpuPicture, Shown, StageModel
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.base.messages import Message, message
from kernels.simt.base.types import Space

Keys = Sequence[Hashable]
Steps = tuple[int, int]
"""From the first to the one after the last."""
_BEFORE = 1 - 2**-20
"""The greatest fraction of a step that another one follows."""


def counterpart(source: LaunchIndex, target: LaunchIndex, step: int, fraction: float) -> tuple[int, float]:
    """The step of `target`, and the fraction of it, that stands beside a moment of `source`."""
    if step == 0 and fraction == 0:
        return 0, 0.0
    if step + 1 == source.steps and fraction == 1:
        return target.steps - 1, 1.0
    if source.subject.schedule is not None and target.subject.schedule is not None:
        return _evenly(source, target, step, fraction)
    own, other, matched = _pairing(source, target).piece(step)
    place = step - own[0]
    if matched is not None:
        return other[0] + matched[place], fraction if fraction < 1 else _BEFORE
    time = other[0] + (place + fraction) / (own[1] - own[0]) * (other[1] - other[0])
    found = min(int(time), other[1] - 1)
    return found, min(time - found, 1.0) if found + 1 == target.steps else min(time - found, _BEFORE)


def _evenly(source: LaunchIndex, target: LaunchIndex, step: int, fraction: float) -> tuple[int, float]:
    """Two schedules of one launch have one clock: the same share of their accesses has been made."""
    time = (step + fraction) / source.steps * target.steps
    found = min(int(time), target.steps - 1)
    return found, min(time - found, _BEFORE)


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


class _Pairing:
    """Correspondence of the steps of two launches, worked out piece by piece as it is asked for."""

    def __init__(self, source: LaunchIndex, target: LaunchIndex) -> None:
        self._source, self._target = source, target
        self._own, self._other = _blocks(source), _blocks(target)
        self._starts = [block[0].start for block in self._own]
        self._band = lru_cache(maxsize=512)(self._find_band)
        self._warps = lru_cache(maxsize=512)(self._find_warps)
        self._matched = lru_cache(maxsize=512)(self._find_matched)

    def piece(self, step: int) -> tuple[Steps, Steps, tuple[int, ...] | None]:
        """Return the piece of the source that a step is in, that of the target beside it, and which step of that is beside each step.

        None in place of the last: the steps pass evenly.
        """
        number = bisect_right(self._starts, step) - 1
        block = self._own[number]
        band = bisect_right([each.start for each in block], step) - 1
        other = self._band(number)
        if other is None:
            whole = self._other[beside(number, len(self._own), len(self._other))]
            return (block[0].start, block[-1].stop), (whole[0].start, whole[-1].stop), None
        warps = self._warps(block[band], other[band])
        part, partner = warps[bisect_right([own[0] for own, _ in warps], step) - 1]
        return part, partner, self._matched(part, partner)

    def _find_band(self, number: int) -> tuple[Band, ...] | None:
        """Return for each interval of a block the one that stands beside it; None where there are none of their kind."""
        whole = self._other[beside(number, len(self._own), len(self._other))]
        found = paired([band.phases for band in self._own[number]], [band.phases for band in whole])
        return None if found is None else tuple(whole[place] for place in found)

    def _find_warps(self, own: Band, other: Band) -> tuple[tuple[Steps, Steps], ...]:
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


@lru_cache(maxsize=2)
def _pairing(source: LaunchIndex, target: LaunchIndex) -> _Pairing:
    return _Pairing(source, target)


def _blocks(index: LaunchIndex) -> list[list[Band]]:
    """The barrier intervals of each block, in the order in which the blocks are shown."""
    return [list(bands) for _, bands in groupby(index.record.bands, lambda band: band.block)]


def _warps(index: LaunchIndex, band: Band) -> list[Steps] | None:
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


def selection_beside(selection: Selection, source: LaunchIndex, target: LaunchIndex) -> Selection:
    """The thread or bank of the same number, the element at the same place of the array of the same name, the line of the same text;
    NOTHING where the other launch has no such thing."""
    if selection.thread is not None:
        return selection if selection.thread < prod(target.trace.block) else NOTHING
    if selection.element is not None:
        return _element(*selection.element, source, target)
    if selection.sector is not None:
        return _sector(selection.sector, source, target)
    if selection.line is not None:
        return selection if source.subject.text == target.subject.text else NOTHING
    return selection


def _element(allocation: int, element: int, source: LaunchIndex, target: LaunchIndex) -> Selection:
    other = _namesake(allocation, source, target)
    if other is None:
        return NOTHING
    own_shape, shape = shape_of(source, allocation), shape_of(target, other)
    if len(shape) != len(own_shape) or element >= prod(own_shape):
        return NOTHING
    place = np.unravel_index(element, own_shape)
    if any(index >= size for index, size in zip(place, shape, strict=True)):
        return NOTHING
    return Selection(element=(other, int(np.ravel_multi_index(place, shape))))


def _sector(sector: int, source: LaunchIndex, target: LaunchIndex) -> Selection:
    """The sector as far from the beginning of its array."""
    address = sector * SECTOR_BYTES
    for number, array in enumerate(source.trace.allocations):
        other = _namesake(number, source, target)
        inside = array.space is not Space.SHARED and array.address <= address + SECTOR_BYTES - 1 and address < array.address + array.bytes
        if not inside or other is None:
            continue
        partner = target.trace.allocations[other]
        offset = sector - array.address // SECTOR_BYTES
        if offset * SECTOR_BYTES < partner.bytes:
            return Selection(sector=partner.address // SECTOR_BYTES + offset)
    return NOTHING


def _namesake(allocation: int, source: LaunchIndex, target: LaunchIndex) -> int | None:
    """The other launch's array of the same name and kind."""
    one = source.trace.allocations[allocation]
    shared = one.space is Space.SHARED
    found = (n for n, each in enumerate(target.trace.allocations) if each.name == one.name and (each.space is Space.SHARED) == shared)
    return next(found, None)


ONLY_LAUNCHES = message("Only CUDA launches are compared: a CPU kernel has no warps, banks or sectors.")
NOTHING_SHOWN = message("There is no launch on the stage to compare.")
UNLIKE = message("These work on different matrices, so they are not compared.")


@dataclass(frozen=True, slots=True)
class Pair:
    """Pair of launches: the pinned one and the live one."""

    left: LaunchIndex
    right: LaunchIndex

    @property
    def same(self) -> bool:
        """Whether there is nothing to compare yet."""
        return self.left is self.right


class Comparison:
    """`pair` is what is compared; None: nothing is pinned, or the stage shows something that cannot be compared with it."""

    def __init__(self, live: StageModel) -> None:
        self.live = live
        self.left = StageModel()
        """Shows the pinned launch, at the event that the live one shows."""
        self.pinned: Field[LaunchIndex | None] = Field(None)
        self.pair: Field[Pair | None] = Field(None)
        self.view = Field(View.MATRICES)
        """The view that both sides show."""
        self._chosen: View | None = None
        self._handing_over = False
        live.shown.subscribe(lambda _shown: self._pair_up())
        self.pinned.subscribe(lambda _pinned: self._pair_up())
        live.picture.subscribe(self._follow)
        self.left.timeline.position.subscribe(self._lead)
        for field in (live.profile, live.registers, live.still):
            field.subscribe(lambda _value: self._take_settings())
        for source, target in ((live, self.left), (self.left, live)):
            source.hovered.subscribe(partial(self._hand_over, source, target.hovered))
            source.pinned.subscribe(partial(self._hand_over, source, target.pinned))

    @property
    def refusal(self) -> Message | None:
        """Why what the stage shows cannot be compared, or None."""
        shown, pinned = self.live.shown.value, self.pinned.value
        if isinstance(shown, TraceIndex):
            return ONLY_LAUNCHES
        if shown is None:
            return NOTHING_SHOWN
        if pinned is None or _letters(shown) == _letters(pinned):
            return None
        stranger = next((each for each in (pinned, shown) if not each.subject.variant_id and not _letters(each)), None)
        if stranger is None:
            return UNLIKE
        return message(
            "{name} is neither a product nor a transposition, as far as its accesses show: no kernel of the ladder does the same. "
            "It can be compared with other launches of its own text.",
            name=stranger.subject.entry or stranger.subject.name,
        )

    def toggle(self) -> Message | None:
        """Pin what the stage shows, or let go of what is pinned. Returns why nothing could be pinned."""
        if self.pinned.value is not None:
            self.leave()
            return None
        shown = self.live.shown.value
        if not isinstance(shown, LaunchIndex):
            return self.refusal
        self.pinned.value = shown
        return None

    def leave(self) -> None:
        """Show one launch again."""
        self.pinned.value = None

    def choose(self, view: int) -> None:
        """Show a view on both sides, by its number; 0: the one in which they differ most."""
        self._chosen = View(view) if view else None
        self._choose_view()

    def _pair_up(self) -> None:
        pinned, shown, before = self.pinned.value, self.live.shown.value, self.pair.value
        if pinned is None:
            self._chosen = None
        pair = Pair(pinned, shown) if pinned is not None and isinstance(shown, LaunchIndex) and self.refusal is None else None
        self._take_settings()
        with self._handing():
            self.left.shown.value = None if pair is None else pair.left
        self.pair.value = pair
        self._choose_view()
        if pair is not None and before is not None and pair.right.subject.variant_id != before.right.subject.variant_id:
            self._stay(pair)
        self._follow(self.live.picture.value)
        self._hand_over(self.live, self.left.pinned, self.live.pinned.value)

    def _stay(self, pair: Pair) -> None:
        """Take another kernel to the event at which the pinned one stands."""
        position, timeline = self.left.timeline.position.value, self.live.timeline
        playing = timeline.playing.value
        timeline.scrub(sum(counterpart(pair.left, pair.right, position.step, position.fraction)))
        if playing:
            timeline.play()

    def _take_settings(self) -> None:
        """Device and motion are those of both. The registers of a thread are the kernel's own: the pinned one keeps those it had last."""
        self.left.profile.value = self.live.profile.value
        self.left.still.value = self.live.still.value
        if self.live.shown.value is self.pinned.value:
            self.left.registers.value = self.live.registers.value

    def _choose_view(self) -> None:
        pair = self.pair.value
        if pair is not None:
            self.view.value = self._chosen or view_of_difference(pair.left, pair.right)

    def _follow(self, picture: AnyPicture | None) -> None:
        """Stand at the event that the live picture shows. A picture of a trace that was replaced is not followed."""
        pair = self.pair.value
        if pair is None or not isinstance(picture, GpuPicture) or picture.index is not pair.right:
            return
        with self._handing():
            self.left.timeline.scrub(sum(counterpart(pair.right, pair.left, picture.frame.step, picture.frame.fraction)))

    def _lead(self, position: Position) -> None:
        """The user went somewhere on the left: the live launch goes to the same event."""
        pair = self.pair.value
        if pair is not None and not self._handing_over and self.left.picture.value is not None:
            self.live.timeline.scrub(sum(counterpart(pair.left, pair.right, position.step, position.fraction)))

    def _hand_over(self, source: StageModel, target: Field[Selection], selection: Selection) -> None:
        """Select on one side what is selected on the other."""
        pair = self.pair.value
        if pair is None or self._handing_over:
            return
        own, other = (pair.left, pair.right) if source is self.left else (pair.right, pair.left)
        with self._handing():
            target.value = selection_beside(selection, own, other)

    @contextmanager
    def _handing(self) -> Iterator[None]:
        """Keep what is handed over from being handed back."""
        self._handing_over = True
        try:
            yield
        finally:
            self._handing_over = False


def view_of_difference(left: LaunchIndex, right: LaunchIndex) -> View:
    """The view in which two launches differ most: shared memory where both use it in clearly different numbers of wavefronts, global memory
    where they move different numbers of sectors, else the matrices."""
    found = main_difference(counts(left, right))
    views = {WAVEFRONTS: View.SHARED_MEMORY, SECTORS: View.GLOBAL_MEMORY}
    return views.get(found.title, View.MATRICES) if found is not None else View.MATRICES


def _letters(shown: Shown) -> frozenset[str]:
    return frozenset(role.letter for role in shown.roles.values() if role.letter) if isinstance(shown, LaunchIndex) else frozenset()
