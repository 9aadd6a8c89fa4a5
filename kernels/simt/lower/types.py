"""Clang's types as `ir` types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clang.cindex import Cursor, CursorKind, Type, TypeKind, conf

from kernels.base.messages import ReasonedError, message
from kernels.simt import ir
from kernels.simt.base.bit_fields import BitField, Bits, with_words
from kernels.simt.base.layout import size_of
from kernels.simt.frontend.clang import position
from kernels.simt.frontend.declared_functions import PRELUDE
from kernels.simt.lower.cursors import REFERENCES, body_of, members_of
from kernels.simt.lower.refusals import LAMBDA

SCALARS: dict[TypeKind, ir.Scalar] = {
    TypeKind.BOOL: ir.BOOL,
    TypeKind.CHAR_S: ir.Scalar(ir.Kind.SIGNED, 1, name="char"),
    TypeKind.SCHAR: ir.Scalar(ir.Kind.SIGNED, 1),
    **dict.fromkeys((TypeKind.CHAR_U, TypeKind.UCHAR), ir.Scalar(ir.Kind.UNSIGNED, 1)),
    TypeKind.SHORT: ir.Scalar(ir.Kind.SIGNED, 2),
    **dict.fromkeys((TypeKind.USHORT, TypeKind.CHAR16), ir.Scalar(ir.Kind.UNSIGNED, 2)),
    **dict.fromkeys((TypeKind.INT, TypeKind.WCHAR), ir.I32),
    **dict.fromkeys((TypeKind.UINT, TypeKind.CHAR32), ir.U32),
    TypeKind.LONG: replace(ir.I64, name="long"),
    TypeKind.LONGLONG: ir.I64,
    TypeKind.ULONG: replace(ir.U64, name="unsigned long"),
    TypeKind.ULONGLONG: ir.U64,
    TypeKind.HALF: ir.F16,
    TypeKind.FLOAT: ir.F32,
    TypeKind.DOUBLE: ir.F64,
}
FLOAT16 = 32
"""`CXType_Float16`, which the binding has no name for."""
BFLOAT16 = "__bf16"
"""A type that libclang knows by this word only."""
FUNCTIONS = (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO, TypeKind.OVERLOAD)
VECTOR_BYTES = (2, 4, 8, 16)
ALIASES = (CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL)
VOID = ir.Pointer(None)
NAMELESS = "(anonymous "
"""What libclang puts into the name of a member that has none."""
CLASS = "(class)"
"""The member, before all others, that says of which class an object with virtual functions is."""
NOTHING = "(nothing)"
"""The member of an object that has none, but whose constructor or destructor does something: it has to exist for that."""
CAPTURED = "captured"
"""Every member of a lambda's object, which have no names."""
LAMBDAS = "(lambda"
"""How the names of their types begin."""


class UnsupportedType(ReasonedError):
    """Refusal of a type that has no representation; `reason` says what to write instead."""


