"""Loader of instrumented kernels: the modules of a variant's source, with the recording added and ready to be compiled.

Every subscript, every array that is used whole and every allocation is recorded. Nothing is known of a kernel here but its text. Whether
`X[i, k]` is an element or a view is decided when numba knows its type (`recording`). A source that does what the pass does not know is
refused, never counted by halves.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from kernels.base.compiled_functions import CACHE_VARIABLE, digest
from kernels.base.spec import Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.cachesim import primitives
from kernels.cachesim.expressions import WHOLE, ExpressionPass, allocation_in, released_after, released_at_returns
from kernels.cachesim.influence import PACKAGE, PLAIN, SIMD, path_of, source_of, tree_of, values_decide
from kernels.cachesim.loops import with_run
from kernels.cachesim.numbering import Numbering, SourceLine
from kernels.cachesim.primitives import PREFIX, RECORDER, again, assign, call_at, name
from kernels.catalogue.source import constants, kernel_function
from kernels.cpu.simd import tile_zeros
from kernels.jit.compile import folder_of, keep_in


class SourcePass(ExpressionPass):
    """Instruments the functions of one module: what they do besides computing."""

    def module(self, tree: ast.Module) -> ast.Module:
        """The module with its functions instrumented; what else it says stays."""
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._functions = self._functions | defined
        tree.body = [self._function(node) if isinstance(node, ast.FunctionDef) else node for node in tree.body]
        return ast.fix_missing_locations(tree)

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

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        if not isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Name | ast.Tuple) or node.orelse:
            raise self._unknown(node)
        node.iter = self._visited(node.iter)
        node.body = self._loop_body(node)
        return with_run(node) if self._runs else node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._visited(node.test)
        node.body = self._loop_body(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            node.value = self._value_of(node.value, node.targets[0].id)
            return node
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
            return self._store(node.targets[0], self._visited(node.value), "copy_to" if isinstance(node.value, WHOLE) else "write")
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
        if primitive in primitives.CHANGING:
            assert isinstance(node.value, ast.Call)
            original = [again(argument) for argument in node.value.args]
            node.value.args = [self._visited(argument) for argument in node.value.args]
            return primitives.writing(primitive, node.value, original, self._place(node))
        node.value = self._visited(node.value)
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


MOST_CALLS = 60
"""Of a kernel that is noted in runs: LLVM puts what is called into its callers, and takes minutes over many loops that are there twice."""


@dataclass(frozen=True, slots=True)
class InstrumentedKernel:
    """A kernel that takes its matrices, its parameters and, last, a recorder. Its first call compiles it."""

    variant: Variant
    function: Callable[..., None]
    arguments: tuple[str, ...]
    """Their names, without the recorder's."""
    arrays: tuple[str, ...]
    """The matrices, and then what the kernel makes for itself, by the names that its source gives."""
    places: tuple[SourceLine, ...]
    without_runs: Callable[[], InstrumentedKernel] | None = None
    """The same with every access noted by itself, for a kernel whose runs numba does not know how to compile."""


def instrumented(variant: Variant, parameters: Parameters, *, runs: bool = True, stores: bool = True) -> InstrumentedKernel:
    """The variant's kernel with recording added, with those of the parameters that are constants of its module.

    `runs`: the accesses of a loop are noted together where they can be. Without `stores` nothing is written to the matrices, where
    that cannot decide which accesses are made. Raises `NotInstrumentable`.
    """
    return _instrumented(variant, tuple(sorted(constants(variant, parameters).items())), runs=runs, stores=stores)


@lru_cache(maxsize=64)
def _instrumented(variant: Variant, constants: tuple[tuple[str, int], ...], *, runs: bool, stores: bool) -> InstrumentedKernel:
    numbering = Numbering(tuple(Problem.square(variant.operation, 1).shapes))
    name = PACKAGE + variant.source.removesuffix(".py").replace("/", ".")
    stores = stores or values_decide(name)
    runs = runs and sum(isinstance(node, ast.Call) for node in ast.walk(tree_of(name))) <= MOST_CALLS
    loader = _Loader(numbering, dict(constants), runs=runs, stores=stores)
    function = _kept(variant, repr((constants, runs, stores)), loader.namespace(name)[variant.entry])
    arguments = tuple(inspect.signature(kernel_function(variant)).parameters)
    for argument in arguments:
        if argument.isupper():  # a matrix, or memory that the threads of a team share
            numbering.array(argument)
    otherwise = partial(_instrumented, variant, constants, runs=False, stores=stores) if runs else None
    return InstrumentedKernel(variant, function, arguments, numbering.arrays, numbering.places, otherwise)


