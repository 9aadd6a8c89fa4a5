"""Classes with virtual functions: each object begins with the number of its class, and what is called is chosen by it.

An object's number changes as the language has it: it is of a base class while that class's constructor or destructor runs. Which classes
there are is known once all constructors are lowered; functions that choose between them are written last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from zlib import crc32

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.host.lifetimes import class_words
from kernels.simt.host.stack_arrays import ArrayContext
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import TYPE_PARTS, bare, body_of, defined, operands
from kernels.simt.lower.dispatch import lowers_rvalue, rvalue
from kernels.simt.lower.lvalues import after, keep_pointer
from kernels.simt.lower.types import VOID

K = CursorKind
NO_CLASS = "__tilescope_no_class"
CHARACTER = ir.Scalar(ir.Kind.SIGNED, 1, name="char")
Branch = Callable[[ir.Struct, ir.Expression], tuple[ir.Statement, ...] | None]
"""What is done with an object of a class, given the address of the whole object; None where nothing can be."""


class ClassContext(ArrayContext):
    """Context in which virtual functions are chosen by the object that they are called on."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.choosers: dict[tuple[str, str], ir.Function] = {}
        """Functions that choose, by the class that they are given an object of, and what is asked."""
        self._branches: dict[tuple[str, str], tuple[ir.Struct, Branch, ir.Expression | None]] = {}
        self._made: dict[str, ir.Struct] = {}
        """Classes of which there are objects."""
        self._written = 0

    def head(self, cursor: Cursor) -> ir.Function:
        """Make a function without a body, of the parameters and the result that a definition or a declaration has."""
        raise NotImplementedError

    def becomes(self, target: ir.Place, location: ir.Location, into: list[ir.Statement]) -> None:
        """Have an object be of its class from here on."""
        kind = ir.place_type(target)
        assert isinstance(kind, ir.Struct)
        words = list(class_words(target, location))
        if words:
            self._made[kind.name] = kind
        into.extend(ir.Store(word, ir.Const(_number(kind), ir.U64), location) for word in words)

    def write_choosers(self) -> bool:
        """Write the bodies of the functions that choose, and say whether anything was new."""
        state = len(self._made) + len(self.choosers)
        if state == self._written:
            return False
        self._written = state
        for key, function in self.choosers.items():
            self._choose(function, *self._branches[key])
        return True

    def is_chosen(self, cursor: Cursor, function: Cursor) -> bool:
        """Say whether which function is called depends on the object: a virtual one, and the call does not name the class."""
        return bool(function.kind is K.CXX_METHOD and function.is_virtual_method() and not _is_qualified(cursor))

    def check_class(self, this: ir.Expression, location: ir.Location, into: list[ir.Statement]) -> None:
        """Look, where a virtual function is called, whether there is an object."""
        number = ir.Load(next(class_words(build.deref(this, location), location)), ir.U64, location)
        none = ir.BinaryOp(ir.Binary.EQUAL, number, ir.Const(0, ir.U64), ir.BOOL, location)
        lost = ir.Evaluate(ir.Call(NO_CLASS, (this,), None, location), location)
        into.append(ir.If(none, ir.Block((lost,)), None, location))

    def chooser(self, function: Cursor, record: ir.Type | None) -> ir.Function:
        """Give the function to call instead of a virtual one, which chooses."""
        assert isinstance(record, ir.Struct)
        key = record.name, function.get_usr()
        if key not in self.choosers:
            made = self.choosers[key] = self.head(function)
            given = tuple(ir.Load(ir.Whole(each), each.type, each.location) for each in made.parameters[1:])
            location = made.location

            def call(kind: ir.Struct, whole: ir.Expression) -> tuple[ir.Statement, ...] | None:
                found = self._overrider(kind, record, function)
                if found is None or body_of(found[0]) is None:
                    return None
                method, owner = found
                called = self.function(method, owner)
                this = moved(whole, _offset(kind, owner.name) or 0, location)
                value: ir.Expression = ir.Invoke(called, (this, *given), called.result, location)
                if made.result is None:
                    return ir.Evaluate(value, location), ir.Return(None, location)
                if called.result != made.result:
                    value = build.cast(value, made.result, location)
                return (ir.Return(value, location),)

            self._branches[key] = record, call, None
        return self.choosers[key]

    def end_whole(self, pointer: ir.Expression, kind: ir.Struct, location: ir.Location) -> ir.Expression:
        """End the object that a pointer to one of its base classes leads to; the value is the address of the whole object."""

        def end(made: ir.Struct, whole: ir.Expression) -> tuple[ir.Statement, ...]:
            statements: list[ir.Statement] = []
            if self.types.destructor(made) is not None:
                self.destroy_at(whole, made, location, statements)
            return *statements, ir.Return(whole, location)

        return self._asked(pointer, kind, "~", end, None, location)

    def cast_down(self, pointer: ir.Expression, wanted: ir.Struct, location: ir.Location) -> ir.Expression:
        """Give the address of the part of an object that is of a class, null where it has none."""
        kind = build.target_of(pointer)
        assert isinstance(kind, ir.Struct)

        def part(made: ir.Struct, whole: ir.Expression) -> tuple[ir.Statement, ...] | None:
            offset = _offset(made, wanted.name)
            return None if offset is None else (ir.Return(moved(whole, offset, location), location),)

        found = self._asked(pointer, kind, f"as {wanted.name}", part, ir.Const(0, VOID), location)
        return build.cast(found, ir.Pointer(wanted), location)

    def _asked(
        self, pointer: ir.Expression, kind: ir.Struct, what: str, branch: Branch, otherwise: ir.Expression | None, location: ir.Location
    ) -> ir.Expression:
        """Call a function that is given an address and gives one."""
        key = kind.name, what
        if key not in self.choosers:
            this = ir.Variable("this", VOID, ir.Space.REGISTER, location)
            self.choosers[key] = ir.Function(what, (this,), VOID, location, ir.Block(()))
            self._branches[key] = kind, branch, otherwise
        return ir.Invoke(self.choosers[key], (build.cast(pointer, VOID, location),), VOID, location)

    def _choose(self, function: ir.Function, record: ir.Struct, branch: Branch, otherwise: ir.Expression | None) -> None:
        this, location = ir.Load(ir.Whole(function.parameters[0]), VOID, function.location), function.location
        word = next(class_words(ir.Deref(build.cast(this, ir.Pointer(record), location), record, location), location))
        number = build.temporary("class", ir.U64, location)
        statements: list[ir.Statement] = [ir.Declare(number, ir.Load(word, ir.U64, location), location)]
        for kind in list(self._made.values()):
            offset = _offset(kind, record.name)
            done = None if offset is None else branch(kind, moved(this, -offset, location))
            if done is not None:
                test = ir.BinaryOp(
                    ir.Binary.EQUAL, ir.Load(ir.Whole(number), ir.U64, location), ir.Const(_number(kind), ir.U64), ir.BOOL, location
                )
                statements.append(ir.If(test, ir.Block(done), None, location))
        if otherwise is not None:
            statements.append(ir.Return(otherwise, location))
        else:
            statements.append(ir.Evaluate(ir.Call(NO_CLASS, (this,), None, location), location))
        function.body = ir.Block(tuple(statements))

    def _overrider(self, kind: ir.Struct, record: ir.Struct, function: Cursor) -> tuple[Cursor, ir.Struct] | None:
        """Find the method of a class, its own or the one that it inherits, that a virtual function of `record` is for objects of it."""
        for each in self.types.methods(kind):
            if each.kind is K.CXX_METHOD and _signature(each) == _signature(function):
                return defined(each), kind
        for field in kind.fields:
            if not field.name and isinstance(field.type, ir.Struct) and _offset(field.type, record.name) is not None:
                return self._overrider(field.type, record, function)
        return None