class Types:
    """Types of one kernel, translated each one once. A struct may point to itself: the pointer is then one to void, and typed where it is
    read."""

    overlap = False
    """Members can lie over each other; else a union is its bytes."""
    virtual = False
    """There are virtual functions."""
    references = False
    """Members can be references: each is the address of what it is bound to."""
    lambdas = False
    """Lambdas are objects, with what they capture as members."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], ir.Type | None] = {}
        self._records: dict[str, ir.Struct] = {}
        self._open: set[str] = set()
        """Those whose members are being translated."""
        self._members: dict[str, tuple[tuple[ir.Field, Cursor], ...]] = {}
        self._bits: dict[str, dict[str, BitField]] = {}
        self._destructors: set[str] = set()
        self._unions: dict[str, tuple[ir.Field, ...]] = {}

    def of(self, written: Type) -> ir.Type | None:
        """Translate a type without its qualifiers; a reference is what it refers to; None is void."""
        key = (written._kind_id, written.data[0])
        if key not in self._known:
            self._known[key] = self._named(written)
        return self._known[key]

    def _named(self, written: Type) -> ir.Type | None:
        """Translate a type; a scalar, or a pointer to one, keeps the name that it is written with."""
        if written.kind is TypeKind.POINTER and written.get_pointee().get_canonical().kind in SCALARS:
            return ir.Pointer(self.of(written.get_pointee()))
        kind = self._translate(written.get_canonical())
        declaration = written.get_declaration()
        if isinstance(kind, ir.Scalar) and declaration.kind in ALIASES:
            return replace(kind, name=declaration.spelling)
        return kind

    def members(self, record: ir.Struct) -> tuple[tuple[ir.Field, Cursor], ...]:
        """List the fields with their declarations, in order: of a base class, where it is named; in place of a word of bit-fields, each of
        these as a field of its own type."""
        return self._members[record.name]

    def bits(self, kind: ir.Type) -> dict[str, BitField]:
        """Find the bit-fields of a struct, by name."""
        return self._bits.get(kind.name, {}) if isinstance(kind, ir.Struct) else {}

    def refers(self, record: ir.Type, field: ir.Field) -> bool:
        """Say whether a member is a reference: it is the address of what it is bound to."""
        if not self.references or not isinstance(record, ir.Struct) or not isinstance(field.type, ir.Pointer):
            return False
        named = (each for known, each in self._members.get(record.name, ()) if known == field)
        return any(each.type.get_canonical().kind in REFERENCES for each in named)

    def union(self, kind: ir.Type) -> tuple[ir.Field, ...] | None:
        """List the members of a union, which is its bytes and nothing more; None for any other type."""
        return self._unions.get(kind.name) if isinstance(kind, ir.Struct) else None

    def destructor(self, kind: ir.Type | None) -> str | None:
        """Find the class, of an object or of a part of it, whose destructor does something when the object ends."""
        if isinstance(kind, ir.Array):
            return self.destructor(kind.element)
        if not isinstance(kind, ir.Struct):
            return None
        if kind.name in self._destructors:
            return kind.name
        return next(filter(None, (self.destructor(field.type) for field in kind.fields)), None)

    def copies(self, _kind: ir.Type | None) -> bool:
        """Say whether a copy of an object is more than one of its bytes, where the heir of this class knows."""
        return False

    def declaration(self, _record: ir.Struct) -> Cursor:
        """Find where a class stands, where the heir of this class knows."""
        raise NotImplementedError

    def instantiated(self, _record: Cursor) -> Sequence[Cursor]:
        """List the member functions of a class that is made from a template, where the heir of this class knows them."""
        return ()

    def _translate(self, canonical: Type) -> ir.Type | None:
        scalar = _scalar(canonical)
        if scalar is not None:
            return scalar
        kind = canonical.kind
        if kind in REFERENCES:
            return self.of(canonical.get_pointee())
        if kind is TypeKind.ENUM:
            return self.of(canonical.get_declaration().enum_type)
        if kind is TypeKind.POINTER:
            return self._pointer(canonical.get_pointee())
        if kind is TypeKind.NULLPTR:
            return VOID
        if kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
            return self._array(canonical)
        if kind is TypeKind.RECORD:
            return self._record(canonical)
        if kind in FUNCTIONS:
            return VOID
        if kind is TypeKind.VOID:
            return None
        raise UnsupportedType(
            message("The type {type} is not supported in a kernel: use another number type, or a struct.", type=canonical.spelling)
        )

    def _pointer(self, pointee: Type) -> ir.Pointer:
        if pointee.get_canonical().kind in FUNCTIONS:
            return VOID
        if pointee.get_canonical().kind is TypeKind.RECORD and _identity(pointee.get_canonical()) in self._open:
            return VOID
        return ir.Pointer(self.of(pointee))

    def _array(self, canonical: Type) -> ir.Array:
        element = self.of(canonical.element_type)
        assert element is not None
        return ir.Array(element, max(canonical.element_count, 0) if canonical.kind is TypeKind.CONSTANTARRAY else 0)

    def _record(self, canonical: Type) -> ir.Struct:
        declaration = canonical.get_declaration()
        name = _name(canonical)
        if name.startswith(LAMBDAS) and not self.lambdas:
            return ir.Struct(name, (), 0, 1)
        identity = _identity(canonical)
        if identity not in self._records:
            outermost, before = not self._open, set(self._known)
            self._open.add(identity)
            try:
                self._records[identity] = self._make(identity if LAMBDAS in name else name, declaration, canonical)
            finally:
                self._open.discard(identity)
            if outermost:  # pointers to it are typed from now on
                for key in self._known.keys() - before:
                    del self._known[key]
        return self._records[identity]

    def _make(self, name: str, declaration: Cursor, canonical: Type) -> ir.Struct:
        fields: list[ir.Field] = []
        bases: list[Cursor] = []
        for base in self._bases(declaration, fields, bases):
            if (inherited := self._inherit(base, canonical, fields)) is not None:
                fields.append(inherited)
                bases.append(base)
        if any(each.kind is CursorKind.DESTRUCTOR and _acts(each) for each in members_of(declaration)):
            self._destructors.add(name)
        size, align = max(canonical.get_size(), 0), max(canonical.get_align(), 1)
        cursors = tuple(canonical.get_fields())
        own = [self._bits_or_field(cursor) for cursor in cursors]
        members = [*zip(fields, bases, strict=True), *((_declared(each), cursor) for each, cursor in zip(own, cursors, strict=True))]
        placed, self._bits[name] = with_words(own, size, union=declaration.kind is CursorKind.UNION_DECL)
        fields += placed
        if declaration.kind is CursorKind.UNION_DECL and fields and not self.overlap:
            self._unions[name], word = tuple(fields), ir.Scalar(ir.Kind.UNSIGNED, min(align, 8))
            fields = [ir.Field("bytes", ir.Array(word, size // word.size), 0)]
        if not fields and _does_something(declaration):
            fields.append(ir.Field(NOTHING, ir.Scalar(ir.Kind.UNSIGNED, 1), 0))
        natural = max((_scalar_alignment(field.type) for field in fields), default=1)
        vector = size == align and size in VECTOR_BYTES and align > natural
        record = ir.Struct(name, tuple(fields), size if fields else 0, align, vector)
        named = tuple(each for each in members if each[0].name or not each[1].is_bitfield())
        self._members[name] = ((fields[0], declaration),) if name in self._unions else named
        return record

    def _bases(self, declaration: Cursor, fields: list[ir.Field], members: list[Cursor]) -> list[Cursor]:
        """List the base classes in the order in which they lie; what says which class an object is of comes first: that of the first base
        class that has one, or else one of its own, added to `fields`."""
        bases = [each for each in members_of(declaration) if each.kind is CursorKind.CXX_BASE_SPECIFIER]
        methods = (CursorKind.CXX_METHOD, CursorKind.DESTRUCTOR)
        if not any(each.kind in methods and each.is_virtual_method() for each in members_of(declaration)):
            own = False
        elif self.virtual:
            own = True
        else:
            raise UnsupportedType(message("Virtual functions are not supported: make the class a template argument."))
        first = next((each for each in bases if self.virtual and has_class(self._base(each))), None)
        if first is not None:
            return [first, *(each for each in bases if each != first)]
        if own:
            fields.append(ir.Field(CLASS, ir.U64, 0))
            members.append(declaration)
        return bases

    def _base(self, base: Cursor) -> ir.Type | None:
        return self.of(base.type) if base.type.get_canonical().kind is TypeKind.RECORD else None

    def _inherit(self, base: Cursor, heir: Type, before: list[ir.Field]) -> ir.Field | None:
        """Give the field, without a name, that a base class is; None for an empty one. Of a template's base that its arguments decide,
        what can be known is where the first member lies."""
        if base.type.get_canonical().kind is not TypeKind.RECORD:
            first = next(iter(heir.get_fields()), None)
            if heir.get_size() <= 1 if first is None else first.get_field_offsetof() == 0:
                return None
            raise UnsupportedType(message("A base class that a template's argument decides must be empty: make it a member instead."))
        if conf.lib.clang_isVirtualBase(base):
            raise UnsupportedType(message("Virtual base classes are not supported: make them members."))
        inherited = self.of(base.type)
        if not isinstance(inherited, ir.Struct) or not inherited.fields:
            return None
        lying = [each for each in before if not is_hollow(each.type)]
        end = lying[-1].offset + _data_end(lying[-1].type) if lying and not is_hollow(inherited) else 0
        return ir.Field("", inherited, -(-end // inherited.align) * inherited.align)

    def _bits_or_field(self, cursor: Cursor) -> ir.Field | Bits:
        if not cursor.is_bitfield():
            return self._field(cursor)
        kind = self.of(cursor.type)
        assert isinstance(kind, ir.Scalar)
        width = min(cursor.get_bitfield_width(), 8 * kind.size)  # C++ has more: they are padding
        return Bits(cursor.spelling, kind, cursor.get_field_offsetof(), width)

    def _field(self, cursor: Cursor) -> ir.Field:
        kind = self.of(cursor.type)
        assert kind is not None
        if cursor.type.get_canonical().kind in REFERENCES:
            if not self.references:
                raise UnsupportedType(message("A reference as a member is not supported: use a pointer."))
            kind = ir.Pointer(kind)
        if is_lambda(kind) and not self.lambdas:
            raise UnsupportedType(LAMBDA)
        name = "" if NAMELESS in cursor.spelling else cursor.spelling or CAPTURED
        return ir.Field(name, kind, cursor.get_field_offsetof() // 8)


def _declared(member: ir.Field | Bits) -> ir.Field:
    return member if isinstance(member, ir.Field) else ir.Field(member.name, member.type, member.first // 8)


def _name(canonical: Type) -> str:
    return str(canonical.spelling.removeprefix("const ").removeprefix("volatile "))


def _identity(canonical: Type) -> str:
    return f"{_name(canonical)} {canonical.get_declaration().hash}"


def _scalar(canonical: Type) -> ir.Scalar | None:
    if canonical._kind_id == FLOAT16:
        return ir.F16
    if canonical.kind is TypeKind.UNEXPOSED and canonical.spelling.split()[-1] == BFLOAT16:
        return ir.Scalar(ir.Kind.FLOAT, 2, brain=True)
    return SCALARS.get(canonical.kind)


def is_hollow(kind: ir.Type) -> bool:
    """Say whether nothing is in an object but what lets it exist: as a base class it takes no room."""
    return isinstance(kind, ir.Struct) and all(each.name == NOTHING or (not each.name and is_hollow(each.type)) for each in kind.fields)


def _does_something(record: Cursor) -> bool:
    """Say whether the constructor or the destructor of a class of the program does something."""
    makers = (CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR)
    within = (each for each in members_of(record) if each.kind in makers or each.kind is CursorKind.FUNCTION_TEMPLATE)
    named = (each for each in within if each.kind in makers or str(each.spelling).partition("<")[0] == record.spelling)
    return position(record.location)[0] != PRELUDE and any(map(_acts, named))


def _acts(destructor: Cursor) -> bool:
    body = body_of(destructor.get_definition() or destructor)
    return body is not None and next(iter(body.get_children()), None) is not None


def _scalar_alignment(kind: ir.Type) -> int:
    if isinstance(kind, ir.Array):
        return _scalar_alignment(kind.element)
    if isinstance(kind, ir.Struct):
        return max((_scalar_alignment(field.type) for field in kind.fields), default=1)
    return kind.size if isinstance(kind, ir.Scalar) else 8


def _data_end(kind: ir.Type) -> int:
    """Say where the members of an object end: what follows a base class with virtual functions may lie in the bytes that fill it up."""
    if not has_class(kind):
        return size_of(kind)
    assert isinstance(kind, ir.Struct)
    last = kind.fields[-1]
    return last.offset + (size_of(last.type) if last.name else _data_end(last.type))


def has_class(kind: ir.Type | None) -> bool:
    """Say whether objects of a type say of which class they are: those with virtual functions."""
    return isinstance(kind, ir.Struct) and any(each.name == CLASS or (not each.name and has_class(each.type)) for each in kind.fields)


def is_empty(kind: ir.Type | None) -> bool:
    """Say whether it is a struct without members, such as a cooperative group: nothing of it exists when the kernel runs."""
    return isinstance(kind, ir.Struct) and not kind.fields


def is_lambda(kind: ir.Type | None) -> bool:
    """Say whether it is the type of a lambda."""
    return isinstance(kind, ir.Struct) and kind.name.startswith(LAMBDAS)


def inherited(kind: ir.Type | None, wanted: Callable[[ir.Struct], bool]) -> tuple[ir.Field, ...] | None:
    """Find the way to the class, an object's own or one that it inherits, that is `wanted`: the members that lead there."""
    if not isinstance(kind, ir.Struct):
        return None
    if wanted(kind):
        return ()
    for field in kind.fields:
        below = inherited(field.type, wanted) if not field.name.isidentifier() else None
        if below is not None:
            return (field, *below)
    return None
