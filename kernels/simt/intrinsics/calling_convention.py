"""Calling convention of intrinsics: from functions of arrays to functions that generated code calls: `function(context, *arguments)`.

An argument is a lane vector of the exact type, or one value for all lanes: int, bool, or a NumPy scalar for floats. So is the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.types import Pointer, Scalar, Type

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value


def dtype_of(c_type: Type | None) -> np.dtype[Any]:
    """The type of a scalar's lanes."""
    assert isinstance(c_type, Scalar | Pointer)
    return scalar_dtype(c_type)


def result_dtype(context: Context) -> np.dtype[Any]:
    """The type of the call's result."""
    assert context.call is not None
    return dtype_of(context.call.type)


def argument_dtype(context: Context, position: int) -> np.dtype[Any]:
    """The type of one of the call's arguments."""
    assert context.call is not None
    return dtype_of(context.call.arguments[position].type)


def settled(value: Any, dtype: np.dtype[Any]) -> Value:
    """A result in the declared type: a vector, or the one value that all lanes have."""
    array = np.asarray(value)
    if array.dtype != dtype:
        array = array.astype(dtype)
    if array.ndim:
        return array
    return array[()] if dtype.kind == "f" else array.item()


def elementwise(function: Callable[..., Any]) -> Function:
    """Return a function of the lanes' values alone, given in the types of the call's arguments."""

    def call(context: Context, *arguments: Value) -> Value:
        typed = [
            each if isinstance(each, np.ndarray) else np.asarray(each, argument_dtype(context, position))
            for position, each in enumerate(arguments)
        ]
        return settled(function(*typed), result_dtype(context))

    return call


def of_one_type(floats: Callable[..., Any], integers: Callable[..., Any]) -> Function:
    """An overloaded function whose arguments are first converted to the type of its result."""

    def call(context: Context, *arguments: Value) -> Value:
        dtype = result_dtype(context)
        typed = [converted(each, argument_dtype(context, position), dtype) for position, each in enumerate(arguments)]
        return settled((floats if dtype.kind == "f" else integers)(*typed), dtype)

    return call


def converted(value: Value, source: np.dtype[Any], target: np.dtype[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    array = np.asarray(value, None if isinstance(value, np.ndarray) else source)
    return array if array.dtype == target else array.astype(target)
