"""Shared memory view as values: 32 banks by words, and the lanes of the step on their way to them.

Where there are too many rows to draw, those that matter are shown and the others folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from app.core.gpu_view.frame import Frame
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.shared.wavefronts import Access
from kernels.analysis.banks import BANKS
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

MOST_ROWS = 48
GROUP = 8
"""Rows that are shown together, so that a step further the same ones are."""


@dataclass(frozen=True, slots=True)
class Part:
    """Part of the rows of shared memory: from `start` to `stop` (exclusive), one under the other, or folded."""

    start: int
    stop: int
    folded: bool = False

    @property
    def rows(self) -> int:
        return self.stop - self.start


def parts(rows: int, touched: Iterable[int], begins: Sequence[int]) -> tuple[Part, ...]:
    """The parts of `rows` rows, in order. `touched` are always shown; `begins` are the rows where arrays begin, in ascending order."""
    everything = rows <= MOST_ROWS
    shown = range(rows) if everything else sorted(_chosen(rows, {row for row in touched if 0 <= row < rows}, begins))
    first, bounds, end = set(begins), list[tuple[int, bool]](), 0
    for row in shown:
        if row > end:
            bounds.append((end, True))
        if row > end or row in first or not bounds:
            bounds.append((row, False))
        end = row + 1
    if end < rows:
        bounds.append((end, True))
    return tuple(Part(start, stop, folded) for (start, folded), (stop, _) in pairwise([*bounds, (rows, False)]))


def _chosen(rows: int, touched: set[int], begins: Sequence[int]) -> set[int]:
    """The most of: the groups of the touched rows with one of each other array, those groups, the rows' neighbours, the rows alone."""
    groups = {other for row in touched for other in range(row // GROUP * GROUP, row // GROUP * GROUP + GROUP)}
    idle = {row for begin, end in zip(begins, (*begins[1:], rows), strict=True) if not any(begin <= row < end for row in groups)
            for row in range(begin, min(begin + GROUP, end))}  # fmt: skip
    near = {row + step for row in touched for step in (-1, 0, 1)}
    choices = (_filled(choice, rows) for choice in (groups | idle, groups, near) if choice)
    return next((choice for choice in choices if len(choice) <= MOST_ROWS), touched)


def _filled(chosen: set[int], rows: int) -> set[int]:
    """Add every single row between two chosen ones: folding it would save nothing."""
    inside = {row for row in chosen if 0 <= row < rows}
    return inside | {row + 1 for row in inside if row + 2 in inside}


class Serving(IntEnum):
    """Place of a lane, or of a word that it touches, in the queue. The later one wins where a word has several lanes."""

    SERVED = 0
    WAITING = 1
    """Its phase has not begun, or has no conflict."""
    BLOCKED = 2
    """Waiting for a bank that serves somebody else."""
    NOW = 3


class Cell(IntEnum):
    """State of a word of shared memory.

    From FRESH on two numbers for each matrix name of `LETTERS`: written in this tile step, or left from an earlier one.
    """

    OUTSIDE = 0
    UNUSED = 1
    """The launch never accesses it."""
    EMPTY = 2
    """Not written yet."""
    FRESH = 3


LETTERS = ("A", "B", "C", "")


class Group(NamedTuple):
    """Lanes that touch the same words in the same phase, in ascending order: one token."""

    lanes: tuple[int, ...]
    words: tuple[int, ...]
    serving: Serving
    runs: tuple[tuple[int, int], ...]
    """Its lanes as ranges from first to last."""


class Word(NamedTuple):
    """A word that lanes touch, and those of them, in ascending order, that are as far as the one of most interest."""

    word: int
    lanes: tuple[int, ...]
    serving: Serving


@dataclass(frozen=True, slots=True, eq=False)
class BanksPicture:
    """A moment. `access` is the step's, or if that does not access shared memory the block's last one, `past`; None: there was none yet.

    `now` is the wavefront under way from 0, None when all are served. `steps` is what the memory's content is a function of.
    """

    memory: SharedMemory
    access: Access | None
    past: bool
    now: int | None
    groups: tuple[Group, ...]
    words: tuple[Word, ...]
    parts: tuple[Part, ...]
    contested: frozenset[int]
    """The banks that serve several accesses of one phase one after the other."""
    content: tuple[int, int, int]
    """The block, the last step that wrote, and the step at which the tile step began: what memory holds is a function of these."""


def wavefront_at(memory: SharedMemory, frame: Frame) -> int | None:
    """The wavefront of the step's access that is served, from 0; None once all are served, and where the step has none."""
    access = memory.access(frame.step)
    return None if access is None or frame.fraction >= 1 else int(frame.fraction * access.wavefronts)


def banks_picture(memory: SharedMemory, frame: Frame) -> BanksPicture:
    """The picture of a frame: a pure function of the step, of how many steps' writes are seen, and of the wavefront."""
    step = frame.step
    access = memory.access(step)
    past = access is None
    if access is None:
        before = memory.last_access(step)
        step = step if before is None else before
        access = None if before is None else memory.access(before)
    now = wavefront_at(memory, frame)
    servings = [] if access is None else _servings(access, now)
    groups, words = ((), ()) if access is None else (_groups(access, servings), _words(access, servings))
    begins = sorted({array.first // BANKS for array in memory.arrays if not array.first % BANKS})
    shown = parts(memory.rows, {each.word // BANKS for each in words}, begins)
    content = (frame.block_number, memory.written_until(frame.moment), memory.tile_start(frame.step))
    contested = frozenset() if access is None else _contested(access)
    return BanksPicture(memory, access, past, now, groups, words, shown, contested, content)


def untouched(picture: BanksPicture) -> BanksPicture:
    """The same memory without the lanes that access it."""
    return replace(picture, access=None, past=True, now=None, groups=(), words=(), contested=frozenset())


def shown_rows(picture: BanksPicture) -> tuple[int, ...]:
    """The rows that are drawn, from top to bottom."""
    return tuple(row for part in picture.parts if not part.folded for row in range(part.start, part.stop))


def cells(memory: SharedMemory, rows: tuple[int, ...], content: tuple[int, int, int]) -> tuple[Ints, Ints]:
    """For each word of some rows (rows x 32) what it is (see `Cell`), and the step that wrote it (-1: none). `content` is a picture's."""
    block, written, tile = content
    words = words_of(rows)
    writers = memory.writers(words, written + 1, block)
    allocation = memory.array[words]
    used = np.append(memory.used, np.zeros(len(memory.array) - len(memory.used), np.bool_))[words]
    letters = np.array([LETTERS.index(letter if letter in LETTERS else "") for letter in memory.index.record.letters])
    held = Cell.FRESH + 2 * letters[allocation] + (writers < tile)
    found = np.select([allocation < 0, ~used, writers < 0], [Cell.OUTSIDE, Cell.UNUSED, Cell.EMPTY], held)
    return found.reshape(-1, BANKS), writers.reshape(-1, BANKS)


def words_of(rows: tuple[int, ...]) -> Ints:
    """The words of some rows, one after another."""
    words: Ints = (np.array(rows, np.int64)[:, None] * BANKS + np.arange(BANKS)).reshape(-1)
    return words


def columns(memory: SharedMemory, rows: tuple[int, ...], writers: Ints, block: int) -> Ints:
    """The columns that the values of the words of some rows had in their matrix, counted from the first in their array; -1: not known."""
    words = words_of(rows)
    allocation, element = memory.sources(words, writers.reshape(-1), block)
    found = np.full(len(words), -1)
    for number in np.unique(allocation[allocation >= 0]).tolist():
        role = memory.index.roles.get(number)
        for array in memory.arrays if role is not None else ():
            own = (allocation == number) & (memory.array[words] == array.allocation)
            if own.any() and role is not None:
                column = element[own] % role.columns
                found[own] = column - column.min()
    return found.reshape(-1, BANKS)


def _servings(access: Access, now: int | None) -> list[Serving]:
    """How far each touch is."""
    if now is None:
        return [Serving.SERVED] * len(access.touches)
    operands = access.operands
    later = [Serving.BLOCKED if phase.wavefronts > operands else Serving.WAITING for phase in access.phases]
    return [Serving.SERVED if last < now else Serving.NOW if first <= now else later[phase] for _, _, phase, first, last in access.touches]


def _groups(access: Access, servings: list[Serving]) -> tuple[Group, ...]:
    words: dict[tuple[int, int], list[int]] = {}
    last: dict[tuple[int, int], Serving] = {}
    for (lane, word, phase, _, _), serving in zip(access.touches, servings, strict=True):
        words.setdefault((phase, lane), []).append(word)
        last[phase, lane] = max(serving, last.get((phase, lane), serving))
    found: dict[tuple[int, ...], list[int]] = {}
    for (phase, lane), own in words.items():
        found.setdefault((phase, *own, *((lane,) if access.takes_turns else ())), []).append(lane)
    groups = (((phase, lanes[0]), lanes) for (phase, *_), lanes in found.items())
    return tuple(Group(tuple(lanes), tuple(words[first]), last[first], _runs(lanes)) for first, lanes in groups)


def _runs(lanes: list[int]) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    for lane in lanes:
        if ranges and ranges[-1][1] == lane - 1:
            ranges[-1] = ranges[-1][0], lane
        else:
            ranges.append((lane, lane))
    return tuple(ranges)


def _words(access: Access, servings: list[Serving]) -> tuple[Word, ...]:
    found: dict[int, tuple[Serving, set[int]]] = {}
    for (lane, word, *_), serving in zip(access.touches, servings, strict=True):
        before = found.get(word)
        if before is None or serving > before[0]:
            found[word] = serving, {lane}
        elif serving is before[0]:
            before[1].add(lane)
    return tuple(Word(word, tuple(sorted(lanes)), serving) for word, (serving, lanes) in found.items())


def _contested(access: Access) -> frozenset[int]:
    counts = ((bank, turns) for phase in access.phases
              for bank, turns in enumerate(phase.lanes_of_bank if access.takes_turns else phase.words_of_bank))  # fmt: skip
    return frozenset(bank for bank, turns in counts if turns > 1)


def lane_of(frame: Frame, thread: int | None) -> int | None:
    """The lane of the frame's warp that a thread is."""
    lane = -1 if thread is None else thread - frame.first_thread
    return lane if 0 <= lane < WARP else None
