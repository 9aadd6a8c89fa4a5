"""What a frame of a launch says: captions, the sentence of the step, and its facts, derived from what the step accesses."""

from __future__ import annotations

import numpy as np

from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from app.core.launch.phases import Phase
from app.core.launch.print_rows import PRINT
from app.core.launch.prints import says
from app.core.narration import Story, Term
from kernels.messages import Message, message
from kernels.simt.ir import Space

PHASES = {Phase.LOAD: message("load"), Phase.COMPUTE: message("compute"), Phase.STORE: message("store")}
_DEEDS = {
    ("load", Space.GLOBAL): message("Warp {warp} reads {array} from global memory."),
    ("store", Space.GLOBAL): message("Warp {warp} writes {array} to global memory."),
    ("atomic", Space.GLOBAL): message("Warp {warp} updates {array} in global memory, one lane after the other."),
    ("load", Space.SHARED): message("Warp {warp} reads {array} from shared memory."),
    ("store", Space.SHARED): message("Warp {warp} writes {array} to shared memory."),
    ("atomic", Space.SHARED): message("Warp {warp} updates {array} in shared memory, one lane after the other."),
}
_ELSEWHERE = message("Warp {warp} reads {array}.")


def tell_launch(index: LaunchIndex, frame: Frame) -> Story:
    """The words of a frame."""
    x, y, _ = frame.block
    return Story(
        _title(frame),
        _equation(index),
        message("print") if frame.site.operation == PRINT else PHASES[frame.phase],
        message("Line {line}, warp {warp} of block ({x}, {y})", line=frame.line, warp=frame.warp, x=x, y=y),
        _sentence(index, frame),
        _facts(frame),
        message("the end") if frame.next_line is None else message("line {line}", line=frame.next_line),
        None,
    )


def _title(frame: Frame) -> Message:
    if frame.site.operation == PRINT:
        return message("Printed line {number} of {total}", number=frame.step + 1, total=frame.steps)
    return message("Tile step {number} of {total}", number=frame.tile + 1, total=frame.tiles)


def array_name(index: LaunchIndex, frame: Frame) -> str:
    """The array that the step accesses, "" where it reaches none."""
    reached = frame.lanes.allocation[frame.lanes.allocation >= 0]
    return index.trace.allocations[int(np.bincount(reached).argmax())].name if len(reached) else ""


def _equation(index: LaunchIndex) -> tuple[Term, ...]:
    names = [role.letter for role in index.roles.values()]
    terms = {letter: Term(message("{matrix} tile", matrix=letter), letter) for letter in names}
    if {"A", "B", "C"} <= set(terms):
        return terms["C"], Term(message("+=")), terms["A"], Term(message("×")), terms["B"]
    if {"A", "C"} <= set(terms):
        return terms["C"], Term(message("=")), terms["A"], Term(message("transposed"))
    return ()


def _sentence(index: LaunchIndex, frame: Frame) -> Message:
    if frame.site.operation == PRINT:
        return says(index, frame)
    deed = _DEEDS.get((frame.site.operation, frame.site.space), _ELSEWHERE)
    return Message(deed.template, (("warp", frame.warp), ("array", array_name(index, frame))))


def _facts(frame: Frame) -> tuple[tuple[Message, Message], ...]:
    lanes = int(frame.lanes.active.sum())
    if frame.site.space is Space.GLOBAL:
        return ((message("Global memory"), message("{sectors} sectors for {lanes} lanes, {ideal} needed",
                 sectors=frame.sectors, lanes=lanes, ideal=frame.sectors_ideal)),)  # fmt: skip
    if frame.site.space is Space.SHARED:
        return ((message("Shared memory"), message("{wavefronts} wavefronts for {lanes} lanes, {ideal} needed",
                 wavefronts=frame.wavefronts, lanes=lanes, ideal=frame.wavefronts_ideal)),)  # fmt: skip
    return ()
