"""Findings of the doctor: one for each thing that the program uses, with its state and the next step where something is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from app.core.base.files.locations import Locations
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


class CheckState(StrEnum):
    """State in which a thing was found. MISSING is something that the program can do without."""

    OK = "ok"
    MISSING = "missing"
    PROBLEM = "problem"

    @property
    def sign(self) -> str:
        return {CheckState.OK: "✓", CheckState.MISSING: "–", CheckState.PROBLEM: "✗"}[self]

    @property
    def word(self) -> Message:
        return {CheckState.OK: message("ok"), CheckState.MISSING: message("missing"), CheckState.PROBLEM: message("problem")}[self]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The machine as the checks see it. `platform` as in `sys.platform`."""

    environment: Mapping[str, str]
    platform: str
    places: Locations


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding: the outcome of one check, and what would help where something is amiss."""

    id: str
    name: Message
    state: CheckState
    sentence: Message
    next_step: Message | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Check of the doctor: one thing to look at."""

    id: str
    name: Message
    look: Callable[[Surroundings], Outcome]


Outcome = tuple[CheckState, Message] | tuple[CheckState, Message, Message | None]


def examine(surroundings: Surroundings, checks: tuple[Check, ...]) -> list[Finding]:
    """Perform the checks in order. One that breaks down is a finding too."""
    return [_perform(check, surroundings) for check in checks]


def _perform(check: Check, surroundings: Surroundings) -> Finding:
    try:
        return Finding(check.id, check.name, *check.look(surroundings))
    except Exception as error:  # a broken installation may raise anything, and the doctor is there to say so
        reason = message("The check failed: {error}", error=" ".join(str(error).split()) or type(error).__name__)
        return Finding(check.id, check.name, CheckState.PROBLEM, reason)


def apt_install(*packages: str) -> Message:
    """How packages of the system are installed where that is known."""
    return message("Debian and Ubuntu: {command}", command="sudo apt-get install " + " ".join(packages))


def run_this(command: str) -> Message:
    """Return the advice to run a command that helps."""
    return message("Install it: {command}", command=command)
