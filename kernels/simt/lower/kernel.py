"""Kernels: from a translation unit to the representation of one of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

from clang.cindex import Cursor

from kernels.base.architectures import BLOCKS_PER_CLUSTER
from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.frontend.unit import Unit
from kernels.simt.lower import asm, build, calls, expressions, heap, initializers, loops, names, objects, operators, statements
from kernels.simt.lower.context import DEEPEST, Context, Frame, Result
from kernels.simt.lower.cursors import cluster_size
from kernels.simt.lower.inlining import body_statements
from kernels.simt.lower.lvalues import nodes
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.types import is_empty

REGISTERING = (asm, calls, expressions, heap, initializers, loops, names, objects, operators, statements)
"""The modules whose functions enter the dispatch table when they are imported."""
STACK = 20 * DEEPEST
"""Python's frames that the deepest nesting takes, and more."""


class Unsupported(Exception):
    """Refusal of a kernel with constructs that cannot be executed: each one where it stands, and what to write instead."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics


def lower(unit: Unit, entry: str) -> ir.Kernel:
    """Lower the kernel `entry` ("name", or "name<128, 8>" of a template) of a unit.

    Raises `Unsupported` with the errors in what the kernel uses, or else with all constructs in it that cannot be executed; and what
    `unit.function_cursor` raises.
    """
    cursor = unit.function_cursor(entry)
    errors = tuple(diagnostic for diagnostic in unit.diagnostics_of(entry) if diagnostic.severity is Severity.ERROR)
    if errors:
        raise Unsupported(errors)
    context = Context(unit)
    with room_for_recursion():
        kernel = _kernel(context, cursor, entry)
    if context.refusals:
        raise Unsupported(diagnostics_of(context.refusals))
    return kernel


def _kernel(context: Context, cursor: Cursor, entry: str) -> ir.Kernel:
    """Lower the kernel whose definition `cursor` is."""
    with context.entered(Frame(cursor, result=Result.NOTHING)):
        context.cluster = _cluster(context, cursor)
        parameters = [_parameter(context, parameter) for parameter in cursor.get_arguments()]
        body = context.accumulators.checked(ir.Block(body_statements(context, cursor)))
        location = context.location(cursor)
        most = next((signature.max_threads for signature in context.unit.kernels if signature.location == location), None)
    mark_addressed(body)
    variables = (*context.globals.values(), *context.strings.values())
    given = tuple(parameter for parameter in parameters if not is_empty(parameter.type))
    return ir.Kernel(cursor.spelling, entry, given, variables, body, location, most, context.cluster)


def _cluster(context: Context, cursor: Cursor) -> tuple[int, int, int]:
    size = cluster_size(cursor)
    if size is None:
        return 1, 1, 1
    context.in_cluster = True
    blocks, reason = prod(size), None
    if min(size) < 1:
        reason = message("A cluster needs at least 1 block along each axis.")
    elif blocks > BLOCKS_PER_CLUSTER:
        reason = message(
            "{blocks} blocks a cluster; more than {limit} are not executed here, as not every GPU allows them.",
            blocks=blocks,
            limit=BLOCKS_PER_CLUSTER,
        )
    if reason is None:
        return size
    context.note(Refusal(context.location(cursor), reason))
    return 1, 1, 1


def _parameter(context: Context, cursor: Cursor) -> ir.Variable:
    try:
        kind = context.type(cursor)
    except Refusal as refusal:
        context.note(refusal)
        kind = ir.I32
    variable = ir.Variable(cursor.spelling, kind, ir.Space.REGISTER, context.location(cursor))
    context.frame.places[cursor.hash] = ir.Whole(variable)
    return variable


def mark_addressed(body: ir.Block) -> None:
    """Set `addressed` on every register variable whose address the body uses as a value."""
    for node in nodes(body):
        if isinstance(node, ir.AddressOf):
            variable = build.root(node.place)
            if variable is not None and variable.space is ir.Space.REGISTER:
                variable.addressed = True


@contextmanager
def room_for_recursion() -> Iterator[None]:
    """Raise Python's own limit, which is lower than what texts by people need."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def diagnostics_of(refusals: list[Refusal]) -> tuple[Diagnostic, ...]:
    """List each refusal once, in the order of the text."""
    found = {
        Diagnostic(refusal.location.line, refusal.location.column, Severity.ERROR, refusal.reason, refusal.location.file)
        for refusal in refusals
    }
    return tuple(sorted(found, key=lambda diagnostic: (diagnostic.file, diagnostic.line, diagnostic.column, str(diagnostic.message))))
