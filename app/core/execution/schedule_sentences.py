"""The two schedules of a race in words: who goes when, and where wrong values pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.core.gpu_view.frame import Frame
from kernels.analysis.value_chains import WrongAccess
from kernels.base.messages import Message, message
from kernels.simt.base.schedule import WHOLE_WARP, Turn
from kernels.simt.trace.trace import Trace

if TYPE_CHECKING:  # the first window names turns and plays none
    from kernels.exploration.breaking_schedules import Interleavings, Played

MOST_TURNS = 12
_LANES = 32


def turn_text(trace: Trace, turn: Turn) -> Message:
    """Who goes, and how many accesses they make."""
    rows = slice(turn.first, turn.first + turn.rows)
    lines = [trace.sites[site].location.line for site in trace.rows.site[rows].tolist()]
    first, last = lines[0], lines[-1]
    where = message("line {line}", line=first) if first == last else message("from line {a} to line {b}", a=first, b=last)
    lanes = _of_warp(turn.warp, turn.lanes)
    block = str(trace.blocks[turn.block])
    if turn.late:
        return message(
            "block {block}, {lanes}, {where}: what was stored there is seen by all only now", block=block, lanes=lanes, where=where
        )
    return message("block {block}, {lanes}, {where}; accesses: {count}", block=block, lanes=lanes, where=where, count=turn.rows)


def who_goes(trace: Trace, frame: Frame) -> Message:
    """Which lanes of which warp make the step of a schedule; the block too, where there are several."""
    lanes = _of_warp(frame.warp, sum(1 << lane for lane in np.flatnonzero(frame.lanes.active).tolist()))
    return message("block {block}, {lanes}", block=str(frame.block[:2]), lanes=lanes) if len(trace.blocks) > 1 else lanes


def _of_warp(warp: int, bits: int) -> Message:
    if bits == WHOLE_WARP:
        return message("warp {warp}", warp=warp)
    if bits.bit_count() == 1:
        return message("warp {warp}, lane {lane}", warp=warp, lane=lanes_text(bits))
    return message("warp {warp}, lanes {lanes}", warp=warp, lanes=lanes_text(bits))


def lanes_text(bits: int) -> str:
    """Lanes as ranges, as in "0, 16-31"."""
    lanes = [lane for lane in range(_LANES) if bits >> lane & 1]
    starts = [lane for lane in lanes if lane - 1 not in lanes]
    ends = [lane for lane in lanes if lane + 1 not in lanes]
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))


def schedule_lines(played: Played) -> Iterator[Message]:
    """The turns of a schedule, the first of them."""
    for turn in played.turns[:MOST_TURNS]:
        yield turn_text(played.trace, turn)
    if len(played.turns) > MOST_TURNS:
        yield message("And more: {count}.", count=len(played.turns) - MOST_TURNS)


def chain_text(found: Interleavings) -> Message | None:
    """The lines by which wrong values pass, from the first to the output; None where there are none."""
    if found.breaks is None or not found.wrong:
        return None
    lines = [line_of(found.breaks.trace, each) for each in found.wrong]
    passed = [line for number, line in enumerate(lines) if not number or lines[number - 1] != line]
    shown = [*passed[:MOST_TURNS], *(["…"] if len(passed) > MOST_TURNS else [])]
    return message("Wrong values pass these lines: {lines}.", lines=" → ".join(map(str, shown)))


def line_of(trace: Trace, wrong: WrongAccess) -> int:
    """The line of a wrong access."""
    site = trace.sites[int(trace.rows.site[wrong.row])]
    return site.location.line


def order_text(found: Interleavings) -> Message:
    """What is taken as right."""
    if found.serial:
        return message("Right is what one thread after the other gives.")
    return message("Right is what all warps give that go in step.")


def all_words(found: Interleavings) -> Sequence[Message]:
    """Everything that is said of a race's schedules, line by line."""
    lines: list[Message] = [found.sentence]
    if found.breaks is None:
        return lines
    lines += [order_text(found), message("A schedule that works:"), *schedule_lines(found.works)]
    lines += [message("A schedule that breaks it:"), *schedule_lines(found.breaks)]
    chain = chain_text(found)
    return lines if chain is None else [*lines, chain]
