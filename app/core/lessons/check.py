"""Check of a lesson: its numbers are found by executing, its claims hold, each question has its right answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from app.core.gpu_view.subject import subject_of_draft
from app.core.lesson_metrics.answer import answer_metrics
from app.core.lesson_metrics.expression import Expression
from app.core.lesson_metrics.metric import Metric, MetricQuestion, RunQuestion, Source, SubjectQuestion, Value
from app.core.lessons.current_lesson import scene_number
from app.core.lessons.judging import right_answers
from app.core.lessons.lesson import Lesson, QuestionKind, Scene, Step, WholeProgram
from app.core.lessons.numbers import calculated, number_text, numbers_of
from app.core.lessons.read import STRUCTURE
from app.core.programs.page import event_at
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.base.messages import Message, message
from kernels.simt.host.process import Programs
from kernels.simt.host.result import NotRun, ProgramJob, ProgramOutcome

KEPT = 8
"""Runs of programs that are kept: several steps speak of one."""


def problems_in(lesson: Lesson) -> Iterator[Message]:
    """Find what is wrong with each step in turn. This takes as long as executing takes."""
    for step in lesson.steps:
        found = found_metrics(lesson, step)
        numbers = numbers_of(step.values, found.get)
        for problem in (*scene_problems(step), *action_problems(lesson, step), *problems_of(step, numbers)):
            yield problem_at(lesson, step, problem)


def found_metrics(lesson: Lesson, step: Step) -> dict[Metric, Value | Message]:
    """Return the lesson metrics of a step, those of one execution found together."""
    return _found(lesson, step.metrics)


def _found(lesson: Lesson, metrics: tuple[Metric, ...]) -> dict[Metric, Value | Message]:
    found: dict[Metric, Value | Message] = {}
    plain = tuple(metric for metric in metrics if not metric.kernel)
    found |= answer_metrics(MetricQuestion(plain)).by(plain)
    for source, kernel in dict.fromkeys((metric.source, metric.kernel) for metric in metrics if metric.kernel):
        asked = tuple(metric for metric in metrics if (metric.source, metric.kernel) == (source, kernel))
        if source is Source.PROGRAM:
            found |= _of_run(lesson.programs[kernel].job, asked)
            continue
        subject = subject_of_draft(lesson.kernels[kernel], profile_named(DEFAULT_PROFILE))
        found |= answer_metrics(SubjectQuestion(subject, asked)).by(asked)
    return found


def _of_run(job: ProgramJob, asked: tuple[Metric, ...]) -> Mapping[Metric, Value | Message]:
    run = run_of(job)
    return dict.fromkeys(asked, run.reason) if isinstance(run, NotRun) else answer_metrics(RunQuestion(run, job.text, asked)).by(asked)


def scene_problems(step: Step) -> Iterator[Message]:
    """Yield what of the scene the stage cannot be set to."""
    scene = step.scene
    if scene is None or not scene.line:
        return
    snapshot = scene.snapshot
    text = snapshot.stage.variant.source_text if snapshot.draft is None else snapshot.draft.text
    if not any(scene.line in line for line in text.splitlines()):
        yield message("no line of what is shown holds “{text}”.", text=scene.line)
    elif scene.program is not None:
        yield from _program_problems(scene, scene.program)


def _program_problems(scene: Scene, program: WholeProgram) -> Iterator[Message]:
    """Yield what a run of the program does not have that the scene shows."""
    run = run_of(program.job)
    if isinstance(run, NotRun):
        yield run.reason
    elif not scene.launch and event_at(run, program.draft.text, scene.line, scene.occurrence) is None:
        yield message("main does nothing that the page shows on a line with “{text}”.", text=scene.line)
    elif scene.launch and (scene.launch > len(run.launches) or run.launches[scene.launch - 1].request is None):
        yield message("launch {number} is none that the stage can show.", number=scene.launch)


def action_problems(lesson: Lesson, step: Step) -> Iterator[Message]:
    """Yield why the student cannot do what the step waits for."""
    number = scene_number(lesson, lesson.steps.index(step))
    scene = None if number is None else lesson.steps[number].scene
    if step.action is None or not step.action.play_race:
        return
    if scene is None or scene.program is not None:
        yield message("the stage shows no launch whose data race can be played.")
        return
    turns = Metric(Source.LAUNCH, "breaking_turns", None if scene.kernel else scene.snapshot.stage, (), scene.kernel)
    found = _found(lesson, (turns,))[turns]
    if isinstance(found, Message):
        yield found
    elif not found:
        yield message("no schedule that was tried breaks the data race that the stage shows.")


@lru_cache(maxsize=KEPT)
def run_of(job: ProgramJob) -> ProgramOutcome:
    """The run of a program, in a process of its own."""
    return Programs().run(job)


def problems_of(step: Step, numbers: dict[str, Value | Message]) -> Iterator[Message]:
    """Yield what is not so as the step says."""
    for name, value in numbers.items():
        if isinstance(value, Message):
            yield message("{name} cannot be found: {reason}", name=name, reason=value)
    for claim in step.claims:
        holds = calculated(claim, numbers)
        if holds is not None and not isinstance(holds, Message) and not holds:
            yield message("it is not true that {claim}: {values}.", claim=claim.text, values=_values(claim, numbers))
    question = step.question
    if question is None:
        return
    right = right_answers(question, numbers)
    if isinstance(right, Message):
        yield message("the question cannot be judged: {reason}", reason=right)
    elif right is not None and not right:
        yield message("no answer to the question is right.")
    elif right is not None and len(right) > 1 and question.kind is not QuestionKind.LANE:
        yield message("{count} answers to the question are right.", count=len(right))


def _values(claim: Expression, numbers: dict[str, Value | Message]) -> str:
    """What the names of a claim stand for."""
    found = ((name, numbers[name]) for name in sorted(claim.names))
    return ", ".join(f"{name} = {number_text(value)}" for name, value in found if isinstance(value, float | int))


def problem_at(lesson: Lesson, step: Step, problem: Message) -> Message:
    """Return a problem with its place."""
    place = f"{lesson.id}/{STRUCTURE}"
    return message("{place}: Line {line}: step {name}: {problem}", place=place, line=step.line, name=step.name, problem=problem)
