"""What the binding leaves out and lowering needs."""

from __future__ import annotations

from functools import cache
from typing import Any

from clang.cindex import Cursor, CursorKind, TypeKind, conf

K = CursorKind
ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
WRAPPERS = (K.PAREN_EXPR, K.UNEXPOSED_EXPR)
OPERATORS = (K.UNARY_OPERATOR, K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR, K.CONDITIONAL_OPERATOR)


@cache
def _library() -> Any:
    library = conf.lib
    function = library.clang_Cursor_getVarDeclInitializer
    function.argtypes, function.restype = [Cursor], Cursor
    return library


def initialiser(declaration: Cursor) -> Cursor | None:
    """The expression that a variable is initialised with."""
    found = _library().clang_Cursor_getVarDeclInitializer(declaration)
    if found.kind.is_invalid():
        return None
    found._tu = declaration._tu
    return found


def body_of(function: Cursor) -> Cursor | None:
    """The statements of a function; None for a declaration."""
    return next((child for child in function.get_children() if child.kind is K.COMPOUND_STMT), None)


def members_of(record: Cursor) -> list[Cursor]:
    """What stands in a class; in one made from a template nothing does for libclang: then what stands in the template."""
    return list(record.get_children()) or list((template_of(record) or record).get_children())


def template_of(record: Cursor) -> Cursor | None:
    """The template that a class is made from."""
    found = conf.lib.clang_getSpecializedCursorTemplate(record)
    return found if found is not None and not found.kind.is_invalid() else None


def is_adjusted(cursor: Cursor) -> bool:
    """Whether the array that the binding gives as a cursor's type is a pointer: a parameter's, written as an array, or one made from it."""
    if cursor.kind is K.PARM_DECL:
        return cursor.type.get_canonical().kind in ARRAYS
    if cursor.kind is K.DECL_REF_EXPR:
        return cursor.referenced is not None and cursor.referenced.kind is K.PARM_DECL and is_adjusted(cursor.referenced)
    if cursor.kind in WRAPPERS:
        return any(is_adjusted(child) for child in cursor.get_children())
    return cursor.kind in OPERATORS and any(child.type == cursor.type and is_adjusted(child) for child in cursor.get_children())
