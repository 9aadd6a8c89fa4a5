"""The layout of a tile in shared memory as a picture: where it lies, where it would without a swizzle, and what accesses cost both ways.

From the recorded addresses: what each place holds is known from where its value was read, and from that which address bits are exchanged.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from app.core.base.picture_parts import Table, Verdict
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.plurals import wavefronts
from app.core.gpu_view.shared.address_bits import Pitch
from app.core.gpu_view.shared.shared_memory import ACCESSES, COPIES, SharedMemory
from app.core.gpu_view.shared.shared_tiles import LINE, SharedTile, SharedTiles
from app.core.gpu_view.shared.typed_layout import typed_offsets
from app.core.gpu_view.shared.wavefronts import Access, serve
from kernels.analysis.banks import BANKS, WORD_BYTES, words_per_lane
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Site


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two layouts. `line` and `chunk` say of each place, rows of banks x units, which part of the tile lies there (-1: none)."""

    title: Message
    offset: Ints
    """For each word of the tile its byte here."""
    line: Ints
    chunk: Ints
    held: tuple[bytes, ...]
    """Of each row of banks both, to be compared and looked up."""
    access: Access
    phase: int
    """That of `access` which is under way."""
    lanes: dict[tuple[int, int], tuple[int, ...]]
    """The lanes of the phase at each place that they touch: its row of banks and unit."""
    turns: tuple[int, ...]
    """How often each bank is asked in the phase."""
    engine: bool = False
    """Whether tensor cores or the copy engine make the access: the lanes that ask for it touch no place of their own."""
    copied: bool = False
    """Whether no warp instruction makes it: it takes no wavefronts."""

    def rows(self, most: int) -> tuple[int, ...]:
        """Up to `most` rows of banks, in order: first those that the phase touches, then those around them."""
        count = len(self.line)
        touched = sorted({row for row, _ in self.lanes if row < count})[:most]
        others = np.setdiff1d(np.arange(count), touched)
        away = np.abs(others[:, None] - touched).min(axis=1) if touched else others
        near = others[np.argsort(away, kind="stable")][: most - len(touched)]
        return tuple(sorted([*touched, *near.tolist()]))


class Moment(NamedTuple):
    """The step whose access is drawn, whether it is over, and the phase of it that is under way."""

    step: int
    past: bool
    phase: int


@dataclass(frozen=True, eq=False)
class Bits:
    """The address of one word: `dense` and `found` are its byte offsets in the tile without and with the swizzle."""

    word: int
    row: int
    column: int
    lane: int | None
    dense: int
    found: int


@dataclass(frozen=True, eq=False)
class SwizzlePicture:
    """A moment: the tile that the step reads or stores (or its block's last access of shared memory, where `past`)."""

    tile: SharedTile
    past: bool
    other: Side
    """Without a swizzle, or as it was typed in."""
    own: Side
    """In shared memory."""
    bits: Bits
    """Of the place pointed at, else of the first lane."""
    typed: Message | None = None
    """What the layout that was typed in costs, or why it is none."""
    refused: bool = False

    @property
    def unit(self) -> int:
        """Bytes of a place."""
        return self.tile.unit

    @property
    def top(self) -> int:
        """How many bits are worth showing: the bank's, those above that are set, and those that are exchanged."""
        sources = self.tile.layout.sources if self.tile.layout is not None else {}
        exchanged = (source + 1 for found in sources.values() for source in found)
        return max(self.bits.dense.bit_length(), self.bits.found.bit_length(), LINE.bit_length() + 1, *exchanged)


NO_ORIGIN = message("Where the values of this array come from is not known, so nothing can be said of its layout.")
NO_LAYOUT = message("The places of this tile follow neither an exclusive or of address bits nor a distance between rows.")
NO_ACCESS = message("No step of this block has moved data in shared memory yet.")


def swizzle_picture(
    tiles: SharedTiles, frame: Frame, thread: int | None, element: tuple[int, int] | None, text: str = ""
) -> SwizzlePicture | Message:
    """The picture of a frame, with the bits of the selected element, else of the selected thread's; or why there is none.

    A layout in `text` takes the place of that without a swizzle.
    """
    now = moment(tiles.memory, frame)
    access = None if now is None else tiles.memory.placed(now.step)
    if access is None or now is None:
        return _nothing_yet(tiles.memory, frame.step)
    step, past = now.step, now.past
    stored = access.operation == "store"
    tile = tiles.of_word(int(access.words[access.active][0]), step, stored=stored)
    if tile is None:
        return NO_ORIGIN
    if tile.layout is None:
        return NO_LAYOUT
    site = tiles.memory.index.site(step)
    own = _side(tile, tile.word * WORD_BYTES - tile.base, message("In shared memory"), access, now.phase, site=site)
    first = own.access.phases[own.phase].lanes[0]
    typed = typed_offsets(tile, text, access) if text.strip() else None
    offset, said = typed if isinstance(typed, tuple) else (tile.dense, typed)
    title, there = _other_title(tile, text if isinstance(typed, tuple) else ""), moved(tile, offset, access)
    other = _side(tile, offset, title, there, now.phase, first, site=site)
    first = _telling(tile, access, own.access.phases[own.phase].lanes)
    bits = _bits(tiles, tile, access, frame, first, thread, element)
    if site.engine:
        bits = replace(bits, lane=None)
    return SwizzlePicture(tile, past, other, own, bits, said, refused=isinstance(typed, Message))


