"""Parameters: each is bound to its argument, as a variable, a place or a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.simt import ir
from kernels.simt.lower.context import Context, Frame
from kernels.simt.lower.libclang import body_of
from kernels.simt.lower.places import operands
from kernels.simt.lower.types import REFERENCES, is_empty

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind


class Parameters:
    """Binds the parameters of functions that are inlined."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering
        self._read_only: dict[int, frozenset[int]] = {}

    def bind(self, frame: Frame, arguments: list[Cursor], into: list[ir.Statement], plain: bool = False) -> None:
        """Give the parameters of a function their arguments, computed in the caller."""
        parameters = list(frame.function.get_arguments())
        order = list(enumerate(zip(parameters, arguments, strict=False)))
        for position, (parameter, argument) in reversed(order) if assigns(frame.function) else order:
            argument = self.given(frame.function, position, argument)
            kind = self._context.type(parameter)
            if parameter.type.get_canonical().kind in REFERENCES:
                frame.places[parameter.hash] = self._lowering.variables.bound(argument, parameter, into)
                continue
            self._context.refuse_destructor(argument, kind)
            location = self._context.location(argument)
            variable = ir.Variable(parameter.spelling, kind, ir.Space.REGISTER, location)
            if is_empty(kind):
                self._lowering.lambdas.hold(variable, argument, into)
                frame.places[parameter.hash] = ir.Whole(variable)
                continue
            value = self._lowering.initials.value(argument, kind)
            if self._replaces(value, plain) and parameter.hash in self._only_read(frame.function):
                frame.values[parameter.hash] = self._lowering.places.keep_pointer(value, into) if isinstance(value, ir.AddressOf) else value
                continue
            frame.places[parameter.hash] = ir.Whole(variable)
            into.append(ir.Declare(variable, value, location))

    def _replaces(self, value: ir.Expression, plain: bool) -> bool:
        """Whether a parameter can stand for its argument instead of a variable of its own. In a function that is one expression
        (`plain`) an index may be computed where it is used; floating-point operations are counted, so they are never repeated."""
        return isinstance(value, (ir.Const, ir.Special, ir.AddressOf)) or (plain and _in_registers(value))

    def given(self, function: Cursor, position: int, argument: Cursor) -> Cursor:
        """The argument, or the default that is declared for it."""
        if argument.kind is not K.UNEXPOSED_EXPR or argument.location.line or list(argument.get_children()):
            return argument
        for declaration in (function, function.canonical):
            default = operands(list(declaration.get_arguments())[position])
            if default:
                return default[-1]
        raise self._context.unsupported(argument)

    def _only_read(self, function: Cursor) -> frozenset[int]:
        """The parameters that a function reads and nothing else."""
        found = self._read_only.get(function.hash)
        if found is None:
            other: set[int] = set()
            _collect_uses(body_of(function), None, other)
            found = frozenset(parameter.hash for parameter in function.get_arguments()) - other
            self._read_only[function.hash] = found
        return found


def assigns(function: Cursor) -> bool:
    """Whether it is an overloaded `=`, `+=` and so on: what stands on the right is evaluated before what stands on the left."""
    name: str = function.spelling
    return name.startswith("operator") and name.endswith("=") and name.removeprefix("operator") not in ("==", "!=", "<=", ">=")


def _is_integer(value: ir.Expression) -> bool:
    return isinstance(value.type, ir.Scalar) and value.type.kind is not ir.Kind.FLOAT


def _in_registers(value: ir.Expression) -> bool:
    """Whether a value is a register's, or integer arithmetic on registers."""
    match value:
        case ir.Const() | ir.Special():
            return True
        case ir.Load(place=ir.Whole(variable=variable)):
            return variable.space is ir.Space.REGISTER
        case ir.Cast() | ir.UnaryOp():
            return _is_integer(value.operand) and _in_registers(value.operand)
        case ir.BinaryOp():
            return _is_integer(value.left) and _in_registers(value.left) and _in_registers(value.right)
    return False


def _collect_uses(cursor: Cursor | None, parent: Cursor | None, into: set[int]) -> None:
    """Names that are used other than to read their value."""
    if cursor is None:
        return
    if cursor.kind is K.DECL_REF_EXPR and cursor.referenced is not None and cursor.referenced.kind is K.PARM_DECL:
        if parent is None or parent.kind is not K.UNEXPOSED_EXPR or parent.type.get_canonical().kind != cursor.type.get_canonical().kind:
            into.add(cursor.referenced.hash)
        return
    for child in cursor.get_children():
        _collect_uses(child, cursor, into)
