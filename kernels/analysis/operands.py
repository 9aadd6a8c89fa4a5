"""What the arrays of a launch are to each other, told by its accesses alone: the operands of a product, a transposition, arrays of rows.

No name is looked at. A product is believed where a block that writes rows I and columns J of an array has read the rows I of another one
and the columns J of a third, all of them, and every thread has fetched enough to add them up before its first result was final. Where a
block writes the whole result, its accesses do not tell the factors apart: the values must.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations, product
from math import isqrt, prod

import numpy as np

from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import UNDEFINED, Contents
from kernels.simt.trace.trace import Trace

_MOST_ARRAYS = 6
"""Arrays in global memory of which triples are tried."""
_MOST_LANES = 1 << 24
"""Rows times lanes of a block that are looked at."""
_MOST_VALUES = 1 << 21
"""Elements of a result up to which it is multiplied out."""
_TRIED = 3
"""Blocks that are looked at closely."""
_MOSTLY = 0.6
"""Share of the distances between runs that must be the distance between rows: those at the edges of a stencil are others."""
_RIGHT = 0.9
"""Share of the values that must be right: the kernel may have a mistake."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An array of rows. `letter` is A, B or C in a product (C is the result) or a transposition (C is that of A), else ""."""

    allocation: int
    letter: str
    rows: int
    columns: int