def moment(memory: SharedMemory, frame: Frame) -> Moment | None:
    """What a frame shows of shared memory; None where there is nothing."""
    step = _step_of_access(memory, frame.step)
    access = None if step is None else memory.placed(step)
    if access is None or step is None:
        return None
    past, phases = step != frame.step, len(access.phases)
    return Moment(step, past, 0 if past else min(int(frame.fraction * phases), phases - 1))


def _step_of_access(memory: SharedMemory, step: int) -> int | None:
    """The step, or the last one before it of which it is known how it is served; None where there is none."""
    found: int | None = step
    while found is not None and memory.placed(found) is None:
        found = memory.last_access(found, ACCESSES + COPIES)
    return found


def _nothing_yet(memory: SharedMemory, step: int) -> Message:
    """That nothing was moved before a step, and which one is the first of its block that does."""
    trace, rows = memory.index.trace, memory.index.record.order.row
    shared: Bools = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    blocks = trace.rows.block[rows]
    found = np.flatnonzero(shared[trace.rows.site[rows]] & (blocks == blocks[step]))
    first = next((each for each in found[found > step].tolist() if memory.placed(each) is not None), None)
    if first is None:
        return NO_ACCESS
    return message("No step of this block has moved data in shared memory yet. The first that does is step {step}.", step=first + 1)


def _other_title(tile: SharedTile, text: str) -> Message:
    if text:
        return message("{text}", text=text.strip())
    return message("Without padding") if tile.padded else message("Without a swizzle")


def _telling(tile: SharedTile, access: Access, lanes: tuple[int, ...]) -> int:
    """Of some lanes the first whose word a swizzle has put elsewhere; else the first."""
    at = tile.places(access.words)
    changed = (at >= 0) & (tile.dense[at] != tile.word[at] * WORD_BYTES - tile.base)
    return next((lane for lane in lanes if changed[lane]), lanes[0])


