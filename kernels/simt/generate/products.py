"""Products that have a name before they are added: `float p = a * b; s += p;` is contracted like `s += a * b`.

As NVIDIA's compiler does it: where a product is used for nothing but sums and differences, each takes it in unrounded; where its own value
is needed anywhere, it is rounded for all.
"""

from __future__ import annotations

from collections import Counter

from kernels.simt import ir
from kernels.simt.generate.walk import assigned, children, descendants

SUMS = (ir.Binary.ADD, ir.Binary.SUBTRACT)


def is_product(node: ir.Expression | None) -> bool:
    """Whether an addition could take it in."""
    return isinstance(node, ir.BinaryOp) and node.operator is ir.Binary.MULTIPLY


def named_products(body: ir.Block) -> frozenset[ir.Variable]:
    """The variables that are given one product, once, and are used in sums only."""
    given: Counter[ir.Variable] = Counter()
    products: set[ir.Variable] = set()
    uses: Counter[ir.Variable] = Counter()
    added: Counter[ir.Variable] = Counter()
    for node in descendants(body):
        variable = assigned(node)
        if variable is not None:
            given[variable] += 1
        if isinstance(node, ir.Declare) and is_product(node.value) and node.variable.type in (ir.F32, ir.F64):
            products.add(node.variable)
        uses.update(each.variable for each in children(node) if isinstance(each, ir.Whole))
        added.update(_summands(node))
    return frozenset(each for each in products if given[each] == 1 and uses[each] == added[each])


def _summands(node: object) -> list[ir.Variable]:
    """The variables whose values the node adds or subtracts."""
    match node:
        case ir.BinaryOp(operator=operator, left=left, right=right) if operator in SUMS:
            operands = [left, right]
        case ir.Store(operator=operator, value=value) if operator in SUMS:
            operands = [value]
        case _:
            return []
    return [each.place.variable for each in operands if isinstance(each, ir.Load) and isinstance(each.place, ir.Whole)]
