"""A verdict, and how far one is, in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from app.core.challenges.challenge import Challenge, Met, Verdict
from app.core.challenges.progress import Record
from app.core.lessons.numbers import written
from app.core.lessons.prose import filled
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """Line of a verdict: what is wanted, whether it is so (None: not known), and what was found."""

    wanted: Message
    met: bool | None = None
    found: tuple[Message, ...] = ()

    @property
    def sentence(self) -> Message:
        """All of it in one line."""
        if not self.found:
            return self.wanted
        found = reduce(lambda first, other: message("{first} {other}", first=first, other=other), self.found)
        return message("{wanted}: {found}", wanted=self.wanted, found=found)


SOLVED = message("Solved.")
NOT_SOLVED = message("Not solved yet.")
RESULTS = message("Right results and no wrong access, at every size")
OUTPUT = message("The right output and exit status and no findings, with all arguments")


def lines_of(challenge: Challenge, verdict: Verdict | None, language: str) -> Iterator[Line]:
    """The targets in the words of the challenge, and the results; with what is known of them."""
    known = verdict if verdict is not None and verdict.trouble is None else None
    met = {each.target: each for each in known.targets} if known is not None else {}
    for target in challenge.targets:
        wanted = message("{text}", text=challenge.text(language).steps[f"target-{target.name}"].headline)
        found = met.get(target.name)
        yield Line(wanted) if found is None else Line(wanted, found.holds, (_found(challenge, found, language),))
    results = RESULTS if challenge.program is None else OUTPUT
    if known is None:
        yield Line(results)
    else:
        yield Line(results, not known.faults, tuple(_fault(case, fault) for case, fault in known.faults))


def state_of(record: Record) -> Message:
    """What was made of a challenge, in a few words."""
    if record.solved:
        return message("Solved") if not record.hints else message("Solved; hints seen: {hints}", hints=record.hints)
    return message("Begun") if record.attempt is not None else message("Not begun")


def _found(challenge: Challenge, met: Met, language: str) -> Message:
    """The numbers in the words of the challenge, or why there are none."""
    reason = next((value for value in met.numbers.values() if isinstance(value, Message)), None)
    if reason is not None:
        return reason
    said = challenge.text(language).steps[f"target-{met.target}"].narration
    return message("{text}", text=filled(" ".join(each.text for each in said), written(met.numbers)))


def _fault(case: str, fault: Message) -> Message:
    return message("With {case}: {fault}", case=case, fault=fault) if case else fault
