"""A layout that was typed in, laid over a tile of the trace: where its elements would lie, and what accesses would cost."""

from __future__ import annotations

from math import prod

import numpy as np

from app.core.gpu_view.plurals import wavefronts
from app.core.gpu_view.shared.address_bits import AddressBits, Pitch
from app.core.gpu_view.shared.shared_tiles import SharedTile
from app.core.gpu_view.shared.wavefronts import Access
from kernels.analysis.banks import WORD_BYTES, words_per_lane
from kernels.analysis.columns import Ints
from kernels.analysis.layout_access import Pattern, wavefronts_of
from kernels.analysis.layout_text import LARGEST_NUMBER, parse_layout
from kernels.analysis.layouts import ComposedLayout, CuteLayout, Swizzle, tile_to_shape
from kernels.base.messages import Message, message

_USUAL = Swizzle(3, 3, 3)


def typed_offsets(tile: SharedTile, text: str, shared: Access) -> tuple[Ints, Message] | Message:
    """For each word of the tile its byte offset in the layout, with what a column, a row and an ldmatrix cost there; or why there is none,
    with one that could be.

    The first mode of the layout is the tile's row, the second its column; offsets count elements. One that has fewer coordinates is
    repeated, as `tile_to_shape` of the library does. `shared` must stay possible.
    """
    layout = parse_layout(text)
    if isinstance(layout, Message):
        return layout
    found = _laid_over(tile, layout, shared)
    if isinstance(found, Message):
        example = next((each for each in _examples(tile, layout) if not isinstance(_laid_over(tile, each, shared), Message)), None)
        return found if example is None else message("{reason} This one fits: {layout}", reason=found, layout=str(example))
    return found


def example_for(tile: SharedTile) -> str:
    """A layout to begin with: rows one after the other, swizzled."""
    return str(_of_rows(tile, (_USUAL,)))


def _examples(tile: SharedTile, layout: ComposedLayout) -> tuple[ComposedLayout, ...]:
    """The tile's rows one after the other, swizzled as in a layout, as usual, and not at all."""
    swizzles = tuple(each for each in layout.parts if isinstance(each, Swizzle))
    return tuple(_of_rows(tile, each) for each in (swizzles, (_USUAL,), ()))


def _of_rows(tile: SharedTile, before: tuple[Swizzle, ...]) -> ComposedLayout:
    rows, columns = _extent(tile)
    return ComposedLayout((*before, CuteLayout((rows, columns), (columns, 1))))


