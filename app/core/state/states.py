"""Snapshots of the running program, taken and shown, and the recent ones, newest first, kept between two starts.

The trace of a shown snapshot takes a moment to come: what is left to be done then is an `Arrival`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.documents import kept_object
from app.core.base.files.fields import BadFile, Table
from app.core.base.files.json_store import LOCK_WAIT_S, aside_unless
from app.core.base.files.locations import prepare
from app.core.base.observable import Field
from app.core.gpu_view.index import LaunchIndex
from app.core.programs.host_program import has_main
from app.core.session.session import Session, Workspace
from app.core.state.read import snapshot_from
from app.core.state.snapshot import Models, Pinned, Snapshot, TimelinePosition, put_back, take
from app.core.state.written import fields_of
from kernels.base.file_lock import held
from kernels.base.messages import Message, message

STATE_SHOWN = message("The state is shown. Nothing was measured, and nothing ran on a GPU.")
LINK_SHOWN = message("The link is shown. Nothing was measured, and nothing ran on a GPU.")


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
        draft = self._session.draft_editor.shown
        if draft is None or has_main(draft.text):  # a whole program says itself how it launches
            return self._session.stage.value, None if draft is None else draft.text
        return self._session.stage.value, (draft.text, draft.settings)


RESTS_S = 5.0
"""How long something must have been looked at to be worth coming back to."""
MOST = 12
FORMAT = "tilescope recent 1"


class RecentStates:
    """Recent states: from `start` on `tick` notices what is looked at; it never waits. Without a file nothing is kept."""

    def __init__(
        self,
        now: Callable[[], Snapshot],
        background_tasks: BackgroundTasks,
        file: Path | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now` says what is shown."""
        self.states: Field[tuple[Snapshot, ...]] = Field(())
        self.notice: Field[Message | None] = Field(None)
        """What became of a file that could not be understood."""
        self._now = now
        self._background_tasks = background_tasks
        self._file = file
        self._clock = clock
        self._since: tuple[object, float] | None = None
        self._started = self._dirty = self._writing = False

    def start(self) -> None:
        """Begin, and read in the background what was kept."""
        self._started = True
        if self._file is not None:
            file = self._file
            self._background_tasks.send("recent states", lambda: _read(file), self._found)

    def tick(self) -> None:
        """Take in what has been looked at long enough."""
        if not self._started:
            return
        self._keep()
        now = self._now()
        key = _key(now)
        if self._since is None or self._since[0] != key:
            self._since = key, self._clock()
        elif self._clock() - self._since[1] >= RESTS_S and not (self.states.value and _same(self.states.value[0], now)):
            seen = replace(now, seen=float(round(time.time())))
            self.states.value = (seen, *(each for each in self.states.value if _key(each) != key))[:MOST]
            self._dirty = True
            self._keep()

    def _found(self, found: tuple[tuple[Snapshot, ...], Message | None]) -> None:
        kept, self.notice.value = found
        self.states.value = _with(self.states.value, kept)

    def _keep(self) -> None:
        """Have them written, one time after the other. What cannot be kept is not there at the next start: nothing depends on it."""
        if self._file is None or not self._dirty or self._writing:
            return
        file, states = self._file, self.states.value
        self._dirty, self._writing = False, True
        self._background_tasks.send("recent states", lambda: prepare(file.parent) or _write(file, states), self._written)

    def _written(self, _failure: Message | None) -> None:
        self._writing = False


def _read(file: Path) -> tuple[tuple[Snapshot, ...], Message | None]:
    """The states of a file, or what became of one that could not be understood."""
    notice = aside_unless(file, FORMAT)
    return kept_in(file), notice


def _write(file: Path, states: tuple[Snapshot, ...]) -> Message | None:
    """Write them, and what another program has written there meanwhile after them."""
    with held(file.with_suffix(".lock"), LOCK_WAIT_S):
        kept, notice = _read(file)
        if notice is not None and file.exists():  # it could not even be set aside
            return notice
        return write_whole(file, text_of_all(_with(states, kept)))


def _with(states: tuple[Snapshot, ...], others: tuple[Snapshot, ...]) -> tuple[Snapshot, ...]:
    known = {_key(each) for each in states}
    return (*states, *(each for each in others if _key(each) not in known))[:MOST]


