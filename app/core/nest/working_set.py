"""What a tile step works on, against the size of a cache."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.core.frames_index import TraceIndex
from app.core.nest.addresses import bytes_words
from kernels.cachesim.geometry import Level
from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """Bytes of the cache lines that one tile step touches, by matrix, and the level that they are to fit in."""

    lines: tuple[tuple[str, int], ...]
    level: Level

    @property
    def bytes(self) -> int:
        """Of all matrices together, in whole lines."""
        return sum(count for _, count in self.lines) * self.level.line

    @property
    def fits(self) -> bool:
        """Whether the level has room for all at once, however its sets share them."""
        return self.bytes <= self.level.size

    @property
    def words(self) -> Message:
        """Whether all of it stays in the cache until the tile step is over."""
        need, size = bytes_words(self.bytes), bytes_words(self.level.size)
        if self.fits:
            return message(
                "The tiles of a step take lines of {need}; {level} has {size}: they fit.", need=need, level=self.level.name, size=size
            )
        return message(
            "The tiles of a step take lines of {need}; {level} has {size}: they do not fit.", need=need, level=self.level.name, size=size
        )


def working_set(index: TraceIndex, level: Level) -> WorkingSet | None:
    """Of the tile step that touches most; None where the kernel has no tiles."""
    if not index.tiled or index.combines:
        return None
    rows = {name: _lines(index, name, level.line) * index.groups.computes for name in index.trace.arrays}
    largest = int(np.argmax(sum(rows.values())))
    return WorkingSet(tuple((name, int(counts[largest])) for name, counts in rows.items()), level)


def _lines(index: TraceIndex, name: str, size: int) -> npt.NDArray[np.int64]:
    """For each tile step the cache lines that its rectangle of a matrix lies in, were the matrix to begin at a line."""
    top, bottom, left, right = index.groups.boxes[name].T
    columns, floats = index.shapes[name][1], size // FLOAT32_BYTES
    counts = []
    for first, end, near, far in zip(top.tolist(), bottom.tolist(), left.tolist(), right.tolist(), strict=True):
        touched = (range((row * columns + near) // floats, (row * columns + far - 1) // floats + 1) for row in range(first, end))
        counts.append(len(set().union(*touched)))
    return np.array(counts, np.int64)
