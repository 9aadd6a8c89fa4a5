"""Model of a program's page: whether it is in front, which event is selected, what the launches take by the model of the chosen GPU."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from copy import copy
from functools import partial

from app.core.base.observable import Field
from app.core.predictions.launch_time import LaunchWork, LaunchWorkQuestion, time_on
from app.core.programs.frame import LaunchTime, ProgramFrame, Times, frame_of
from app.core.programs.host_program import HostProgram
from app.core.session.session import Session
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.base.messages import Message
from kernels.gpu.text_run import TextRun, Timed
from kernels.simt.base.launch import Dim3
from kernels.simt.host.result import EventKind, HostFinding, Launched, NotRun, ProgramOutcome, ProgramRun

Alike = tuple[str, Dim3, Dim3, int]
"""What launches have in common that ask for as much."""


class LaunchTimes:
    """Times of the launches of the newest run: predicted, for which one of each kind is executed again to count what it asks for, and
    measured on the GPU where that was asked for."""

    def __init__(self, session: Session, program: HostProgram, tracer: StageTracer) -> None:
        self.times: Field[Times] = Field({})
        self._session = session
        self._program = program
        self._tracer = tracer
        self._run: ProgramOutcome | None = None
        self._known: dict[Alike, LaunchWork | None] = {}
        self._measured: dict[Alike, Timed] = {}
        session.profile.subscribe(lambda _profile: self._show())
        program.outcome.subscribe(self._begin)

    @property
    def settled(self) -> bool:
        """Whether all is known that can be known."""
        return self._next() is None

    def to_measure(self) -> tuple[TextRun, ...]:
        """One launch of each kind of the newest run, as the GPU runs it: with the arguments, arrays and variables that it had."""
        draft = self._session.draft_editor.shown
        found = {_alike(each): each for each in reversed(self._program.launches) if each.request is not None and each.refused is None}
        specs = (
            None if draft is None else self._program.spec_of(each, draft, self._session.profile.value) for each in reversed(found.values())
        )
        return tuple(TextRun(each.text, each.entry, each.launch, each.path) for each in specs if each is not None)

    def measured(self, job: TextRun, found: Timed) -> None:
        """Take over what was measured of a launch, if it is one of the newest run."""
        arguments = (each.request.arguments for each in self._program.launches if each.request is not None)
        if any(each is job.launch.arguments for each in arguments):
            self._measured[job.entry or "", job.launch.grid, job.launch.block, job.launch.shared_bytes] = found
            self._show()

    def tick(self) -> None:
        """Ask about the next launch, if the tracer has time."""
        number = self._next()
        draft = self._session.draft_editor.shown
        if number is None or draft is None or not self._tracer.free:
            return
        launched = self._program.launches[number]
        subject = self._program.spec_of(launched, draft, self._session.profile.value)
        if subject is None:
            return
        self._tracer.ask(LaunchWorkQuestion(subject), partial(self._answered, self._run, _alike(launched)))

    def _begin(self, outcome: ProgramOutcome | None) -> None:
        if _is_same(outcome, self._run):  # only its races have come
            self._run = outcome
            return
        self._run = outcome
        self._known = {}
        self._measured = {}
        self._show()

    def _next(self) -> int | None:
        launches = enumerate(self._program.launches)
        return next((number for number, each in launches if each.request is not None and _alike(each) not in self._known), None)

    def _answered(self, run: ProgramOutcome | None, key: Alike, outcome: Outcome) -> None:
        if run is self._run or _is_same(run, self._run):
            self._known[key] = outcome if isinstance(outcome, LaunchWork) else None
            self._show()

    def _show(self) -> None:
        launches = enumerate(self._program.launches)
        found = {number: self._time(_alike(each)) for number, each in launches if each.refused is None}
        self.times.value = {number: time for number, time in found.items() if time.milliseconds is not None}

    def _time(self, key: Alike) -> LaunchTime:
        work, timed = self._known.get(key), self._measured.get(key)
        time = None if work is None else time_on(work, self._session.profile.value)
        predicted = None if time is None or isinstance(time, Message) else time.milliseconds
        if timed is None or not timed.times_ms:
            return LaunchTime(predicted)
        return LaunchTime(predicted, statistics.median(timed.times_ms), len(timed.times_ms), str(timed.conditions["gpu"]))


def _is_same(one: ProgramOutcome | None, other: ProgramOutcome | None) -> bool:
    """Whether both are what one run did, with or without its races."""
    return isinstance(one, ProgramRun) and isinstance(other, ProgramRun) and one.events is other.events


def _alike(launched: Launched) -> Alike:
    return launched.entry, launched.grid, launched.block, launched.shared_bytes


class ProgramPage:
    """Page of a program. `shown`: in place of the stage. `frame` is of the newest run and the selected event; None where nothing ran."""

    def __init__(self, session: Session, program: HostProgram, times: LaunchTimes, stays_back: Callable[[], bool] = lambda: False) -> None:
        """`stays_back` says whether a file that is opened is to be shown without its page."""
        self.program = program
        self.times = times
        self.session = session
        self.shown = Field(value=False)
        self.offered = Field(value=False)
        """Whether there is a run to be shown."""
        self.frame: Field[ProgramFrame | None] = Field(None)
        self.line: Field[int | None] = Field(None)
        """The line of what is selected, in the text that ran, while the page is shown."""
        self._run: ProgramRun | None = None
        self._file: object = None
        self.finding = Field(-1)
        """Number of the finding that was selected last; -1: none was."""
        self._wanted = False
        """Whether the page is to be shown with the next run."""
        self._stays_back = stays_back
        program.outcome.subscribe(self._take)
        times.times.subscribe(lambda _times: self._draw())
        session.draft_editor.on_stage.subscribe(lambda _shown: self._leave())
        self.shown.subscribe(lambda _shown: self._point())

    def apart(self) -> ProgramPage:
        """A page of the same run that is moved by itself."""
        made = copy(self)
        made.frame, made.line, made.shown = Field(self.frame.value), Field(None), Field(value=False)
        return made

    def select(self, event: int) -> None:
        """Select an event; the first or the last one where there is none of that number."""
        if self._run is not None and self._run.events:
            self._draw(min(max(event, 0), len(self._run.events) - 1))

    def select_finding(self, number: int) -> None:
        """Select the event that a finding is about, and point at its line."""
        frame = self.frame.value
        if frame is not None and number < len(frame.run.findings):
            finding, self.finding.value = frame.run.findings[number], number
            event = event_of(frame.run, finding)
            if event is not None:
                self.select(event)
            self.line.value = finding.location.line if finding.location.line and not finding.location.file else self.line.value

    def next_finding(self) -> bool:
        """Select the finding after the one that was selected last; after the last one the first. False where there is none."""
        frame = self.frame.value
        if frame is None or not frame.run.findings:
            return False
        self.select_finding((self.finding.value + 1) % len(frame.run.findings))
        return True

    @property
    def wanted_files(self) -> frozenset[str]:
        """Files that the newest run wanted to read, and may not yet."""
        return frozenset(() if self._run is None else (each.name for each in self._run.files if each.bytes is None))

    def allow_files(self) -> None:
        """Let the program read what it wanted to; it is run again."""
        if self.program.path is not None:
            self.program.files.allow(self.program.path, self.wanted_files)

    def withdraw_files(self) -> None:
        """Let the program read nothing beside it any more; it is run again."""
        if self.program.path is not None:
            self.program.files.withdraw(self.program.path)

    def move(self, by: int) -> None:
        """Select an event so many places later."""
        frame = self.frame.value
        if frame is not None:
            self.select(frame.selected + by)

    def open_launch(self, number: int | None = None) -> bool:
        """Show a launch on the stage, the selected one where none is named; False where there is none that can be shown."""
        frame = self.frame.value
        if number is None and frame is not None and frame.event.kind is EventKind.LAUNCH:
            number = frame.event.number
        launches = self.program.launches
        if number is None or number >= len(launches) or launches[number].request is None:
            return False
        self.program.launch.value = number
        self.shown.value = False
        return True

    def toggle(self) -> None:
        """Show the page, or the stage again."""
        self.shown.value = self.offered.value and not self.shown.value

    def open_page(self) -> None:
        """Show the page in place of the stage: now if there is a run, else as soon as there is one."""
        draft = self.session.draft_editor.shown
        self._wanted = draft is not None and self.program.is_awaited(draft)
        self.shown.value = self.offered.value and not self._wanted

    def leave(self) -> None:
        """Show the stage."""
        self.shown.value = False

    def _take(self, outcome: ProgramOutcome | None) -> None:
        draft = self.session.draft_editor.shown
        before = self.frame.value
        if isinstance(outcome, NotRun) and before is not None and draft is not None and self._file == (draft.path, draft.name):
            return  # the last version that ran stays, as on the stage
        run = outcome if isinstance(outcome, ProgramRun) and outcome.events else None
        self._run = run
        self.offered.value = run is not None
        if run is None or draft is None:
            self.frame.value = None
            if outcome is None:
                self._leave()
            return
        file = draft.path, draft.name
        if file == self._file and before is not None:
            known = before.run.findings
            selected = known[self.finding.value] if 0 <= self.finding.value < len(known) else None
            self.finding.value = run.findings.index(selected) if selected in run.findings else -1
            self._draw(same_event(before, run))
            return
        self._file, self.finding.value = file, -1
        launches = (number for number, event in enumerate(run.events) if event.kind is EventKind.LAUNCH)
        self._draw(next(launches, 0))
        self.shown.value = self._wanted or (draft.path is not None and not draft.variant_id and not self._stays_back())
        self._wanted = False

    def _leave(self) -> None:
        if self.session.draft_editor.shown is None:
            self._file = None
            self.shown.value = False

    def _draw(self, event: int | None = None) -> None:
        frame = self.frame.value
        if event is None:
            event = frame.selected if frame is not None else 0
        if self._run is not None:
            self.frame.value = frame_of(self._run, self.times.times.value, min(event, len(self._run.events) - 1))
        self._point()

    def _point(self) -> None:
        frame = self.frame.value
        self.line.value = None if frame is None or not self.shown.value else frame.cells[frame.selected].line


def event_of(run: ProgramRun, finding: HostFinding) -> int | None:
    """The event that a finding is about: its launch, else the first at its line, or at the other line that it names."""
    if finding.launch is not None:
        launches = (number for number, each in enumerate(run.events) if each.kind is EventKind.LAUNCH and each.number == finding.launch)
        return next(launches, None)
    lines: dict[tuple[str, int], int] = {}
    for number, each in enumerate(run.events):
        lines.setdefault((each.location.file, each.location.line), number)
    named = (lines.get((at.file, at.line)) for at in (finding.location, finding.other) if at is not None and at.line)
    return next((number for number in named if number is not None), None)


def event_at(run: ProgramRun, text: str, line: str, occurrence: int = 0) -> int | None:
    """The event, of those at lines of the program's text that hold `line`, that comes after `occurrence` others; the last where there are
    fewer, None where there is none."""
    lines = {number for number, each in enumerate(text.splitlines(), start=1) if line in each}
    places = [
        number
        for number, event in enumerate(run.events)
        if event.location.line in lines and not event.location.file and event.kind is not EventKind.END
    ]
    return places[min(occurrence, len(places) - 1)] if places else None


def same_event(before: ProgramFrame, run: ProgramRun) -> int:
    """The event of another run that the selected one was: the so many-th of its kind, or the last of them; else the one at its place."""
    kind = before.event.kind
    turn = sum(event.kind is kind for event in before.run.events[: before.selected])
    places = [number for number, event in enumerate(run.events) if event.kind is kind]
    return places[min(turn, len(places) - 1)] if places else min(before.selected, len(run.events) - 1)
