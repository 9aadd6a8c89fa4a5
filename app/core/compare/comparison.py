"""Comparison of two launches, one pinned and one following the choice: the same event, the same view, the same selection in both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import prod

import numpy as np

from app.core.base.observable import Field
from app.core.base.timeline import Position
from app.core.compare.pairing import Pair
from app.core.cpu_view.index import TraceIndex
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shown_views import refuse_view
from app.core.gpu_view.step_texts import shape_of
from app.core.session.session import Session
from app.core.stage.model import AnyPicture, GpuPicture, Shown, StageModel
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import by_id
from kernels.simt.base.types import Space


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
AWAITED = message("What was chosen last is still being computed. It can be compared when it is there.")
NOTHING_SHOWN = message("There is no launch on the stage to compare.")
UNLIKE = message("These work on different matrices, so they are not compared.")
USUAL = {Operation.MATMUL: "gpu.tiled", Operation.TRANSPOSE: "gpu.transpose-shared"}
"""What a launch is compared with where nothing is chosen that does the same."""


class Comparison:
    """Comparison of a pinned launch with the live one. `pair` is what is compared; None: nothing is pinned, or the stage shows something
    that cannot be compared with it."""

    def __init__(self, live: StageModel) -> None:
        self.live = live
        self.left = StageModel(live.choices)
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
        live.finished.subscribe(self._follow)
        live.unbegun.subscribe(self._withhold)
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

    def pins(self) -> bool:
        """Whether a launch is pinned: whatever would end the comparison stays back then."""
        return self.pinned.value is not None

    def toggle(self) -> Message | None:
        """Pin what the stage shows, or let go of what is pinned. Returns why nothing could be pinned."""
        if self.pinned.value is not None:
            self.leave()
            return None
        shown = self.live.shown.value
        if not isinstance(shown, LaunchIndex):
            return AWAITED if self.live.outdated.value else self.refusal
        self.pinned.value = shown
        return None

    def leave(self) -> None:
        """Show one launch again."""
        self.pinned.value = None

    @property
    def chosen(self) -> int:
        """The number of the view that was chosen for both sides; 0: the one in which they differ most."""
        return self._chosen or 0

    def choose(self, view: int) -> Message | None:
        """Show a view on both sides, by its number; 0: the one in which they differ most. Returns why it is not shown."""
        pair, chosen = self.pair.value, View(view) if view else None
        reason = refuse_view(chosen, (pair.left, pair.right)) if pair is not None and chosen is not None else None
        if reason is None:
            self._chosen = chosen
            self._choose_view()
        return reason

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
        if pair is not None and not pair.same and (before is None or before.same):
            self._begin(pair)
        elif pair is not None and before is not None and _settings(pair) != _settings(before):
            self._stay(pair)
        self._stand_at(self.live.picture.value)
        self._hand_over(self.live, self.left.pinned, self.live.pinned.value)

    def _begin(self, pair: Pair) -> None:
        """Open where there is something to see: at the first step that costs otherwise."""
        step = pair.first_difference(self.left.timeline.position.value.step)
        if step is None:
            self._stay(pair)
        elif not self.live.timeline.playing.value:
            self.live.timeline.scrub(step)

    def _stay(self, pair: Pair) -> None:
        """Take another kernel, or the same with other settings, to the event at which the pinned one stands."""
        position, timeline = self.left.timeline.position.value, self.live.timeline
        playing = timeline.playing.value
        timeline.scrub(sum(pair.right_of(position.step, position.fraction)))
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
            self.view.value = self._chosen or pair.view_of_difference

    def _follow(self, picture: AnyPicture | None) -> None:
        """Have the left side stand at the event that the live picture shows, once it is told."""
        if self.live.untold and self.pair.value is not None:
            self.live.unfinished = True
        else:
            self._stand_at(picture)

    def _stand_at(self, picture: AnyPicture | None) -> None:
        """Stand at the event that a picture shows. One of a trace that was replaced is not followed."""
        pair = self.pair.value
        if pair is None or not isinstance(picture, GpuPicture) or picture.index is not pair.right:
            return
        with self._handing():
            self.left.timeline.scrub(sum(pair.left_of(picture.frame.step, picture.frame.fraction)))

    def _withhold(self, _unbegun: object) -> None:
        """Show nothing on the left either of what is asked for."""
        self.left.unbegun.value = self.live.unbegun.value

    def _lead(self, position: Position) -> None:
        """The user went somewhere on the left: the live launch goes to the same event."""
        pair = self.pair.value
        if pair is not None and not self._handing_over and self.left.picture.value is not None:
            self.live.timeline.scrub(sum(pair.right_of(position.step, position.fraction)))

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


def _settings(pair: Pair) -> tuple[str, dict[str, int]]:
    """The kernel of the live launch, and its settings."""
    return pair.right.subject.variant_id, dict(pair.right.subject.parameters)


def _letters(shown: Shown) -> frozenset[str]:
    return frozenset(role.letter for role in shown.roles.values() if role.letter) if isinstance(shown, LaunchIndex) else frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer in place of a refused comparison: a launch of the catalogue that does the same work."""

    variant: Variant
    problem: Problem

    @property
    def title(self) -> Message:
        """What the offer is called."""
        title = message("{rung} {title}", rung=self.variant.rung, title=self.variant.title)
        return message("Show {variant} at n = {n}", variant=title, n=self.problem.n)


def offer_for(pinned: LaunchIndex) -> Offer | None:
    """Return the offer for a launch; None where no kernel of the catalogue does the same, as far as its accesses show."""
    roles = {role.letter: role for role in pinned.roles.values() if role.letter and not role.prepared}
    if set(roles) == {"A", "B", "C"}:
        operation, problem = Operation.MATMUL, Problem(Operation.MATMUL, roles["A"].rows, roles["B"].columns, roles["A"].columns)
    elif set(roles) == {"A", "C"}:
        operation, problem = Operation.TRANSPOSE, Problem(Operation.TRANSPOSE, roles["A"].rows, roles["A"].columns)
    else:
        return None
    variant = by_id(USUAL[operation])
    return Offer(variant, problem)


def take_offer(session: Session, offer: Offer) -> Message | None:
    """Show what is offered. Returns why that cannot be."""
    session.choose_variant(offer.variant)
    return session.set_stage_problem(offer.problem)
