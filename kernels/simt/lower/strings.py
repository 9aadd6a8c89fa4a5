"""String literals: their text, and the constant arrays that they are where a pointer to one is used."""

from __future__ import annotations

import re

from clang.cindex import Cursor

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower.context import Context

ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)
CONTROL = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
CHAR = ir.Scalar(ir.Kind.SIGNED, 1)


def string(literal: Cursor) -> str:
    """The text that a string literal stands for."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literal.spelling, re.DOTALL)
    return ESCAPE.sub(_unescape, "".join(parts))


def _unescape(found: re.Match[str]) -> str:
    code = found.group(1)
    if code[0] == "x":
        return chr(int(code[1:], 16) & 0xFF)
    return chr(int(code, 8) & 0xFF) if code[0] in "01234567" else CONTROL.get(code, code)


class Strings:
    """Lowers string literals; equal ones are one array."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def pointer(self, literal: Cursor) -> ir.Expression:
        """The address of the first character."""
        kind, location = self._context.type(literal), self._context.location(literal)
        if not isinstance(kind, ir.Array) or kind.element != CHAR:
            raise self._context.refuse(literal, message('Only strings of char are supported: write "text" without a letter before it.'))
        codes = (*string(literal).encode(), 0)
        variable = self._context.strings.get(codes)
        if variable is None:
            signed = tuple(code - 256 if code > 127 else code for code in codes)
            variable = ir.Variable(literal.spelling, ir.Array(CHAR, len(codes)), ir.Space.CONSTANT, location, initial=signed)
            self._context.strings[codes] = variable
        first = ir.Element(ir.Whole(variable), ir.Const(0, ir.I32), CHAR, location, literal.spelling)
        return ir.AddressOf(first, ir.Pointer(CHAR), location)
