"""What a command of the command line is, and a word that follows one and has options of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.cli.grammar import Group
from kernels.base.messages import Message


@dataclass(frozen=True, slots=True)
class Command:
    """`module` of `app.cli` is imported when the command is called, so that none pays for the others; its `function` performs it."""

    name: str
    help: Message
    options: Callable[[Group], None]
    module: str
    function: str