def kept_in(file: Path) -> tuple[Snapshot, ...]:
    """The states of a file, as many of them as can be read."""
    document = kept_object(file)
    entries = document.get("states") if document.get("format") == FORMAT else None
    kept = entries[:MOST] if isinstance(entries, list) else []
    return tuple(found for each in kept if isinstance(each, dict) and (found := _state(each)) is not None)


def text_of_all(snapshots: tuple[Snapshot, ...]) -> str:
    """Return the text of the file of recent states."""
    return json.dumps({"format": FORMAT, "states": [fields_of(each, own=True) for each in snapshots]}, ensure_ascii=False) + "\n"


def _state(fields: dict[str, object]) -> Snapshot | None:
    try:
        return snapshot_from(Table(fields), own=True)
    except BadFile:
        return None


def _key(snapshot: Snapshot) -> object:
    """What makes two states the same to somebody who looks for one: not where in time they are, nor what view is alone. Of a file that is
    not edited only what it says now can be shown."""
    draft = snapshot.draft if snapshot.edited else None
    edited = None if draft is None else (draft.name, draft.path, draft.text if draft.changed or draft.path is None else None)
    return snapshot.stage, edited, snapshot.workspace


def _same(one: Snapshot, other: Snapshot) -> bool:
    """Whether there is nothing in one state that the other would not bring back, but for where it is."""
    one, other = (each if each.draft is None else replace(each, draft=replace(each.draft, kernels=())) for each in (one, other))
    alike = one.draft == other.draft or not one.edited
    return _key(one) == _key(other) and one.beside == other.beside and alike


class States:
    """States of the program, taken and put back. `tick` finishes what has to wait for a trace."""

    def __init__(self, models: Models, ready: Callable[[], bool], background_tasks: BackgroundTasks, recent: Path | None) -> None:
        """`ready` says whether the stage shows what the session asks for; `recent` is the file of the recent states."""
        self._models = models
        self._pinned: Pinned | None = None
        models.comparison.pinned.subscribe(self._note_pinned)
        self.arrival = Arrival(models.session, ready, lambda: models.stage.failed.value)
        self.recent = RecentStates(self.now, background_tasks, recent)

    def now(self) -> Snapshot:
        """Return a snapshot of what is shown now."""
        shown, comparison = take(self._models), self._models.comparison
        if self._pinned is None or comparison.pair.value is None:
            return shown
        return replace(shown, beside=replace(self._pinned, view=comparison.chosen))

    def show(self, snapshot: Snapshot) -> None:
        """Show what was shown when a snapshot was taken, and go to its place as soon as its trace is there."""
        self.show_compared(snapshot, lambda: snapshot.place.go(self._models.stage.timeline))

    def show_compared(self, snapshot: Snapshot, act: Callable[[], object]) -> None:
        """Show a snapshot beside what it is compared with, if anything, and do something when their traces are there."""
        comparison, pinned = self._models.comparison, snapshot.beside
        comparison.leave()
        if pinned is None:
            self.show_and_then(snapshot, act)
            return

        def pin() -> None:
            comparison.toggle()
            self.show_and_then(snapshot, compare)

        def compare() -> None:
            comparison.choose(pinned.view)
            act()

        shown = replace(snapshot, stage=pinned.stage, draft=pinned.draft, edited=pinned.draft is not None, workspace=Workspace.STAGE, run=0)
        self.show_and_then(shown, pin)

    def _note_pinned(self, launch: LaunchIndex | None) -> None:
        """Note what is pinned as it was chosen. A program's launch, and one of two schedules, cannot be asked for by a choice alone."""
        session = self._models.session
        draft = session.draft_editor.shown
        alone = launch is not None and launch.subject.schedule is None and not (draft is not None and has_main(draft.text))
        self._pinned = Pinned(session.stage.value, draft) if alone else None

    def arrive(self, place: TimelinePosition, view: int) -> None:
        """Go to a place, and to the view that was alone there, as soon as the trace of what is chosen now is there."""
        stage = self._models.stage

        def go() -> None:
            stage.alone.value = view
            place.go(stage.timeline)

        self.arrival.then(go)

    def show_and_then(self, snapshot: Snapshot, act: Callable[[], object]) -> None:
        """Show it, and do something when its trace is there, in place of going to its place in time."""
        put_back(snapshot, self._models)
        self.arrival.then(act)

    def tick(self) -> None:
        """Never waits."""
        self.arrival.tick()
        self.recent.tick()
