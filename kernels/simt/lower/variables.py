"""What names stand for: variables of memory, built-in variables, constants of file scope, and declarations of locals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.context import Context
from kernels.simt.lower.libclang import initialiser
from kernels.simt.lower.places import operands, string_literal
from kernels.simt.lower.refusals import Consequence
from kernels.simt.lower.types import REFERENCES, is_empty

if TYPE_CHECKING:
    from kernels.simt.lower.lowering import Lowering

BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim")
FUNCTIONS = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR)
SPACES = {
    CursorKind.CUDASHARED_ATTR: ir.Space.SHARED,
    CursorKind.CUDACONSTANT_ATTR: ir.Space.CONSTANT,
    CursorKind.CUDADEVICE_ATTR: ir.Space.GLOBAL,
}


class Variables:
    """Lowers declarations of variables and finds what names mean."""

    def __init__(self, context: Context, lowering: Lowering) -> None:
        self._context = context
        self._lowering = lowering

    def special(self, cursor: Cursor, declaration: Cursor) -> ir.Expression | None:
        """A built-in variable by its name."""
        if declaration.spelling not in (*BUILT_IN, "warpSize") or not self._context.unit.in_prelude(declaration):
            return None
        if declaration.spelling == "warpSize":
            return ir.Special("warpSize", ir.I32)
        kind = self._context.type(cursor)
        members = tuple(ir.Special(f"{declaration.spelling}.{field.name}") for field in build.fields_of(kind))
        return ir.Make(members, kind, self._context.location(cursor))

    def special_member(self, cursor: Cursor) -> ir.Expression | None:
        """threadIdx.x and the like."""
        base = operands(cursor)
        if base and base[0].kind is CursorKind.DECL_REF_EXPR and base[0].spelling in BUILT_IN:
            declaration = base[0].referenced
            if self._context.unit.in_prelude(declaration):
                return ir.Special(f"{declaration.spelling}.{cursor.spelling}")
        return None

    def constant(self, declaration: Cursor) -> ir.Expression | None:
        """The value of a scalar of file or class scope that is known when the text is read."""
        written = declaration.type
        if (
            declaration.kind is not CursorKind.VAR_DECL
            or space_of(declaration) is not None
            or not written.get_canonical().is_const_qualified()
        ):
            return None
        kind = self._context.type_or_void(declaration, written)
        if isinstance(kind, ir.Pointer):
            literal = string_literal(initialiser(declaration) or declaration)
            return None if literal is None else self._lowering.strings.pointer(literal)
        value = self._context.unit.evaluate(declaration) if isinstance(kind, ir.Scalar) else None
        return None if value is None or kind is None else build.constant(value, kind)

    def in_memory(self, cursor: Cursor, declaration: Cursor) -> ir.Variable:
        """A variable in shared, constant or global memory, named at `cursor`."""
        declaration = declaration.canonical
        variable = self._context.globals.get(declaration.hash)
        if variable is None:
            variable = self._context.globals[declaration.hash] = self._make(cursor, declaration)
        return variable

    def _make(self, cursor: Cursor, declaration: Cursor) -> ir.Variable:
        space = space_of(declaration)
        readable = declaration.type.get_canonical().is_const_qualified() or _element_is_const(declaration)
        if space is None and declaration.semantic_parent.kind in FUNCTIONS and not (readable and _is_static(declaration)):
            raise Consequence(self._context.location(cursor), message("{name} is not known here.", name=declaration.spelling))
        if space is None and not readable:
            raise self._context.refuse(
                cursor,
                message("{name} is a variable of the host: pass it as an argument, or declare it __device__.", name=declaration.spelling),
            )
        kind = self._context.type(declaration)
        dynamic = space is ir.Space.SHARED and declaration.storage_class is StorageClass.EXTERN
        initial = None
        if space is not ir.Space.SHARED:
            initial = self._lowering.initials.scalars(declaration, kind)
        return ir.Variable(
            declaration.spelling, kind, space or ir.Space.GLOBAL, self._context.location(declaration), dynamic=dynamic, initial=initial
        )

    def declare(self, declaration: Cursor, into: list[ir.Statement]) -> None:
        """A variable that is declared in a function."""
        if space_of(declaration) is not None:
            self.in_memory(declaration, declaration)
            return
        frame = self._context.frame
        value = initialiser(declaration)
        if declaration.type.get_canonical().kind in REFERENCES:
            assert value is not None
            frame.places[declaration.hash] = self.bound(value, declaration, into)
            return
        if _is_static(declaration):
            self._static(declaration)
            return
        location = self._context.location(declaration)
        kind = self._context.type(declaration)
        self._context.refuse_destructor(declaration, kind)
        variable = ir.Variable(declaration.spelling, kind, ir.Space.REGISTER, location)
        frame.places[declaration.hash] = ir.Whole(variable)
        if not is_empty(kind):
            self._initialise(declaration, variable, value, into)
        elif value is not None:
            self._lowering.lambdas.hold(variable, value, into)

    def _static(self, declaration: Cursor) -> None:
        if not (declaration.type.get_canonical().is_const_qualified() or _element_is_const(declaration)):
            raise self._context.refuse(
                declaration,
                message("A static variable is not supported: make {name} __shared__ or __device__.", name=declaration.spelling),
            )

    def _initialise(self, declaration: Cursor, variable: ir.Variable, value: Cursor | None, into: list[ir.Statement]) -> None:
        location = variable.location
        if value is not None and self._lowering.constructors.runs(value):
            into.append(ir.Declare(variable, None, location))
            self._lowering.constructors.run(value, ir.Whole(variable), into)
            return
        if value is None or self._lowering.constructors.trivial(value):
            into.append(ir.Declare(variable, None, location))
            return
        initial = self._lowering.initials.value(value, variable.type)
        into.append(ir.Declare(variable, initial, location))
        if isinstance(initial, ir.Const) and declaration.type.get_canonical().is_const_qualified():
            self._context.frame.values[declaration.hash] = initial

    def bound(self, value: Cursor, reference: Cursor, into: list[ir.Statement]) -> ir.Place:
        """The place that a reference is bound to: an object, frozen, or a value of its own."""
        if self._lowering.places.is_place(value) and not self._constant_name(value):
            return self._lowering.places.freeze(self._lowering.places.lower(value), into)
        location = self._context.location(value)
        kind = self._context.type(reference)
        self._context.refuse_destructor(value, kind)
        variable = ir.Variable(reference.spelling, kind, ir.Space.REGISTER, location)
        if is_empty(kind):
            self._lowering.lambdas.hold(variable, value, into)
        else:
            into.append(ir.Declare(variable, self._lowering.initials.value(value, kind), location))
        return ir.Whole(variable)

    def _constant_name(self, value: Cursor) -> bool:
        """A constant of file scope, a built-in variable, or a parameter that stands for its argument: none has a place in memory."""
        while value.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
            value = operands(value)[0]
        if value.kind is CursorKind.MEMBER_REF_EXPR and self.special_member(value) is not None:
            return True
        frame = self._context.frame
        if value.kind is not CursorKind.DECL_REF_EXPR or value.referenced.hash in frame.places:
            return False
        if value.referenced.hash in frame.values:
            return True
        return self.special(value, value.referenced) is not None or self.constant(value.referenced) is not None


def space_of(declaration: Cursor) -> ir.Space | None:
    """The memory that a declaration's attributes name."""
    return next((SPACES[child.kind] for child in declaration.get_children() if child.kind in SPACES), None)


def _is_static(declaration: Cursor) -> bool:
    return bool(declaration.storage_class is StorageClass.STATIC)


def _element_is_const(declaration: Cursor) -> bool:
    kind = declaration.type.get_canonical()
    while kind.kind is TypeKind.CONSTANTARRAY:
        kind = kind.element_type
    return bool(kind.is_const_qualified())
