"""Types of a host program, and the member functions that decide how objects of a class begin, are copied and end."""

from __future__ import annotations

from collections import defaultdict

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.lower.cursors import defined, is_written
from kernels.simt.lower.types import Types, UnsupportedType, has_class

K = CursorKind


REPLACEABLE = ("operator new", "operator new[]", "operator delete", "operator delete[]")


def _parameters(function: Cursor) -> int:
    return len(list(function.get_arguments()))


def _is_usual(function: Cursor) -> bool:
    """Say whether it is called where nothing else is given than a size, or an address and perhaps a size."""
    kinds = [each.type.get_canonical().kind for each in function.get_arguments()]
    return kinds in ([TypeKind.ULONG], [TypeKind.POINTER], [TypeKind.POINTER, TypeKind.ULONG])


class HostTypes(Types):
    """Types of a host program."""

    overlap = True
    virtual = True
    references = True
    lambdas = True

    def __init__(self, unit: Unit) -> None:
        super().__init__()
        self._unit = unit
        self.varies = False
        """There is an array whose length is known only when the program runs."""
        self._classes: dict[str, Cursor] = {}
        """Declarations by the names of their structs."""
        self._made: defaultdict[int, list[Cursor]] | None = None
        """Member functions of classes made from templates, by those classes."""
        self._replaced: list[Cursor] | None = None
        """Functions of the program in place of everybody's `new` and `delete`, once that has been asked."""

    def instantiated(self, record: Cursor) -> list[Cursor]:
        """List the member functions, of a class made from a template, that the program uses."""
        if self._made is None:
            self._made = defaultdict(list)
            assert self._unit.translation_unit is not None
            for each in self._unit.translation_unit.cursor.get_children():
                if each.kind in (K.CONSTRUCTOR, K.DESTRUCTOR, K.CXX_METHOD):
                    self._made[each.semantic_parent.hash].append(each)
        return self._made[record.hash]

    def destructor_of(self, kind: ir.Struct) -> Cursor | None:
        """Find the destructor that is written for a class."""
        return next((defined(each) for each in self._functions(kind) if each.kind is K.DESTRUCTOR and is_written(each)), None)

    def copying(self, kind: ir.Struct, *, moved: bool) -> Cursor | None:
        """Find the constructor that is written for a class to copy, or to move, from an object of it."""
        made = [each for each in self._functions(kind) if each.kind is K.CONSTRUCTOR and is_written(each)]
        moves = next((defined(each) for each in made if each.is_move_constructor()), None) if moved else None
        return moves or next((defined(each) for each in made if each.is_copy_constructor()), None)

    def assignment(self, kind: ir.Struct, *, moved: bool) -> Cursor | None:
        """Find the operator that is written for a class to assign, or to move, an object of it."""
        found = [each for each in self._functions(kind) if each.kind is K.CXX_METHOD and each.spelling == "operator=" and is_written(each)]
        moves = next((defined(each) for each in found if each.is_move_assignment_operator_method()), None) if moved else None
        return moves or next((defined(each) for each in found if each.is_copy_assignment_operator_method()), None)

    def constructors(self, kind: ir.Struct) -> list[Cursor]:
        """List the constructors that are written for a class, but those that copy."""
        made = (defined(each) for each in self._functions(kind) if each.kind is K.CONSTRUCTOR and is_written(each))
        return [each for each in made if not each.is_copy_constructor() and not each.is_move_constructor()]

    def copies(self, kind: ir.Type | None) -> bool:
        """Say whether a copy of an object is more than one of its bytes."""
        if isinstance(kind, ir.Array):
            return self.copies(kind.element)
        if not isinstance(kind, ir.Struct):
            return False
        return has_class(kind) or self.copying(kind, moved=True) is not None or any(self.copies(each.type) for each in kind.fields)

    def declaration(self, kind: ir.Struct) -> Cursor:
        """Find where a class stands."""
        return self._classes[kind.name]

    def methods(self, kind: ir.Struct) -> list[Cursor]:
        """List what stands in a class, and the functions that the program uses of one that is made from a template."""
        return self._functions(kind)

    def ends_virtually(self, kind: ir.Type | None) -> bool:
        """Say whether which destructor is run is chosen by the object."""
        if not isinstance(kind, ir.Struct) or not has_class(kind):
            return False
        own = any(each.kind is K.DESTRUCTOR and each.is_virtual_method() for each in self._functions(kind))
        return own or any(self.ends_virtually(each.type) for each in kind.fields if not each.name)

    def operator(self, kind: ir.Type | None, name: str) -> Cursor | None:
        """Find what a class, or one that it inherits, has in place of `new` or `delete`; of two, that which is not told a size."""
        record = self._classes.get(kind.name) if isinstance(kind, ir.Struct) else None
        while record is not None:
            found = [each for each in record.get_children() if each.spelling == name and _is_usual(each)]
            if found:
                return defined(min(found, key=_parameters))
            bases = (each for each in record.get_children() if each.kind is K.CXX_BASE_SPECIFIER)
            base = next(bases, None)
            record = None if base is None else base.type.get_canonical().get_declaration()
        return None

    def keeps_count(self, kind: ir.Type | None) -> bool:
        """Say whether the length of an array of objects is kept before it, as the C++ ABI has it: where it is needed when it is deleted."""
        own = self.operator(kind, "operator delete[]")
        return self._ends(kind) or (own is not None and _parameters(own) > 1)

    def _ends(self, kind: ir.Type | None) -> bool:
        if isinstance(kind, ir.Array):
            return self._ends(kind.element)
        if not isinstance(kind, ir.Struct):
            return False
        written = (each for each in self._functions(kind) if each.kind is K.DESTRUCTOR)
        own = any(not each.is_default_method() or each.is_virtual_method() for each in written)
        return own or any(self._ends(field.type) for field in kind.fields)

    def replaced(self, name: str, *, sized: bool = False) -> Cursor | None:
        """Find what the program has in place of everybody's `new` or `delete`; an array's is that of one object where it has none of its
        own. `sized`: whether a size can be told."""
        if self._replaced is None:
            assert self._unit.translation_unit is not None
            made = [each for each in self._unit.translation_unit.cursor.get_children() if each.spelling in REPLACEABLE]
            self._replaced = [each for each in made if each.is_definition() and _is_usual(each) and not self._unit.in_prelude(each)]
        wanted = [(name, 2)] * sized + [(name, 1), (name.removesuffix("[]"), 1)]
        known: dict[tuple[str, int], Cursor] = {(str(each.spelling), _parameters(each)): each for each in self._replaced}
        return next((known[each] for each in wanted if each in known), None)

    def _functions(self, kind: ir.Struct) -> list[Cursor]:
        record = self._classes.get(kind.name)
        return [] if record is None else [*record.get_children(), *self.instantiated(record)]

    def _translate(self, canonical: Type) -> ir.Type | None:
        if canonical.kind is TypeKind.VARIABLEARRAY:
            element, self.varies = self.of(canonical.element_type), True
            assert element is not None
            return ir.Array(element, 0)
        if canonical.kind is TypeKind.LONGDOUBLE:
            raise UnsupportedType(message("long double is not supported: use double."))
        return super()._translate(canonical)

    def _record(self, canonical: Type) -> ir.Struct:
        found = super()._record(canonical)
        self._classes[found.name] = canonical.get_declaration()
        return found
