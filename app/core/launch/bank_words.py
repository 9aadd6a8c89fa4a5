"""What an access of shared memory says: why it takes the wavefronts that it takes, and how far it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.core.launch import quantities
from app.core.launch.verdict import Verdict
from app.core.launch.wavefronts import Access
from kernels.analysis.banks import BANKS, words_per_lane
from kernels.messages import Message, message

UNTOUCHED = message("This step does not touch shared memory.")
UNSPECIFIED = message("A tile operation: the addresses of its lanes are not specified, so nothing is said of banks.")
NO_MEMORY = message("This kernel uses no shared memory.")


class Line(NamedTuple):
    """Lane l begins at word `stride` * l + `offset`."""

    stride: int
    offset: int


def line_of(access: Access) -> Line | None:
    """The words as a line in the lane; None where they are none, or only one lane is active."""
    lanes = np.flatnonzero(access.active)
    if len(lanes) < 2:
        return None
    words = access.words[lanes]
    stride, rest = divmod(int(words[1] - words[0]), int(lanes[1] - lanes[0]))
    offset = int(words[0]) - stride * int(lanes[0])
    return Line(stride, offset) if not rest and (words == stride * lanes + offset).all() else None


def swizzle_of(access: Access) -> int | None:
    """The number whose exclusive or with the lane is the bank; None where there is none."""
    lanes = np.flatnonzero(access.active)
    numbers = (access.words[lanes] % BANKS) ^ lanes
    return int(numbers[0]) if len(lanes) > 1 and (numbers == numbers[0]).all() else None


def verdict_of(access: Access) -> Verdict:
    """The badge: how many accesses wait for one bank."""
    if access.degree > 1:
        if access.takes_turns:
            return Verdict(message("{lanes} lanes take turns", lanes=access.degree), access.degree)
        return Verdict(message("{degree}-way conflict", degree=access.degree), access.degree)
    if access.shares and access.operation == "load":
        return Verdict(message("1-way, broadcast"), 1)
    if access.wavefronts == 1:
        return Verdict(message("1-way, 1 wavefront"), 1)
    return Verdict(message("1-way, {wavefronts} wavefronts", wavefronts=access.wavefronts), 1)


def reason_of(access: Access) -> Message:
    """Why: the formula of the banks where the words are a line in the lane, counts where they are not."""
    lanes, words = int(access.active.sum()), len({touch.word for touch in access.touches})
    if access.takes_turns:
        return _turns(access)
    if words_per_lane(access.bytes) > 1:
        return _wide(access)
    if lanes > 1 and words == 1:
        return _one_word(access, lanes)
    if access.shares:
        return message("{lanes} lanes, {words} words: lanes at one word share its wavefront.", lanes=lanes, words=words)
    line = line_of(access)
    if line is not None:
        return _linear(access, line, lanes)
    return _scattered(access, lanes)


def progress_of(access: Access, now: int | None) -> Message:
    """Which wavefront is under way, and whom it serves."""
    total = access.wavefronts
    if now is None:
        return message("Wavefront {number} of {total} is done.", number=total, total=total)
    served = len({touch.lane for touch in access.touches if touch.first <= now <= touch.last})
    if total == 1:
        return message("Wavefront 1 of 1. All active lanes are served at once.")
    if served == 1:
        return message("Wavefront {number} of {total}. One lane is served at a time.", number=now + 1, total=total)
    return message("Wavefront {number} of {total}. {lanes} lanes are served together.", number=now + 1, total=total, lanes=served)


def formula(line: Line) -> Message:
    """The bank of a lane, as the words say it."""
    offset = line.offset % BANKS
    if line.stride == 1:
        return message("(lane + {offset}) mod 32", offset=offset) if offset else message("lane mod 32")
    if not offset:
        return message("({stride} × lane) mod 32", stride=line.stride)
    return message("({stride} × lane + {offset}) mod 32", stride=line.stride, offset=offset)


def _linear(access: Access, line: Line, lanes: int) -> Message:
    banks = len({touch.bank for touch in access.touches})
    if lanes > 1 and banks == 1:
        bank = line.offset % BANKS
        return message("All lanes need bank {bank}: {formula} = {bank}", bank=bank, formula=formula(line))
    reduced = Line(line.stride % BANKS, line.offset)
    said = formula(line)
    if reduced.stride != line.stride:
        said = message("{formula} = {simpler}", formula=said, simpler=formula(reduced))
    if access.degree == 1:
        return message("Every lane its own bank: {formula}", formula=said)
    return message("{lanes} lanes need {banks} banks, up to {degree} the same: {formula}", lanes=lanes, banks=banks, degree=access.degree,
                   formula=said)  # fmt: skip


def _scattered(access: Access, lanes: int) -> Message:
    swizzle, banks = swizzle_of(access), len({touch.bank for touch in access.touches})
    if access.degree == 1 and lanes == 1:
        return message("One lane, one bank.")
    if swizzle is not None:
        return message("Every lane its own bank: lane XOR {number}. The layout exchanges columns within each row.", number=swizzle)
    if access.degree == 1:
        return message("Every lane its own bank, though their words are not in order: the layout spreads them.")
    return message(
        "{lanes} lanes need {banks} banks, and up to {degree} words of one bank.", lanes=lanes, banks=banks, degree=access.degree
    )


def _one_word(access: Access, lanes: int) -> Message:
    bank = access.touches[0].bank
    if access.operation == "load":
        return message("All {lanes} lanes read one word of bank {bank}: one broadcast.", lanes=lanes, bank=bank)
    return message("All {lanes} lanes write one word of bank {bank}: one of them wins.", lanes=lanes, bank=bank)


def _turns(access: Access) -> Message:
    if access.degree == 1:
        return message("No two lanes need the same bank.")
    return message("Up to {degree} lanes need one bank. Each has to see what the one before it left.", degree=access.degree)


def _wide(access: Access) -> Message:
    phases, lanes = len(access.phases), max(len(phase.lanes) for phase in access.phases)
    if phases == 1:
        alone = message("{bytes} bytes a lane, one phase, no conflict.", bytes=access.bytes)
        return alone if access.degree == 1 else message(
            "{bytes} bytes a lane, one phase, with up to {degree} words of one bank.", bytes=access.bytes, degree=access.degree
        )  # fmt: skip
    if access.degree == 1:
        return message("{bytes} bytes a lane: {phases} phases of up to {lanes}, each without a conflict.", bytes=access.bytes,
                       phases=phases, lanes=quantities.lanes(lanes))  # fmt: skip
    return message("{bytes} bytes a lane: {phases} phases of up to {lanes}, with up to {degree} words of one bank in each.",
                   bytes=access.bytes, phases=phases, lanes=quantities.lanes(lanes), degree=access.degree)  # fmt: skip