def _kept(variant: Variant, constants: str, function: Any) -> Callable[..., None]:
    """The instrumented function as one that numba keeps on disk, where there is a folder for it."""
    directory = os.environ.get(CACHE_VARIABLE, "")
    if not directory:
        return cast(Callable[..., None], function)
    from numba import njit

    made_of = digest(), digest("kernels.cachesim"), constants
    keep_in(folder_of(f"{variant.id}-recording", made_of, Path(directory)))
    return cast(Callable[..., None], njit(nogil=True, cache=True)(function.py_func))


class _Loader:
    """Executes modules whose functions are instrumented, each once."""

    def __init__(self, numbering: Numbering, constants: Mapping[str, int], *, runs: bool, stores: bool) -> None:
        self._numbering = numbering
        self._stores = stores
        self._runs = runs
        self._constants = constants
        self._loaded: dict[str, dict[str, Any]] = {}

    def namespace(self, module: str) -> dict[str, Any]:
        """What the instrumented module defines."""
        if module not in self._loaded:
            self._loaded[module] = namespace = {**recording_functions(stores=self._stores), "np": np, "__name__": module}
            self._execute(module, namespace)
        return self._loaded[module]

    def _execute(self, module: str, namespace: dict[str, Any]) -> None:
        source, tree = source_of(module), tree_of(module)
        simd: dict[str, str] = {}
        functions: set[str] = set()
        plain: set[str] = set()
        body: list[ast.stmt] = []
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("kernels."):
                self._import(statement, namespace, functions, simd, plain)
            else:
                body.append(statement)
        tree.body = body
        passed = SourcePass(source, self._numbering, frozenset(functions), simd, frozenset(plain), runs=self._runs).module(tree)
        exec(compile(passed, str(path_of(module)), "exec"), namespace)  # by the path numba knows what to keep it as
        namespace |= self._constants

    def _import(
        self, statement: ast.ImportFrom, namespace: dict[str, Any], functions: set[str], simd: dict[str, str], plain: set[str]
    ) -> None:
        """Bring in what the statement names, and sort it: instrumented functions, those of `simd`, those that touch no matrix."""
        assert statement.module is not None
        names = {alias.asname or alias.name: alias.name for alias in statement.names}
        if statement.module in PLAIN:
            namespace |= {known: getattr(importlib.import_module(statement.module), name) for known, name in names.items()}
            if statement.module in SIMD:
                simd |= names
                namespace |= {} if self._stores else {known: unstored() for known, name in names.items() if name in primitives.CHANGING}
            else:
                plain |= set(names)
            return
        imported = self.namespace(statement.module)
        namespace |= {known: imported[name] for known, name in names.items()}
        functions |= {known for known, name in names.items() if hasattr(imported[name], "py_func")}


def unstored() -> Callable[..., None]:
    """What takes the place of a function of `kernels.cpu.simd` that changes memory. Imports numba."""
    from kernels.cachesim.recording import nothing

    return nothing


def recording_functions(*, stores: bool = True) -> dict[str, Any]:
    """What instrumented source calls, by the names that it calls them. Imports numba."""
    from numba import njit

    from kernels.cachesim import arena, recording, runs, vectors

    allocating = ("empty", "taken", "released")
    scalar = ("read", "write", "copy_to", "used", "modified", "filled")
    vector = ("read_block", "write_block", "stream_block", "stream_block_lines", "update_block", "read_floats", "read_vectors")
    together = tuple(name for name in vars(runs) if name.startswith(("run_", "bare_")))
    named = (arena, allocating), (recording, scalar), (vectors, vector), (runs, together)
    found = {name: getattr(module, name) for module, names in named for name in names}
    if not stores:
        found |= {"write": recording.write_noted, "copy_to": recording.copy_noted, "bare_write": recording.nothing}
    return {PREFIX + name: function for name, function in {**found, "tile_zeros": tile_zeros, "compiled": njit(nogil=True)}.items()}
