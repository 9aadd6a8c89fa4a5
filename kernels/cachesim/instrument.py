"""The pass over a kernel's own source that adds the recording: every subscript, every array that is used whole, every allocation.

Nothing is known of a kernel here but its text. Whether `X[i, k]` is an element or a view is decided when numba knows its type
(`recording`). A source that does what the pass does not know is refused, never counted by halves.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from kernels.cachesim import primitives
from kernels.cachesim.allocations import Allocation, allocation_in, released_after, released_at_returns
from kernels.cachesim.calls import PREFIX, RECORDER, again, assign, call, call_at, index_of, name
from kernels.cachesim.numbering import NotInstrumentable, Numbering

TEMPORARY = "temporary"
"""What an array is called that the source gives no name."""
_SCALAR_CALLS = frozenset({"len", "range", "prange", "min", "max", "abs", "int", "float", "slice"})
"""Functions that touch no memory."""
_MODULES = frozenset({"np", "math"})
_ATTRIBUTES = frozenset({"shape", "T", "size", "ndim", "strides", "dtype"})
"""Of an array, without touching its elements."""
_WHOLE = (ast.Name, ast.Subscript, ast.Attribute)
"""Expressions that may be arrays in memory; all others compute a new value."""
_REFUSED = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.With, ast.Try, ast.ClassDef, ast.AsyncFunctionDef,
    ast.Global, ast.Nonlocal, ast.NamedExpr, ast.Starred, ast.Delete, ast.Match,
)  # fmt: skip


class SourcePass(ast.NodeTransformer):
    """Instruments the functions of one module. `functions` are those of other modules that are instrumented as well, by the names that this
    one knows them by; `simd` maps names to those of `kernels.cpu.simd`."""

    def __init__(self, source: str, numbering: Numbering, functions: frozenset[str], simd: Mapping[str, str]) -> None:
        self._source = source
        self._numbering = numbering
        self._functions = functions
        self._simd = simd
        self._allocates = False
        self._in_index = False

    def module(self, tree: ast.Module) -> ast.Module:
        """The module with its functions instrumented; what else it says stays."""
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._functions = self._functions | defined
        tree.body = [self._function(node) if isinstance(node, ast.FunctionDef) else node for node in tree.body]
        return ast.fix_missing_locations(tree)

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, _REFUSED):
            raise self._unknown(node)
        visited: ast.AST = super().visit(node)
        return visited

    def _function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if node.decorator_list or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
            raise self._unknown(node)
        for argument in node.args.args:
            argument.annotation = None
        node.returns = None
        node.decorator_list = [name(PREFIX + "compiled")]
        node.args.args.append(ast.arg(RECORDER))
        if node.args.defaults:
            node.args.defaults.append(ast.Constant(0))
        self._allocates = False
        node.body = self._statements(node.body)
        if self._allocates:
            node.body = released_at_returns(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        raise self._unknown(node)  # a function within a function

    def visit_For(self, node: ast.For) -> ast.AST:
        if not isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Name | ast.Tuple) or node.orelse:
            raise self._unknown(node)
        node.iter = self._visited(node.iter)
        node.body = self._loop_body(node)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._visited(node.test)
        node.body = self._loop_body(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            node.value = self._value_of(node.value, node.targets[0].id)
            return node
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
            return self._store(node.targets[0], self._visited(node.value), "copy_to" if isinstance(node.value, _WHOLE) else "write")
        if all(isinstance(part, ast.Name) for target in node.targets for part in getattr(target, "elts", [target])):
            node.value = self._visited(node.value)
            return node
        return self._spread(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | list[ast.stmt] | None:
        if node.value is None:
            return None
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        if isinstance(node.target, ast.Subscript):
            before = ast.copy_location(ast.Subscript(again(node.target.value), again(node.target.slice), ast.Load()), node.target)
            return self._store(node.target, self._visited(ast.copy_location(ast.BinOp(before, node.op, node.value), node)))
        if not isinstance(node.target, ast.Name):
            raise self._unknown(node)
        place = self._place(node)
        node.value = self._operand(node.value)
        return [node, ast.Expr(call_at("modified", place, name(node.target.id)))]

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        primitive = self._primitive(node.value)
        if primitive in primitives.WRITTEN or primitive in primitives.UPDATED:
            assert isinstance(node.value, ast.Call)
            original = [again(argument) for argument in node.value.args]
            node.value.args = [self._visited(argument) for argument in node.value.args]
            return primitives.writing(primitive, node.value, original, self._place(node))
        node.value = self._visited(node.value)
        return node

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
        if primitive in primitives.WRITTEN or primitive in primitives.UPDATED:
            raise self._unknown(node)  # a statement of its own everywhere
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
        if isinstance(node.func, ast.Name) and node.func.id in _SCALAR_CALLS:
            node.args = [self._index(argument) for argument in node.args]
            return node
        node.func = self._visited(node.func)
        node.args = [self._operand(argument) for argument in node.args]
        for keyword in node.keywords:
            if keyword.arg == "out":
                keyword.value = call_at("filled", self._place(node), self._visited(keyword.value))
            else:
                keyword.value = self._operand(keyword.value)
        return node

    def _store(self, target: ast.Subscript, value: ast.expr, function: str = "write") -> list[ast.stmt]:
        place = self._place(target)
        return [ast.Expr(call_at(function, place, value, self._visited(target.value), self._index(target.slice)))]

    def _spread(self, node: ast.Assign) -> list[ast.stmt]:
        """`X[i], X[j] = a, b` and `x = X[i] = a`: the value first, then one target after the other."""
        value = f"_several_{node.lineno}_{node.col_offset}"
        statements: list[ast.stmt] = [assign(value, self._visited(node.value))]
        for target in node.targets:
            if isinstance(target, ast.Tuple):
                for number, part in enumerate(target.elts):
                    element = ast.Subscript(name(value), ast.Constant(number), ast.Load())
                    statements += self._assigned(part, element)
            else:
                statements += self._assigned(target, name(value))
        return statements

    def _assigned(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        if isinstance(target, ast.Subscript):
            return self._store(target, value)
        if isinstance(target, ast.Name):
            return [assign(target.id, value)]
        raise self._unknown(target)

    def _value_of(self, value: ast.expr, target: str) -> ast.expr:
        found = allocation_in(value, self._simd)
        return self._visited(value) if found is None else self._allocated(found, target, value)

    def _allocated(self, found: Allocation, target: str, node: ast.expr) -> ast.expr:
        self._allocates = True
        number = ast.Constant(self._numbering.array(target))
        made = call("empty", self._index(found.shape), found.dtype, number)
        return call_at("filled", self._place(node), made) if found.zeros else made

    def _loop_body(self, loop: ast.For | ast.While) -> list[ast.stmt]:
        outside, self._allocates = self._allocates, False
        visited = self._statements(loop.body)
        if self._allocates:
            visited = released_after(visited, loop.lineno)
        self._allocates = outside
        return visited

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [] if found is None else [found]  # type: ignore[list-item]
        return made

    def _operand(self, node: ast.expr) -> ast.expr:
        """An expression that is computed with: an array is read whole."""
        visited = self._visited(node)
        if self._in_index or not isinstance(node, _WHOLE):
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
