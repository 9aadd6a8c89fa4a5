"""Where the matrices lie in memory, as the cache model places them, and what of them a line of a cache is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from kernels.cachesim.execute import addresses_of
from kernels.cachesim.history import History
from kernels.messages import Message, message
from kernels.spec import FLOAT32_BYTES

_SHORT = 4
"""Letters of a name for which a picture has room."""
Shapes = Mapping[str, tuple[int, int]]


class Addresses:
    """`bounds` are for each array of a history its first byte and the one after its last, as far as it was accessed beyond the matrices."""

    def __init__(self, shapes: Shapes, history: History) -> None:
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


def bytes_words(count: int) -> Message:
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
