"""Questions to libclang's cursors that need nothing else: what stands below one, what it denotes, what the binding leaves out."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from clang.cindex import Cursor, CursorKind, Type, TypeKind, conf

from kernels.simt.frontend.assembly import unescaped
from kernels.simt.frontend.clang import printed

K = CursorKind
ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY)
REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
WRAPPERS = (K.PAREN_EXPR, K.UNEXPOSED_EXPR)
CONSTRUCTOR_WRAPPERS = (*WRAPPERS, K.CXX_FUNCTIONAL_CAST_EXPR)
OPERATORS = (K.UNARY_OPERATOR, K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR, K.CONDITIONAL_OPERATOR)
BINDING = K.UNEXPOSED_DECL
"""What libclang calls a declaration of structured bindings, and each name in it."""
_ALIGNED = re.compile(r"aligned\((?:\w+<)?([\d\s*]+)")
"""An alignment as libclang prints it: a number, or a product of some."""
_NUMBER = re.compile(r"\d+")
_CLUSTER = "cluster "
TYPE_PARTS = (K.TYPE_REF, K.TEMPLATE_REF, K.NAMESPACE_REF)


@cache
def _library() -> Any:
    library = conf.lib
    function = library.clang_Cursor_getVarDeclInitializer
    function.argtypes, function.restype = [Cursor], Cursor
    return library


def initializer(declaration: Cursor) -> Cursor | None:
    """Find the expression that initializes a variable."""
    found = _library().clang_Cursor_getVarDeclInitializer(declaration)
    if found.kind.is_invalid():
        return None
    found._tu = declaration._tu
    return found


def alignment(declaration: Cursor) -> int:
    """Read the alignment that a variable is declared with, `__align__(128)` or `alignas(16)`; 0 where it has none."""
    if not any(child.kind is K.ALIGNED_ATTR for child in declaration.get_children()):
        return 0
    found = _ALIGNED.findall(printed(declaration))
    return max((math.prod(map(int, _NUMBER.findall(each))) for each in found), default=0)


def cluster_size(kernel: Cursor) -> tuple[int, int, int] | None:
    """Read `__cluster_dims__`, as the prelude has it: how many blocks a cluster has along each axis; None where it is not there."""
    given = (child.spelling for child in kernel.get_children() if child.kind is K.ANNOTATE_ATTR)
    text = next((each.removeprefix(_CLUSTER) for each in given if each.startswith(_CLUSTER)), None)
    if text is None:
        return None
    numbers = [math.prod(map(int, _NUMBER.findall(each))) for each in text.split(",") if _NUMBER.search(each)]
    x, y, z = (*numbers[:3], 1, 1, 1)[:3]
    return x, y, z


def body_of(function: Cursor) -> Cursor | None:
    """Find the statements of a function, which may be those of `try` and its handlers; None for a declaration."""
    return next((child for child in function.get_children() if child.kind in (K.COMPOUND_STMT, K.CXX_TRY_STMT)), None)


def members_of(record: Cursor) -> list[Cursor]:
    """List what stands in a class; in one made from a template nothing does for libclang: then what stands in the template."""
    return list(record.get_children()) or list((template_of(record) or record).get_children())


def template_of(record: Cursor) -> Cursor | None:
    """Find the template that a class is made from."""
    found = conf.lib.clang_getSpecializedCursorTemplate(record)
    return found if found is not None and not found.kind.is_invalid() else None


def is_adjusted(cursor: Cursor) -> bool:
    """Say whether the array that the binding gives as a cursor's type is a pointer: a parameter written as an array, or made from one."""
    if cursor.kind is K.PARM_DECL:
        return cursor.type.get_canonical().kind in ARRAYS
    if cursor.kind is K.DECL_REF_EXPR:
        return cursor.referenced is not None and cursor.referenced.kind is K.PARM_DECL and is_adjusted(cursor.referenced)
    if cursor.kind in WRAPPERS:
        return any(is_adjusted(child) for child in cursor.get_children())
    return cursor.kind in OPERATORS and any(child.type == cursor.type and is_adjusted(child) for child in cursor.get_children())


def operands(cursor: Cursor) -> list[Cursor]:
    """List the children that are expressions; parameters are those of a function's type that is written in it."""
    return [child for child in cursor.get_children() if child.kind not in (*TYPE_PARTS, K.PARM_DECL)]


def bare(cursor: Cursor) -> Cursor:
    """Take off parentheses."""
    while cursor.kind is K.PAREN_EXPR:
        (cursor,) = cursor.get_children()
    return cursor


def string_literal(cursor: Cursor) -> Cursor | None:
    """Find the string literal that an expression is."""
    cursor = bare(cursor)
    while cursor.kind is K.UNEXPOSED_EXPR and len(operands(cursor)) == 1:
        cursor = bare(operands(cursor)[0])
    return cursor if cursor.kind is K.STRING_LITERAL else None


def string(literal: Cursor) -> str:
    """Read the text that a string literal stands for."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literal.spelling, re.DOTALL)
    return unescaped("".join(parts))


def string_codes(literal: Cursor) -> bytes:
    """Read the bytes of a string literal: the front end writes those beyond ASCII as escapes, one a byte."""
    text = string(literal)
    return text.encode("latin-1") if all(ord(each) < 256 for each in text) else text.encode()


def constructor_call(cursor: Cursor) -> Cursor | None:
    """Find the constructor call that an initializer is."""
    while cursor.kind in CONSTRUCTOR_WRAPPERS:
        below = operands(cursor)
        if len(below) != 1:
            return None
        cursor = bare(below[0])
    if cursor.kind is not K.CALL_EXPR or cursor.referenced is None or cursor.referenced.kind is not K.CONSTRUCTOR:
        return None
    return cursor


def is_copy(constructor: Cursor) -> bool:
    """Say whether a constructor is a copy or move that the compiler writes."""
    copies = constructor.is_copy_constructor() or constructor.is_move_constructor()
    return bool(copies) and not is_written(constructor)


def is_written(method: Cursor) -> bool:
    """Say whether a method's body is the program's: the compiler writes those that are left out, or are `= default`."""
    return not method.is_default_method() and body_of(defined(method)) is not None


def defined(function: Cursor) -> Cursor:
    """Find the definition of a function, or its declaration where there is none."""
    return function.get_definition() or function


def is_reference(written: Type) -> bool:
    """Say whether a type is a reference, of either kind."""
    return written.get_canonical().kind in REFERENCES


def is_binding(cursor: Cursor) -> bool:
    """Say whether a declaration is of structured bindings: `auto [x, y] = point;`."""
    return bool(cursor.kind is BINDING and cursor.spelling.startswith("["))


def returns_reference(cursor: Cursor) -> bool:
    """Say whether a call denotes an object."""
    callee = cursor.referenced or template_argument(cursor)
    return callee is not None and callee.kind is not K.CONSTRUCTOR and is_reference(callee.result_type)


def template_argument(call: Cursor) -> Cursor | None:
    """Find the function that is called through a parameter of a template."""
    inner = next(iter(call.get_children()), None)
    while inner is not None:
        referenced = inner.referenced
        if referenced is not None and referenced.kind is K.FUNCTION_DECL:
            return referenced
        inner = next(iter(inner.get_children()), None)
    return None


def is_call_of_function(cursor: Cursor) -> bool:
    """Say whether an expression calls a function, and no constructor."""
    inner = bare(cursor)
    called = inner.referenced if inner.kind is K.CALL_EXPR else None
    return called is not None and called.kind in (K.FUNCTION_DECL, K.CXX_METHOD)
