"""Objects that `new` makes and `delete` ends, of host programs."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.host.classes import ClassContext
from kernels.simt.host.stack_arrays import end_all
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.cursors import operands
from kernels.simt.lower.dispatch import rvalue
from kernels.simt.lower.heap import SIZE, makes_array
from kernels.simt.lower.initializers import initial_value, is_trivial, runs_constructor
from kernels.simt.lower.lvalues import after, keep, keep_pointer
from kernels.simt.lower.objects import construct
from kernels.simt.lower.types import VOID

K = CursorKind
BYTES = ir.Pointer(ir.Scalar(ir.Kind.UNSIGNED, 1))


def lower_new(context: ClassContext, cursor: Cursor) -> ir.Expression:
    """Lower `new T`, `new T(...)` and `new T[n]` of a host program. The prelude's is given a place."""
    location = context.location(cursor)
    pointer = context.type(cursor)
    assert isinstance(pointer, ir.Pointer)
    assert pointer.target is not None
    below, statements = operands(cursor), list[ir.Statement]()
    if context.unit.in_prelude(cursor):
        made = rvalue(context, below.pop(0))
    elif makes_array(context, cursor):
        return _new_array(context, cursor, pointer, below)
    elif (own := _own(context, cursor, pointer.target, "operator new")) is not None:
        made = _called(context, own, (ir.Const(size_of(pointer.target), SIZE),), location)
    else:
        made = ir.Call("__tilescope_new", (ir.Const(size_of(pointer.target), SIZE),), VOID, location)
    address = keep_pointer(build.cast(made, pointer, location), statements)
    place = ir.Deref(address, pointer.target, location)
    if below and runs_constructor(context, below[-1]):
        construct(context, below[-1], place, statements)
    elif below and not is_trivial(context, below[-1]):
        statements.append(ir.Store(place, initial_value(context, below[-1], pointer.target), location))
    return after(statements, address, location)


def _new_array(context: ClassContext, cursor: Cursor, pointer: ir.Pointer, below: list[Cursor]) -> ir.Expression:
    location, target, statements = context.location(cursor), pointer.target, list[ir.Statement]()
    constructs = len(below) > 1 and runs_constructor(context, below[-1])
    if len(below) > 1 and isinstance(target, ir.Struct) and not constructs and not is_trivial(context, below[-1]):
        raise context.refuse(cursor, message("Values for an array that is made by new are not supported: set them in a loop."))
    count = keep(build.cast(rvalue(context, below[0]), SIZE, location), "count", statements)
    name = "__tilescope_new_zeroed" if len(below) > 1 and not isinstance(target, ir.Struct) else "__tilescope_new_array"
    size, own = ir.Const(size_of(target), SIZE), _own(context, cursor, target, "operator new[]")
    made: ir.Expression = ir.Call(name, (count, size), VOID, location)
    if own is not None:
        before = _cookie(context, target)
        made = _called(context, own, (_whole(count, size, before, location),), location)
        if before:
            begin = keep_pointer(build.cast(made, BYTES, location), statements)
            made = build.offset(begin, ir.Const(before, SIZE), location)
            statements.append(ir.Store(_counted_at(made, location), count, location))
    address = keep_pointer(build.cast(made, pointer, location), statements)
    if len(below) > 1 and below[-1].kind is K.INIT_LIST_EXPR and target is not None and not constructs:
        for position, value in enumerate(operands(below[-1])):
            place = build.deref(build.offset(address, ir.Const(position, ir.I32), location), location)
            statements.append(ir.Store(place, initial_value(context, value, target), location))
    if constructs and target is not None:
        count = count if own is not None else _count(address, target, location)
        statements.append(build.counted(count, location, lambda at: _construct_at(context, below[-1], address, at)))
    return after(statements, address, location)


def _cookie(context: ClassContext, kind: ir.Type | None) -> int:
    """Give the bytes before an array in which its length is kept; 0 where it is not."""
    return max(SIZE.size, kind.align) if isinstance(kind, ir.Struct) and context.types.keeps_count(kind) else 0


def _whole(count: ir.Expression, size: ir.Expression, before: int, location: ir.Location) -> ir.Expression:
    """Give the bytes of an array with what is kept before it."""
    elements = build.binary(ir.Binary.MULTIPLY, count, size, SIZE, location)
    return build.binary(ir.Binary.ADD, elements, ir.Const(before, SIZE), SIZE, location) if before else elements


def _counted_at(first: ir.Expression, location: ir.Location) -> ir.Place:
    """Find where the length of an array is kept."""
    words = build.cast(first, ir.Pointer(SIZE), location)
    return ir.Deref(ir.Offset(words, ir.Const(-1, ir.I64), ir.Pointer(SIZE), location), SIZE, location)


def _construct_at(context: Context, call: Cursor, first: ir.Expression, index: ir.Expression) -> tuple[ir.Statement, ...]:
    location, statements = context.location(call), list[ir.Statement]()
    construct(context, call, build.deref(build.offset(first, index, location), location), statements)
    return tuple(statements)


