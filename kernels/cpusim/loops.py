"""The loops over an index of a kernel, `for i in ...`, found in its source text."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from kernels.cpusim.trace import Loop


@dataclass(frozen=True, slots=True)
class LoopNest:
    """All loops of a function, in the order of their lines. `bodies[l]` are the lines that run inside `loops[l]`."""

    loops: tuple[Loop, ...]
    bodies: tuple[range, ...]

    def names_around(self, line: int) -> tuple[str | None, ...]:
        """For each loop its variable, or None where `line` is not inside the loop."""
        return tuple(loop.name if line in body else None for loop, body in zip(self.loops, self.bodies, strict=True))


def find_loops(source: str, entry: str) -> LoopNest:
    """The loops of the function `entry` in the text of a module. Raises ValueError if there is no such function."""
    module = ast.parse(source)
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == entry:
            found = _loops_in(node.body, 0)
            return LoopNest(tuple(loop for loop, _ in found), tuple(body for _, body in found))
    raise ValueError(f"no function {entry!r}")


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
    """Whether the loop runs over `range(start, stop, step)`."""
    call = loop.iter
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and len(call.args) == 3
