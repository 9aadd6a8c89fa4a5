"""Instrumentation of expressions: an element that is read, an array that is computed with, a new array.

Arrays that a kernel makes for itself are given back where a function or an iteration ends. What is not known is refused, never counted by
halves.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from kernels.base.values import dataclass
from kernels.cachesim import primitives
from kernels.cachesim.numbering import NotInstrumentable, Numbering
from kernels.cachesim.primitives import ALLOCATING, RECORDER, again, assign, call, call_at, index_of, name

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


TEMPORARY = "temporary"
"""What an array is called that the source gives no name."""
_SCALAR_CALLS = frozenset({"len", "range", "prange", "min", "max", "abs", "int", "float", "slice"})
"""Functions that touch no memory."""
_MODULES = frozenset({"np", "math"})
_ATTRIBUTES = frozenset({"shape", "T", "size", "ndim", "strides", "dtype"})
"""Of an array, without touching its elements."""
WHOLE = (ast.Name, ast.Subscript, ast.Attribute)
"""Expressions that may be arrays in memory; all others compute a new value."""
_MOST_INPUTS = 2
"""Arguments that a function which is no ufunc reads, as `dot` does."""
_REFUSED = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.With, ast.Try, ast.ClassDef, ast.AsyncFunctionDef,
    ast.Global, ast.Nonlocal, ast.NamedExpr, ast.Starred, ast.Delete, ast.Match,
)  # fmt: skip


class ExpressionPass(ast.NodeTransformer):
    """Instruments expressions of one module. `functions` are the names of those that are instrumented; `simd` maps names to those of
    `kernels.cpu.simd`; `plain` are functions that touch no matrix; `runs` says whether loops are noted together where they can be."""

    def __init__(
        self,
        source: str,
        numbering: Numbering,
        functions: frozenset[str],
        simd: Mapping[str, str],
        plain: frozenset[str],
        *,
        runs: bool = True,
    ) -> None:
        self._source = source
        self._numbering = numbering
        self._functions = functions
        self._simd = simd
        self._scalar_calls = _SCALAR_CALLS | plain
        self._runs = runs
        self._allocates = False
        self._in_index = False

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, _REFUSED):
            raise self._unknown(node)
        visited: ast.AST = super().visit(node)
        return visited

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            node.value = self._visited(node.value)
            return node
        place = self._place(node)
        array = self._visited(node.value)
        return call_at("read", place, array, self._index(node.slice))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id in _MODULES:
            return node
        if node.attr not in _ATTRIBUTES:
            raise self._unknown(node)
        node.value = self._visited(node.value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        node.left, node.right = self._operand(node.left), self._operand(node.right)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.left, node.comparators = self._operand(node.left), [self._operand(each) for each in node.comparators]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        node.operand = self._operand(node.operand)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        found = allocation_in(node, self._simd)
        if found is not None:
            return self._allocated(found, TEMPORARY, node)
        primitive = self._primitive(node)
        if primitive in primitives.CHANGING or (primitive is not None and primitive not in primitives.KNOWN):
            raise self._unknown(node)  # what changes memory is a statement of its own
        if primitive is not None:
            original = [again(argument) for argument in node.args]
            node.args = [self._visited(argument) for argument in node.args]
            return primitives.reading(primitive, node, original, self._place(node))
        if isinstance(node.func, ast.Name) and node.func.id in self._functions:
            node.args = [self._visited(argument) for argument in node.args]
            node.keywords = [ast.keyword(each.arg, self._visited(each.value)) for each in node.keywords]
            node.keywords.append(ast.keyword(RECORDER, name(RECORDER)))
            return node
        return self._foreign_call(node)

    def _foreign_call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in self._scalar_calls:
            node.args = [self._index(argument) for argument in node.args]
            return node
        if node.keywords:
            raise self._unknown(node)  # numba takes few, and `out` none of them
        node.func = self._visited(node.func)
        inputs = _inputs(node.func)
        given, results = node.args[:inputs], node.args[inputs:]
        node.args = [self._operand(argument) for argument in given]
        node.args += [call_at("filled", self._place(node), self._visited(argument)) for argument in results]
        return node

    def _allocated(self, found: Allocation, target: str, node: ast.expr) -> ast.expr:
        self._allocates = True
        number = ast.Constant(self._numbering.array(target))
        made = call("empty", self._index(found.shape), found.dtype, number)
        return call_at("filled", self._place(node), made) if found.zeros else made

    def _operand(self, node: ast.expr) -> ast.expr:
        """An expression that is computed with: an array is read whole."""
        visited = self._visited(node)
        if self._in_index or not isinstance(node, WHOLE):
            return visited
        return call_at("used", self._place(node), visited)

    def _index(self, node: ast.expr) -> ast.expr:
        """An expression that is a whole number, or several: nothing in it is an array that is used whole."""
        outside, self._in_index = self._in_index, True
        visited = self._visited(index_of(node))
        self._in_index = outside
        return visited

    def _visited(self, node: ast.expr) -> ast.expr:
        visited = self.visit(node)
        assert isinstance(visited, ast.expr)
        return visited

    def _primitive(self, node: ast.expr) -> str | None:
        return self._simd.get(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None

    def _place(self, node: ast.AST) -> int:
        return self._numbering.place(self._source, node.lineno)  # type: ignore[attr-defined]

    def _unknown(self, node: ast.AST) -> NotInstrumentable:
        return NotInstrumentable(f"{self._source}:{getattr(node, 'lineno', 0)}: {type(node).__name__}")


def _inputs(function: ast.expr) -> int:
    """How many arguments a function reads; what follows is where its results go."""
    known = getattr(np, function.attr, None) if isinstance(function, ast.Attribute) else None
    return known.nin if isinstance(known, np.ufunc) else _MOST_INPUTS
