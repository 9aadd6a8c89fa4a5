"""Answers that were given, and whether they are right."""

from __future__ import annotations

import math
from collections.abc import Mapping

from app.core.base.parsing import half_width, shown, whole_number
from app.core.lesson_metrics.metric import Value
from app.core.lessons.lesson import Choice, Question, QuestionKind
from app.core.lessons.numbers import calculated
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

ROUNDING = 1e-9
"""Of the answer: how far calculating may lead away from it."""
Answer = float | str
"""A number, a lane, or the name of a choice."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A given answer. `right` is what would have been: a number, names of choices, or lanes."""

    given: Answer
    correct: bool
    right: tuple[Answer, ...]


def number_given(text: str, largest: int | None = None) -> float | Message:
    """The number that was typed: a lane from 0 to `largest`, or any number."""
    if largest is not None:
        lane = whole_number(message("Lane"), text, 0, largest)
        return lane if isinstance(lane, Message) else float(lane)
    if not text.strip():
        return message("Write a number first.")
    try:
        number = float("".join(half_width(text).replace("\u2212", "-").split()))
    except ValueError:
        number = math.nan
    return number if math.isfinite(number) else message("'{text}' is no number.", text=shown(text))


def judge(question: Question, given: Answer, numbers: Mapping[str, Value | Message]) -> Judged | Message | None:
    """Whether an answer is right; None while that is not known, a message where it cannot be."""
    right = right_answers(question, numbers)
    if right is None or isinstance(right, Message):
        return right
    if question.kind is QuestionKind.NUMBER and not isinstance(given, str):
        tolerance = max(question.tolerance, ROUNDING)
        near = any(abs(given - number) <= tolerance * abs(number) for number in right if not isinstance(number, str))
        return Judged(given, near, right)
    return Judged(given, given in right, right)


def right_answers(question: Question, numbers: Mapping[str, Value | Message]) -> tuple[Answer, ...] | Message | None:
    """What is right: found by executing, so that a changed kernel changes it."""
    if question.kind is QuestionKind.LANE:
        lanes = numbers.get(question.lanes)
        if isinstance(lanes, frozenset):
            return tuple(float(lane) for lane in sorted(lanes))
        return lanes if lanes is None or isinstance(lanes, Message) else message("{name} is no set of lanes.", name=question.lanes)
    answer = None if question.answer is None else calculated(question.answer, numbers)
    if question.kind is QuestionKind.NUMBER or isinstance(answer, Message):
        return answer if answer is None or isinstance(answer, Message) else (answer,)
    return _right_choices(question.choices, answer, numbers)


def _right_choices(
    choices: tuple[Choice, ...], answer: float | None, numbers: Mapping[str, Value | Message]
) -> tuple[Answer, ...] | Message | None:
    right: list[Answer] = []
    for choice in choices:
        if choice.number is not None:
            if answer is None:
                return None
            right += [choice.number] if abs(choice.number - answer) <= ROUNDING * max(1.0, abs(answer)) else []
            continue
        assert choice.holds is not None
        holds = calculated(choice.holds, numbers)
        if holds is None or isinstance(holds, Message):
            return holds
        right += [choice.name] if holds else []
    return tuple(right)
