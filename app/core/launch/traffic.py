"""How often a block reads what it needs from global memory, beside what it would read if nothing were kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.launch.arrays import box_of
from app.core.launch.events import distinct, reaching
from app.core.launch.tiles import Tiles
from kernels.messages import Message, message


@dataclass(frozen=True, slots=True)
class Traffic:
    """Elements of A and B for one block's part of C: `needed` by its multiplications, `read` from global memory, `distinct` ones read."""

    needed: int
    read: int
    distinct: int

    @property
    def words(self) -> Message:
        """What tiles, or their absence, make of it."""
        uses, reads = _number(self.needed / max(self.distinct, 1)), _number(self.read / max(self.distinct, 1))
        if self.read >= self.needed:
            return message("Nothing is kept: each value is read {reads} times.", reads=reads)
        fewer = _number(self.needed / max(self.read, 1))
        if self.read == self.distinct:
            return message("{fewer}× fewer: each value is read once and used {uses} times.", fewer=fewer, uses=uses)
        return message("{fewer}× fewer: each value is read {reads} times and used {uses} times.", fewer=fewer, reads=reads, uses=uses)


def traffic(tiles: Tiles, block: int) -> Traffic | None:
    """The counts of a block that multiplies matrices; None where it writes nothing of C."""
    arrays = {array.name: array for array in tiles.arrays}
    part = box_of(tiles.written_by(arrays["C"], block), arrays["C"].columns)
    if part is None:
        return None
    rows = tiles.index.trace.rows
    read = different = 0
    for name in ("A", "B"):
        array = arrays[name]
        loads = np.flatnonzero((rows.block == block) & tiles.reading_sites(array)[rows.site])
        own = reaching(tiles.index, loads, array.allocation)
        lanes = tiles.index.trace.masks.sum(axis=1)[rows.mask[own]]
        read += int((lanes * tiles.index.spans(own, array.allocation)).sum())
        different += len(tiles.read_by(array, block))
    results = len(distinct(tiles.written_by(arrays["C"], block), arrays["C"].columns))
    a, b = arrays["A"], arrays["B"]
    depth = a.columns if a.columns in b.shape else a.rows  # A may lie there transposed
    return Traffic(2 * results * depth, read, different)


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
