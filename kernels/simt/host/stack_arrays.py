"""Arrays on the stack whose length is known only when the program runs, as the GNU compilers have them in C++ too: `float row[n];`.

Such an array is a pointer to memory that lies on the program's stack until the block around it ends. It may have rows of such a length.
"""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import size_of
from kernels.simt.frontend.unit import Unit
from kernels.simt.host.lifetimes import ObjectContext
from kernels.simt.host.names import BACK, ROOM
from kernels.simt.lower import build
from kernels.simt.lower.cursors import bare, initializer, operands
from kernels.simt.lower.dispatch import lvalue, rvalue
from kernels.simt.lower.initializers import runs_constructor
from kernels.simt.lower.lvalues import keep, nodes
from kernels.simt.lower.objects import construct
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.types import VOID

K = CursorKind
SIZE = ir.Scalar(ir.Kind.UNSIGNED, 8)
ROWS = message("A pointer to rows whose length is known only when the program runs is not supported: use one row, and [i * n + j].")
LENGTH = message("The length of this array stands elsewhere, and is known only when the program runs: use malloc, or new.")


class ArrayContext(ObjectContext):
    """Context in which arrays may have a length that is known only when the program runs."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._lengths: dict[ir.Variable, tuple[ir.Expression, ...]] = {}
        """Of each such array, by the pointer to its first element, how many elements it has along each axis."""

    def declared(self, declaration: Cursor, into: list[ir.Statement]) -> bool:
        """Declare an array whose length is known only when the program runs; say whether it is one."""
        written = declaration.type.get_canonical()
        if not _varies(written):
            return False
        location, base = self.location(declaration), _element(written)
        element, given = self.type_or_void(declaration, base), [each for each in operands(declaration) if each.kind.is_expression()]
        call = initializer(declaration)
        if call is not None:
            given.remove(call)
        if element is None or len(given) != _axes(written):
            raise self.refuse(declaration, LENGTH)
        lengths = tuple(self._length(each, into) for each in reversed(given))
        count = _product(lengths, location)
        bytes_ = build.binary(ir.Binary.MULTIPLY, count, ir.Const(size_of(element), SIZE), SIZE, location)
        pointer = ir.Variable(declaration.spelling, ir.Pointer(element), ir.Space.REGISTER, location)
        made = ir.Call(f"{ROOM}{declaration.spelling}", (bytes_,), VOID, location)
        into.append(ir.Declare(pointer, build.cast(made, pointer.type, location), location))
        first = ir.Load(ir.Whole(pointer), pointer.type, location)
        if call is not None and runs_constructor(self, call):
            into.append(build.counted(count, location, lambda at: self._begun(call, first, at)))
        back = ir.Evaluate(ir.Call(BACK, (first,), None, location), location)
        into.append(ir.Defer(ir.Block((*self._ended(first, count), back)), location))
        self._lengths[pointer] = lengths
        self.frame.places[declaration.hash] = ir.Deref(first, self.type(declaration), location, declaration.spelling)
        return True

    def row(self, subscript: Cursor) -> ir.Place | None:
        """Find `a[i]` where that is a row of a length that is known only when the program runs; None for any other element."""
        if not _varies(subscript.type.get_canonical()):
            return None
        location, base, indices = self.location(subscript), subscript, list[Cursor]()
        while base.kind is K.ARRAY_SUBSCRIPT_EXPR:
            base, index = (_unwrapped(each) for each in base.get_children())
            indices.insert(0, index)
        pointer = self._array(base)
        if pointer is None:
            raise self.refuse(subscript, ROWS)
        lengths, at = self._lengths[pointer], list[ir.Expression]()
        for axis, index in enumerate(indices, 1):
            position = build.cast(rvalue(self, index), ir.I64, location)
            stride = build.cast(_product(lengths[axis:], location), ir.I64, location)
            at.append(build.binary(ir.Binary.MULTIPLY, position, stride, ir.I64, location))
        offset = at.pop(0)
        for each in at:
            offset = build.binary(ir.Binary.ADD, offset, each, ir.I64, location)
        kind = self.type(subscript)
        first = build.offset(ir.Load(ir.Whole(pointer), pointer.type, location), offset, location)
        return ir.Deref(build.cast(first, ir.Pointer(kind), location), kind, location, self.text(subscript))

    def measured(self, cursor: Cursor) -> ir.Expression | None:
        """Compute what `sizeof` gives for an array whose length is known only when the program runs; None for anything else."""
        below = [_unwrapped(each) for each in operands(cursor)] if cursor.kind is K.CXX_UNARY_EXPR else []
        if len(below) != 1 or not _varies(below[0].type.get_canonical()):
            return None
        written, base = below[0].type.get_canonical(), below[0]
        while base.kind in (K.ARRAY_SUBSCRIPT_EXPR, K.UNARY_OPERATOR):
            base = _unwrapped(next(iter(base.get_children())))
        pointer, location = self._array(base), self.location(cursor)
        element = self.type_or_void(cursor, _element(written))
        if pointer is None or element is None:
            raise self.refuse(cursor, LENGTH)
        count = _product(self._lengths[pointer][-_axes(written) :], location)
        return build.binary(ir.Binary.MULTIPLY, count, ir.Const(size_of(element), SIZE), SIZE, location)

    def length(self, place: ir.Place) -> ir.Expression | None:
        """Give how many elements an array has along its first axis, where that is known only when the program runs."""
        pointer = _pointer(place)
        return None if pointer is None or pointer not in self._lengths else self._lengths[pointer][0]

    def refuse_rows(self, function: ir.Function) -> None:
        """Refuse what computes with the size of rows that have none before the program runs."""
        for node in nodes(function.body) if self.types.varies else ():
            if isinstance(node, ir.Offset):
                kind = node.type.target if isinstance(node.type, ir.Pointer) else None
            elif isinstance(node, ir.Element) and node.index != ir.Const(0, ir.I32):
                kind = node.type
            else:
                continue
            if isinstance(kind, ir.Array) and size_of(kind) == 0:
                self.note(Refusal(node.location, ROWS))

    def _length(self, cursor: Cursor, into: list[ir.Statement]) -> ir.Expression:
        return keep(build.cast(rvalue(self, cursor), SIZE, self.location(cursor)), "length", into)

    def _array(self, cursor: Cursor) -> ir.Variable | None:
        """Find the array that an expression names."""
        if cursor.kind is not K.DECL_REF_EXPR:
            return None
        pointer = _pointer(lvalue(self, cursor))
        return pointer if pointer in self._lengths else None

    def _begun(self, call: Cursor, first: ir.Expression, index: ir.Expression) -> tuple[ir.Statement, ...]:
        location, statements = self.location(call), list[ir.Statement]()
        construct(self, call, build.deref(build.offset(first, index, location), location), statements)
        return tuple(statements)

    def _ended(self, first: ir.Load, count: ir.Expression) -> tuple[ir.Statement, ...]:
        if self.types.destructor(build.target_of(first)) is None:
            return ()
        return (end_all(self, first, count, first.location),)


def end_all(context: ObjectContext, first: ir.Expression, count: ir.Expression, location: ir.Location) -> ir.Statement:
    """End the objects of an array, the last one first."""
    last = build.binary(ir.Binary.SUBTRACT, count, ir.Const(1, SIZE), SIZE, location)

    def end(index: ir.Expression) -> tuple[ir.Statement, ...]:
        statements: list[ir.Statement] = []
        back = build.binary(ir.Binary.SUBTRACT, last, build.cast(index, SIZE, location), SIZE, location)
        context.destroy(build.deref(build.offset(first, back, location), location), location, statements)
        return tuple(statements)

    return build.counted(count, location, end)


def _varies(written: Type) -> bool:
    """Say whether a length of an array is known only when the program runs."""
    if written.kind is TypeKind.CONSTANTARRAY:
        return _varies(written.element_type.get_canonical())
    return written.kind is TypeKind.VARIABLEARRAY


def _axes(written: Type) -> int:
    arrays = (TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY)
    return 1 + _axes(written.element_type.get_canonical()) if written.kind in arrays else 0


def _element(written: Type) -> Type:
    """Give the type of what an array of arrays consists of."""
    return _element(written.element_type.get_canonical()) if _axes(written) else written


def _product(lengths: tuple[ir.Expression, ...], location: ir.Location) -> ir.Expression:
    product: ir.Expression = ir.Const(1, SIZE)
    for each in lengths:
        product = each if product == ir.Const(1, SIZE) else build.binary(ir.Binary.MULTIPLY, product, each, SIZE, location)
    return product


def _unwrapped(cursor: Cursor) -> Cursor:
    """Take off parentheses and conversions that are not written."""
    cursor = bare(cursor)
    while cursor.kind is K.UNEXPOSED_EXPR and len(operands(cursor)) == 1:
        cursor = bare(operands(cursor)[0])
    return cursor


def _pointer(place: ir.Place) -> ir.Variable | None:
    """Find the variable that is the pointer to an array of this kind."""
    if isinstance(place, ir.Deref) and isinstance(place.pointer, ir.Load) and isinstance(place.pointer.place, ir.Whole):
        return place.pointer.place.variable
    return None
