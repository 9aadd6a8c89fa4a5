"""Sentences about a lesson besides its own texts: topics, tasks, what became of an answer, how far one is."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.lessons.current_lesson import LessonMoment, StepState, scene_number
from app.core.lessons.judging import Answer
from app.core.lessons.lesson import Lesson, QuestionKind
from app.core.lessons.numbers import number_text
from app.core.lessons.progress import StepCount
from app.core.lessons.prose import filled, spans
from kernels.base.messages import Message, message

TOPICS: Mapping[str, Message] = {
    "loops-and-caches": message("Loops and caches"),
    "cpu-threads": message("Processor threads"),
    "gpu-basics": message("How a GPU works"),
    "memory": message("Memory accesses"),
    "shared-memory": message("Shared memory"),
    "registers-and-latency": message("Registers and latency"),
    "correctness": message("Right and wrong results"),
    "measuring": message("Measuring"),
    "performance": message("Limits of performance"),
    "ranks": message("Several processes"),
    "beyond": message("Other algorithms"),
    "pitfalls": message("Pitfalls"),
    "claims": message("Claims put to the test"),
}
"""Of the program's lessons; those of the user's may have any other, which is its own title."""


def topic_title(topic: str) -> Message | str:
    """What a topic is called."""
    return TOPICS.get(topic, topic)


def task_of(playing: LessonMoment) -> Message | None:
    """What the student is to do; None where nothing is waited for."""
    action = playing.step.action
    if action is None or playing.state is not StepState.WAITING:
        return None
    if action.at_end:
        return message("Waiting for you: watch the animation to its end.")
    if action.play_race:
        return message("Waiting for you: play the schedule that breaks the data race (Shift+F).")
    if action.variant is not None:
        return message("Waiting for you: choose {variant} in the ladder.", variant=action.variant.title)
    number = scene_number(playing.lesson, playing.number)
    scene = None if number is None else playing.lesson.steps[number].scene
    parameter = None if scene is None else scene.snapshot.stage.variant.parameter(action.parameter)
    return message(
        "Waiting for you: set {parameter} to {value}.",
        parameter=action.parameter if parameter is None else parameter.title,
        value=str(action.value) if parameter is None else parameter.written(action.value),
    )


def verdict_of(playing: LessonMoment, language: str, numbers: Mapping[str, str]) -> Message | None:
    """What became of the answer: what was said, and what is; None where none was given."""
    question, judged = playing.step.question, playing.judged
    if question is None:
        return None
    if playing.given is not None:
        return message("You said {given}. The answer is being worked out.", given=answer_text(playing, playing.given, language, numbers))
    if playing.state is not StepState.TOLD or judged is None:
        return None
    if isinstance(judged, Message):
        return message("This cannot be worked out: {reason}", reason=judged)
    given = answer_text(playing, judged.given, language, numbers)
    right = " / ".join(answer_text(playing, each, language, numbers) for each in judged.right)
    return judged_text(question.kind, given, right, correct=judged.correct)


def judged_text(kind: QuestionKind, given: str, right: str, *, correct: bool) -> Message:
    """What is said of an answer, both as texts."""
    if kind is QuestionKind.LANE:
        good = message("You chose lane {given}. That is right.", given=given)
        return good if correct else message("You chose lane {given}. It is none of them.", given=given)
    if correct:
        return message("You said {given}. That is right.", given=given)
    return message("You said {given}. It is {right}.", given=given, right=right)


def place_of(playing: LessonMoment) -> Message:
    """Return which step it is of how many."""
    return message("Lesson step {number} of {count}", number=playing.number + 1, count=len(playing.lesson.steps))


def length_of(lesson: Lesson, steps: StepCount) -> Message:
    """How long a lesson is, and how far one has come."""
    minutes = message("{minutes} min", minutes=lesson.minutes)
    if not steps.done:
        return message("{minutes}, {steps} steps", minutes=minutes, steps=steps.steps)
    if not steps.asked:
        return message("{minutes}, {done} of {steps} steps done", minutes=minutes, done=steps.done, steps=steps.steps)
    return message(
        "{minutes}, {done} of {steps} steps done, {right} of {asked} answers right",
        minutes=minutes, done=steps.done, steps=steps.steps, right=steps.right, asked=steps.asked,
    )  # fmt: skip


def answer_text(playing: LessonMoment, answer: Answer, language: str, numbers: Mapping[str, str]) -> str:
    """Return an answer as its choice says it."""
    if not isinstance(answer, str):
        return number_text(answer)
    options = playing.lesson.step_text(playing.number, language).options
    text = filled(options[answer].text, numbers) if answer in options else answer
    return f"“{''.join(span.text for span in spans(text))}”"
