"""From a translation unit to one kernel's representation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from clang.cindex import Cursor

from kernels.simt import ir
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.frontend.unit import Unit
from kernels.simt.lower.addresses import mark_addressed
from kernels.simt.lower.bindings import Bindings
from kernels.simt.lower.calls import Calls
from kernels.simt.lower.constructors import Constructors
from kernels.simt.lower.context import DEEPEST, Context, Frame, Result
from kernels.simt.lower.expressions import Expressions
from kernels.simt.lower.initials import Initials
from kernels.simt.lower.intrinsics import Intrinsics
from kernels.simt.lower.lambdas import Lambdas
from kernels.simt.lower.loops import Loops
from kernels.simt.lower.operators import Operators
from kernels.simt.lower.parameters import Parameters
from kernels.simt.lower.places import Places
from kernels.simt.lower.ranges import Ranges
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.statements import Statements
from kernels.simt.lower.strings import Strings
from kernels.simt.lower.types import is_empty
from kernels.simt.lower.variables import Variables

STACK = 20 * DEEPEST
"""Python's frames that the deepest nesting takes, and more."""


class Unsupported(Exception):
    """A kernel with constructs that cannot be executed: each one where it stands, and what to write instead."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics


class Lowering:
    """The parts that lower one kernel, which call each other as the text is nested."""

    def __init__(self, unit: Unit) -> None:
        self.context = Context(unit)
        self.types = self.context.types
        self.places = Places(self.context, self)
        self.variables = Variables(self.context, self)
        self.operators = Operators(self.context, self)
        self.expressions = Expressions(self.context, self)
        self.initials = Initials(self.context, self)
        self.constructors = Constructors(self.context, self)
        self.intrinsics = Intrinsics(self.context, self)
        self.parameters = Parameters(self.context, self)
        self.calls = Calls(self.context, self)
        self.lambdas = Lambdas(self.context, self)
        self.bindings = Bindings(self.context, self)
        self.strings = Strings(self.context)
        self.loops = Loops(self.context, self)
        self.ranges = Ranges(self.context, self)
        self.statements = Statements(self.context, self)

    def kernel(self, cursor: Cursor, entry: str) -> ir.Kernel:
        """The kernel whose definition `cursor` is."""
        frame = Frame(cursor, result=Result.NOTHING)
        with self.context.entered(frame):
            parameters = [self._parameter(parameter) for parameter in cursor.get_arguments()]
            body = ir.Block(self.statements.body(cursor))
            location = self.context.location(cursor)
            bounds = self._launch_bounds(cursor)
        mark_addressed(body)
        variables = (*self.context.globals.values(), *self.context.strings.values())
        given = tuple(parameter for parameter in parameters if not is_empty(parameter.type))
        return ir.Kernel(cursor.spelling, entry, given, variables, body, location, *bounds)

    def _parameter(self, cursor: Cursor) -> ir.Variable:
        try:
            kind = self.context.type(cursor)
        except Refusal as refusal:
            self.context.note(refusal)
            kind = ir.I32
        variable = ir.Variable(cursor.spelling, kind, ir.Space.REGISTER, self.context.location(cursor))
        self.context.frame.places[cursor.hash] = ir.Whole(variable)
        return variable

    def _launch_bounds(self, cursor: Cursor) -> tuple[int | None, int | None]:
        unit, location = self.context.unit, self.context.location(cursor)
        found = [signature for signature in unit.kernels if signature.location == location]
        return (found[0].max_threads, found[0].min_blocks) if found else (None, None)


def lower(unit: Unit, entry: str) -> ir.Kernel:
    """The kernel `entry` ("name", or "name<128, 8>" of a template) of a unit.

    Raises `Unsupported` with the errors in what the kernel uses, or else with all constructs in it that cannot be executed; and what
    `unit.function_cursor` raises.
    """
    cursor = unit.function_cursor(entry)
    errors = tuple(diagnostic for diagnostic in unit.diagnostics_of(entry) if diagnostic.severity is Severity.ERROR)
    if errors:
        raise Unsupported(errors)
    lowering = Lowering(unit)
    with _room_for_recursion():
        kernel = lowering.kernel(cursor, entry)
    if lowering.context.refusals:
        raise Unsupported(_diagnostics(lowering.context.refusals))
    return kernel


@contextmanager
def _room_for_recursion() -> Iterator[None]:
    """Python's own limit is lower than what texts by people need."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _diagnostics(refusals: list[Refusal]) -> tuple[Diagnostic, ...]:
    """Each refusal once, in the order of the text."""
    found = {
        Diagnostic(refusal.location.line, refusal.location.column, Severity.ERROR, refusal.reason, refusal.location.file)
        for refusal in refusals
    }
    return tuple(sorted(found, key=lambda diagnostic: (diagnostic.file, diagnostic.line, diagnostic.column, str(diagnostic.message))))
