"""Which variant, of which sizes, with which parameters: fields that states, lessons and challenges have alike."""

from __future__ import annotations

from app.core.inputs import LARGEST_SIZE
from app.core.reading.fields import Table
from app.core.reading.variants import no_variant
from kernels import catalog
from kernels.messages import message
from kernels.spec import Operation, Problem, Variant


def variant_from(table: Table) -> Variant:
    """The variant that the field `variant` names. Raises `BadFile`."""
    variant = catalog.find(table.text("variant"))
    if variant is None:
        table.wrong("variant", no_variant(table.text("variant")))
    return variant


def problem_from(table: Table, operation: Operation) -> Problem:
    """The problem of the field `sizes`, which holds m, n and k. Raises `BadFile`."""
    if operation is Operation.HELLO:
        table.wholes("sizes", 0, LARGEST_SIZE, 3, ())
        return Problem.square(operation, 0)
    sizes = table.wholes("sizes", 0, LARGEST_SIZE, 3)
    if len(sizes) != 3:
        table.wrong("sizes", message("must hold m, n and k"))
    return Problem.of(operation, *sizes)


def parameters_from(table: Table, variant: Variant) -> dict[str, int]:
    """The parameters of a variant, defaults where the table has none. Raises `BadFile`."""
    values = {p.name: table.whole(p.name, p.minimum, p.maximum, p.default) for p in variant.parameters}
    table.finish()
    return values
