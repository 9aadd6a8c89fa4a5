"""Two launches side by side, one pinned, one following what is chosen: at the same event, in the same view, with the same selection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from app.core.compare.counterpart import counterpart
from app.core.compare.differences import SECTORS, WAVEFRONTS, counts, main_difference
from app.core.compare.selection_beside import selection_beside
from app.core.frames_index import TraceIndex
from app.core.launch.index import LaunchIndex
from app.core.launch.selection import Selection
from app.core.launch.views import View
from app.core.observable import Field
from app.core.stage_model import AnyPicture, LaunchPicture, Shown, StageModel
from app.core.timeline import Position
from kernels.messages import Message, message

ONLY_LAUNCHES = message("Only CUDA launches are compared: a CPU kernel has no warps, banks or sectors.")
NOTHING_SHOWN = message("There is no launch on the stage to compare.")
UNLIKE = message("These work on different matrices, so they are not compared.")


@dataclass(frozen=True, slots=True)
class Pair:
    """The pinned launch and the live one."""

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
        return UNLIKE if pinned is not None and _letters(shown) != _letters(pinned) else None

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
        if pair is None or not isinstance(picture, LaunchPicture) or picture.index is not pair.right:
            return
        with self._handing():
            self.left.timeline.scrub(sum(counterpart(pair.right, pair.left, picture.frame.step, picture.frame.fraction)))

    def _lead(self, position: Position) -> None:
        """The user went somewhere on the left: the live launch goes to the same event."""
        pair = self.pair.value
        if pair is not None and not self._handing_over and self.left.picture.value is not None:
            self.live.timeline.scrub(sum(counterpart(pair.left, pair.right, position.step, position.fraction)))

    def _hand_over(self, source: StageModel, target: Field[Selection], selection: Selection) -> None:
        """What is selected on one side is selected on the other."""
        pair = self.pair.value
        if pair is None or self._handing_over:
            return
        own, other = (pair.left, pair.right) if source is self.left else (pair.right, pair.left)
        with self._handing():
            target.value = selection_beside(selection, own, other)

    @contextmanager
    def _handing(self) -> Iterator[None]:
        """What is handed over is not handed back."""
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
    return frozenset(role.letter for role in shown.roles.values()) if isinstance(shown, LaunchIndex) else frozenset()
