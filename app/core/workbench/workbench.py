"""Workbench: joins the session to the workers; what the user chose becomes traces and measurements, and their results become models.

The window calls `tick` from a capped timer and never waits; every worker is asked, none calls back.
"""

from __future__ import annotations

import math
import time
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.locations import NOTHING_KEPT, Kept
from app.core.base.observable import Field
from app.core.base.picture_parts import Counter
from app.core.challenges.progress import ChallengeProgress
from app.core.compare.comparison import Comparison
from app.core.compare.race_comparison import RaceComparison
from app.core.gpu_view.index import LaunchIndex
from app.core.ladder.model import LadderModel
from app.core.programs.host_program import HostProgram
from app.core.programs.page import LaunchTimes, ProgramPage
from app.core.programs.readable_files import ReadableFiles
from app.core.results.curves import Provenance
from app.core.results.device_detection import Devices
from app.core.results.gpu_uses import Uses
from app.core.results.known_results import Results
from app.core.results.labels import measuring_sentence
from app.core.results.measuring import MeasuringService
from app.core.results.stillness import Stillness
from app.core.session.session import Session, Workspace
from app.core.stage.controller import CounterRows, StageController
from app.core.stage.draft_backup import DraftBackup
from app.core.stage.edge_checks import EdgeSearch
from app.core.stage.file_watch import FileWatch
from app.core.stage.model import NO_NEXT_INSTRUCTION, AnyPicture, StageModel
from app.core.stage.playground import GpuRuns, Playground, shows
from app.core.stage.studies import IdleWork
from app.core.state.closed_state import ClosedState
from app.core.state.last_session import LastSession
from app.core.state.snapshot import Models
from app.core.state.states import States
from app.core.timelines.model import ExecutionTimelines
from app.core.timelines.recorder import Recorder
from app.core.timing.model import LibraryPercentages, TimingModel, points_of
from app.core.timing.recordings import write_measurements
from app.core.timing.use_timer import AnyUseTimer, UseModel, use_sentence
from app.core.tracing.stage_tracer import StageTracer
from app.core.tuning.model import AnyTuner, TuningModel
from app.core.tuning.sentences import tuning_sentence
from app.core.workbench.attempt_runner import Practice
from app.core.workbench.lesson_controller import LessonController
from kernels.base.devices import Availability
from kernels.base.limits import Limits
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.store import ResultStore
from kernels.simt.host.process import Spare

CURVES_S, WORDS_S = 0.4, 0.05
"""So long after a result, and after other news, pictures of them may still be drawn."""
PREPARING_S = 0.1
"""How long the stage must have been ready before a process is made for the first program: it takes most of a second of a processor, and a
first program that is opened earlier waits for it."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers in the background, all of them."""

    tracing: StageTracer
    measuring: MeasuringService
    tuner: AnyTuner
    use_timer: AnyUseTimer
    devices: Devices
    background_tasks: BackgroundTasks
    store: ResultStore
    stillness: Stillness
    kept: Kept = NOTHING_KEPT


def _program(session: Session, workers: Workers) -> HostProgram:
    """Make what runs whole programs, with what these may read."""
    files = ReadableFiles(workers.kept.readable_files, workers.background_tasks)
    return HostProgram(session.draft_editor, session.profile, workers.background_tasks, spare=Spare(), files=files)


