"""Tiles that engines access by what an instruction says of them: operands of wgmma by their descriptors, boxes of tensor maps."""

from __future__ import annotations

import numpy as np

from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.banks import WORD_BYTES
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.swizzle import MatrixDescriptor, box_addresses
from kernels.simt.base.types import Space
from kernels.simt.base.windows import OWN_ADDRESS, RANK_SHIFT
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP

_WARPGROUP = 4 * WARP


@dataclass(frozen=True, slots=True, eq=False)
class EngineTile:
    """Words, ascending, with the row and the column in the tile of what they begin with, and what that is called."""

    name: str
    corner: tuple[int, int]
    size: int
    """Bytes of an element."""
    word: Ints
    row: Ints
    column: Ints


def operand_event(index: LaunchIndex, step: int) -> Event | None:
    """The event that says which operand of wgmma a step reads. None for another step."""
    row, warp = index.place(step)
    site = index.site(step)
    if site.space is not Space.SHARED or not site.operand:
        return None
    events, group = index.trace.events, warp * WARP // _WARPGROUP
    block = int(index.trace.rows.block[row])
    later = (each for each in events if each.kind is Happening.OPERAND and each.block == block and each.row > row)
    first = next(later, None)
    if first is None:
        return None
    same = [first, *(each for each in later if each.row == first.row)]
    own = (each for each in same if int(index.trace.masks[each.mask].argmax()) // _WARPGROUP == group)
    return next(own, first)


def operands_of(index: LaunchIndex, block: int, used: Bools) -> list[EngineTile]:
    """All operands that wgmma reads in a block."""
    seen: dict[bytes, EngineTile] = {}
    descriptors = {
        (event.value, event.other, event.numbers): event
        for event in index.trace.events
        if event.kind is Happening.OPERAND and event.block == block
    }
    for event in descriptors.values():
        tile = operand_tile(used, event.value, event.other, event.numbers)
        seen.setdefault(tile.word.tobytes(), tile)
    return list(seen.values())


def operand_tile(used: Bools, value: int, other: int, numbers: tuple[int, ...]) -> EngineTile:
    """An operand, from what its event says: all of its lines that the launch uses. With a swizzle rows are seen to the end of its span:
    other steps of k read the rest."""
    rows, k, bits, turned = numbers
    descriptor, size = MatrixDescriptor.of(value), bits // 8
    start, steps = descriptor.start, k
    if descriptor.span and not turned:
        start, steps = start // descriptor.span * descriptor.span, descriptor.span // size
    whole = MatrixDescriptor(start, descriptor.leading, descriptor.stride, descriptor.span, descriptor.base_offset)
    places = whole.addresses(rows, steps, bits, "MN" if turned else "K")
    name = "AB"[other]
    if turned:
        return _tile(f"{name}ᵀ", (0, 0), size, places.T, used)
    return _tile(name, (0, 0), size, places, used)


def box_at(index: LaunchIndex, word: int, row: int, used: Bools) -> EngineTile | None:
    """The box of a tensor that a copy has put, by an access row, where a word is; None where it was no such copy."""
    trace = index.trace
    if trace.sites[trace.rows.site[row]].function != "cp.async.bulk.tensor.shared":
        return None
    block = int(trace.rows.block[row])
    x, y, z = (each % size for each, size in zip(trace.blocks[block], trace.cluster, strict=True))
    there = x + trace.cluster[0] * (y + trace.cluster[1] * z) + 1
    for event in reversed(trace.events):
        if event.kind is not Happening.COPY_ISSUED or not event.numbers or event.row > row:
            continue
        rank, address = event.address >> RANK_SHIFT, event.address & OWN_ADDRESS
        if (event.block == block if not rank else rank == there) and address <= word * WORD_BYTES < address + _extent(event):
            return _box(index, address, event.numbers, used)
    return None


def _extent(event: Event) -> int:
    """Bytes of shared memory from the first to the last of a box: short rows leave room to the span of the swizzle."""
    _, element, span, *dimensions = event.numbers
    row = dimensions[1] * element
    return event.value // row * max(span, row)


def _box(index: LaunchIndex, address: int, numbers: tuple[int, ...], used: Bools) -> EngineTile:
    tensor, element, span, *dimensions = numbers
    start, box = dimensions[::2], tuple(dimensions[1::2])
    places = box_addresses(address, box, element, span).reshape(-1, box[0])
    arrays = (each for each in index.trace.allocations if each.space is Space.GLOBAL and each.address <= tensor < each.address + each.bytes)
    array = next(arrays, None)
    return _tile("?" if array is None else array.name, (start[1] if len(box) == 2 else 0, start[0]), element, places, used)


def _tile(name: str, corner: tuple[int, int], size: int, places: Ints, used: Bools) -> EngineTile:
    """From the address of each element, rows x columns: the words that begin with one."""
    row, column = (np.asarray(each) for each in np.indices(places.shape))
    first = places % WORD_BYTES == 0
    word = places[first] // WORD_BYTES
    kept = word < len(used)
    kept[kept] = used[word[kept]]
    order = np.argsort(word[kept], kind="stable")
    return EngineTile(name, corner, size, word[kept][order], row[first][kept][order], column[first][kept][order])