def operands(trace: Trace, contents: Contents, given: dict[int, int]) -> tuple[Operand, ...]:
    """The arrays in global memory that have rows. `given` is the number of columns of those of which a user has said it."""
    accesses = accesses_of(trace, contents)
    if accesses is None:
        return ()
    widths = {number: given.get(number) or accesses.width(number) for number in accesses.able}
    found = _product(accesses, widths) or _transposition(accesses, widths)
    named = {each.allocation for each in found}
    rest = [(number, width) for number, width in widths.items() if width and number not in named]
    return (*found, *(Operand(number, "", -(-accesses.count(number) // width), width) for number, width in rest))


def accesses_of(trace: Trace, contents: Contents) -> Accesses | None:
    """The blocks of a trace that are looked at closely; None where nothing would be told by them."""
    able = [number for number, each in enumerate(trace.allocations) if each.space is Space.GLOBAL and each.bytes]
    if len(trace.rows.site) == 0 or not able or len(able) > _MOST_ARRAYS or any(site.tile for site in trace.sites):
        return None
    return Accesses(trace, contents, able)


class _Block:
    """What one block does with the arrays: the elements that it reads and writes, each once and ascending."""

    def __init__(self, trace: Trace, block: int) -> None:
        self.trace, self.rows = trace, np.flatnonzero(trace.rows.block == block)
        self._known: dict[tuple[int, bool], Ints] = {}

    def elements(self, allocation: int, *, written: bool) -> Ints:
        """Those of an array."""
        key = allocation, written
        if key not in self._known:
            self._known[key] = np.unique(self._touched(allocation, written=written)[0])
        return self._known[key]

    def _touched(self, allocation: int, *, written: bool) -> tuple[Ints, Ints, Ints]:
        """Elements with the row and the lane that touch them."""
        trace, array = self.trace, self.trace.allocations[allocation]
        other = "load" if written else "store"
        able = np.array([s.operation != other and s.space is Space.GLOBAL and s.allocation in (allocation, -1) for s in trace.sites])
        rows = self.rows[able[trace.rows.site[self.rows]]]
        address = trace.bases[trace.rows.base[rows]] + trace.rows.offset[rows][:, None]
        row, lane = np.nonzero(trace.masks[trace.rows.mask[rows]] & (address >= array.address) & (address < array.address + array.bytes))
        first = (address[row, lane] - array.address) // array.element_bytes
        span = np.array([max(1, site.bytes // array.element_bytes) for site in trace.sites])[trace.rows.site[rows]][row]
        parts = [(first[span > part] + part, rows[row[span > part]], lane[span > part]) for part in range(int(span.max(initial=1)))]
        return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]

    def fetches_before_results(self, allocation: int) -> Ints:
        """For each lane that writes to an array how many scalars it has fetched from global or shared memory before the first of its
        elements was final."""
        trace, size = self.trace, self.trace.allocations[allocation].element_bytes
        element, row, lane = self._touched(allocation, written=True)
        chosen = np.lexsort((row, element, lane))
        element, row, lane = element[chosen], row[chosen], lane[chosen]
        final = np.append((np.diff(element) != 0) | (np.diff(lane) != 0), True)
        row, lane = row[final], lane[final]
        begins = np.flatnonzero(np.append(True, np.diff(lane) != 0))
        first = np.searchsorted(self.rows, np.minimum.reduceat(row, begins))
        moved = np.array([max(1, s.bytes // size) if s.operation == "load" else 0 for s in trace.sites])[trace.rows.site[self.rows]]
        fetched = np.cumsum(trace.masks[trace.rows.mask[self.rows]] * moved[:, None], axis=0)
        early: Ints = fetched[first, lane[begins]]
        return early


class Accesses:
    """The blocks of a trace that are looked at closely."""

    def __init__(self, trace: Trace, contents: Contents, able: list[int]) -> None:
        self.trace, self.contents, self.able = trace, contents, able
        present = np.unique(trace.rows.block).tolist()
        chosen = dict.fromkeys((present[0], present[len(present) // 2], present[-1]))
        lanes = trace.masks.shape[1]
        blocks = [_Block(trace, block) for block in list(chosen)[:_TRIED]]
        self.blocks = [block for block in blocks if len(block.rows) * lanes <= _MOST_LANES]

    def count(self, allocation: int) -> int:
        """Elements of an array."""
        array = self.trace.allocations[allocation]
        return array.bytes // array.element_bytes

    def rows(self, allocation: int, width: int) -> int:
        """The rows of a result that the launch writes; where not all blocks are there, those that the array has."""
        if len(self.trace.blocks) < prod(self.trace.grid):
            return self.count(allocation) // width
        return int(self.contents.written(allocation)[0].max(initial=0)) // width + 1

    @cached_property
    def outputs(self) -> list[int]:
        """The arrays that are written."""
        return [number for number in self.able if any(len(block.elements(number, written=True)) for block in self.blocks)]

    @cached_property
    def inputs(self) -> list[int]:
        """The arrays that are only read."""
        able = [number for number in self.able if number not in self.outputs]
        return [number for number in able if any(len(block.elements(number, written=False)) for block in self.blocks)]

    def width(self, allocation: int) -> int:
        """The distance between rows of an array that a grid or a block with two axes walks in rows; 0 where there is none."""
        across, down = self.trace.grid[:2]
        if self.trace.block[1] == 1 and down == 1:
            return 0
        found = {
            width for block in self.blocks for written in (True, False) if (width := pitch(block.elements(allocation, written=written)))
        }
        if len(found) == 1:
            return found.pop()
        return 0 if found or across > 1 else self._pitch_of_lanes(allocation)

    def _pitch_of_lanes(self, allocation: int) -> int:
        """The distance between what neighbours along y touch, where neighbours along x touch neighbours, and all of x is one block."""
        trace, array = self.trace, self.trace.allocations[allocation]
        (x, y, z), size = trace.block, array.element_bytes
        if x == 1 or y == 1 or z > 1:
            return 0
        found = set()
        for number, site in enumerate(trace.sites):
            rows = np.flatnonzero(trace.rows.site == number)[:1]
            if site.allocation != allocation or site.space is not Space.GLOBAL or not len(rows):
                continue
            lanes = trace.bases[trace.rows.base[rows[0]]][: x * y].reshape(y, x)
            active = trace.masks[trace.rows.mask[rows[0]]][: x * y].reshape(y, x)
            down = np.diff(lanes, axis=0)[active[1:] & active[:-1]]
            beside = np.diff(lanes, axis=1)[active[:, 1:] & active[:, :-1]]
            if len(down) and (down == down[0]).all() and (beside == size).all():
                found.add(int(down[0]) // size)
        return found.pop() if len(found) == 1 and min(found) >= x else 0


def pitch(elements: Ints) -> int:
    """The distance between the beginnings of runs of elements, where most are as far from each other; else 0."""
    starts = elements[np.flatnonzero(np.append(True, np.diff(elements) != 1))] if len(elements) else elements
    if len(starts) < 2 or len(starts) == len(elements):
        return 0
    distances, often = np.unique(np.diff(starts), return_counts=True)
    likely = int(often.argmax())
    return int(distances[likely]) if often[likely] >= _MOSTLY * often.sum() else 0


def _product(accesses: Accesses, widths: dict[int, int]) -> tuple[Operand, ...]:
    """The operands of the only product that the accesses, or else the values, can be of."""
    found = [
        triple for c, (a, b) in product(accesses.outputs, permutations(accesses.inputs, 2)) for triple in triples(accesses, widths, a, b, c)
    ]
    telling = [triple for triple, tells in found if tells]
    if len(set(telling)) == 1:
        return telling[0]
    proven = [triple for triple, _ in dict.fromkeys(found) if _multiplies(accesses.contents, *triple)]
    return proven[0] if len(proven) == 1 else ()


Triple = tuple[Operand, Operand, Operand]


def triples(accesses: Accesses, widths: dict[int, int], a: int, b: int, c: int) -> Iterator[tuple[Triple, bool]]:
    """The shapes with which all blocks that write to `c` can multiply `a` by `b`, and whether the accesses tell that they do."""
    count = accesses.count(c)
    side = isqrt(count)
    writing = [block for block in accesses.blocks if len(block.elements(c, written=True))]
    for width in dict.fromkeys((widths[c], widths[b], side if side * side == count else 0)):
        depths = {_depth(block, a, b, c, width) for block in writing} if width > 1 and count >= width else {0}
        depth = depths.pop()
        if depths or depth < 2:
            continue
        rows = accesses.rows(c, width)
        shapes = Operand(a, "A", rows, depth), Operand(b, "B", depth, width), Operand(c, "C", rows, width)
        if all(each.rows * each.columns <= accesses.count(each.allocation) for each in shapes):
            yield shapes, all(_partly(block.elements(c, written=True), rows, width) for block in writing)


def _partly(elements: Ints, rows: int, columns: int) -> bool:
    """Whether elements are of some rows and some columns of a matrix only."""
    return len(np.unique(elements // columns)) < rows and len(np.unique(elements % columns)) < columns


def _depth(block: _Block, a: int, b: int, c: int, width: int) -> int:
    """How many products each sum of a block has; 0 where its accesses are not those of sums of products."""
    results = block.elements(c, written=True)
    rows, columns = np.unique(results // width), np.unique(results % width)
    first, second = block.elements(a, written=False), block.elements(b, written=False)
    depth = len(first) // len(rows)
    if len(results) != len(rows) * len(columns) or depth < 2 or len(first) != len(rows) * depth or len(second) != depth * len(columns):
        return 0
    inner = np.arange(depth)
    if not np.array_equal(first, (rows[:, None] * depth + inner).reshape(-1)):
        return 0
    if not np.array_equal(second, (inner[:, None] * width + columns).reshape(-1)):
        return 0
    return depth if block.fetches_before_results(c).min() >= 2 * depth else 0


def _multiplies(contents: Contents, a: Operand, b: Operand, c: Operand) -> bool:
    """Whether the values of one array are, where it was written, the product of those of two others."""
    compared = compare(contents, a, b, c)
    return compared is not None and compared.right >= _RIGHT * compared.written


@dataclass(frozen=True, slots=True)
class _Compared:
    """Elements of a result that were written, and how many of these are what a product would have there."""

    written: int
    right: int


def compare(contents: Contents, a: Operand, b: Operand, c: Operand) -> _Compared | None:
    """Compare what was written with a product; None where that tells nothing: values that are not known, or nothing but zeros."""
    if c.rows * c.columns > _MOST_VALUES or a.columns * c.rows * c.columns > _MOST_VALUES * 512:
        return None
    first, second = (_before(contents, each) for each in (a, b))
    element = contents.written(c.allocation)[0]
    element = element[element < c.rows * c.columns]
    if first is None or second is None or not len(element):
        return None
    wanted = (first @ second).reshape(-1)[element]
    got = contents.window(c.allocation, element, contents.end).values.astype(np.float64)
    near = np.abs(got - wanted) <= 1e-2 * (np.abs(first) @ np.abs(second)).reshape(-1)[element]
    return _Compared(len(element), int(near.sum())) if wanted.any() else None


def _before(contents: Contents, operand: Operand) -> np.ndarray[tuple[int, int], np.dtype[np.float64]] | None:
    """The values of a matrix before the launch; None where it has none."""
    size = operand.rows * operand.columns
    if contents.scalars(operand.allocation) < size:
        return None
    seen = contents.window(operand.allocation, np.arange(size), 0)
    if (seen.state == UNDEFINED).any():
        return None
    return seen.values.astype(np.float64).reshape(operand.rows, operand.columns)


def _transposition(accesses: Accesses, widths: dict[int, int]) -> tuple[Operand, ...]:
    """The matrix and its transpose, where the values that a launch writes into one array lay across in another one."""
    for a, c in product(accesses.inputs, accesses.outputs):
        across, down = widths[a], widths[c]
        tried = (across, down), (across, _other(accesses, a, across)), (_other(accesses, c, down), down)
        for columns, rows in dict.fromkeys(tried):
            shapes = Operand(a, "A", rows, columns), Operand(c, "C", columns, rows)
            fits = min(rows, columns) > 1 and all(rows * columns <= accesses.count(each) for each in (a, c))
            if fits and _turns(accesses.contents, *shapes):
                return shapes
    return ()


def _other(accesses: Accesses, allocation: int, side: int) -> int:
    """The other side of a matrix."""
    return accesses.count(allocation) // side if side and accesses.count(allocation) % side == 0 else 0


def _turns(contents: Contents, a: Operand, c: Operand) -> bool:
    """Whether what was written is the transpose, and tells that it is: not the matrix itself."""
    before = _before(contents, a)
    element = contents.written(c.allocation)[0]
    element = element[element < c.rows * c.columns]
    if before is None or not len(element):
        return False
    got = contents.window(c.allocation, element, contents.end).values.astype(np.float64)
    turned, same = before.T.reshape(-1)[element] == got, before.reshape(-1)[element] == got
    return bool(turned.mean() >= _RIGHT and same.mean() < _RIGHT and len(np.unique(got)) > 2)
