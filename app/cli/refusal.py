"""How a command says no."""

from __future__ import annotations

from typing import TypeVar

from kernels.base.messages import Message

T = TypeVar("T")

FAILED_VERIFICATION = 1
WRONG_INPUT = 2
FINDINGS = 3
"""A traced kernel does something wrong."""
INTERRUPTED = 130


class Refused(Exception):
    """A command cannot do what was asked. `main` writes the reason on one line of standard error and returns WRONG_INPUT."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def accept(value: T | Message) -> T:
    """The value, or a refusal with the reason that is in its place."""
    if isinstance(value, Message):
        raise Refused(value)
    return value


def require(reason: Message | None) -> None:
    """Refuse if there is a reason to."""
    if reason is not None:
        raise Refused(reason)
