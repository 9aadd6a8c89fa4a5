"""A class in which a test is the program and the tracer: what a lesson asks of them, it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from app.core.base.background import BackgroundTasks
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.metric import Metric, MetricAnswers, MetricQuestion, SubjectQuestion, Value
from app.core.lessons.current_lesson import CurrentLesson, StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Action, Lesson, Scene
from app.core.lessons.metric_finder import MetricFinder
from app.core.session.draft import Draft
from app.core.tracing.stage_tracer import StageTracer
from kernels.base.messages import Message

SHOWN = 'show = { variant = "gpu.transpose-shared", n = 64, tile = 32, line = "tile[tx][ty]" }'
WAVES = '{ launch = "gpu.transpose-shared", n = 64, tile = 32, count = "most_wavefronts" }'
STRUCTURE = f"""topic = "own"
minutes = 5
[[step]]
name = "told"
{SHOWN}
[[step]]
name = "number"
{SHOWN}
[step.values]
waves = {WAVES}
[step.question]
kind = "number"
answer = "waves"
tolerance = 0.1
[[step]]
name = "action"
[step.action]
parameter = "tile"
value = 16
[[step]]
name = "lane"
show = {{ variant = "gpu.transpose-shared", n = 64, tile = 16, line = "tile[tx][ty]" }}
[step.values]
others = {{ launch = "gpu.transpose-shared", n = 64, tile = 16, count = "lanes_of_bank", lane = 0 }}
[step.question]
kind = "lane"
lanes = "others"
[[step]]
name = "choice"
[step.values]
waves = {WAVES}
races = {{ launch = "mine", count = "races" }}
blocks = {{ launch = "mine", count = "blocks" }}
[step.question]
kind = "choice"
[step.question.choices]
many = "waves > 4"
few = "waves <= 4"
[[kernel]]
name = "mine"
file = "mine.cu"
[kernel.launch]
grid = [1, 1, 1]
block = [32, 1, 1]
"""
PROSE = """# T
## told
idea
## number
idea
### question
q
### answer
{waves}
## action
idea
## lane
idea
### question
q
### answer
{others}
## choice
idea
### question
q
### option many
m
### option few
f
### answer
{races}
"""


class SlowTracer:
    """Keeps what it is asked until the test answers."""

    def __init__(self) -> None:
        self.free = True
        self.asked: list[tuple[MetricQuestion | SubjectQuestion, Callable[[Any], None]]] = []

    def ask(self, question: MetricQuestion | SubjectQuestion, answered: Callable[[Any], None]) -> None:
        self.free = False
        self.asked.append((question, answered))

    def answer(self, *values: Value | Message) -> None:
        self.free = True
        self.asked[-1][1](MetricAnswers(values))


class FakeProgram:
    """Notes the scenes that were set, with the step before which the stage stands; `tile` is what the student chose."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, bool]] = []
        self.tile = 32
        self.subjects: list[str] = []

    def show(self, scene: Scene, *, before: bool) -> None:
        self.tile = scene.snapshot.stage.parameters["tile"]
        self.shown.append((self.tile, before))

    def subject(self, draft: Draft) -> Subject:
        self.subjects.append(draft.name)
        return cast("Subject", object())

    def done(self, action: Action) -> bool:
        return self.tile == action.value

    def do(self, action: Action) -> None:
        self.tile = action.value


class Class:
    """A player with what it needs, and short words for where it is."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.tracer, self.program = SlowTracer(), FakeProgram()
        self.finder = MetricFinder(cast("StageTracer", self.tracer), BackgroundTasks())
        self.player = CurrentLesson(self.finder, self.program)

    @property
    def at(self) -> tuple[str, StepState]:
        playing = self.player.playing.value
        assert playing is not None
        return playing.step.name, playing.state

    @property
    def judged(self) -> Judged | Message | None:
        playing = self.player.playing.value
        assert playing is not None
        return playing.judged

    def tick(self) -> None:
        self.player.tick()
        self.finder.tick()

    def know(self, count: str, value: Value) -> None:
        """Let a metric be known beforehand."""
        metrics: Iterator[Metric] = (metric for step in self.lesson.steps for metric in step.metrics if metric.count == count)
        self.finder.known.value = {**self.finder.known.value, **dict.fromkeys(metrics, value)}
