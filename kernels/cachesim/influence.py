"""Whether what is in a kernel's matrices can decide which accesses it makes.

Where it cannot, as in products and transpositions, nothing need be stored while accesses are counted, and a compiler leaves out what was
computed for it. Read from the source: a value that was read from an array may not reach an index, a condition, a loop's range, a shape or
an argument of another function. What is not certain counts as if it did.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from kernels.cachesim import primitives

PACKAGE = "kernels."
SIMD = frozenset({"kernels.cpu.simd", "kernels.cpu.matrix_registers"})
PLAIN = SIMD | {"kernels.cpu.matrix", "kernels.cpu.vector_width", "kernels.cpu.teams", "kernels.cpu.atomics"}
"""Modules of ours without a kernel's own code. What those of `SIMD` touch is in `primitives`; the others touch no matrix."""
_SAFE = frozenset({"range", "len", "min", "max", "abs", "int", "float", "slice", "floats_to_line"})
"""What they return depends on their arguments alone, or on where a matrix lies."""
_OF_SHAPE = frozenset({"shape", "size", "ndim", "dtype", "strides"})
_ARRAYS = frozenset({"empty", "zeros", "empty_like", "zeros_like", "float32", primitives.ALLOCATING})
_VALUES = {
    **dict.fromkeys(primitives.READ, (0,)),
    **dict.fromkeys(primitives.CHANGING, (0, 3)),
    **dict.fromkeys(primitives.LINES, (0, 3, 4)),
    **dict.fromkeys(primitives.PANELS, (0, 1, 2)),
    **dict.fromkeys(primitives.REGISTERS | primitives.MATRIX_REGISTERS, (0, 1, 2)),
    "register_load": (1,),
}
"""Of a function of `SIMD` the arguments that are matrices and values."""


class Influence:
    """Looks at one module after the other, each after those that it imports."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        """Functions that return values of arrays."""
        self._functions: set[str] = set()
        self._given: dict[str, set[str]] = {}
        """By function of the module that is looked at: the parameters that are given values."""
        self.decides = False

    def look_at(self, tree: ast.Module, others: Iterable[str]) -> None:
        """`others`: functions without a matrix, that the module imports."""
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        self._functions |= {function.name for function in functions} | set(others)
        self._given = {function.name: set() for function in functions}
        parameters = {function.name: [each.arg for each in function.args.args] for function in functions}
        while True:
            before = len(self._values) + sum(map(len, self._given.values()))
            for function in functions:
                held = self._held_by(function)
                for node in ast.walk(function):
                    if isinstance(node, ast.Return) and node.value and self._is_value(node.value, held):
                        self._values.add(function.name)
                    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in parameters:
                        named = zip(parameters[node.func.id], node.args, strict=False)
                        self._given[node.func.id] |= {name for name, argument in named if self._is_value(argument, held)}
            if len(self._values) + sum(map(len, self._given.values())) == before:
                break
        self.decides = self.decides or any(
            self._is_value(sink, self._held_by(function)) for function in functions for sink in self._sinks(function)
        )

    def _held_by(self, function: ast.FunctionDef) -> set[str]:
        """The names that hold values of arrays."""
        held = set(self._given[function.name])
        while True:
            before = len(held)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value and self._is_value(node.value, held):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    held |= {part.id for each in targets for part in ast.walk(each) if isinstance(part, ast.Name) and _is_stored(part)}
            if len(held) == before:
                return held

    def _is_value(self, node: ast.AST, held: set[str]) -> bool:
        if isinstance(node, ast.Name):
            return node.id in held
        if isinstance(node, ast.Attribute) and node.attr in _OF_SHAPE:
            return False
        if isinstance(node, ast.Subscript) and not (isinstance(node.value, ast.Attribute) and node.value.attr == "shape"):
            return not any(isinstance(part, ast.Slice) for part in getattr(node.slice, "elts", [node.slice]))
        if isinstance(node, ast.Call):
            return self._call_is_value(node, held)
        return any(self._is_value(part, held) for part in ast.iter_child_nodes(node))

    def _call_is_value(self, node: ast.Call, held: set[str]) -> bool:
        function = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if function == "len" or function in _ARRAYS or function in self._functions:
            return function in self._values
        return function not in _SAFE or any(self._is_value(argument, held) for argument in node.args)

    def _sinks(self, function: ast.FunctionDef) -> Iterator[ast.AST]:
        """The expressions that decide something."""
        for node in ast.walk(function):
            if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
                yield node.test
            elif isinstance(node, ast.For):
                yield node.iter
            elif isinstance(node, ast.Subscript):
                yield node.slice
            elif isinstance(node, ast.BoolOp):
                yield node
            elif isinstance(node, ast.Call):
                yield from self._told(node)

    def _told(self, node: ast.Call) -> Iterator[ast.AST]:
        """The arguments that say where or how much, and all of a function that is not known to compute with values only. What stands in
        order in a call of the same module's is looked at in that function."""
        arguments = [*node.args, *(each.value for each in node.keywords)]
        if isinstance(node.func, ast.Name) and node.func.id in self._given:
            yield from arguments[len(node.args) :]
            return
        if isinstance(node.func, ast.Attribute):
            yield from arguments if node.func.attr in _ARRAYS - {"float32"} else ()
        elif isinstance(node.func, ast.Name) and node.func.id in primitives.KNOWN:
            values = _VALUES.get(node.func.id, ())
            yield from (argument for number, argument in enumerate(arguments) if number not in values)
        elif isinstance(node.func, ast.Name) and node.func.id not in _SAFE:
            yield from arguments


def values_decide(module: str) -> bool:
    """Whether values can decide which accesses the functions of a module make, or of those that it imports."""
    influence = Influence()
    seen: set[str] = set()

    def look(module: str) -> None:
        seen.add(module)
        tree = tree_of(module)
        plain: set[str] = set()
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(PACKAGE):
                assert statement.module is not None
                if statement.module not in PLAIN and statement.module not in seen:
                    look(statement.module)
                elif statement.module in PLAIN and statement.module not in SIMD:
                    plain |= {alias.asname or alias.name for alias in statement.names}
        influence.look_at(tree, plain)

    look(module)
    return influence.decides


def tree_of(module: str) -> ast.Module:
    """The syntax of a module of ours."""
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def path_of(module: str) -> Traversable:
    """Where its source is."""
    return files("kernels").joinpath(source_of(module))


def source_of(module: str) -> str:
    """Its source file, relative to the package `kernels`."""
    return module.removeprefix(PACKAGE).replace(".", "/") + ".py"


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)
