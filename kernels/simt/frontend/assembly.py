"""Inline assembly as the compiler sees it: its text after macros, and the constraint of each operand.

libclang gives of an asm statement its operands' expressions and nothing else. Printed, the function around it has the rest: strings that
stand side by side are one there, macros are expanded, and the statements come in the order of their cursors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kernels.base.values import dataclass
from kernels.simt.frontend.clang import Cursor, position, printed

ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)", re.DOTALL)
CONTROL = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_STRING = r'"(?:[^"\\]|\\.)*"'
_PART = re.compile(rf"(?P<string>{_STRING})|'(?:[^'\\]|\\.)*'|(?P<word>[A-Za-z_]\w*)|(?P<mark>[()\[\],:])", re.DOTALL)
_RAW = re.compile(r'(?:u8|[uUL])?R"(?P<stop>[^(]*)\((?P<text>.*)\)(?P=stop)"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Assembly:
    """An asm statement: its text, the constraints of its outputs and of its inputs, in order. `file` and `offsets` say where each
    character of the text stands, in bytes; there are none where a macro made it."""

    text: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    file: str = ""
    offsets: tuple[int, ...] = ()


def unescaped(text: str) -> str:
    """What the inside of a string literal stands for."""
    return ESCAPE.sub(lambda found: _code(found.group(1)), text)


def _code(code: str) -> str:
    if code[0] == "x":
        return chr(int(code[1:], 16) & 0xFF)
    return chr(int(code, 8) & 0xFF) if code[0] in "01234567" else CONTROL.get(code, code)


def assemblies(function: Cursor) -> list[tuple[Cursor, Assembly]]:
    """The asm statements of a function's body, in order, each with its cursor."""
    cursors = [each for each in function.walk_preorder() if each.kind.name == "ASM_STMT"]
    return [(cursor, _placed(cursor, found)) for cursor, found in zip(cursors, _printed(printed(function)), strict=False)]


def _printed(text: str) -> Iterator[Assembly]:
    """Read the asm statements of a printed function."""
    at, after_asm = 0, False
    while found := _PART.search(text, at):
        at = found.end()
        if found["mark"] == "(" and after_asm:
            read, at = _statement(text, at)
            yield read
        after_asm = found["word"] == "asm" or (after_asm and found["word"] in ("volatile", "goto", "inline"))


def _statement(text: str, at: int) -> tuple[Assembly, int]:
    """Read from behind the opening parenthesis to behind the closing one."""
    sections: list[list[str]] = [[]]
    depth = 1
    while depth and (found := _PART.search(text, at)):
        at, mark = found.end(), found["mark"] or ""
        depth += (mark in ("(", "[")) - (mark in (")", "]"))
        if mark == ":" and depth == 1:
            sections.append([])
        elif found["string"] and depth == 1:
            sections[-1].append(unescaped(found["string"][1:-1]))
    outputs, inputs = (tuple(sections[number]) if number < len(sections) else () for number in (1, 2))
    return Assembly("".join(sections[0]), outputs, inputs), at


def _placed(cursor: Cursor, found: Assembly) -> Assembly:
    """Add where each character stands, if the strings are written there."""
    text, offsets, depth, file = "", [], 0, ""
    for token in cursor.get_tokens():
        spelling = token.spelling
        depth += (spelling == "(") - (spelling == ")")
        if depth == 1 and spelling == ":":
            break
        if depth == 1 and spelling.endswith('"'):
            file, start, _ = position(token.location)
            for character, within in _characters(spelling):
                text += character
                offsets.append(start + within)
    if text != found.text:
        return found
    return Assembly(found.text, found.outputs, found.inputs, file, tuple(offsets))


def _characters(literal: str) -> Iterator[tuple[str, int]]:
    """The characters that a string literal stands for, and how many bytes into it each is written."""
    raw = _RAW.fullmatch(literal)
    if raw is not None:
        first = len(literal[: raw.start("text")].encode())
        for number, character in enumerate(raw["text"]):
            yield character, first + len(raw["text"][:number].encode())
        return
    at = literal.index('"') + 1
    while at < len(literal) - 1:
        escape = ESCAPE.match(literal, at)
        yield (_code(escape.group(1)) if escape else literal[at]), len(literal[:at].encode())
        at = escape.end() if escape else at + 1
