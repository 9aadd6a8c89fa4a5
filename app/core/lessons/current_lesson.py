"""Lesson that is gone through: where it is, what was answered, what is known of its numbers; a `LessonMoment` is all that as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from functools import partial
from typing import Protocol

from app.core.base.observable import Field
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.metric import Metric, Source, Value
from app.core.lessons.judging import Answer, Judged, judge
from app.core.lessons.lesson import Action, Lesson, QuestionKind, Scene, Step
from app.core.lessons.metric_finder import MetricFinder
from app.core.lessons.numbers import numbers_of
from app.core.session.draft import Draft
from app.core.session.session import Workspace
from kernels.base.messages import Message
from kernels.base.values import dataclass


class StepState(StrEnum):
    """State of a step: what it waits for."""

    ASKING = "asking"
    """An answer."""
    WAITING = "waiting"
    """An action."""
    TOLD = "told"
    """Nothing: all is said."""


@dataclass(frozen=True, slots=True)
class LessonMoment:
    """Moment of a lesson: which step, and what is known.

    `given` is an answer that cannot be judged yet; `answers` are those of all steps, by number.
    """

    lesson: Lesson
    number: int
    state: StepState = StepState.TOLD
    numbers: Mapping[str, Value | Message] = field(default_factory=dict)
    given: Answer | None = None
    answers: Mapping[int, Judged | Message] = field(default_factory=dict)

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    @property
    def judged(self) -> Judged | Message | None:
        """What became of the answer to this step's question."""
        return self.answers.get(self.number)

    @property
    def last(self) -> bool:
        return self.number + 1 == len(self.lesson.steps)


def first_state(step: Step) -> StepState:
    """What a step waits for when it is entered."""
    return StepState.ASKING if step.question is not None else StepState.WAITING if step.action is not None else StepState.TOLD


def waits_to_show(step: Step) -> bool:
    """Whether what the scene shows is what is asked for: then the stage comes to it with the answer."""
    scene, question = step.scene, step.question
    if scene is None or question is None or question.kind is QuestionKind.LANE:
        return False
    return scene.before and (bool(scene.line) or scene.snapshot.workspace is Workspace.TIMING or scene.snapshot.run > 0)


def scene_number(lesson: Lesson, number: int) -> int | None:
    """The step whose scene a step shows: itself, or the last one before it that has one; None where none has."""
    return next((each for each in range(number, -1, -1) if lesson.steps[each].scene is not None), None)


class LessonBench(Protocol):
    """Workbench as a lesson uses it: what is shown, and what the student does."""

    def show(self, scene: Scene, *, before: bool) -> None:
        """Set a scene; `before`: without the step that it is about."""

    def subject(self, draft: Draft) -> Subject:
        """The launch of a text of the lesson's own."""

    def done(self, action: Action) -> bool:
        """Whether the student has done what a step waits for."""

    def do(self, action: Action) -> None:
        """Do it in the student's place."""