def _number(kind: ir.Struct) -> int:
    return crc32(kind.name.encode()) + 1


def _signature(method: Cursor) -> tuple[str, tuple[str, ...], bool]:
    given = tuple(each.type.get_canonical().spelling for each in method.get_arguments())
    return method.spelling, given, method.is_const_method()


def _is_qualified(cursor: Cursor) -> bool:
    """Say whether a call names the class whose method is meant: `Base::area()`."""
    member = bare(next(iter(cursor.get_children())))
    return member.kind is K.MEMBER_REF_EXPR and any(child.kind in TYPE_PARTS for child in member.get_children())


def _offset(kind: ir.Struct, name: str) -> int | None:
    """Find where in an object its part of a class begins; None where it has none, or more than one."""
    found = list(_offsets(kind, name))
    return found[0] if len(found) == 1 else None


def _offsets(kind: ir.Type, name: str) -> Iterator[int]:
    if isinstance(kind, ir.Struct) and kind.name == name:
        yield 0
    for field in kind.fields if isinstance(kind, ir.Struct) else ():
        if not field.name:
            yield from (field.offset + each for each in _offsets(field.type, name))


def moved(pointer: ir.Expression, by: int, location: ir.Location) -> ir.Expression:
    """Move an address by bytes."""
    if by == 0:
        return build.cast(pointer, VOID, location)
    first = build.cast(pointer, ir.Pointer(CHARACTER), location)
    return build.cast(ir.Offset(first, ir.Const(by, ir.I64), first.type or VOID, location), VOID, location)


@lowers_rvalue(K.CXX_DYNAMIC_CAST_EXPR)
def lower_dynamic_cast(context: Context, cursor: Cursor) -> ir.Expression:
    """Lower `dynamic_cast<T*>(p)` of a host program."""
    if not isinstance(context, ClassContext):
        raise context.unsupported(cursor)
    wanted, location, statements = context.type(cursor), context.location(cursor), list[ir.Statement]()
    if not isinstance(wanted, ir.Pointer) or not isinstance(wanted.target, ir.Struct):
        raise context.refuse(cursor, message("dynamic_cast to a reference is not supported: cast a pointer, and compare it with nullptr."))
    pointer = keep_pointer(rvalue(context, operands(cursor)[-1]), statements)
    if not isinstance(pointer.type, ir.Pointer) or not isinstance(pointer.type.target, ir.Struct):
        raise context.unsupported(cursor)
    null = ir.BinaryOp(ir.Binary.EQUAL, pointer, ir.Const(0, pointer.type), ir.BOOL, location)
    found = context.cast_down(pointer, wanted.target, location)
    return after(statements, ir.Select(null, ir.Const(0, wanted), found, wanted, location), location)
