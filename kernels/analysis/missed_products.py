"""Missed products: three matrices that a launch reads as a product would, and writes other values than that product has.

Told by accesses and values alone, and as a fact, no fault: twice a product is none. Of all else nothing is said: what blocks read of a
matrix does not show why a kernel that is right misses the picture of a product.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations, product

from kernels.analysis.operands import Accesses, accesses_of, compare, triples
from kernels.base.messages import Message, message
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import Contents
from kernels.simt.trace.trace import Trace

SCALAR_BYTES = 4
"""What a lane moves at once; of wider accesses an element is no number."""


def missed_product(trace: Trace, contents: Contents, given: Mapping[int, int]) -> Message | None:
    """Say why no product was found. `given` is the number of columns of matrices of which a user has said it."""
    accesses = accesses_of(trace, contents)
    if accesses is None or any(site.bytes != SCALAR_BYTES for site in trace.sites if site.space is Space.GLOBAL):
        return None
    widths = {number: given.get(number) or accesses.width(number) for number in accesses.able}
    tried = [(a, b, c) for c, (a, b) in product(accesses.outputs, permutations(accesses.inputs, 2)) if widths[c] > 1]
    return _by_values(accesses, widths, tried)


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
