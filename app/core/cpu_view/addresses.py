"""Addresses of the matrices as the cache model places them: what a cache line holds of them, and the working set of a tile step."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from app.core.cpu_view.index import TraceIndex
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES
from kernels.base.values import dataclass
from kernels.cachesim.geometry import Level
from kernels.cachesim.history import History

_SHORT = 4
"""Letters of a name for which a picture has room."""
Shapes = Mapping[str, tuple[int, int]]


class Addresses:
    """Addresses of a history's arrays. `bounds` are for each of them its first byte and the one after its last, as far as it was accessed
    beyond the matrices."""

    def __init__(self, shapes: Shapes, history: History) -> None:
        from kernels.cachesim.execute import addresses_of

        self._shapes = shapes
        starts = addresses_of(shapes)
        self.bounds: dict[str, tuple[int, int]] = {}
        for number, name in enumerate(history.arrays):
            if name in shapes:
                rows, columns = shapes[name]
                self.bounds[name] = starts[name], starts[name] + rows * columns * FLOAT32_BYTES
            else:
                self.bounds[name] = _extent(history, number)

    def line_name(self, line: int, size: int) -> str:
        """What a cache line of `size` bytes holds, as the source would write it: B[5][0..15]; of other arrays the bytes."""
        first, end = line * size, (line + 1) * size
        for name, (start, stop) in self.bounds.items():
            low, high = max(first, start), min(end, stop)
            if low < high:
                return self._part(name, low - start, high - start)
        return ""

    def _part(self, name: str, first: int, end: int) -> str:
        if name not in self._shapes:
            return f"{name}+{first}"
        columns = self._shapes[name][1]
        row, column = divmod(first // FLOAT32_BYTES, columns)
        last_row, last_column = divmod((end - 1) // FLOAT32_BYTES, columns)
        if row == last_row:
            return f"{name}[{row}][{column}..{last_column}]" if column < last_column else f"{name}[{row}][{column}]"
        return f"{name}[{row}][{column}]..[{last_row}][{last_column}]"


def short_name(array: str) -> str:
    """What an array is called in a picture: those of a kernel that has no name for its temporary memory have a long one."""
    return array if len(array) <= _SHORT else array[:_SHORT]


def bytes_text(count: int) -> Message:
    """A number of bytes in the greatest unit that it is a whole number of."""
    for unit, words in ((1 << 20, message("{count} MiB")), (1 << 10, message("{count} KiB"))):
        if count >= unit and count % unit == 0:
            return Message(words.template, (("count", count // unit),))
    return message("{count} bytes", count=count)


def _extent(history: History, number: int) -> tuple[int, int]:
    own = history.accesses.array == number
    touched: npt.NDArray[np.int64] = history.accesses.address[own]
    if not len(touched):
        return 0, 0
    return int(touched.min()), int((touched + history.accesses.size[own]).max())


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """Bytes of the cache lines that one tile step touches, by matrix, and the level that they are to fit in."""

    lines: tuple[tuple[str, int], ...]
    level: Level

    @property
    def bytes(self) -> int:
        """Size of the working set in bytes: of all matrices together, in whole lines."""
        return sum(count for _, count in self.lines) * self.level.line

    @property
    def fits(self) -> bool:
        """Whether the level has room for all at once, however its sets share them."""
        return self.bytes <= self.level.size

    @property
    def words(self) -> Message:
        """Whether all of it stays in the cache until the tile step is over."""
        need, size = bytes_text(self.bytes), bytes_text(self.level.size)
        if self.fits:
            return message(
                "The tiles of a step take lines of {need}; {level} has {size}: they fit.", need=need, level=self.level.name, size=size
            )
        return message(
            "The tiles of a step take lines of {need}; {level} has {size}: they do not fit.", need=need, level=self.level.name, size=size
        )


def working_set(index: TraceIndex, level: Level) -> WorkingSet | None:
    """Return the working set of the tile step that touches most; None where the kernel has no tiles."""
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
