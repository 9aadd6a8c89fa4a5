"""Writes that a step's lanes do not see, in a schedule of a weak memory: what they read instead, from where, and what is newer."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np

from app.core.gpu_view.arrays import text_of, window_of
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from kernels.analysis.columns import Ints
from kernels.analysis.weak_memory_sentences import Unseen, unseen_writes
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP

_LAUNCH, _BLOCK = message("the launch"), message("the block began")
UNWRITTEN = "?"
"""The value of what nobody has written."""


@dataclass(frozen=True, slots=True)
class OldValue:
    """What a lane of the step (counted in its block) reads of an element: the value in `step` of whose `source` (None: as before the
    launch), though `newer` is stored in step `missed`: earlier, or in a later step, with which others see what was stored already."""

    lane: int
    allocation: int
    element: int
    value: str
    number: float
    """The value as one number; NaN where it is none."""
    source: int | None
    newer: str
    missed: int


def old_values(index: LaunchIndex, frame: Frame) -> tuple[OldValue, ...]:
    """What the lanes of the step read that is older than what was stored there; nothing where all is seen where it is done."""
    return index.once(_by_step).get(frame.step, ())


def _by_step(index: LaunchIndex) -> Mapping[int, tuple[OldValue, ...]]:
    found: dict[int, list[OldValue]] = {}
    for row, lanes in unseen_writes(index.trace).items():
        for each in lanes:
            step = index.record.order.step_of(row, each.lane // WARP)
            if step is not None:
                found.setdefault(step, []).extend(_of_lane(index, step, each))
    return {step: tuple(each) for step, each in found.items()}


def _of_lane(index: LaunchIndex, step: int, unseen: Unseen) -> list[OldValue]:
    lanes, block, order = index.lanes(step), index.band(step).block, index.record.order
    allocation, element = (int(each[unseen.lane % WARP]) for each in (lanes.allocation, lanes.element))
    write = order.step_of(unseen.write, unseen.lane // WARP)
    if allocation == NOWHERE or write is None:
        return []
    moments = (step, write + 1) if unseen.late else (write, step)
    read, stored = (window_of(index, allocation, element, each, block) for each in moments)
    source, missed = (int(each.writer.max()) for each in (read, stored))
    value, newer = text_of(read) or UNWRITTEN, text_of(stored)
    if newer == value or missed < 0:
        return []
    number = nan if value == UNWRITTEN or len(read.values) > 1 else float(read.values[0])
    return [OldValue(unseen.lane, allocation, element, value, number, source if source >= 0 else None, newer, missed)]


def old_elements(index: LaunchIndex, frame: Frame, allocation: int) -> Ints:
    """The elements of an array of which the step reads an old value, ascending."""
    return np.unique(np.array([each.element for each in old_values(index, frame) if each.allocation == allocation], np.int64))


def unseen_words(index: LaunchIndex, frame: Frame) -> Message | None:
    """What the step does not see, or what others see by it only now; None where all is seen where it is done."""
    found = old_values(index, frame)
    if not found:
        return _seen_now(index, frame)
    words = _words(index, found[0])
    return words if len(found) == 1 else message("{first} Lanes: {count}.", first=words, count=len(found))


def _words(index: LaunchIndex, found: OldValue) -> Message:
    array = index.trace.allocations[found.allocation]
    begun = _BLOCK if array.space is Space.SHARED else _LAUNCH
    said: dict[str, str | int] = {"array": array.name, "element": found.element, "newer": found.newer, **_at(index, found.missed)}
    if found.value == UNWRITTEN:
        return message(
            "Old: {array}[{element}] is read as before {begun}, when nothing was written there. Not seen: {newer}, which line {line} of"
            " block {block} stored.", begun=begun, **said,
        )  # fmt: skip
    if found.source is None:
        return message(
            "Old: {array}[{element}] is read as {value}, as before {begun}. Not seen: {newer}, which line {line} of block {block} stored.",
            value=found.value, begun=begun, **said,
        )  # fmt: skip
    source = _at(index, found.source)
    return message(
        "Old: {array}[{element}] is read as {value}, which line {from_line} of block {from_block} stored. Not seen: {newer}, which line"
        " {line} of block {block} stored.",
        value=found.value, from_line=source["line"], from_block=source["block"], **said,
    )  # fmt: skip


def _seen_now(index: LaunchIndex, frame: Frame) -> Message | None:
    unordered = index.trace.unordered
    made = [] if unordered is None else unordered.made[unordered.row == frame.row].tolist()
    if not made:
        return None
    count = frame.row - made[0]
    return message(
        "Late: what line {line} of block {block} stored is seen by others only now. Accesses made meanwhile: {count}.",
        count=count, **_at(index, frame.step),
    )  # fmt: skip


def _at(index: LaunchIndex, step: int) -> dict[str, str | int]:
    x, y, z = index.trace.blocks[index.band(step).block]
    return {"line": index.site(step).location.line, "block": f"({x}, {y}, {z})"}


def tag_words(found: OldValue) -> Message:
    """What a tag beside an element says."""
    if found.value == UNWRITTEN:
        return message("old: nothing yet, not {newer}", newer=found.newer)
    return message("old: {value}, not {newer}", value=found.value, newer=found.newer)
