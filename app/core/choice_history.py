"""Undo and redo of what was changed on the stage."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.core.session import Session, StageChoice

TOGETHER_S = 0.7
"""Changes of the same thing that follow each other within this time are undone as one: a drag, a typed number."""
MOST = 100


class ChoiceHistory:
    """Listens to a session's stage. Another rung begins another history: its parameters mean something else."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._clock = clock
        self._shown = session.stage.value
        self._undone: list[StageChoice] = []
        self._done: list[StageChoice] = []
        self._last: tuple[frozenset[str], float] | None = None
        session.stage.subscribe(self._changed)

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def undo(self) -> None:
        """Go back to what was before the last change; does nothing where nothing was changed."""
        self._travel(self._done, self._undone)

    def redo(self) -> None:
        """Make the change again that was undone last."""
        self._travel(self._undone, self._done)

    def _travel(self, taken: list[StageChoice], kept: list[StageChoice]) -> None:
        if taken:
            kept.append(self._shown)
            self._last = None
            self._shown = taken.pop()  # before the session tells of it: then it is no change
            self._session.stage.value = self._shown

    def _changed(self, choice: StageChoice) -> None:
        before, self._shown = self._shown, choice
        if choice == before:
            return
        if choice.variant is not before.variant:
            self._done.clear()
            self._undone.clear()
            self._last = None
            return
        changed, now = _difference(before, choice), self._clock()
        again = self._last is not None and self._last[0] == changed and now - self._last[1] < TOGETHER_S
        if not again:
            self._done.append(before)
            del self._done[:-MOST]
        self._undone.clear()
        self._last = changed, now


def _difference(before: StageChoice, after: StageChoice) -> frozenset[str]:
    """The parameters that differ; "" stands for the size."""
    names = {name for name, value in after.parameters.items() if before.parameters.get(name) != value}
    return frozenset(names | ({""} if before.problem != after.problem else set()))
