"""Undo and redo of what was chosen: rung, sizes, parameters, GPU, caches, what is timed, how an edited text is launched."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields

from app.core.session.choices import CacheChoice
from app.core.session.draft import LaunchSettings
from app.core.session.session import Session, TimingChoice
from kernels.analysis.device_profiles import Profile
from kernels.base.values import dataclass
from kernels.catalogue.case import Case

TOGETHER_S = 0.7
"""Changes of the same thing that follow each other within this time are undone as one: a drag, a typed number."""
AT_ONCE_S = 0.02
"""Changes of whatever things within this time are one: no hand is so quick, one choice brought the other with it."""
MOST = 100


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices that can be undone, all of them. `launch` is that of the edited text, where the stage shows one and its kernels are known;
    `opened` is then which of those that were opened it is."""

    stage: Case
    profile: Profile
    caches: CacheChoice
    timing: TimingChoice
    launch: LaunchSettings | None
    opened: int | None

    @staticmethod
    def of(session: Session) -> Choices:
        """Return what is chosen now."""
        draft = session.draft_editor.shown
        launch = None if draft is None or draft.settings.entry is None else draft.settings
        opened = None if launch is None else session.draft_editor.opened
        return Choices(session.stage.value, session.profile.value, session.caches.value, session.timing.value, launch, opened)

    def choose(self, session: Session) -> None:
        """Choose all of it again; the edited text itself stays as it is, and so does its launch where another text was edited then."""
        session.profile.value = self.profile
        session.caches.value = self.caches
        session.stage.value = self.stage
        session.timing.value = self.timing
        if self.launch is not None and self.opened == session.draft_editor.opened:
            session.draft_editor.launch_as(self.launch)


class ChoiceHistory:
    """Listens to a session."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._clock = clock
        self._shown = Choices.of(session)
        self._undone: list[Choices] = []
        self._done: list[Choices] = []
        self._last: tuple[frozenset[str], float] | None = None
        self._travelling = False
        for field in (session.stage, session.profile, session.caches, session.timing, session.draft, session.draft_editor.on_stage):
            field.subscribe(lambda _value: self._changed())

    def undo(self) -> None:
        """Go back to what was before the last change; does nothing where nothing was changed."""
        self._travel(self._done, self._undone)

    def redo(self) -> None:
        """Make the change again that was undone last."""
        self._travel(self._undone, self._done)

    def _travel(self, taken: list[Choices], kept: list[Choices]) -> None:
        draft = self._session.draft_editor.shown
        if not taken or (draft is not None and taken[-1].stage.variant is not self._shown.stage.variant):
            return  # nothing more, or a rung in whose place a text was opened: that is left by choosing, not by undoing
        kept.append(self._shown)
        self._last = None
        self._travelling = True
        taken.pop().choose(self._session)
        self._travelling = False
        self._shown = Choices.of(self._session)

    def _changed(self) -> None:
        if self._travelling:
            return
        before, self._shown = self._shown, Choices.of(self._session)
        changed, now = _difference(before, self._shown), self._clock()
        if not changed:
            return
        if not self._goes_on(changed, now):
            self._done.append(before)
            del self._done[:-MOST]
        self._undone.clear()
        self._last = changed, now

    def _goes_on(self, changed: frozenset[str], now: float) -> bool:
        """Whether a change belongs to the one before."""
        if self._last is None:
            return False
        before, then = self._last
        return now - then < AT_ONCE_S or (before == changed and now - then < TOGETHER_S)


def _difference(before: Choices, after: Choices) -> frozenset[str]:
    """What differs: of the stage by parameter, "size" and "rung", else by field."""
    names = {field.name for field in fields(Choices) if getattr(before, field.name) != getattr(after, field.name)} - {"stage"}
    if "opened" in names:
        names -= {"opened", "launch"}  # a text that is opened brings its launch with it
    one, other = before.stage, after.stage
    if one.variant is not other.variant:
        return frozenset(names | {"rung"})
    names |= {name for name, value in other.parameters.items() if one.parameters.get(name) != value}
    return frozenset(names | ({"size"} if one.problem != other.problem else set()))
