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
    """One line of a verdict: whether it is as it should be, and what there is to say."""

    met: bool
    words: Message


SOLVED = message("Solved.")
NOT_SOLVED = message("Not solved yet.")


def verdict_lines(challenge: Challenge, verdict: Verdict, language: str) -> tuple[Line, ...]:
    """What is met and what is not, in the words of the challenge."""
    if verdict.trouble is not None:
        return (Line(met=False, words=verdict.trouble),)
    return (*_targets(challenge, verdict.targets, language), *_faults(verdict))


def _targets(challenge: Challenge, targets: tuple[Met, ...], language: str) -> Iterator[Line]:
    text = challenge.text(language)
    for each in targets:
        said = filled(text.steps[f"target-{each.target}"].headline, written(each.numbers))
        yield Line(each.holds, message("{text}", text=said))


def _faults(verdict: Verdict) -> Iterator[Line]:
    if not verdict.faults:
        yield Line(met=True, words=message("The results are right, and no access is wrong."))
    for case, fault in verdict.faults:
        yield Line(met=False, words=message("With {case}: {fault}", case=case, fault=fault) if case else fault)