def _laid_over(tile: SharedTile, layout: ComposedLayout, shared: Access) -> tuple[Ints, Message] | Message:
    (rows, columns), modes = _extent(tile), tuple(each.size for each in layout.domain.modes)
    height, width = modes[0], prod(modes[1:])
    repeated = height < rows or width < columns
    if repeated and len(modes) > 2:
        return message("The layout has {rows} × {columns} coordinates, the tile {height} × {width} elements.",
                       rows=height, columns=width, height=rows, width=columns)  # fmt: skip
    layout = tile_to_shape(layout, rows, columns) if repeated else layout
    if layout.last > LARGEST_NUMBER:
        return message("Offsets could go up to {last}; up to {limit} are shown.", last=layout.last, limit=LARGEST_NUMBER)
    table = layout.table()
    offsets = _of_words(tile, table.reshape((len(table), -1), order="F"))
    if isinstance(offsets, Message):
        return offsets
    broken = _broken(tile, offsets, shared)
    if broken is not None:
        return message("Lane {lane} moves {bytes} bytes at once, which lie apart in this layout.", lane=broken, bytes=shared.bytes)
    costs = _costs(layout, tile.size)
    if not repeated:
        return offsets, costs
    down, across = -(-rows // height), -(-columns // width)
    return offsets, message("repeated {down} × {across} times; {costs}", down=down, across=across, costs=costs)


def _of_words(tile: SharedTile, table: Ints) -> Ints | Message:
    """The byte offset of each word of the tile, where its elements stay together."""
    _, columns = _extent(tile)
    parts = np.arange(max(WORD_BYTES // tile.size, 1))
    places = table[tile.row[:, None], np.minimum(tile.column[:, None] + parts, columns - 1)] * tile.size
    apart = (places != places[:, :1] + parts * tile.size).any(axis=1) | (places[:, 0] % WORD_BYTES != 0)
    if apart.any():
        at = int(np.argmax(apart))
        return message("The elements of one word lie apart, from row {row}, column {column} on: banks are words of 4 bytes.",
                       row=int(tile.row[at]), column=int(tile.column[at]))  # fmt: skip
    offsets: Ints = places[:, 0]
    return offsets


def written(tile: SharedTile) -> str:
    """The tile's own layout as CuTe writes it; "" where it has no such text."""
    layout, size = tile.layout, tile.size
    rows, columns = _extent(tile)
    if isinstance(layout, Pitch):
        far = layout.pitch // size
        return f"({rows},{columns}):" + (f"(1,{far})" if layout.turned else f"({far},1)")
    if not isinstance(layout, AddressBits):
        return ""
    (row, its_stride), (column, stride) = _modes(layout, rows, size, of_row=True), _modes(layout, columns, size, of_row=False)
    plain = f"({row},{column}):({its_stride},{stride})"
    targets = sorted(layout.sources)
    if not targets:
        return plain
    shift = layout.sources[targets[0]][0] - targets[0]
    regular = all(layout.sources[target] == (target + shift,) for target in targets)
    if not regular or targets != list(range(targets[0], targets[0] + len(targets))):
        return ""
    return f"Sw<{len(targets)},{targets[0] - (size.bit_length() - 1)},{shift}> o {plain}"


def _modes(layout: AddressBits, extent: int, size: int, *, of_row: bool) -> tuple[str, str]:
    """Shape and stride of a coordinate: bits that follow one another in memory are of one mode."""
    strides = {1 << each.bit: layout.place(each) // size for each in layout.bits if each.of_row is of_row}
    strides |= {1 << bit: 1 << bit for bit in range((WORD_BYTES // size).bit_length() - 1)} if not of_row else {}
    found: list[list[int]] = []
    for _, stride in sorted(strides.items()):
        if found and stride == found[-1][0] * found[-1][1]:
            found[-1][0] *= 2
        else:
            found.append([2, stride])
    if len(found) < 2:
        return str(extent), str(found[0][1] if found else 0)
    found[-1][0] = -(-extent // prod(each[0] for each in found[:-1]))
    shape, stride_text = (",".join(str(each[at]) for each in found) for at in (0, 1))
    return f"({shape})", f"({stride_text})"


def _extent(tile: SharedTile) -> tuple[int, int]:
    """The tile's rows and columns."""
    return int(tile.row.max()) + 1, int(tile.column.max()) + max(WORD_BYTES // tile.size, 1)


def _broken(tile: SharedTile, offsets: Ints, shared: Access) -> int | None:
    """The first lane whose words would no longer follow one another, or begin where its bytes cannot."""
    words = np.arange(words_per_lane(shared.bytes))
    for lane in np.flatnonzero(shared.active).tolist():
        at = tile.places(shared.words[lane] + words)
        if (at >= 0).all():
            found = offsets[at]
            if (found != found[0] + words * WORD_BYTES).any() or found[0] % (len(words) * WORD_BYTES):
                return lane
    return None


def _costs(layout: ComposedLayout, size: int) -> Message:
    """What a column, a row and an ldmatrix from the first element on cost."""
    column, row, matrices = (_cost(layout, size, pattern) for pattern in (Pattern.COLUMN, Pattern.ROW, Pattern.LDMATRIX))
    return message("a column: {column}; a row: {row}; ldmatrix.x4: {matrices}", column=column, row=row, matrices=matrices)


def _cost(layout: ComposedLayout, size: int, pattern: Pattern) -> Message:
    found = wavefronts_of(layout, size, pattern)
    return message("not possible") if found is None else wavefronts(found)
