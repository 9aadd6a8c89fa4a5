"""Calls: device functions are inlined, known functions become calls or the statement that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build, refusals, registers
from kernels.simt.lower.constructors import defined, is_written
from kernels.simt.lower.context import Context, Frame, Result
from kernels.simt.lower.libclang import body_of
from kernels.simt.lower.parameters import assigns
from kernels.simt.lower.places import bare, operands
from kernels.simt.lower.types import REFERENCES, is_empty

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

K = CursorKind
Lowered = ir.Expression | list[ir.Statement]
IGNORED = ("__builtin_assume", "__builtin_unreachable", "__builtin_prefetch")
METHODS = (K.CXX_METHOD, K.CONVERSION_FUNCTION)


class Calls:
    """Lowers calls of functions, methods and overloaded operators."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def value(self, cursor: Cursor) -> ir.Expression:
        """The value of a call."""
        callee = self._callee(cursor)
        if callee.kind is K.CONSTRUCTOR:
            return self._lowering.constructors.value(cursor)
        if self.returns_reference(cursor):
            return self._lowering.expressions.load(self._lowering.places.lower(cursor), cursor)
        lowered = self._lower(cursor, callee, Result.VALUE)
        if isinstance(lowered, list):
            return ir.Inlined(ir.Block(tuple(lowered)), None, None, self._context.location(cursor))
        return lowered

    def reference(self, cursor: Cursor) -> ir.Expression:
        """The address of what a call gives a reference to."""
        callee = self._callee(cursor)
        if self._is_plain_assignment(callee):
            statements: list[ir.Statement] = []
            place = self._lowering.places.freeze(self._assign(cursor, statements), statements)
            location = self._context.location(cursor)
            address = build.address_of(place, location)
            result = self._context.temporary("address", build.type_of(address), location)
            return ir.Inlined(ir.Block((*statements, ir.Return(address, location))), result, address.type, location)
        lowered = self._lower(cursor, callee, Result.ADDRESS)
        if isinstance(lowered, list):
            raise self._context.unsupported(cursor)
        return lowered

    def statements(self, cursor: Cursor) -> list[ir.Statement]:
        """A call whose value is not used."""
        callee = self._callee(cursor)
        location = self._context.location(cursor)
        if self._is_plain_assignment(callee):
            into: list[ir.Statement] = []
            self._assign(cursor, into)
            return into
        if callee.kind is K.CONSTRUCTOR:
            return [ir.Evaluate(self._lowering.constructors.value(cursor), location)]
        lowered = self._lower(cursor, callee, Result.NOTHING)
        return lowered if isinstance(lowered, list) else [ir.Evaluate(lowered, location)]

    def returns_reference(self, cursor: Cursor) -> bool:
        """Whether a call denotes an object."""
        callee = cursor.referenced or _template_argument(cursor)
        return callee is not None and callee.kind is not K.CONSTRUCTOR and callee.result_type.get_canonical().kind in REFERENCES

    def caller(self, cursor: Cursor, function: Cursor) -> ir.Location | None:
        """The location of everything in `function`, where that is not the user's text."""
        return self._context.location(cursor) if self._context.unit.in_prelude(function) else None

    def check_recursion(self, cursor: Cursor, function: Cursor) -> None:
        if any(frame.function == function for frame in self._context.frames):
            raise self._context.refuse(
                cursor, message("{name} calls itself, which is not supported: write a loop.", name=function.spelling)
            )

    def _callee(self, cursor: Cursor) -> Cursor:
        callee = cursor.referenced or _template_argument(cursor)
        if callee is None or callee.kind in (K.VAR_DECL, K.PARM_DECL, K.FIELD_DECL):
            raise self._context.refuse(
                cursor, message("Only functions that are known by name can be called: write the name of a __device__ function.")
            )
        return callee

    def _is_plain_assignment(self, callee: Cursor) -> bool:
        return bool(callee.spelling == "operator=" and callee.kind is K.CXX_METHOD and not is_written(callee))

    def _assign(self, cursor: Cursor, into: list[ir.Statement]) -> ir.Place:
        left, right = cursor.get_arguments()
        target = self._lowering.places.lower(left)
        target, value = self._lowering.places.settled(target, self._lowering.initials.value(right, build.place_type(target)), into)
        location = self._context.location(cursor)
        parts = registers.elements(target)
        if parts is not None:
            into.extend(registers.store(parts, value, location))
        elif not is_empty(build.place_type(target)):
            into.append(ir.Store(target, value, location))
        return target

    def _lower(self, cursor: Cursor, callee: Cursor, result: Result) -> Lowered:
        function = defined(callee)
        if body_of(function) is not None:
            return self._inline(cursor, function, result)
        kind = self._context.unit.known(callee)
        if kind is not None:
            return self._lowering.intrinsics.lower(cursor, callee, kind)
        value = self._context.unit.evaluate(cursor)
        if value is not None:
            return build.constant(value, self._context.type(cursor))
        if callee.spelling == "__builtin_expect":
            return self._lowering.expressions.value(next(iter(cursor.get_arguments())))
        if callee.spelling in IGNORED:
            return []
        raise self._context.refuse(cursor, refusals.undefined(callee, in_prelude=self._context.unit.in_prelude(callee)))

    def _inline(self, cursor: Cursor, function: Cursor, result: Result) -> Lowered:
        self.check_recursion(cursor, function)
        frame = Frame(function, caller=self.caller(cursor, function), result=result)
        statements: list[ir.Statement] = []
        arguments = list(cursor.get_arguments())
        objects: list[ir.Statement] = []
        if _is_of_lambda(function):
            self._lowering.lambdas.closure(arguments.pop(0), objects).enter(frame)
        elif function.kind in METHODS and not function.is_static_method():
            frame.this = self._object(cursor, function, arguments, objects)
        plain = self._plain_result(function)
        self._lowering.parameters.bind(frame, arguments, statements, plain is not None)
        statements[len(statements) if assigns(function) else 0 : 0] = objects
        with self._context.entered(frame):
            if plain is not None and not statements and result is not Result.NOTHING:
                return self._lowering.statements.returned(plain)
            statements.extend(self._lowering.statements.body(function))
        return self._finished(cursor, function, result, statements)

    def _finished(self, cursor: Cursor, function: Cursor, result: Result, statements: list[ir.Statement]) -> Lowered:
        location = self._context.location(cursor)
        kind = self._context.type_or_void(cursor, function.result_type)
        if kind is None or result is Result.NOTHING:
            return self.as_statements(tuple(statements), location)
        if result is Result.ADDRESS:
            kind = ir.Pointer(kind)
        returned = ir.Variable(function.spelling, kind, ir.Space.REGISTER, location)
        return ir.Inlined(ir.Block(tuple(statements)), returned, kind, location)

    def as_statements(self, body: tuple[ir.Statement, ...], location: ir.Location) -> list[ir.Statement]:
        """A body without a value: its statements where nothing in it returns early."""
        if body and isinstance(body[-1], ir.Return):
            body = body[:-1]
        if any(returns(statement) for statement in body):
            return [ir.Evaluate(ir.Inlined(ir.Block(body), None, None, location), location)]
        return list(body)

    def _plain_result(self, function: Cursor) -> Cursor | None:
        """The expression of a function that is nothing but `return expression;`."""
        body = body_of(function)
        assert body is not None
        statements = list(body.get_children())
        if len(statements) != 1 or statements[0].kind is not K.RETURN_STMT:
            return None
        return next(iter(statements[0].get_children()), None)

    def _object(self, cursor: Cursor, function: Cursor, arguments: list[Cursor], into: list[ir.Statement]) -> ir.Place | None:
        """What `this` is; for an operator it is taken from the front of `arguments`."""
        if len(arguments) > len(list(function.get_arguments())):
            base = arguments.pop(0)
        else:
            member = bare(next(iter(cursor.get_children())))
            below = operands(member)
            if not below:
                return self._context.frame.this
            base = below[0]
        kind = self._context.type(base)
        if is_empty(kind) or (isinstance(kind, ir.Pointer) and is_empty(kind.target)):
            return ir.Whole(self._context.temporary("this", kind, self._context.location(base)))
        if isinstance(kind, ir.Pointer):
            pointer = self._lowering.places.keep_pointer(self._lowering.expressions.value(base), into)
            return build.deref(pointer, self._context.location(base))
        return self._lowering.variables.bound(base, base, into)


def _is_of_lambda(function: Cursor) -> bool:
    return bool(function.spelling == "operator()" and function.semantic_parent.is_anonymous())


def _template_argument(call: Cursor) -> Cursor | None:
    """The function that is called through a parameter of a template."""
    inner = next(iter(call.get_children()), None)
    while inner is not None:
        referenced = inner.referenced
        if referenced is not None and referenced.kind is K.FUNCTION_DECL:
            return referenced
        inner = next(iter(inner.get_children()), None)
    return None


def returns(statement: ir.Statement | None) -> bool:
    """Whether a statement can leave the function that it stands in."""
    match statement:
        case ir.Return():
            return True
        case ir.Block(statements=body) | ir.Switch(body=body):
            return any(map(returns, body))
        case ir.If():
            return returns(statement.then) or returns(statement.otherwise)
        case ir.Loop():
            return returns(statement.body)
    return False
