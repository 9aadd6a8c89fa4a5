"""What the binding leaves out and lowering needs."""

from __future__ import annotations

from functools import cache
from typing import Any

from clang.cindex import Cursor, CursorKind, conf


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
    return next((child for child in function.get_children() if child.kind is CursorKind.COMPOUND_STMT), None)
