"""Story of a step: what the program says of it, as values that are rendered where they are shown."""

from __future__ import annotations

from kernels.base.messages import Message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A piece of the equation in a caption; `matrix` names the colour, "" is plain."""

    text: Message
    matrix: str = ""


@dataclass(frozen=True, slots=True)
class StepDescription:
    """Words of one frame. `facts` are pairs of a label and a value, at most four."""

    title: Message
    equation: tuple[Term, ...]
    phase: Message
    place: Message
    sentence: Message
    facts: tuple[tuple[Message, Message], ...]
    coming: Message
    reuse: Message | None
