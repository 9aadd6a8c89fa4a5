"""What is to be done when the stage shows what was asked for: its trace takes a moment to come."""

from __future__ import annotations

from collections.abc import Callable

from app.core.session import Session


class Arrival:
    """Holds at most one thing to do. A choice that the user makes meanwhile drops it.

    Where there is no trace because tracing was stopped, it is done, and once more when there is one after all.
    """

    def __init__(self, session: Session, ready: Callable[[], bool], failed: Callable[[], bool]) -> None:
        """`ready` says whether the stage shows what is chosen, or why it cannot; `failed`, whether it may be able to another time."""
        self._session = session
        self._ready, self._failed = ready, failed
        self._waiting: tuple[object, Callable[[], object]] | None = None
        self._unfinished: tuple[object, Callable[[], object]] | None = None

    @property
    def pending(self) -> bool:
        """Whether something is still to be done."""
        return self._waiting is not None

    def then(self, act: Callable[[], object]) -> None:
        """Do this when the stage shows what is chosen now; what was to be done before is dropped."""
        self._waiting, self._unfinished = (self._chosen(), act), None

    def tick(self) -> None:
        """Do it if it is time. Never waits."""
        if self._unfinished is not None and not self._failed():
            self._waiting, self._unfinished = self._unfinished, None
        if self._waiting is None:
            return
        chosen, act = self._waiting
        if chosen != self._chosen():
            self._waiting = None
        elif self._ready():
            self._waiting, self._unfinished = None, self._waiting if self._failed() else None
            act()

    def _chosen(self) -> object:
        draft = self._session.desk.shown
        return self._session.stage.value, None if draft is None else (draft.text, draft.settings)
