"""Snapshots of the running program: taken, and shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.core.errands import Errands
from app.core.state.arrival import Arrival
from app.core.state.recent import RecentStates
from app.core.state.snapshot import Models, Snapshot, put_back, take


class States:
    """`tick` finishes what has to wait for a trace."""

    def __init__(self, models: Models, ready: Callable[[], bool], errands: Errands, recent: Path | None) -> None:
        """`ready` says whether the stage shows what the session asks for; `recent` is the file of the recent states."""
        self._models = models
        self.arrival = Arrival(models.session, ready, lambda: models.stage.failed.value)
        self.recent = RecentStates(self.now, errands, recent)

    def now(self) -> Snapshot:
        """What is shown now."""
        return take(self._models)

    def show(self, snapshot: Snapshot) -> None:
        """Show what was shown when a snapshot was taken, and go to its place as soon as its trace is there."""
        self.show_and_then(snapshot, lambda: snapshot.place.go(self._models.stage.timeline))

    def show_and_then(self, snapshot: Snapshot, act: Callable[[], object]) -> None:
        """Show it, and do something when its trace is there, in place of going to its place in time."""
        put_back(snapshot, self._models)
        self.arrival.then(act)

    def tick(self) -> None:
        """Never waits."""
        self.arrival.tick()
        self.recent.tick()
