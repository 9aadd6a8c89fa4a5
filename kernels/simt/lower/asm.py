"""Inline assembly: the operands of an asm statement become registers, its text what `ptx` makes of it."""

from __future__ import annotations

from functools import partial

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.assembly import Assembly
from kernels.simt.lower import build
from kernels.simt.lower.bit_fields import refuse_bits
from kernels.simt.lower.context import Context
from kernels.simt.lower.dispatch import lowers_statement, lvalue, rvalue
from kernels.simt.lower.jumps import structured
from kernels.simt.lower.lvalues import freeze
from kernels.simt.lower.ptx import Argument, Assembler
from kernels.simt.lower.ptx.assembler import U16

PRODUCT = "wgmma.mma_async"
_WORDS = {"block barriers": -1, "cluster barrier": -2}
"""No hashes of declarations."""
KINDS = {"r": ir.U32, "l": ir.U64, "h": U16, "f": ir.F32, "d": ir.F64}
"""The registers that constraints ask for; n is a constant."""


@lowers_statement(CursorKind.ASM_STMT)
def lower_assembly(context: Context, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `asm("..." : outputs : inputs : clobbers)`: outputs are written once the text has been executed."""
    location = context.location(cursor)
    read = context.unit.assembly(context.frame.function, cursor)
    operands = list(cursor.get_children())
    if read is None or len(operands) != len(read.outputs) + len(read.inputs):
        raise context.refuse(cursor, message("This asm statement is not understood: write it with constraints and operands, no labels."))
    arguments: list[Argument] = []
    written: list[tuple[ir.Place, ir.Variable]] = []
    for constraint, operand in zip(read.outputs, operands, strict=False):
        place = freeze(lvalue(context, operand), into)
        refuse_bits(context, place, operand)
        kind = _kind(context, operand, constraint)
        variable = build.temporary("operand", kind, location)
        _check(context, ir.place_type(place), kind, operand)
        first = _raw(context, ir.Load(place, ir.place_type(place), location), kind, operand) if "+" in constraint else None
        into.append(ir.Declare(variable, first, location))
        arguments.append(Argument(ir.Load(ir.Whole(variable), variable.type, location), variable))
        written.append((place, variable))
    for constraint, operand in zip(read.inputs, operands[len(read.outputs) :], strict=True):
        arguments.append(_input(context, operand, constraint, into))
    assembler = Assembler(
        arguments, lambda at: _place(context, cursor, read, at), partial(_words, context, location), context.cluster,
        context.in_cluster,
    )  # fmt: skip
    statements = structured(assembler.assemble(read.text), None)
    if PRODUCT in read.text:
        into.extend(context.accumulators.announce(written, location))
    into.extend(statements)
    for place, variable in written:
        value = ir.Load(ir.Whole(variable), variable.type, location)
        into.append(ir.Store(place, build.cast(value, ir.place_type(place), location), location))


def _words(context: Context, location: ir.Location, name: str, count: int) -> ir.Variable:
    """Give words of the block that hardware keeps for itself: here they are in shared memory."""
    return context.globals.setdefault(_WORDS[name], ir.Variable(name, ir.Array(ir.U64, count), ir.Space.SHARED, location))


def _place(context: Context, cursor: Cursor, read: Assembly, at: int) -> ir.Location:
    """Where a character of the text stands; where the statement does, if a macro made the text or it is not the user's."""
    if context.frame.caller is not None or not read.offsets:
        return context.location(cursor)
    return context.unit.place(read.file, read.offsets[min(at, len(read.offsets) - 1)])


def _kind(context: Context, operand: Cursor, constraint: str) -> ir.Scalar:
    kind = KINDS.get(constraint.strip("=+&"))
    if kind is None:
        raise context.refuse(
            operand, message("The constraint {constraint} is not known: use h, r, l, f, d, or n for a constant.", constraint=constraint)
        )
    return kind


def _input(context: Context, operand: Cursor, constraint: str, into: list[ir.Statement]) -> Argument:
    location = context.location(operand)
    value = rvalue(context, operand)
    if constraint.strip("&") == "n":
        if not isinstance(value, ir.Const):
            raise context.refuse(operand, message("The constraint n needs a constant."))
        return Argument(value)
    if constraint.isdecimal():
        raise context.refuse(operand, message('An operand that is read and written has the constraint "+r": give it once.'))
    kind = _kind(context, operand, constraint)
    value = _raw(context, value, kind, operand)
    if isinstance(value, ir.Const):
        return Argument(value)
    variable = build.temporary("operand", kind, location)
    into.append(ir.Declare(variable, value, location))
    return Argument(ir.Load(ir.Whole(variable), kind, location))


def _raw(context: Context, value: ir.Expression, kind: ir.Scalar, operand: Cursor) -> ir.Expression:
    """A value in a register: integers and pointers by their bits."""
    _check(context, value.type, kind, operand)
    return build.cast(value, kind, context.location(operand))


def _check(context: Context, source: ir.Type | None, kind: ir.Type, operand: Cursor) -> None:
    """Refuse a value that no register of this kind holds."""
    floats = isinstance(source, ir.Scalar) and source.kind is ir.Kind.FLOAT
    wanted = isinstance(kind, ir.Scalar) and kind.kind is ir.Kind.FLOAT
    if isinstance(source, ir.Struct) or source is None or floats != wanted or (floats and source != kind):
        raise context.refuse(operand, message("This value does not fit its constraint: integers go with h, r and l, floats with f and d."))
