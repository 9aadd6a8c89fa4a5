"""Sentences about an access of shared memory: why it takes its wavefronts, how far it is, and what the view answers.

It answers to the pointer, to the arrow keys and to a reader of its table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from app.core.base.picture_parts import Table, Verdict
from app.core.gpu_view import plurals
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex, other_half
from app.core.gpu_view.selection import Selection
from app.core.gpu_view.shared.banks import BanksPicture, lane_of
from app.core.gpu_view.shared.shared_memory import Array, SharedMemory
from app.core.gpu_view.shared.wavefronts import Access, Touch
from kernels.analysis.banks import BANKS, words_per_lane
from kernels.base.messages import Message, message
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Site

_UNTOUCHED = {
    "": message("This step does not touch shared memory."),
    "store": message("This step does not touch shared memory: what it reads is put there in a step of its own."),
    "load": message("This step does not touch shared memory: what it writes was read there in a step of its own."),
}
"""By what else the line of the step does there."""
_UNSPECIFIED = message("A tile operation: the addresses of its lanes are not specified, so nothing is said of banks.")
_AT_BARRIER = message("An operation on a barrier: it meets no banks and takes no wavefront.")
_COPIED = message("These bytes are moved by no warp instruction: no lane waits for a bank, and no wavefront is counted.")
NO_MEMORY = message("This kernel uses no shared memory.")
NEXT_ASKED = message("The next access is the one that is asked about.")


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
        return Verdict(message("{degree}-way conflict", degree=access.degree), access.degree, message("{degree}-way", degree=access.degree))
    if access.shares and access.operation == "load":
        return Verdict(message("broadcast"), 1)
    return Verdict(message("no conflict"), 1)


def why_nothing(index: LaunchIndex, site: Site) -> Message:
    """Why nothing is said of banks at a step that is at a site."""
    if site.copied and site.space is Space.SHARED:
        return _COPIED
    return _AT_BARRIER if site.barrier else _UNSPECIFIED if site.tile else _UNTOUCHED[other_half(index, site, Space.SHARED)]


def reason_of(access: Access, across: int = WARP) -> Message:
    """Why: the formula of the banks where the words are a line in the lane, counts where they are not. `across` are the threads that the
    block has along x: those of a row."""
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
    return _scattered(access, lanes, across)


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


def brief_progress(access: Access, now: int | None) -> Message:
    """Which wavefront is under way, where whom it serves has no room."""
    number = access.wavefronts if now is None else now + 1
    return message("Wavefront {number} of {total}", number=number, total=access.wavefronts)


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


def _scattered(access: Access, lanes: int, across: int) -> Message:
    swizzle, banks = swizzle_of(access), len({touch.bank for touch in access.touches})
    if access.degree == 1 and lanes == 1:
        return message("One lane, one bank.")
    if swizzle is not None:
        return message("Every lane its own bank: lane XOR {number}. The layout exchanges columns within each row.", number=swizzle)
    if access.degree == 1:
        return message("Every lane its own bank, though their words are not in order: the layout spreads them.")
    if _rows_have_their_banks(access, across):
        return message(
            "This warp is {rows} rows of {lanes} threads: each alone has banks of its own, together up to {degree} words lie in one.",
            rows=lanes // across, lanes=across, degree=access.degree,
        )  # fmt: skip
    return message(
        "{lanes} lanes need {banks} banks, and up to {degree} words of one bank.", lanes=lanes, banks=banks, degree=access.degree
    )


def _rows_have_their_banks(access: Access, across: int) -> bool:
    """Whether the warp is several whole rows of the block, each of which needs every bank once at most."""
    if not 1 < across < WARP or WARP % across or not access.active.all():
        return False
    return all(len(np.unique(row)) == across for row in (access.words % BANKS).reshape(-1, across))


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
                       phases=phases, lanes=plurals.lanes(lanes))  # fmt: skip
    return message("{bytes} bytes a lane: {phases} phases of up to {lanes}, with up to {degree} words of one bank in each.",
                   bytes=access.bytes, phases=phases, lanes=plurals.lanes(lanes), degree=access.degree)  # fmt: skip


TITLES = (
    message("Lane"), message("Thread"), message("Address"), message("Word"), message("Bank"), message("Phase"), message("Wavefront"),
)  # fmt: skip


def tip_of(picture: BanksPicture, frame: Frame, selection: Selection) -> Message | None:
    """What is said of a lane, a bank or an element."""
    if selection.bank is not None:
        return _bank_tip(picture, selection.bank)
    if selection.element is not None:
        return _element_tip(picture, *selection.element)
    lane = lane_of(frame, selection.thread)
    return None if lane is None else _lane_tip(picture, frame, lane)


def moved(picture: BanksPicture, frame: Frame, selection: Selection, across: int, down: int) -> Selection:
    """Return the selection after an arrow key: from lane to lane, from bank to bank, from word to word; else the first lane."""
    if selection.bank is not None:
        return Selection(bank=min(max(selection.bank + across, 0), BANKS - 1))
    if selection.element is not None and selection.element[0] in {array.allocation for array in picture.memory.arrays}:
        element = picture.memory.element(picture.memory.word_of(*selection.element) + across + BANKS * down)
        return selection if element is None else Selection(element=element)
    lanes = np.flatnonzero(frame.lanes.active).tolist()
    lane = lane_of(frame, selection.thread)
    if lane not in lanes:
        return Selection(thread=frame.first_thread + lanes[0])
    step = min(max(lanes.index(lane) + (across or down), 0), len(lanes) - 1)
    return Selection(thread=frame.first_thread + lanes[step])


def rows_of(picture: BanksPicture, frame: Frame) -> Table:
    """A row for each lane that the step has at shared memory."""
    access = picture.access
    if access is None or picture.past:
        return Table(TITLES, ())
    rows = []
    for lane in np.flatnonzero(access.active).tolist():
        own = touches_of(picture, lane)
        rows.append((
            str(lane), str(frame.first_thread + lane), str(int(frame.lanes.address[lane])), _range(touch.word for touch in own),
            _range(touch.bank for touch in own), _range(touch.phase + 1 for touch in own),
            _range(number + 1 for touch in own for number in (touch.first, touch.last)),
        ))  # fmt: skip
    return Table(TITLES, tuple(rows))


def touches_of(picture: BanksPicture, lane: int) -> tuple[Touch, ...]:
    """The words that a lane touches."""
    return () if picture.access is None else tuple(touch for touch in picture.access.touches if touch.lane == lane)


def element_text(memory: SharedMemory, allocation: int, element: int) -> str:
    """An element as it is written in the kernel, such as tile[3][5]."""
    each = memory.index.trace.allocations[allocation]
    return each.name + _subscripts(element, each.shape)


def _lane_tip(picture: BanksPicture, frame: Frame, lane: int) -> Message | None:
    own = touches_of(picture, lane)
    if not own or picture.past:
        return message("Lane {lane} is thread {thread}.", lane=lane, thread=frame.first_thread + lane)
    element = picture.memory.element(own[0].word)
    name = "" if element is None else element_text(picture.memory, *element)
    return message(
        "Lane {lane}, thread {thread}: {element}, word {words}, bank {banks}, wavefront {wavefront} of {total}.",
        lane=lane, thread=frame.first_thread + lane, element=name, words=_range(touch.word for touch in own),
        banks=_range(touch.bank for touch in own), wavefront=max(touch.last for touch in own) + 1,
        total=picture.access.wavefronts if picture.access is not None else 0,
    )  # fmt: skip


def _bank_tip(picture: BanksPicture, bank: int) -> Message:
    own = [] if picture.access is None or picture.past else [touch for touch in picture.access.touches if touch.bank == bank]
    if not own:
        return message("Bank {bank}: not needed by this step.", bank=bank)
    lanes, words = plurals.lanes(len({touch.lane for touch in own})), plurals.words(len({touch.word for touch in own}))
    return message("Bank {bank}: {lanes}, {words}.", bank=bank, lanes=lanes, words=words)


def _element_tip(picture: BanksPicture, allocation: int, element: int) -> Message | None:
    memory, (block, written, _) = picture.memory, picture.content
    if allocation not in {array.allocation for array in memory.arrays}:
        return None
    word, name = memory.word_of(allocation, element), element_text(memory, allocation, element)
    if not memory.used[word]:
        return message("{element}, word {word}, bank {bank}: never used in this launch.", element=name, word=word, bank=word % BANKS)
    writers = memory.writers(np.array([word]), written + 1, block)
    if writers[0] < 0:
        return message("{element}, word {word}, bank {bank}: not written yet.", element=name, word=word, bank=word % BANKS)
    (source,), (number,) = memory.sources(np.array([word]), writers, block)
    role = memory.index.roles.get(int(source))
    if role is None:
        return message("{element}, word {word}, bank {bank}: written in step {step}.", element=name, word=word, bank=word % BANKS,
                       step=int(writers[0]) + 1)  # fmt: skip
    held = f"{role.name}[{number // role.columns}][{number % role.columns}]"
    return message("{element}, word {word}, bank {bank}: holds {source}.", element=name, word=word, bank=word % BANKS, source=held)


def _subscripts(element: int, shape: tuple[int, ...]) -> str:
    places = []
    for size in reversed(shape[1:]):
        element, place = divmod(element, max(size, 1))
        places.append(place)
    return "".join(f"[{place}]" for place in (element, *reversed(places)))


def _range(numbers: Any) -> str:
    """The least and the greatest of some numbers."""
    found = sorted(set(numbers))
    return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"


def row_words(arrays: Sequence[Array], row: int) -> Message:
    """What 32 words, one of each bank, begin with: a row of a matrix whose rows are as long; else, as where rows are padded, a word."""
    first = row * BANKS
    array = next((each for each in arrays if each.first <= first < each.first + each.words), None)
    if array is not None and len(array.shape) == 2 and array.words == array.shape[0] * BANKS and array.first % BANKS == 0:
        return message("row {number}", number=row - array.first // BANKS)
    return message("word {number}", number=first)
