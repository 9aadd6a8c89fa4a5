"""The words for a kernel that adds blocks before and after it calls itself: which of its products a step is for, and at what level."""

from __future__ import annotations

from dataclasses import replace

from app.core.equation import Term
from app.core.frames import Frame
from app.core.frames_index import TraceIndex
from app.core.narration import Story
from kernels.cpusim.recursion import Role, Statement
from kernels.cpusim.trace import WRITE
from kernels.messages import Message, message

_SIGNS = {"add": message("+"), "subtract": message("−")}


def tell_recursion(story: Story, index: TraceIndex, frame: Frame) -> Story:
    """The story of a step with the product that it belongs to; unchanged outside of all calls."""
    statements = index.statements(frame.step)
    if not index.combines or not statements:
        return story
    inner, level = statements[-1], len(statements)
    said = _sentence(inner, index, frame)
    return replace(story, title=_title(inner, level), equation=_equation(inner), sentence=said or story.sentence)


def _title(inner: Statement, level: int) -> Message:
    words = {
        Role.CALL: message("Level {level}: product {number} of {count}"),
        Role.BEFORE: message("Level {level}: before product {number} of {count}"),
        Role.AFTER: message("Level {level}: after product {number} of {count}"),
    }[inner.role]
    return Message(words.template, (("level", level), ("number", inner.number), ("count", inner.count)))


def _equation(inner: Statement) -> tuple[Term, ...]:
    """What the statement computes, with the blocks called as in the source."""
    first, other, result = (Term(message("{text}", text=name), _matrix(name)) for name in inner.arguments[:3])
    sign = message("×") if inner.role is Role.CALL else _SIGNS.get(inner.function, message("{text}", text=inner.function))
    return result, Term(message("=")), first, Term(sign), other


def _matrix(block: str) -> str:
    """Which matrix a block is of, by its name; "" where it is one of the kernel's own."""
    return block[0] if block[0] in "ABC" else ""


def _sentence(inner: Statement, index: TraceIndex, frame: Frame) -> Message | None:
    """What the step does; None where it is as in every other kernel."""
    block, number = inner.arguments[2], inner.number
    if inner.role is Role.BEFORE:
        return message("Works out {block}, which product {number} multiplies.", block=block, number=number)
    if inner.role is Role.AFTER:
        return message("Takes product {number} into {block}.", block=block, number=number)
    if frame.touched(index.output, WRITE) is not None:
        return message("Writes product {number} to {block}.", block=block, number=number)
    if not frame.touches:
        return message("Reads {block}, which is in no matrix.", block=" / ".join(each for each in inner.arguments[:2] if not _matrix(each)))
    return None
