"""The arrays in global memory as the stage lays them out: matrices as such, others as rows that are wrapped."""

from __future__ import annotations

import numpy as np

from app.core.base.i18n import digits_text
from app.core.frames.matrix import Box
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import UNDEFINED, Window

WRAP = 32
"""Elements in a row of an array that is no matrix, where it has more; longer rows are taken for long arrays."""
_FLAT = 4
"""About so many times as wide as high is a long array drawn: nobody takes it for a matrix."""


LETTERS = ("A", "B", "C")
"""The places of operands, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class ShownArray:
    """Array of `size` elements as `rows` x `columns`; the last row may be incomplete. `name` is that of its place and colour: its
    matrix's name, or else what the text calls it (`title`)."""

    allocation: int
    name: str
    title: str
    rows: int
    columns: int
    size: int
    matrix: bool

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    def element_name(self, element: int) -> str:
        """The element as the text would write it, were its indices those of a matrix."""
        row, column = divmod(element, self.columns)
        return f"{self.title}[{row}][{column}]" if self.matrix else f"{self.title}[{element}]"

    def element_at(self, row: int, column: int) -> int | None:
        """The element at a place; None where there is none."""
        element = row * self.columns + column
        return element if 0 <= row < self.rows and 0 <= column < self.columns and element < self.size else None


def arrays_of(index: LaunchIndex) -> tuple[ShownArray, ...]:
    """The arrays in global memory: A, B and C first, in this order, then the others in that of the arguments. One whose place another
    takes, as T takes that of A, is left out."""
    places, used = {role.letter for role in index.roles.values() if role.prepared}, {site.allocation for site in index.trace.sites}
    found = [
        _array(index, number)
        for number, each in enumerate(index.trace.allocations)
        if each.space is Space.GLOBAL and each.bytes and (number in index.roles or number in used or each.name not in places)
    ]
    letters = sorted((array for array in found if array.name in LETTERS), key=lambda array: array.name)
    return (*letters, *(array for array in found if array.name not in LETTERS))


def _array(index: LaunchIndex, number: int) -> ShownArray:
    allocation, role = index.trace.allocations[number], index.roles.get(number)
    size = allocation.bytes // allocation.element_bytes
    if role is not None and role.rows * role.columns <= size:
        first = all(other.letter != role.letter or mine == number for mine, other in index.roles.items() if mine <= number)
        name = role.letter if first and role.letter else _unlike_a_letter(allocation.name)
        return ShownArray(number, name, allocation.name, role.rows, role.columns, role.rows * role.columns, matrix=True)
    columns = min(size, max(WRAP, 1 << ((_FLAT * size).bit_length() // 2)))
    return ShownArray(number, _unlike_a_letter(allocation.name), allocation.name, -(-size // columns), columns, size, matrix=False)


def _unlike_a_letter(name: str) -> str:
    """The place of an array that is no operand, also where the text calls it as operands are called."""
    return f"·{name}" if name in LETTERS else name


def places_of(elements: Ints, columns: int) -> tuple[Ints, Ints]:
    """The rows and columns of some elements. As `np.divmod`, but several times faster."""
    row = elements // columns
    return row, elements - row * columns


def box_of(elements: Ints, columns: int) -> Box | None:
    """The smallest rectangle around some elements of an array with so many columns; None where there are none."""
    if not len(elements):
        return None
    row, column = places_of(elements, columns)
    top, left = int(row.min()), int(column.min())
    return Box(top, left, int(row.max()) - top + 1, int(column.max()) - left + 1)


def boxes_of(elements: Ints, columns: int) -> tuple[Box, ...]:
    """Rectangles that together are exactly these elements: one where they fill one, else pieces of rows, those below each other joined."""
    around = box_of(elements, columns)
    if around is None:
        return ()
    elements = np.unique(elements)
    if around.rows * around.columns == len(elements):
        return (around,)
    breaks = np.flatnonzero((np.diff(elements) != 1) | (elements[1:] % columns == 0)) + 1
    joined: dict[tuple[int, int], Box] = {}
    done: list[Box] = []
    for run in np.split(elements, breaks):
        row, column = divmod(int(run[0]), columns)
        above = joined.pop((column, len(run)), None)
        grows = above is not None and above.row + above.rows == row
        if above is not None and not grows:
            done.append(above)
        joined[column, len(run)] = Box(above.row, column, above.rows + 1, len(run)) if above and grows else Box(row, column, 1, len(run))
    return (*done, *joined.values())


def window_of(index: LaunchIndex, allocation: int, element: int, moment: int, block: int) -> Window:
    """The scalars that an element of any array consists of at a moment, in a block of the trace: of a vector or a struct several."""
    array, contents = index.trace.allocations[allocation], index.record.contents
    parts = max(1, contents.scalars(allocation) * array.element_bytes // max(array.bytes, 1))
    return contents.window(allocation, np.arange(element * parts, (element + 1) * parts), moment, block)


def text_of(seen: Window) -> str:
    """The value of an element in words, "" where not all of it is written."""
    if (seen.state == UNDEFINED).any():
        return ""
    text = ", ".join(digits_text(value) for value in seen.values.tolist())
    return text if len(seen.values) == 1 else f"({text})"
