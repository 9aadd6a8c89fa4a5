"""From a variant to its instrumented kernel: the modules that its source consists of, instrumented and ready to be compiled."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import numpy as np

from kernels.cachesim.calls import PREFIX
from kernels.cachesim.instrument import SourcePass
from kernels.cachesim.numbering import Numbering, Place
from kernels.cpu.compile import CACHE_VARIABLE, folder_of, keep_in
from kernels.cpu.source import constants, digest, kernel_function
from kernels.spec import Parameters, Problem, Variant

_PACKAGE = "kernels."
_SIMD = "kernels.cpu.simd"
_PLAIN = frozenset({"kernels.cpu.matrix", "kernels.cpu.lanes", "kernels.cpu.schedules", "kernels.cpu.atomics", _SIMD})
"""Modules of ours without a kernel's own code. What `simd` touches is in `primitives`; the others touch no matrix."""


@dataclass(frozen=True, slots=True)
class InstrumentedKernel:
    """A kernel that takes its matrices, its parameters and, last, a recorder. Its first call compiles it."""

    variant: Variant
    function: Callable[..., None]
    arguments: tuple[str, ...]
    """Their names, without the recorder's."""
    arrays: tuple[str, ...]
    """The matrices, and then what the kernel makes for itself, by the names that its source gives."""
    places: tuple[Place, ...]


def instrumented(variant: Variant, parameters: Parameters) -> InstrumentedKernel:
    """The variant's kernel with recording added, with those of the parameters that are constants of its module.

    Raises `NotInstrumentable`.
    """
    return _instrumented(variant, tuple(sorted(constants(variant, parameters).items())))


@lru_cache(maxsize=64)
def _instrumented(variant: Variant, constants: tuple[tuple[str, int], ...]) -> InstrumentedKernel:
    numbering = Numbering(tuple(Problem.square(variant.operation, 1).shapes))
    name = _PACKAGE + variant.source.removesuffix(".py").replace("/", ".")
    function = _kept(variant, constants, _Loader(numbering, dict(constants)).namespace(name)[variant.entry])
    arguments = tuple(inspect.signature(kernel_function(variant)).parameters)
    for argument in arguments:
        if argument.isupper():  # a matrix, or memory that the threads of a team share
            numbering.array(argument)
    return InstrumentedKernel(variant, function, arguments, numbering.arrays, numbering.places)


def _kept(variant: Variant, constants: tuple[tuple[str, int], ...], function: Any) -> Callable[..., None]:
    """The instrumented function as one that numba keeps on disk, where there is a folder for it."""
    directory = os.environ.get(CACHE_VARIABLE, "")
    if not directory:
        return cast(Callable[..., None], function)
    from numba import njit

    made_of = digest(), digest("kernels.cachesim"), repr(constants)
    keep_in(folder_of(f"{variant.id}-recording", made_of, Path(directory)))
    return cast(Callable[..., None], njit(nogil=True, cache=True)(function.py_func))


class _Loader:
    """Executes modules whose functions are instrumented, each once."""

    def __init__(self, numbering: Numbering, constants: Mapping[str, int]) -> None:
        self._numbering = numbering
        self._constants = constants
        self._loaded: dict[str, dict[str, Any]] = {}

    def namespace(self, module: str) -> dict[str, Any]:
        """What the instrumented module defines."""
        if module not in self._loaded:
            self._loaded[module] = namespace = {**recording_functions(), "np": np, "__name__": module}
            self._execute(module, namespace)
        return self._loaded[module]

    def _execute(self, module: str, namespace: dict[str, Any]) -> None:
        source = module.removeprefix(_PACKAGE).replace(".", "/") + ".py"
        path = files("kernels").joinpath(source)
        tree = ast.parse(path.read_text(encoding="utf-8"))
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
        passed = SourcePass(source, self._numbering, frozenset(functions), simd, frozenset(plain)).module(tree)
        exec(compile(passed, str(path), "exec"), namespace)  # by the path numba knows what to keep it as
        namespace |= self._constants

    def _import(
        self, statement: ast.ImportFrom, namespace: dict[str, Any], functions: set[str], simd: dict[str, str], plain: set[str]
    ) -> None:
        """Bring in what the statement names, and sort it: instrumented functions, those of `simd`, those that touch no matrix."""
        assert statement.module is not None
        names = {alias.asname or alias.name: alias.name for alias in statement.names}
        if statement.module in _PLAIN:
            namespace |= {known: getattr(importlib.import_module(statement.module), name) for known, name in names.items()}
            if statement.module == _SIMD:
                simd |= names
            else:
                plain |= set(names)
            return
        imported = self.namespace(statement.module)
        namespace |= {known: imported[name] for known, name in names.items()}
        functions |= {known for known, name in names.items() if hasattr(imported[name], "py_func")}


def recording_functions() -> dict[str, Any]:
    """What instrumented source calls, by the names that it calls them. Imports numba."""
    from numba import njit

    from kernels.cachesim import arena, recording, vectors

    allocating = ("empty", "taken", "released")
    scalar = ("read", "write", "copy_to", "used", "modified", "filled")
    vector = ("read_block", "write_block", "stream_block", "update_block", "read_floats", "read_vectors")
    found = {
        name: getattr(module, name) for module, names in ((arena, allocating), (recording, scalar), (vectors, vector)) for name in names
    }
    return {PREFIX + name: function for name, function in {**found, "compiled": njit(nogil=True)}.items()}
