"""A verdict in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.core.challenges.challenge import Challenge, Met, Verdict
from app.core.lessons.numbers import written
from app.core.lessons.prose import filled
from kernels.messages import Message, message


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a verdict: whether it is as it should be, what is wanted ("" where nothing is wrong but this), and what was found."""

    met: bool
    words: Message
    title: str = ""


SOLVED = message("Solved.")
NOT_SOLVED = message("Not solved yet.")


def verdict_lines(challenge: Challenge, verdict: Verdict, language: str) -> tuple[Line, ...]:
    """What is met and what is not, in the words of the challenge."""
    if verdict.trouble is not None:
        return (Line(met=False, words=verdict.trouble),)
    return (*_targets(challenge, verdict.targets, language), *_faults(verdict))


def target_title(challenge: Challenge, name: str, language: str) -> str:
    """What a target wants."""
    return challenge.text(language).steps[f"target-{name}"].headline


def _targets(challenge: Challenge, targets: tuple[Met, ...], language: str) -> Iterator[Line]:
    for each in targets:
        yield Line(each.holds, _found(challenge, each, language), target_title(challenge, each.target, language))


def _found(challenge: Challenge, met: Met, language: str) -> Message:
    """The numbers in the words of the challenge, or why there are none."""
    reason = next((value for value in met.numbers.values() if isinstance(value, Message)), None)
    if reason is not None:
        return reason
    said = challenge.text(language).steps[f"target-{met.target}"].narration
    return message("{text}", text=filled(" ".join(each.text for each in said), written(met.numbers)))


def _faults(verdict: Verdict) -> Iterator[Line]:
    if not verdict.faults:
        yield Line(met=True, words=message("The results are right, and no access is wrong."))
    for case, fault in verdict.faults:
        yield Line(met=False, words=message("With {case}: {fault}", case=case, fault=fault) if case else fault)
