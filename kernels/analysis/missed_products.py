"""Missed products: by what three matrices of a launch fall short of being the operands of a product, told by accesses and values alone.

Said are facts, no faults: a kernel may well be right that reads a matrix by its columns. Of what comes near no product nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product

import numpy as np

from kernels.analysis.columns import Ints
from kernels.analysis.operands import Accesses, Block, accesses_of, compare, triples
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.contents import Contents
from kernels.simt.trace.trace import Trace


def missed_product(trace: Trace, contents: Contents, given: Mapping[int, int]) -> Message | None:
    """Say why no product was found. `given` is the number of columns of matrices of which a user has said it."""
    accesses = accesses_of(trace, contents)
    if accesses is None:
        return None
    widths = {number: given.get(number) or accesses.width(number) for number in accesses.able}
    tried = [(a, b, c) for c, (a, b) in product(accesses.outputs, permutations(accesses.inputs, 2)) if widths[c] > 1]
    return _by_values(accesses, widths, tried) or next(_by_accesses(accesses, widths, tried), None)


def _by_values(accesses: Accesses, widths: dict[int, int], tried: list[tuple[int, int, int]]) -> Message | None:
    """What is read as a product would read it, and written with other values; of several the one that comes nearest."""
    found = [triple for a, b, c in tried for triple, _ in triples(accesses, widths, a, b, c) if triple[2].columns == widths[c]]
    compared = [(each, triple) for triple in dict.fromkeys(found) if (each := compare(accesses.contents, *triple))]
    if not compared:
        return None
    nearest, (a, b, _) = max(compared, key=lambda each: each[0].right)
    wrong, names = nearest.written - nearest.right, [accesses.trace.allocations[each.allocation].name for each in (a, b)]
    return (
        message("no product: {wrong} of {count} results differ from {a} × {b}", wrong=wrong, count=nearest.written, a=names[0], b=names[1])
        if wrong
        else None
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The rows and the columns of a matrix at whose crossings a block touches it."""

    rows: Ints
    columns: Ints


def _by_accesses(accesses: Accesses, widths: dict[int, int], tried: list[tuple[int, int, int]]) -> Iterator[Message]:
    """What all blocks read otherwise than a product would. Whole rows of a matrix show no width: it is taken for that of the result."""
    for a, b, c in tried:
        blocks = [block for block in accesses.blocks if len(block.elements(c, written=True))]
        wide = {a: widths[a] or widths[c], b: widths[b] or widths[c], c: widths[c]}
        told = {said for block in blocks for said in _unlike(accesses.trace, block, wide)}
        if len(told) == 1 and (reason := told.pop()) is not None:
            yield reason


def _unlike(trace: Trace, block: Block, widths: dict[int, int]) -> Iterator[Message | None]:
    """What a block reads otherwise than the rows of A, and the columns of B, that belong to what it writes; None where there are no words
    for it, nothing where it reads as a product would. `widths` are of A, B and C."""
    *_, result = widths
    a, b, c = (_cells(block.elements(number, written=number == result), width) for number, width in widths.items())
    depth = 0 if a is None else len(a.columns if _first(a.columns) else a.rows)
    if a is None or b is None or c is None or depth < 2 or block.fetches_before_results(result).min() < 2 * depth:
        yield None
        return
    names, (width, *_) = [trace.allocations[number].name for number in widths], widths.values()
    across, down = _first(a.columns) and _same(a.rows, c.rows), _first(b.rows) and _same(b.columns, c.columns)
    if across and down:
        if len(a.columns) == len(b.rows) < width:
            yield message("no product: {count} of {all} columns of {a} are read", count=depth, all=width, a=names[0])
    elif down and _first(a.rows) and _is_side(a.columns, c):
        yield message("no product: {a} is read by columns", a=names[0])
    elif across and _first(b.columns) and _is_side(b.rows, c):
        yield message("no product: {b} is read by rows", b=names[1])
    elif _first(a.columns) and _first(b.rows) and _same(a.rows, c.columns) and _same(b.columns, c.rows):
        yield message("no product: rows and columns of {c} are exchanged", c=names[2])
    else:
        yield None


def _cells(elements: Ints, width: int) -> _Cells | None:
    """The rows and columns of elements that are all the crossings of some rows and some columns; None where they are not."""
    rows, columns = np.unique(elements // width), np.unique(elements % width)
    return _Cells(rows, columns) if len(elements) and len(elements) == len(rows) * len(columns) else None


def _first(numbers: Ints) -> bool:
    """Whether rows or columns are the first ones, without a gap."""
    return int(numbers[-1]) + 1 == len(numbers)


def _same(numbers: Ints, others: Ints) -> bool:
    return np.array_equal(numbers, others)


def _is_side(numbers: Ints, cells: _Cells) -> bool:
    """Whether rows or columns are those of a block's results."""
    return _same(numbers, cells.rows) or _same(numbers, cells.columns)
