"""Playground of a draft: what is executed of it, what was found wrong with it, and its runs on the GPU.

Runs on the GPU go beside everything else, one at a time; their times go to the curves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject, can_run_by_warps, entry_of, subject_of_draft
from app.core.programs.host_program import HostProgram, has_main
from app.core.programs.page import LaunchTimes
from app.core.session.draft import Draft, LaunchSettings, prepared_by
from app.core.session.draft_editor import DraftEditor
from app.core.session.session import Session
from app.core.stage.model import Shown
from app.core.tracing.stage_tracer import StageReply
from kernels.analysis.device_profiles import Profile
from kernels.base.arrays import Cancelled
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.catalogue.case import Case
from kernels.gpu.text_run import TextRun, Timed, run_apart
from kernels.measure.cores import HostCores
from kernels.measure.protocol import Protocol
from kernels.measure.results import EDITED, Result, Status
from kernels.simt.base.launch import LaunchRequest, Mode
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

RACES = frozenset({FindingKind.DATA_RACE})
TURNED = message("Blocks run from the last to the first, and warps take turns: an edge that was tried so. A change of the launch ends it.")
BY_WARPS = message("A data race was found. Warps now run one after the other, so that the wrong values it can give are seen.")


class Playground:
    """Model of what the panels show of the draft beside its text."""

    def __init__(self, draft_editor: DraftEditor, program: HostProgram | None = None) -> None:
        self.draft_editor = draft_editor
        self.program = program
        """What runs the `main` of a draft; None: launches are as the draft's settings say."""
        self.diagnostics: Field[tuple[Diagnostic, ...]] = Field(())
        """Of the newest text that was looked at; in order of their lines."""
        self.reason: Field[Message | None] = Field(None)
        """Why it is not executed, where no diagnostic says so."""
        self.remark: Field[Message | None] = Field(None)
        """What is particular about how it is executed."""
        self._raced: tuple[str, LaunchSettings] | None = None
        draft_editor.on_stage.subscribe(lambda _shown: self._forget())

    def subject(self, draft: Draft, profile: Profile) -> Subject:
        """What the stage executes of a draft: a launch that its `main` makes, else the one that its settings say."""
        launched = self.program.subject(draft, profile) if self.program is not None else None
        if launched is not None:
            return launched
        return subject_of_draft(draft, profile, Mode.WARP if self._raced == (draft.text, draft.settings) else Mode.BLOCK)

    def waits(self, draft: Draft) -> bool:
        """Whether what the draft launches is still being found out."""
        return self.program is not None and self.program.is_awaited(draft)

    def nothing_shown(self, draft: Draft) -> Message | None:
        """Why the stage has nothing of a program, though it ran; None where it has."""
        return None if self.program is None else self.program.nothing_shown(draft)

    def take(self, reply: StageReply) -> None:
        """Learn from an execution. This may change the draft: when its kernels become known."""
        outcome = reply.outcome
        if not isinstance(outcome, LaunchRecord | NotTraced) or not reply.final:
            return
        self.diagnostics.value = tuple(sorted(outcome.diagnostics, key=lambda each: (each.file != "", each.line, each.column)))
        self.reason.value = outcome.reason if isinstance(outcome, NotTraced) and not outcome.diagnostics else None
        raced = isinstance(outcome, LaunchRecord) and _is_raced(outcome) and outcome.trace.mode == Mode.WARP
        draft = self.draft_editor.shown
        self.remark.value = TURNED if draft is not None and draft.settings.turned else BY_WARPS if raced else None
        if outcome.kernels:
            self.draft_editor.found(outcome.kernels)

    def wants_warps(self, reply: StageReply) -> bool:
        """Whether a race was found whose wrong values another execution would show."""
        draft, outcome = self.draft_editor.shown, reply.outcome
        if draft is None or not isinstance(reply.work, Subject) or not isinstance(outcome, LaunchRecord):
            return False
        if not _is_raced(outcome) or reply.work.launch.mode is Mode.WARP or reply.work.text != draft.text or not can_run_by_warps(draft):
            return False
        self._raced = draft.text, draft.settings
        return True

    def notice(self, outcome: NotTraced, shown: Shown | None) -> Message:
        """What the stage says where a draft could not be executed."""
        draft = self.draft_editor.shown
        earlier = isinstance(shown, LaunchIndex) and draft is not None and shows(shown, draft)
        wrong = next((each for each in outcome.diagnostics if each.severity is Severity.ERROR), None)
        if not earlier or wrong is None:
            return outcome.reason
        return message(
            "Showing the last version that compiled. {file}:{line}: {error}",
            file=wrong.file or (draft.name if draft is not None else ""), line=wrong.line, error=wrong.message,
        )  # fmt: skip

    def _forget(self) -> None:
        self.diagnostics.value, self.reason.value, self.remark.value = (), None, None


def shows(index: LaunchIndex, draft: Draft) -> bool:
    """Whether a launch is one of the draft, or of the variant that it began as."""
    return (index.subject.variant_id, index.subject.name) == (draft.variant_id, draft.name)


Run = Callable[[TextRun], Timed | Message]