def moved(tile: SharedTile, offset: Ints, access: Access) -> Access:
    """The access with the words of a tile in other places; those of no known origin stay. A line of a copy in bulk stays one line."""
    if words_per_lane(access.bytes) == BANKS:
        own = tile.places(access.words[:, None] + np.arange(BANKS))
        there = np.where(own >= 0, (tile.base + offset[own]) // WORD_BYTES, access.words[:, None])
        return serve(there.min(axis=1), access.active, access.bytes, access.operation)
    at = tile.places(access.words)
    words = np.where(at >= 0, (tile.base + offset[at]) // WORD_BYTES, access.words)
    return serve(words, access.active, access.bytes, access.operation)


def _side(
    tile: SharedTile, offset: Ints, title: Message, there: Access, phase: int, lane: int | None = None, *, site: Site
) -> Side:  # fmt: skip
    """One layout with the access as it is there, and the phase under way, or that in which a lane is served."""
    if lane is not None:
        phase = next(number for number, each in enumerate(there.phases) if lane in each.lanes)
    origin = tile.base // LINE * LINE
    lanes: dict[tuple[int, int], set[int]] = {}
    for touch in there.touches:
        if touch.phase == phase:
            row, byte = divmod(touch.word * WORD_BYTES - origin, LINE)
            lanes.setdefault((row, byte // tile.unit), set()).add(touch.lane)
    shown = {place: tuple(sorted(found)) for place, found in lanes.items()}
    held = _held(tile, offset.astype(np.int64).tobytes())
    return Side(title, offset, *held, there, phase, shown, there.phases[phase].words_of_bank, site.engine, site.copied)


@lru_cache(maxsize=16)
def _held(tile: SharedTile, offset: bytes) -> tuple[Ints, Ints, tuple[bytes, ...]]:
    """Line and chunk of the tile at each place, and both row by row; most steps find the same. `offset` as the array's bytes."""
    row, byte = np.divmod(tile.base % LINE + np.frombuffer(offset, np.int64), LINE)
    shape = int(row.max()) + 1, LINE // tile.unit
    line, chunk = np.full(shape, -1), np.full(shape, -1)
    begins = byte % tile.unit == 0
    place = row[begins], byte[begins] // tile.unit
    line[place] = tile.line[0][begins]
    chunk[place] = tile.line[1][begins] * tile.size // tile.unit
    return line, chunk, tuple(row.tobytes() for row in np.hstack((line, chunk)))


def _bits(
    tiles: SharedTiles, tile: SharedTile, access: Access, frame: Frame, first: int, thread: int | None, element: tuple[int, int] | None
) -> Bits:
    """The address of the selected element, of the selected thread's word, or of that of the first lane."""
    lane = thread - frame.first_thread if thread is not None else first
    lane = lane if 0 <= lane < len(access.active) and access.active[lane] else first
    word, shown = int(access.words[lane]), lane
    if element is not None and element[0] == tile.array.allocation:
        word = tiles.memory.word_of(*element)
    at = int(tile.places(np.array([word]))[0])
    if at < 0:
        at = 0
    touching = [touch.lane for touch in access.touches if touch.word == int(tile.word[at])]
    shown = lane if lane in touching else min(touching, default=-1)
    return Bits(
        int(tile.word[at]), int(tile.row[at]), int(tile.column[at]), shown if shown >= 0 else None,
        int(tile.dense[at]), int(tile.word[at]) * WORD_BYTES - tile.base,
    )  # fmt: skip


# ------------------------------------------------------------ words


def verdict_of(picture: SwizzlePicture) -> Verdict | None:
    """What the access costs in memory."""
    if picture.past or picture.own.copied:
        return None
    degree = picture.own.access.degree
    return Verdict(message("{degree}-way conflict", degree=degree), degree) if degree > 1 else Verdict(message("no conflict"), 1)


def rule_of(tile: SharedTile) -> Message:
    """The layout in one line."""
    layout = tile.layout
    if isinstance(layout, Pitch):
        gap = layout.pitch - layout.length
        if gap:
            return message("{gap} bytes of padding after every {length}", gap=gap, length=layout.length)
        return message("line after line, no swizzle")
    sources = layout.sources if layout is not None else {}
    if not sources:
        return message("line after line, no swizzle")
    targets = ", ".join(map(str, sources))
    return message("address bits {targets} XOR bits {sources}", targets=targets, sources=", ".join(map(_joined, sources.values())))


def sentence_of(picture: SwizzlePicture) -> Message:
    """What the layout is good for in this access, or was in the last one."""
    own, other = picture.own.access.wavefronts, picture.other.access.wavefronts
    if picture.own.copied:
        return message("{name}: {rule}. What is copied here takes no wavefronts.", name=picture.tile.array.name, rule=rule_of(picture.tile))
    values: dict[str, str | Message] = {"name": picture.tile.array.name, "rule": rule_of(picture.tile), "own": wavefronts(own)}
    if own == other and picture.past:
        return message("{name}: {rule}. The last access took {own} either way.", **values)
    if own == other:
        return message("{name}: {rule}. This access takes {own} either way.", **values)
    values |= {"layout": picture.other.title, "other": wavefronts(other)}
    if picture.past:
        return message("{name}: {rule}. The last access took {own}. {layout}: {other}.", **values)
    return message("{name}: {rule}. This access takes {own}. {layout}: {other}.", **values)


def bits_words(picture: SwizzlePicture) -> Message:
    """Which word the bits are those of."""
    tile, bits = picture.tile, picture.bits
    held = tile.name_at(bits.row, bits.column)
    without = lacking(tile)
    if bits.lane is None:
        return message("{held}: byte {dense} {without}, byte {found} in memory", held=held, dense=bits.dense, without=without,
                       found=bits.found)  # fmt: skip
    return message("{held}, lane {lane}: byte {dense} {without}, byte {found} in memory", held=held, lane=bits.lane, dense=bits.dense,
                   without=without, found=bits.found)  # fmt: skip


def lacking(tile: SharedTile) -> Message:
    """What the layout beside that in memory is without, within a sentence."""
    return message("without padding") if tile.padded else message("without a swizzle")


def swizzle_table(picture: SwizzlePicture) -> Table:
    """A row for each lane, or each part that an engine moves at once: which element, and its bank either way."""
    tile, rows = picture.tile, []
    for lane in np.flatnonzero(picture.own.access.active).tolist():
        own, other = (int(side.access.words[lane]) for side in (picture.own, picture.other))
        at = int(tile.places(np.array([own]))[0])
        held = tile.name_at(int(tile.row[at]), int(tile.column[at])) if at >= 0 else ""
        phase = next(touch.phase for touch in picture.own.access.touches if touch.lane == lane)
        dense = tile.dense[at] if at >= 0 else 0
        rows.append((str(lane), str(phase + 1), held, str(dense), str(own * WORD_BYTES - tile.base), str(other % BANKS), str(own % BANKS)))
    without = lacking(tile)
    who = message("Part") if picture.own.engine else message("Lane")
    titles = (
        who, message("Phase"), message("Element"), message("Byte {without}", without=without), message("Byte in memory"),
        message("Bank {without}", without=without), message("Bank in memory"),
    )  # fmt: skip
    return Table(titles, tuple(rows))


def _joined(bits: tuple[int, ...]) -> str:
    return "+".join(map(str, bits))