def _count(first: ir.Expression, target: ir.Type, location: ir.Location) -> ir.Expression:
    """Ask how many objects were made at an address; none at null."""
    return ir.Call("__tilescope_count", (first, ir.Const(size_of(target), SIZE)), SIZE, location)


def lower_delete(context: ClassContext, cursor: Cursor, into: list[ir.Statement]) -> None:
    """Lower `delete p` and `delete[] p` of a host program."""
    location = context.location(cursor)
    pointer = keep_pointer(rvalue(context, operands(cursor)[-1]), into)
    assert isinstance(pointer.type, ir.Pointer)
    kind = pointer.type.target
    array = context.unit.text_from(cursor).lstrip(": ").removeprefix("delete").lstrip().startswith("[")
    own = _own(context, cursor, kind, "operator delete[]" if array else "operator delete")
    chosen = isinstance(kind, ir.Struct) and not array and context.types.ends_virtually(kind)
    if chosen and own is not None and len(list(own.get_arguments())) > 1:
        raise context.refuse(cursor, message("operator delete that is told a size is not called for objects of virtual classes here."))
    statements: list[ir.Statement] = []
    if isinstance(kind, ir.Struct) and chosen:
        pointer = _ended(context, pointer, kind, location, into)
    elif isinstance(kind, ir.Struct) and array and context.types.destructor(kind) is not None:
        count: ir.Expression = _count(pointer, kind, location)
        if own is not None:
            count = keep(ir.Load(_counted_at(pointer, location), SIZE, location), "count", statements)
        where = pointer.location if not isinstance(pointer, ir.Const | ir.Special) else ir.Location(0, 0)
        statements.append(end_all(context, pointer, count, where))
    elif isinstance(kind, ir.Struct) and context.types.destructor(kind) is not None:
        context.destroy_at(pointer, kind, location, statements)
    if own is not None:
        statements.append(_given_back(context, own, pointer, kind if array or not chosen else None, location, array=array))
    if statements:
        there = ir.BinaryOp(ir.Binary.NOT_EQUAL, pointer, ir.Const(0, pointer.type or VOID), ir.BOOL, location)
        into.append(ir.If(there, ir.Block(tuple(statements)), None, location))
    if own is None:
        name = "__tilescope_delete_array" if array else "__tilescope_delete"
        into.append(ir.Evaluate(ir.Call(name, (pointer,), None, location), location))


def _given_back(
    context: ClassContext, own: Cursor, pointer: ir.Expression, kind: ir.Type | None, location: ir.Location, *, array: bool
) -> ir.Statement:
    """Call what a class, or the program, has in place of `delete`: with where the memory begins, and its bytes where it is told them."""
    before = _cookie(context, kind) if array else 0
    begin = pointer
    if before:
        begin = build.offset(build.cast(pointer, BYTES, location), ir.Const(-before, ir.I64), location)
    given: tuple[ir.Expression, ...] = (build.cast(begin, VOID, location),)
    if len(list(own.get_arguments())) > 1:
        size: ir.Expression = ir.Const(size_of(kind), SIZE)
        if before:
            size = _whole(ir.Load(_counted_at(pointer, location), SIZE, location), size, before, location)
        given = (*given, size)
    return ir.Evaluate(_called(context, own, given, location), location)


def _own(context: ClassContext, cursor: Cursor, kind: ir.Type | None, name: str) -> Cursor | None:
    """Find what a class has in place of `new` or `delete`, where the text does not say `::new`, else what the program has."""
    everybodys = context.unit.text_from(cursor).startswith("::")
    own = None if everybodys else context.types.operator(kind, name)
    sized = kind is not None and (not name.endswith("[]") or bool(_cookie(context, kind)))
    return own or context.types.replaced(name, sized=sized and "delete" in name)


def _called(context: ClassContext, own: Cursor, given: tuple[ir.Expression, ...], location: ir.Location) -> ir.Expression:
    """Call what a class, or the program, has in place of `new` or `delete`."""
    function = context.function(own)
    return ir.Invoke(function, given, function.result, location)


def _ended(
    context: ClassContext, pointer: ir.Expression, kind: ir.Struct, location: ir.Location, into: list[ir.Statement]
) -> ir.Expression:
    """End an object whose class is known only when the program runs, and give where it begins."""
    whole = build.temporary("whole", VOID, location)
    there = ir.BinaryOp(ir.Binary.NOT_EQUAL, pointer, ir.Const(0, pointer.type or VOID), ir.BOOL, location)
    ended = ir.Store(ir.Whole(whole), context.end_whole(pointer, kind, location), location)
    into += [ir.Declare(whole, ir.Const(0, VOID), location), ir.If(there, ir.Block((ended,)), None, location)]
    return ir.Load(ir.Whole(whole), VOID, location)
