"""Arrays that a kernel makes for itself: found in its source, and given back where a function or an iteration ends."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from kernels.cachesim.calls import assign, call, name
from kernels.cachesim.primitives import ALLOCATING

_NUMPY = frozenset({"empty", "zeros", "empty_like", "zeros_like"})
_MARK = "_mark_"


@dataclass(frozen=True, slots=True)
class Allocation:
    """A new array. `zeros` says that it is filled with them."""

    shape: ast.expr
    dtype: ast.expr
    zeros: bool


def allocation_in(node: ast.expr, simd: Mapping[str, str]) -> Allocation | None:
    """What `node` allocates: NumPy's `empty`, `zeros` and their likes, and `panel` of `kernels.cpu.simd`."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name) and simd.get(node.func.id) == ALLOCATING:
        return Allocation(ast.Tuple(list(node.args), ast.Load()), _numpy("float32"), zeros=False)
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Name) or node.func.value.id != "np":
        return None
    function = node.func.attr
    if function not in _NUMPY:
        return None
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    dtype = given.get("dtype") or (node.args[1] if len(node.args) > 1 else None)
    if not function.endswith("_like"):
        return Allocation(node.args[0], dtype or _numpy("float64"), function == "zeros")
    shape, like = (ast.Attribute(node.args[0], attribute, ast.Load()) for attribute in ("shape", "dtype"))
    return Allocation(shape, dtype or like, function == "zeros_like")


def released_after(body: list[ast.stmt], line: int) -> list[ast.stmt]:
    """The body of the loop in `line` that gives back at its end what it allocated: the next iteration gets the same memory."""
    return [_marked(f"loop_{line}"), *body, _released(f"loop_{line}")]


def released_at_returns(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a function that gives back what it allocated wherever it ends; all of it stays where the function returns something."""
    returns = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Return)]
    if any(node.value is not None for node in returns):
        return body
    for node in returns:
        node.value = call("released", name(_MARK + "function"))
    return [_marked("function"), *body, _released("function")]


def _marked(scope: str) -> ast.stmt:
    return assign(_MARK + scope, call("taken"))


def _released(scope: str) -> ast.stmt:
    return ast.Expr(call("released", name(_MARK + scope)))


def _numpy(attribute: str) -> ast.expr:
    return ast.Attribute(name("np"), attribute, ast.Load())
