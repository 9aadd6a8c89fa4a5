"""Innermost loops whose accesses are noted together, as one run, before the loop is executed as it stands.

That can be where every access of the body happens in every iteration, at a place that is linear in the loop's variable: the first
and the last iteration then tell all others, and it is still the kernel that says which those are. Which loops these are is read from the
source alone; where it cannot be proved there, accesses are noted one by one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from kernels.cachesim.primitives import PREFIX, again, assign, call, name

_BLOCKS = dict.fromkeys(("read_block", "write_block", "update_block"), (1, 2))
_MATRIX_FIRST = {**dict.fromkeys(("read", "read_floats", "read_vectors"), (1,)), **_BLOCKS}
"""Recording functions whose first argument is what they touch, and which of their arguments say where."""
_WRITES = frozenset({"write", "copy_to"})
"""Have a value before these; of an element both are the same."""
_SILENT = frozenset({"used", "modified"})
"""Of these only arrays are noted: their types say which, when numba knows them (`runs`)."""
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.Pass)
_REFUSED = (ast.IfExp, ast.BoolOp, ast.Subscript, ast.keyword)
"""What may not happen in each iteration, and what is not noted yet or not by us: a recorder is given to other functions as a keyword."""


def with_run(loop: ast.For) -> list[ast.stmt]:
    """The instrumented loop in two ways: its accesses as a run and then the bare loop, or, where they make none, as it was."""
    accesses = list(_accesses(loop)) if _may_be_run(loop) else []
    if not accesses or not all(_is_linear(access, loop) for access in accesses):
        return [loop]
    number = f"{loop.lineno}_{loop.col_offset}"
    values, times, is_run, first, last = (f"_{word}_{number}" for word in ("range", "times", "is_run", "first", "last"))
    start: list[ast.stmt] = [assign(first, _of(values, "start")), assign(last, _last(values, times)), ast.Expr(call("run_begins"))]
    assert isinstance(loop.target, ast.Name)
    for access in accesses:
        added = ast.BinOp(name(is_run), ast.BitAnd(), _added(access, loop.target.id, first, last))
        start.append(assign(is_run, added))
    start.append(ast.If(name(is_run), [ast.Expr(call("run_ends", name(times)))], []))
    bare = ast.For(again(loop.target), name(values), [_Bare().visit(again(statement)) for statement in loop.body], [])
    noted = ast.For(loop.target, name(values), loop.body, [])
    is_long = ast.Compare(name(times), [ast.Gt()], [ast.Constant(2)])
    return [
        assign(values, loop.iter),
        assign(times, ast.Call(name("len"), [name(values)], [])),
        assign(is_run, again(is_long)),
        ast.If(again(is_long), start, []),
        ast.If(name(is_run), [ast.copy_location(bare, loop)], [ast.copy_location(noted, loop)]),
    ]


def _of(values: str, attribute: str) -> ast.expr:
    return ast.Attribute(name(values), attribute, ast.Load())


def _last(values: str, times: str) -> ast.expr:
    before = ast.BinOp(name(times), ast.Sub(), ast.Constant(1))
    return ast.BinOp(_of(values, "start"), ast.Add(), ast.BinOp(before, ast.Mult(), _of(values, "step")))


def _recorded(node: ast.AST) -> str | None:
    """Which recording function a node calls, if any."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith(PREFIX):
        return node.func.id.removeprefix(PREFIX)
    return None


def _may_be_run(loop: ast.For) -> bool:
    if not isinstance(loop.target, ast.Name) or not isinstance(loop.iter, ast.Call) or getattr(loop.iter.func, "id", "") != "range":
        return False
    for statement in loop.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if not isinstance(statement, _STATEMENTS) or any(isinstance(part, ast.Subscript) for each in targets for part in ast.walk(each)):
            return False
        for node in ast.walk(statement):
            function = _recorded(node)
            if isinstance(node, _REFUSED) or (function is not None and function not in {*_MATRIX_FIRST, *_WRITES, *_SILENT}):
                return False
    return True


def _accesses(loop: ast.For) -> Iterator[ast.Call]:
    """The calls that note something, in the order in which an iteration makes them: the innermost first, as arguments are."""
    for statement in loop.body:
        yield from _calls_in(statement)


def _calls_in(node: ast.AST) -> Iterator[ast.Call]:
    for part in ast.iter_child_nodes(node):
        yield from _calls_in(part)
    if isinstance(node, ast.Call) and _recorded(node) not in {None, *_SILENT}:
        yield node


def _where(access: ast.Call) -> tuple[ast.expr, list[ast.expr], list[ast.expr]]:
    """What an access touches, the arguments that say where, and those that say how much."""
    function = _recorded(access)
    arguments = access.args[1:-2] if function in _WRITES else access.args[:-2]
    places = _MATRIX_FIRST.get(function or "", (1,))
    return arguments[0], [arguments[number] for number in places], arguments[max(places) + 1 :]


def _is_linear(access: ast.Call, loop: ast.For) -> bool:
    assert isinstance(loop.target, ast.Name)
    changed = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    matrix, places, sizes = _where(access)
    variable = loop.target.id
    others = changed - {variable}
    if not isinstance(matrix, ast.Name) or matrix.id in changed or any(_names(size) & changed for size in sizes):
        return False
    parts = [part for place in places for part in (place.elts if isinstance(place, ast.Tuple) else [place])]
    return all(_is_plain(part) and not _names(part) & others and _degree(part, variable) <= 1 for part in parts)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is made of names, numbers and arithmetic only."""
    return all(isinstance(part, ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context)
               for part in ast.walk(node))  # fmt: skip


def _degree(node: ast.expr, variable: str) -> int:
    """Of a polynomial in the variable its degree; 2 also for what is none."""
    if variable not in _names(node):
        return 0
    if isinstance(node, ast.Name):
        return 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _degree(node.operand, variable)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return max(_degree(node.left, variable), _degree(node.right, variable))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _degree(node.left, variable) + _degree(node.right, variable)
    return 2


def _added(access: ast.Call, variable: str, first: str, last: str) -> ast.expr:
    """The call that adds an access to the run: where it is in the first and in the last iteration."""
    matrix, places, sizes = _where(access)
    ends = [[_Renamed(variable, end).visit(again(part)) for part in places] for end in (first, last)]
    whole = [part[0] if len(part) == 1 else ast.Tuple(part, ast.Load()) for part in ends]
    function = "write" if _recorded(access) in _WRITES else _recorded(access)
    return ast.Call(name(f"{PREFIX}run_{function}"), [again(matrix), *whole, *map(again, [*sizes, *access.args[-2:]])], [])


class _Renamed(ast.NodeTransformer):
    def __init__(self, before: str, after: str) -> None:
        self._before, self._after = before, after

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return name(self._after) if node.id == self._before else node


class _Bare(ast.NodeTransformer):
    """Takes the noting out again, and has numba refuse what would have been noted of an array."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if _recorded(node.value) in {"write_block", "update_block"}:
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = _recorded(node)
        if function == "read":
            return ast.Subscript(node.args[0], node.args[1], ast.Load())
        if function in _SILENT:
            return ast.Call(name(PREFIX + "bare_value"), node.args[:1], [])
        if function in _WRITES:
            return ast.Call(name(PREFIX + "bare_write"), node.args[:3], [])
        return node if function is None else node.args[0]
