"""Loops of a CPU kernel over an index, `for i in ...`, and the steps of one that calls itself, found in its source text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import Enum
from types import CodeType, FrameType

from kernels.base.values import dataclass
from kernels.cpusim.trace import Loop


class CallRole(Enum):
    """Role of a statement around a call of the function by itself: that call, what prepares an argument of it, or what uses its result."""

    CALL = "call"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Statement:
    """A call that stands beside calls of the surrounding function by itself, or is one: the `number`-th of `count` in its block."""

    surrounding: str
    role: CallRole
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
            role, number = CallRole.CALL, done + 1
        elif coming is not None and arguments[line] and arguments[line][-1] in arguments[coming]:
            role, number = CallRole.BEFORE, done + 1
        elif done:
            role, number = CallRole.AFTER, done
        else:
            continue
        yield line, Statement(function.name, role, number, len(own), ast.unparse(call.func), arguments[line])


@dataclass(frozen=True, slots=True)
class LoopNest:
    """All loops of a kernel, a function's in the order of their lines, then those of the functions that it calls.

    `bodies[l]` are the lines that run inside `loops[l]`.
    """

    loops: tuple[Loop, ...]
    bodies: tuple[range, ...]
    recursive: frozenset[str] = frozenset()
    """The functions of the module that call themselves."""

    def around(self, line: int) -> tuple[int, ...]:
        """The numbers of the loops that `line` is inside of, in the function that it belongs to."""
        return tuple(number for number, body in enumerate(self.bodies) if line in body)


def find_loops(source: str, entry: str) -> LoopNest:
    """The loops of the function `entry` in the text of a module, and of those functions of the module that it calls.

    A loop in a called function is as deep as its own function says, below where that is first called. Raises ValueError if there is no
    function of this name.
    """
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    if entry not in functions:
        raise ValueError(f"no function {entry!r}")
    found: list[tuple[Loop, range]] = []
    depths = {entry: 0}
    for name in _breadth_first(entry, functions, depths):
        found += _loops_in(functions[name].body, depths[name])
    return LoopNest(tuple(loop for loop, _ in found), tuple(body for _, body in found), recursive_functions(source))


def _breadth_first(entry: str, functions: dict[str, ast.FunctionDef], depths: dict[str, int]) -> list[str]:
    """The functions that are reached, callers first; `depths` gets how many loops are around where each is first called."""
    order = [entry]
    for name in order:
        for callee, loops in _calls_in(functions[name].body, depths[name]):
            if callee in functions and callee not in depths:
                depths[callee] = loops
                order.append(callee)
    return order


def _calls_in(statements: list[ast.stmt], depth: int) -> list[tuple[str, int]]:
    """The names that are called, each with the loops around the call."""
    calls: list[tuple[str, int]] = []
    for statement in statements:
        inner = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)]
        own = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
        called = [node for child in own for node in ast.walk(child) if isinstance(node, ast.Call)]
        calls += [(node.func.id, depth) for node in called if isinstance(node.func, ast.Name)]
        calls += _calls_in(inner, depth + isinstance(statement, ast.For))
    return calls


def _loops_in(statements: list[ast.stmt], depth: int) -> list[tuple[Loop, range]]:
    found: list[tuple[Loop, range]] = []
    for statement in statements:
        if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            loop = Loop(statement.target.id, statement.lineno, depth, _steps_over_tiles(statement))
            found.append((loop, range(statement.body[0].lineno, (statement.end_lineno or statement.lineno) + 1)))
            found += _loops_in(statement.body, depth + 1)
        elif isinstance(statement, ast.For | ast.If | ast.While | ast.With):  # no index, but perhaps loops inside
            found += _loops_in([*statement.body, *getattr(statement, "orelse", [])], depth)
    return found


def _steps_over_tiles(loop: ast.For) -> bool:
    """Whether the loop runs over `range(start, stop, step)`, where the step is chosen: a constant one goes from vector to vector."""
    call = loop.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and len(call.args) == 3):
        return False
    return any(isinstance(part, ast.Name) and not part.id.isupper() for part in ast.walk(call.args[2]))
