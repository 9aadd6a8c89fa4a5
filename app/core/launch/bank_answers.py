"""What the view of shared memory answers: to the pointer, to the arrow keys, and to a reader of its table."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.core.launch.banks import BanksPicture, lane_of
from app.core.launch.frame import Frame
from app.core.launch.selection import Selection
from app.core.launch.shared_memory import SharedMemory
from app.core.launch.wavefronts import Touch
from app.core.table import Table
from kernels.analysis.banks import BANKS
from kernels.messages import Message, message

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
    """From lane to lane, from bank to bank, from word to word; else to the first lane."""
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
    lanes, words = len({touch.lane for touch in own}), len({touch.word for touch in own})
    return message("Bank {bank}: lanes {lanes}, words {words}.", bank=bank, lanes=lanes, words=words)


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
