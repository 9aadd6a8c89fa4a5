"""Finder of lesson metrics: executes in the background, when nothing else is to be traced, and keeps what it found.

A whole program is run in a process of its own first; what is asked of the run is then counted as of a launch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.metric import Metric, MetricAnswers, MetricQuestion, RunQuestion, SubjectQuestion, Value
from app.core.lessons.lesson import WholeProgram
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.base.messages import Message, message
from kernels.simt.host.process import Programs
from kernels.simt.host.result import NotRun, ProgramJob, ProgramOutcome
from kernels.simt.trace.launch_spec import NotTraced

Found = Value | Message
Given = Callable[[tuple[Found, ...]], object]
KEPT = 8
"""Runs of programs that are kept: several steps speak of one."""


class MetricFinder:
    """Finder of lesson metrics. `known` has what was found. `tick` asks for what is missing, one source after the other."""

    def __init__(self, tracer: StageTracer, background_tasks: BackgroundTasks) -> None:
        self.known: Field[Mapping[Metric, Found]] = Field({})
        self._tracer = tracer
        self._background_tasks = background_tasks
        self._wanted: tuple[Metric, ...] = ()
        self._of_text: tuple[SubjectQuestion | RunQuestion, Given] | None = None
        self._programs: Programs | None = None
        """What runs a program, as long as that is wanted."""
        self._runs: dict[ProgramJob, ProgramOutcome] = {}

    @property
    def settled(self) -> bool:
        """Whether nothing is still to be found."""
        return self._of_text is None and self._programs is None and not self._missing()

    def want(self, metrics: Iterable[Metric]) -> None:
        """Find these, in place of what was wanted before."""
        self._wanted = tuple(metric for metric in metrics if not metric.kernel)

    def want_of_text(self, subject: Subject, metrics: tuple[Metric, ...], given: Given) -> None:
        """Execute the launch of a text and give what the lesson metrics ask of it, in place of another text that was to be executed."""
        self._of_text = SubjectQuestion(subject, metrics), given

    def want_of_program(self, program: WholeProgram, metrics: tuple[Metric, ...], given: Given) -> None:
        """Run a program, unless it was run before, and give what the lesson metrics ask of the run."""
        job, programs = program.job, Programs()
        if job in self._runs:
            self._ran(job, metrics, given)
            return
        self._programs = programs

        def take(outcome: ProgramOutcome) -> None:
            if self._programs is programs:
                self._programs = None
                self._runs = {**dict(list(self._runs.items())[1 - KEPT :]), job: outcome}
                self._ran(job, metrics, given)

        self._background_tasks.send("program", lambda: programs.run(job), take)

    def forget_text(self) -> None:
        """The text that was to be executed is not wanted any more."""
        self._of_text = None
        if self._programs is not None:
            self._programs.cancel()
            self._programs = None

    def tick(self) -> None:
        """Never waits."""
        if not self._tracer.free:
            return
        missing = self._missing()
        if self._of_text is not None:
            question, given = self._of_text
            self._tracer.ask(question, partial(self._executed, question, given))
        elif missing:
            one_execution = tuple(
                metric for metric in missing if (metric.source, metric.setting) == (missing[0].source, missing[0].setting)
            )
            self._tracer.ask(MetricQuestion(one_execution), partial(self._answered, one_execution))

    def _ran(self, job: ProgramJob, metrics: tuple[Metric, ...], given: Given) -> None:
        """A program was run: have the run counted."""
        outcome = self._runs[job]
        if isinstance(outcome, NotRun):
            given((outcome.reason,) * len(metrics))
        else:
            self._of_text = RunQuestion(outcome, job.text, metrics), given

    def _missing(self) -> tuple[Metric, ...]:
        return tuple(metric for metric in self._wanted if metric not in self.known.value)

    def _answered(self, metrics: tuple[Metric, ...], outcome: Outcome) -> None:
        self.known.value = {**self.known.value, **dict(zip(metrics, _values(outcome, len(metrics)), strict=True))}

    def _executed(self, question: SubjectQuestion | RunQuestion, given: Given, outcome: Outcome) -> None:
        if self._of_text is not None and self._of_text[0] is question:
            self._of_text = None
            given(_values(outcome, len(question.metrics)))


def _values(outcome: Outcome, count: int) -> tuple[Found, ...]:
    if isinstance(outcome, MetricAnswers):
        return outcome.values
    reason = outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer.")
    return (reason,) * count