class CurrentLesson:
    """State of the lesson that is gone through, if any. `tick` takes over the numbers that were found; it never waits."""

    def __init__(self, finder: MetricFinder, bench: LessonBench) -> None:
        self.playing: Field[LessonMoment | None] = Field(None)
        self._finder = finder
        self._bench = bench
        self._of_texts: dict[Metric, Value | Message] = {}
        self._executing = False
        """Whether a text of the lesson's own was given to the finder."""
        self._armed = True
        """Whether an action counts that is done already: not after it was taken back, before it was seen undone."""
        finder.known.subscribe(lambda _known: self._renew())

    @property
    def settled(self) -> bool:
        """Whether all that can be known of the step is known."""
        now = self.playing.value
        return now is None or (now.given is None and self._finder.settled and not self._missing(now))

    def open(self, lesson: Lesson, number: int = 0) -> None:
        """Begin a lesson, or go on with it at a step."""
        self.close()
        self._enter(LessonMoment(lesson, min(max(number, 0), len(lesson.steps) - 1)))
        self._set_scene()

    def close(self) -> None:
        """Leave the lesson; the program stays as it is."""
        self.playing.value = None
        self._of_texts, self._executing = {}, False
        self._finder.want(())
        self._finder.forget_text()

    def go(self, number: int) -> None:
        """Go to a step of the lesson; one whose question was answered still has its answer."""
        now = self.playing.value
        if now is not None and 0 <= number < len(now.lesson.steps) and number != now.number:
            self._move(now, number, told=number in now.answers)

    def next(self) -> None:
        """Go on: reveal what the step waits for, then go to the next step."""
        now = self.playing.value
        if now is None:
            return
        if now.state is not StepState.TOLD:
            self.reveal()
        elif not now.last:
            self._move(now, now.number + 1, told=False)

    def reveal(self) -> None:
        """Tell the answer though none was given, do what the student was to do."""
        now = self.playing.value
        if now is None or now.state is StepState.TOLD:
            return
        if now.state is StepState.WAITING and now.step.action is not None:
            self._bench.do(now.step.action)
        self._tell(replace(now, given=None))

    def back(self) -> None:
        """Undo one `next`: back to the question, or to the step before with all that it says."""
        now = self.playing.value
        if now is None:
            return
        first = first_state(now.step)
        if now.state is first:
            if now.number > 0:
                self._move(now, now.number - 1, told=True)
            return
        answers = {number: judged for number, judged in now.answers.items() if number != now.number}
        self.playing.value = replace(now, state=first, given=None, answers=answers)
        if first is StepState.WAITING or waits_to_show(now.step):
            self._armed = False
            self._set_scene()

    def answer(self, given: Answer) -> None:
        """Take an answer: a number, a lane, or the name of a choice."""
        now = self.playing.value
        if now is not None and now.state is StepState.ASKING:
            self.playing.value = replace(now, given=given)
            self._judge()

    def show_again(self) -> None:
        """Set the scene of the step again."""
        if self.playing.value is not None:
            self._set_scene()

    def tick(self) -> None:
        """See whether an action was done, and ask for numbers of the lesson's own texts."""
        now = self.playing.value
        if now is None:
            return
        if now.state is StepState.WAITING and now.step.action is not None:
            done = self._bench.done(now.step.action)
            if done and self._armed:
                self._tell(now)
            self._armed = self._armed or not done
        self._execute_texts(now)

    def _move(self, now: LessonMoment, number: int, *, told: bool) -> None:
        """Go to another step. Its scene is set unless it is what the present step shows already: then the stage is left alone."""
        self._enter(replace(now, number=number, given=None), told=told)
        if scene_number(now.lesson, number) != scene_number(now.lesson, now.number):
            self._set_scene()

    def _enter(self, at: LessonMoment, *, told: bool = False) -> None:
        ahead = at.lesson.steps[at.number : at.number + 2]
        self._finder.want(metric for step in ahead for metric in step.metrics)
        self._armed = True
        self.playing.value = replace(
            at, state=StepState.TOLD if told else first_state(at.step), numbers=numbers_of(at.step.values, self._find)
        )

    def _set_scene(self) -> None:
        """Show what the step is about: its own scene, or that of the last step before it that has one."""
        now = self.playing.value
        number = None if now is None else scene_number(now.lesson, now.number)
        scene = None if now is None or number is None else now.lesson.steps[number].scene
        if now is not None and scene is not None:
            self._bench.show(scene, before=number == now.number and now.state is StepState.ASKING and waits_to_show(now.step))

    def _tell(self, now: LessonMoment) -> None:
        """Say all that the step says, and show it if that was waited with."""
        self.playing.value = replace(now, state=StepState.TOLD)
        if waits_to_show(now.step):
            self._set_scene()

    def _find(self, metric: Metric) -> Value | Message | None:
        return self._of_texts.get(metric) if metric.kernel else self._finder.known.value.get(metric)

    def _renew(self) -> None:
        now = self.playing.value
        if now is not None:
            self.playing.value = replace(now, numbers=numbers_of(now.step.values, self._find))
            self._judge()

    def _judge(self) -> None:
        """Judge the given answer as soon as that can be done."""
        now = self.playing.value
        if now is None or now.given is None or now.step.question is None:
            return
        judged = judge(now.step.question, now.given, now.numbers)
        if judged is not None:
            self._tell(replace(now, given=None, answers={**now.answers, now.number: judged}))

    def _missing(self, now: LessonMoment) -> tuple[Metric, ...]:
        """What is not known yet of the lesson's own texts."""
        return tuple(metric for metric in now.step.metrics if metric.kernel and metric not in self._of_texts)

    def _execute_texts(self, now: LessonMoment) -> None:
        """Have one of the lesson's own texts executed whose numbers are missing; the others follow one after the other."""
        missing = self._missing(now)
        if missing and not self._executing:
            self._executing = True
            first = missing[0]
            kernel, lesson = first.kernel, now.lesson
            asked = tuple(metric for metric in missing if (metric.source, metric.kernel) == (first.source, kernel))
            if first.source is Source.PROGRAM:
                self._finder.want_of_program(lesson.programs[kernel], asked, partial(self._take, asked))
                return
            self._finder.want_of_text(self._bench.subject(lesson.kernels[kernel]), asked, partial(self._take, asked))

    def _take(self, asked: tuple[Metric, ...], found: tuple[Value | Message, ...]) -> None:
        self._executing = False
        self._of_texts.update(zip(asked, found, strict=True))
        self._renew()