class Workbench:
    """Workbench: the models that the panels draw, kept true by `tick`."""

    def __init__(self, session: Session, workers: Workers) -> None:
        self.session = session
        self.stage = StageModel()
        self.comparison = Comparison(self.stage)
        self.races = RaceComparison(self.stage, self.comparison, workers.tracing)
        self.studies = IdleWork(session, self.stage, workers.tracing, workers.background_tasks)
        self.timing = TimingModel(session.stage.value.variant.id, workers.background_tasks)
        self.devices = workers.devices.statuses
        self.counters: Field[tuple[Counter, ...]] = Field(())
        self.shares = LibraryPercentages(session, self.timing, workers.background_tasks)
        self.activity: Field[Message | None] = Field(None)
        """What is being done in the background, for the status bar."""
        self._workers = workers
        self._rows = CounterRows()
        self._requests: list[int] = []
        self._history_loaded = False
        self._told: Message | None = None
        self._moving_until = 0.0
        """When all that was handed over has been drawn."""
        self._ready_since: float | None = None
        """When the stage first showed what was asked for; infinite once a process was made for the first program."""
        self._writing = False
        """Whether results that wait for the history's file are being written."""
        self.program = _program(session, workers)
        self.edges = EdgeSearch(session, self.program, workers.tracing, workers.background_tasks)
        self.program_page = ProgramPage(session, self.program, LaunchTimes(session, self.program, workers.tracing), self.comparison.pins)
        self.playground = Playground(session.draft_editor, self.program)
        self.draft_backup = DraftBackup(session.draft_editor, workers.kept.drafts, workers.background_tasks)
        self.runs = GpuRuns(
            session, workers.background_tasks, lambda: self.devices.value[Device.GPU],
            lambda result: self.timing.add(Provenance.MEASURED, (result,)), cores=workers.measuring.cores,
            launch_times=self.program_page.times, shown=lambda: self.stage.shown.value,
        )  # fmt: skip
        self.tuning = TuningModel(session, self.timing, self.devices, workers.tuner)
        self.uses = UseModel(session, self.timing, self.devices, workers.use_timer)
        self.ladder = LadderModel(session, self.timing)
        self.real_runs = ExecutionTimelines(session, Recorder(workers.measuring.lend))
        self._controller = StageController(session, self.stage, workers.tracing, self.playground)
        self._keep(session, workers)
        self._follow(session)

    def _keep(self, session: Session, workers: Workers) -> None:
        """Make what files keep: the watch on the draft's, states, the last session, lessons and challenges."""
        tasks, kept = workers.background_tasks, workers.kept
        models = Models(session, self.stage, self.timing, self.ladder, self.real_runs, self.comparison)
        self.file_watch = FileWatch(session.draft_editor, tasks, self.tell, self.withdraw)
        self.states = States(models, lambda: self.stage_ready, tasks, kept.recent_states)
        self.last_session = LastSession(self.states, self.draft_backup, kept.sessions, tasks)
        self.closed_state = ClosedState(self.states, session, self.draft_backup, tasks, self.tell)
        self.lesson_controller = LessonController(
            session, self.stage, self.comparison, self.states, workers.tracing, tasks, kept.lesson_progress, self.program_page, self.races,
            self.timing.shown,
        )  # fmt: skip
        self.practice = Practice(
            session.draft_editor, workers.tracing, ChallengeProgress(kept.challenge_progress, tasks), self.program_page, tasks
        )

    def _follow(self, session: Session) -> None:
        """Answer what is chosen and done from now on; what cannot be shown elsewhere is told in the status bar."""
        session.stage.subscribe(self._rung_chosen)
        session.workspace.subscribe(self._workspace_chosen)
        session.timing.subscribe(lambda _choice: self._forget_outcome())
        self.stage.told.subscribe(self._picture_told)
        self.stage.shown.subscribe(lambda _shown: self.withdraw(*NO_NEXT_INSTRUCTION))
        self.timing.progress.subscribe(lambda progress: self._say(measuring_sentence(progress)))
        self.tuning.progress.subscribe(lambda progress: self._say(tuning_sentence(progress)))
        self.uses.progress.subscribe(lambda progress: self._say(use_sentence(progress)))
        for told in (
            self.last_session.notice,
            self.states.recent.notice,
            self.lesson_controller.progress.failure,
            self.practice.progress.failure,
            self.program.files.failure,
        ):
            told.subscribe(self._say)

    def start(self) -> None:
        """Set the workers going; the stage's trace is the first thing wanted."""
        self._workers.tracing.start()
        self._controller.ask()
        self._workers.devices.start()

    def start_keeping(self) -> None:
        """Keep what is shown and edited from now on, and look for what an earlier run left."""
        self.draft_backup.start()
        self.states.recent.start()
        self.last_session.start()

    @property
    def stage_ready(self) -> bool:
        """Whether the stage shows what the session asks for, or why it cannot."""
        return self._controller.ready

    @property
    def stage_name(self) -> Message:
        """Name of what the stage shows: of a text that is edited its own, with the kernel's; else of the variant, with its rung."""
        draft, shown = self.session.draft_editor.shown, self.stage.shown.value
        if draft is None:
            variant = self.session.stage.value.variant
            return message("{rung} {title}", rung=variant.rung, title=variant.title)
        entry = shown.subject.entry if isinstance(shown, LaunchIndex) and shows(shown, draft) else draft.settings.entry
        return draft.title if entry is None else message("{kernel} in {file}", kernel=entry, file=draft.title)

    @property
    def settled(self) -> bool:
        """Whether all devices have answered and earlier results are shown."""
        return self._history_loaded and all(s.availability is not Availability.PROBING for s in self.devices.value.values())

    def load_history(self, history: Results | Message) -> None:
        """Show results of earlier days and of other machines, or why they could not be read."""
        if isinstance(history, Message):
            self.activity.value = history
        else:
            self.timing.take(history)
        self._history_loaded = True

    def load_uses(self, uses: Uses | Message) -> None:
        """Show earlier uses of a GPU, or why they could not be read."""
        if isinstance(uses, Message):
            self.activity.value = uses
        else:
            self.timing.uses.value = uses

    def limits(self, device: Device) -> Limits:
        """What the device allows; the defaults while it is not known."""
        return self.devices.value[device].limits if device in self.devices.value else Limits()

    def measure(self) -> None:
        """Measure everything that is ticked."""
        points = points_of(self.session.timing.value)
        if points:
            self._requests.append(self._workers.measuring.start(points))
        else:
            self.activity.value = message("Tick rungs in the ladder to measure them.")

    def cancel(self) -> None:
        """Stop measuring; finished points stay."""
        for request in self._requests:
            self._workers.measuring.cancel(request)
        self._requests.clear()
        self.tuning.cancel()
        self.uses.cancel()

    def go_to_step(self, step: int) -> None:
        """Show a step of the launch on the stage, whatever page of its program is in front."""
        self.program_page.leave()
        self.stage.timeline.scrub(step)

    def tell(self, sentence: Message) -> None:
        """Say something in the status bar."""
        self.activity.value = sentence

    def next_instruction(self) -> None:
        """Show the fragments of the next matrix instruction, or say why that cannot be."""
        if (reason := self.stage.next_instruction()) is not None:
            self.tell(reason)

    def withdraw(self, *sentences: Message) -> None:
        """Say them no more, if one is what the status bar still says."""
        if self.activity.value in sentences:
            self.activity.value = None

    def export(self, path: Path) -> Message | None:
        """Write what was measured here for the shown operation, as CSV or JSON by the file's ending.

        Returns why it could not be written; `activity` too tells how it went.
        """
        reason = write_measurements(self.timing.results.in_time(Provenance.MEASURED), self.session.operation, path)
        self.activity.value = reason or message("Written: {path}", path=str(path))
        return reason

    def tick(self) -> None:
        """Take over what the workers have finished. Never waits. While samples are taken nothing moves but what a hand asked for."""
        self._controller.tick()
        still = self._workers.stillness
        self.stage.timeline.held, self.stage.timeline.sparing = still.active, self.measuring
        if still.active:
            return
        self._take_over()
        progress, results = self._workers.measuring.progress().rounded, self._workers.measuring.drain()
        changed = bool(results) or progress != self.timing.progress.value
        self.timing.add(Provenance.MEASURED, results)
        self.timing.progress.value = progress
        self._tell_of_the_store()
        now = time.monotonic()
        if results or changed:
            self._moving_until = max(self._moving_until, now + (CURVES_S if results else WORDS_S))
        if still.asked and now >= self._moving_until and self._workers.tracing.free and not self.stage.waiting:
            self.stage.timeline.held = True
            still.grant()

    def _take_over(self) -> None:
        self._workers.background_tasks.tick()
        self.races.tick()
        if not self.measuring:
            self._prepare_for_programs()
            if not self.program.running.value:
                self.studies.tick()  # which asks for studies of other settings
            self.program_page.times.tick()
        for part in (
            self.program, self.draft_backup, self.file_watch, self.real_runs, self.tuning, self.uses, self.states, self.last_session,
            self.closed_state, self.lesson_controller, self.practice, self.edges, self.program.files,
        ):  # fmt: skip
            part.tick()

    def _prepare_for_programs(self) -> None:
        """Have a process wait for the first program, when the stage has been ready for a moment."""
        if self._ready_since is None and self.stage_ready:
            self._ready_since = time.monotonic()
        if self._ready_since is not None and time.monotonic() - self._ready_since >= PREPARING_S:
            self._ready_since = math.inf
            self.program.prepare()

    @property
    def interrupted(self) -> bool:
        """Whether points are still to be measured: an end now is offered to be gone on from."""
        return bool(self._workers.measuring.progress().wanted)

    @property
    def measuring(self) -> bool:
        """Whether anything is measured, or waits to be: the samples would show what else is done."""
        return self._workers.stillness.asked or self._workers.measuring.busy

    def shutdown(self, timeout: float) -> tuple[Message, ...]:
        """End every worker within about `timeout` seconds. Returns what could not be interrupted."""
        self._workers.tracing.stop()
        self.studies.shutdown()
        self.runs.shutdown()
        self.program.shutdown()
        self.edges.close()
        self.practice.finish()
        self.program.files.finish()
        self.lesson_controller.finish()
        self.draft_backup.finish()
        if self.interrupted:
            self.last_session.leave(measuring=True)
        self.last_session.finish()
        stuck = self._workers.measuring.shutdown(timeout / 2)
        self._workers.tracing.shutdown(timeout / 2)
        self._workers.background_tasks.join(timeout / 4)
        if not stuck:
            self._workers.store.close()
        return stuck

    def _workspace_chosen(self, workspace: Workspace) -> None:
        """A stage that nobody sees stands still: its pictures would take time from what is measured."""
        if workspace is not Workspace.STAGE:
            self.stage.timeline.pause()

    def _picture_told(self, picture: AnyPicture | None) -> None:
        self.counters.value = self._rows.of(picture)

    def _say(self, sentence: Message | None) -> None:
        if sentence is not None:
            self.activity.value = sentence

    def _tell_of_the_store(self) -> None:
        """Say once what became of the history's file. One that could not be written is tried again beside the interface."""
        store = self._workers.store
        if store.retry_due and not self._writing:
            self._writing = True
            self._workers.background_tasks.send("history", store.write_waiting, self._tried_to_write)
        notice = store.notice
        if notice is not self._told:
            self._told = notice
            self.activity.value = notice

    def _tried_to_write(self, _: None) -> None:
        self._writing = False

    def _forget_outcome(self) -> None:
        """What came of a measurement is not told any more beside another choice."""
        told = measuring_sentence(self.timing.progress.value)
        if told is not None and not self._workers.measuring.progress().busy:
            self._workers.measuring.forget_ended()
            self.withdraw(told)

    def _rung_chosen(self, choice: Case) -> None:
        self._forget_outcome()
        self.timing.staged.value = choice.variant.id