class GpuRuns:
    """Runs of the draft on the GPU. `add` takes results for the curves; `status` is the GPU's."""

    def __init__(
        self,
        session: Session,
        background_tasks: BackgroundTasks,
        status: Callable[[], DeviceStatus],
        add: Callable[[Result], object],
        run: Run | None = None,
        cores: HostCores | None = None,
        launch_times: LaunchTimes | None = None,
        shown: Callable[[], Shown | None] = lambda: None,
    ) -> None:
        """`cores` are held while a text runs: nothing else is measured then. `launch_times` are of the program that the draft is, `shown`
        is what the stage shows: what waits for ever there is not run."""
        self.said: Field[Message | None] = Field(None)
        """What has become of the last run, or why there can be none."""
        self._session = session
        self._background_tasks = background_tasks
        self._status = status
        self._add = add
        self._stopping = threading.Event()
        session.draft_editor.on_stage.subscribe(self._forget)
        self._run = run or (lambda job: run_apart(job, self._stopping.is_set))
        self._cores = cores or HostCores()
        self._launch_times = launch_times
        self._shown = shown
        self._running = False

    def start(self) -> None:
        """Run the draft that the stage shows."""
        draft, status = self._session.draft_editor.shown, self._status()
        if draft is None or self._running:
            return
        if not status.ready:
            self.said.value = status.reason or message("The GPU is being looked for.")
            return
        running = message("Running on {gpu}, when nothing else is measured…", gpu=status.name)
        if has_main(draft.text) and self._launch_times is not None:
            self._start_launches(self._launch_times, running)
            return
        job = job_of(draft, subject_of_draft(draft, self._session.profile.value))
        if job is None:
            self.said.value = message("The text has no kernel to run.")
            return
        endless = endless_wait(self._shown(), draft)
        if endless is not None:
            self.said.value = endless
            return
        self._running = True
        self.said.value = running
        self._background_tasks.send("gpu-text", lambda: self._run_alone(job), lambda found: self._done(draft, found))

    def _start_launches(self, launch_times: LaunchTimes, running: Message) -> None:
        """Run the launches of a program, one of each kind."""
        jobs = launch_times.to_measure()
        if not jobs:
            self.said.value = message("The program has no launch that ran here and was kept.")
            return
        self._running = True
        self.said.value = running
        self._background_tasks.send(
            "gpu-text", lambda: [self._run_alone(job) for job in jobs], lambda found: self._done_launches(launch_times, jobs, found)
        )

    def shutdown(self) -> None:
        """Give up what runs."""
        self._stopping.set()

    def _run_alone(self, job: TextRun) -> Timed | Message:
        try:
            with self._cores.hold(self._check):
                return self._run(job)
        except Cancelled:
            return message("Cancelled.")

    def _check(self) -> None:
        if self._stopping.is_set():
            raise Cancelled

    def _forget(self, _on_stage: bool) -> None:
        self.said.value = None

    def _done_launches(self, launch_times: LaunchTimes, jobs: Sequence[TextRun], found: Sequence[Timed | Message]) -> None:
        self._running = False
        refused = next((each for each in found if isinstance(each, Message)), None)
        self.said.value = refused or message("Launches timed on {gpu}: {count}.", gpu=self._status().name, count=len(found))
        for job, each in zip(jobs, found, strict=True):
            if isinstance(each, Timed):
                launch_times.measured(job, each)

    def _done(self, draft: Draft, found: Timed | Message) -> None:
        self._running = False
        self.said.value = sentence(found)
        result = result_of(draft, found)
        if result is not None:
            self._add(result)


def endless_wait(shown: Shown | None, draft: Draft) -> Message | None:
    """Why a launch of the draft is not run on a GPU, where its execution on the stage found threads that wait for ever."""
    if not isinstance(shown, LaunchIndex) or not shows(shown, draft) or shown.subject.text != draft.text:
        return None
    found = next((each for each in shown.record.findings if each.kind is FindingKind.DEADLOCK), None)
    if found is None:
        return None
    line, reason = found.location.line, found.message
    return message("Not run on the GPU, where it would never end. Line {line}: {reason}", line=line, reason=reason)


def job_of(draft: Draft, subject: Subject) -> TextRun | None:
    """The launch of a draft for the GPU; verified where it is that of a variant."""
    entry = entry_of(draft)
    if entry is None:
        return None
    settings, first = draft.settings, prepared_by(draft)
    problem = draft.problem if draft.as_in_the_catalogue else None
    point = None if problem is None or not problem.shapes else Case(draft.variant_id, problem, draft.parameters)
    launch, defines = LaunchRequest(settings.grid, settings.block, shared_bytes=settings.shared_bytes), dict(settings.defines)
    before = first and LaunchSpec(draft.text, first.entry, LaunchRequest(first.launch.grid, first.launch.block), draft.path, defines)
    return TextRun(draft.text, entry, launch, draft.path, defines, dict(subject.texts), before, point)


def result_of(draft: Draft, found: Timed | Message) -> Result | None:
    """A point of the curves: of a copy that is launched as its variant is; marked as edited."""
    if isinstance(found, Message) or draft.problem is None or not draft.problem.shapes or not draft.as_in_the_catalogue:
        return None
    point = Case(draft.variant_id, draft.problem, {**draft.parameters, EDITED: 1})
    status = Status.WRONG if found.reason is not None else Status.MEASURED if len(found.times_ms) > 1 else Status.SINGLE
    created = datetime.now(UTC).isoformat(timespec="seconds")
    result = Result(point, status, created, found.times_ms, found.relative_error, found.allowed_error, found.reason)
    return replace(result, conditions={**asdict(Protocol()), **found.conditions, "text": f"copy of {draft.variant_id}"})


def sentence(found: Timed | Message) -> Message:
    """What is said of a run."""
    if isinstance(found, Message):
        return found
    if found.reason is not None:
        return found.reason
    ordered = sorted(found.times_ms)
    told = message("{ms} ms on {gpu}, the median of {count} samples.", ms=ordered[len(ordered) // 2],
                   gpu=str(found.conditions["gpu"]), count=len(ordered))  # fmt: skip
    if found.relative_error is None:
        return told
    return message("{told} The result is right.", told=told)


def _is_raced(record: LaunchRecord) -> bool:
    """Whether a launch has a data race."""
    return any(finding.kind in RACES for finding in record.findings)
