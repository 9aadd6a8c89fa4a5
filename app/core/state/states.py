"""Snapshots of the running program: taken, and shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.core.errands import Errands
from app.core.session import Session
from app.core.stage_model import StageModel
from app.core.state.arrival import Arrival
from app.core.state.recent import RecentStates
from app.core.state.snapshot import Snapshot, put_back, take
from app.core.timing import TimingModel


class States:
    """`tick` finishes what has to wait for a trace."""

    def __init__(
        self, session: Session, stage: StageModel, timing: TimingModel, ready: Callable[[], bool], errands: Errands, recent: Path | None
    ) -> None:
        """`ready` says whether the stage shows what the session asks for; `recent` is the file of the recent states."""
        self._session, self._stage, self._timing = session, stage, timing
        self.arrival = Arrival(session, ready)
        self.recent = RecentStates(self.now, errands, recent)

    def now(self) -> Snapshot:
        """What is shown now."""
        return take(self._session, self._stage, self._timing)

    def show(self, snapshot: Snapshot) -> None:
        """Show what was shown when a snapshot was taken, and go to its place as soon as its trace is there."""
        self.show_and_then(snapshot, lambda: snapshot.place.go(self._stage.timeline))

    def show_and_then(self, snapshot: Snapshot, act: Callable[[], object]) -> None:
        """Show it, and do something when its trace is there, in place of going to its place in time."""
        put_back(snapshot, self._session, self._stage, self._timing)
        self.arrival.then(act)

    def tick(self) -> None:
        """Never waits."""
        self.arrival.tick()
        self.recent.tick()
