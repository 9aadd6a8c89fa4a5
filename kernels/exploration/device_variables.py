"""Variables of the device that a launch was given: while edges are looked for they stand among its arguments, numbers and arrays alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from kernels.simt import ir
from kernels.simt.base.launch import Argument, LaunchRequest
from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.types import Array, Kind, Pointer, Scalar, Type
from kernels.simt.machine.memory import array_shape, variable_key
from kernels.simt.run.launchable import argument_types, settable_variables


def given_types(kernel: ir.Kernel) -> dict[str, Scalar | Pointer]:
    """What a launch is given by name: the parameters, and variables of whole numbers, an array like a pointer to its elements."""
    return {**{name: _as_type(each.type) for name, each in _variables(kernel).items()}, **argument_types(kernel)}


def among_arguments(kernel: ir.Kernel, launch: LaunchRequest) -> LaunchRequest:
    """The launch with the variables that it was given as arguments."""
    keys = {name: variable_key(each) for name, each in _variables(kernel).items()}
    found: dict[str, Argument] = {}
    for name, variable in _variables(kernel).items():
        if keys[name] in launch.variables:
            shape, element = array_shape(variable.type)
            assert isinstance(element, Scalar)
            held = launch.variables[keys[name]].view(scalar_dtype(element))
            found[name] = held.copy() if shape else int(held[0])
    return replace(launch, arguments={**launch.arguments, **found})


def settled(kernel: ir.Kernel, launch: LaunchRequest) -> tuple[LaunchRequest, Mapping[str, Argument]]:
    """A launch as it is executed, its variables no arguments any more; and the variables by name."""
    variables = {name: each for name, each in _variables(kernel).items() if name in launch.arguments}
    if not variables:
        return launch, {}
    values = {name: launch.arguments[name] for name in variables}
    held = {variable_key(each): _bytes(values[name], each.type) for name, each in variables.items()}
    arguments = {name: given for name, given in launch.arguments.items() if name not in variables}
    return replace(launch, arguments=arguments, variables={**launch.variables, **held}), values


def _variables(kernel: ir.Kernel) -> dict[str, ir.Variable]:
    """The variables of whole numbers that no parameter hides."""
    parameters = argument_types(kernel)
    return {each.name: each for each in settable_variables(kernel) if each.name not in parameters and _is_whole(array_shape(each.type)[1])}


def _is_whole(element: Type) -> bool:
    return isinstance(element, Scalar) and element.kind in (Kind.SIGNED, Kind.UNSIGNED)


def _as_type(kind: Type) -> Scalar | Pointer:
    assert isinstance(kind, Scalar | Array)
    return kind if isinstance(kind, Scalar) else Pointer(array_shape(kind)[1])


def _bytes(value: Argument, kind: Type) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    element = array_shape(kind)[1]
    assert isinstance(element, Scalar)
    return np.atleast_1d(np.asarray(value).astype(scalar_dtype(element))).view(np.uint8)
