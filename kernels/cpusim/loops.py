"""The loops over an index of a kernel, `for i in ...`, found in its source text."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from kernels.cpusim.recursion import recursive_functions
from kernels.cpusim.trace import Loop


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
