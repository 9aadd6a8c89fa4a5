"""A kernel's own module: its functions, and the constants that parameters set."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from kernels.base.spec import Parameters, Variant

Kernel = Callable[..., None]
"""Called with the variant's matrices and then its parameters, in the order of its signature."""


PRIMITIVES = frozenset({"kernels.cpu.atomics", "kernels.cpu.teams", "kernels.cpu.simd", "kernels.cpu.matrix_registers"})
"""Modules whose functions numba is taught as such."""


def kernel_module(variant: Variant) -> ModuleType:
    """The module that the variant's source is."""
    return importlib.import_module("kernels." + variant.source.removesuffix(".py").replace("/", "."))


def kernel_function(variant: Variant) -> Kernel:
    """The kernel's own Python function."""
    function: Kernel = getattr(kernel_module(variant), variant.entry)
    return function


def is_for_a_team(variant: Variant) -> bool:
    """Whether the kernel runs on several threads at once."""
    return not variant.library and "team" in inspect.signature(kernel_function(variant)).parameters


def constants(variant: Variant, parameters: Parameters) -> dict[str, int]:
    """What the parameters set in the module: a parameter `mr` is the constant MR where the module has one; 0 leaves it as it is there."""
    names = vars(kernel_module(variant))
    return {name.upper(): value for name, value in parameters.items() if value and name.upper() in names}


def arguments(variant: Variant, parameters: Parameters) -> tuple[int, ...]:
    """The values of those parameters that the kernel takes when it is called, in the order of its signature."""
    return tuple(parameters[name] for name in inspect.signature(kernel_function(variant)).parameters if name in parameters)


def with_constants(module: ModuleType, values: Mapping[str, int], wrap: Callable[[FunctionType], Any]) -> dict[str, Any]:
    """A copy of the module's names with other constants, and each function of a kernel's text copied and wrapped.

    These are the module's own functions, and those that it imports from another module of CPU kernels. The copies see each other and
    the new constants, so one module can serve several sizes at a time.
    """
    names: dict[str, Any] = {**vars(module), **values}
    for name, value in vars(module).items():
        if not isinstance(value, FunctionType):
            continue
        if value.__module__ == module.__name__:
            copy = FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
            copy.__module__, copy.__qualname__, copy.__annotations__ = value.__module__, value.__qualname__, value.__annotations__
            names[name] = wrap(copy)
        elif value.__module__.startswith("kernels.cpu.") and value.__module__ not in PRIMITIVES:
            names[name] = with_constants(importlib.import_module(value.__module__), {}, wrap)[value.__name__]
    return names
