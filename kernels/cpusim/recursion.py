"""What a kernel that calls itself does between and in its calls, found in its source text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import CodeType, FrameType


class Role(Enum):
    """What a statement is to a call of the function by itself: that call, what prepares an argument of it, or what uses its result."""

    CALL = "call"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Statement:
    """A call that stands beside calls of the surrounding function by itself, or is one: the `number`-th of `count` in its block."""

    surrounding: str
    role: Role
    number: int
    count: int
    function: str
    arguments: tuple[str, ...]
    """As the source writes them."""


def recursive_functions(source: str) -> frozenset[str]:
    """The functions of a module that call themselves."""
    return frozenset(function.name for function in _functions(source) if any(_calls(function, node) for node in ast.walk(function)))


def recursion(source: str) -> Mapping[int, Statement]:
    """The statements by their lines."""
    found: dict[int, Statement] = {}
    for function in _functions(source):
        for block in _blocks(function):
            found.update(_numbered(function, block))
    return found


def lines_of_calls(frame: FrameType, entry: CodeType, recursive: frozenset[str]) -> tuple[int, ...]:
    """The lines that the kernel's functions are at, outermost first, as far as the innermost that calls itself; none where none does."""
    lines: list[int] = []
    outer: FrameType | None = frame
    while outer is not None:
        code = outer.f_code
        if code.co_filename == entry.co_filename and (lines or code.co_name in recursive):
            lines.append(outer.f_lineno)
        outer = None if code is entry else outer.f_back
    return tuple(reversed(lines))


def _functions(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for block in (getattr(statement, name, []) for name in ("body", "orelse")):
        if block:
            yield block
        for inner in block:
            yield from _blocks(inner)


def _calls(function: ast.FunctionDef, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name


def _numbered(function: ast.FunctionDef, block: list[ast.stmt]) -> Iterator[tuple[int, Statement]]:
    """What prepares a call writes one of its arguments; all else after the first call uses the result of the last one."""
    calls = [(each.lineno, each.value) for each in block if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)]
    own = [line for line, call in calls if _calls(function, call)]
    arguments = {line: tuple(ast.unparse(argument) for argument in call.args) for line, call in calls}
    for line, call in calls if own else []:
        done = sum(each < line for each in own)
        coming = next((each for each in own if each >= line), None)
        if coming == line:
            role, number = Role.CALL, done + 1
        elif coming is not None and arguments[line] and arguments[line][-1] in arguments[coming]:
            role, number = Role.BEFORE, done + 1
        elif done:
            role, number = Role.AFTER, done
        else:
            continue
        yield line, Statement(function.name, role, number, len(own), ast.unparse(call.func), arguments[line])
