"""Pieces of generated code that stand for values."""

from __future__ import annotations

import numpy as np

from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.layout import leaves, scalar_dtype


@dataclass(frozen=True, slots=True)
class Value:
    """Code of a scalar or pointer.

    `uniform`: it is a Python int or bool, or a NumPy scalar for floats; else a lane vector, or NumPy scalar, of the exact type.
    """

    code: str
    uniform: bool
    type: ir.Type


Leaves = tuple[Value, ...]
"""A value of any type: its scalars and pointers in the order of `layout.leaves`; one for a scalar, none for void."""


def leaf_types(c_type: ir.Type | None) -> tuple[ir.Scalar | ir.Pointer, ...]:
    """The scalars and pointers that a value consists of."""
    return () if c_type is None else tuple(scalar for _, scalar, _ in leaves(c_type))


def lane_dtype(c_type: ir.Type) -> np.dtype[np.generic]:
    """The type of a lane vector; addresses are signed, to be added to offsets."""
    if isinstance(c_type, ir.Pointer):
        return np.dtype(np.int64)
    assert isinstance(c_type, ir.Scalar)
    return scalar_dtype(c_type)


def is_float(c_type: ir.Type | None) -> bool:
    return isinstance(c_type, ir.Scalar) and c_type.kind is ir.Kind.FLOAT


def is_bool(c_type: ir.Type | None) -> bool:
    return isinstance(c_type, ir.Scalar) and c_type.kind is ir.Kind.BOOL


def dtype_code(c_type: ir.Type) -> str:
    """How the text names a lane type."""
    dtype = lane_dtype(c_type)
    return "np.bool_" if dtype == np.bool_ else f"np.{dtype.name}"


def typed(value: Value) -> str:
    """Code of the value as a vector or NumPy scalar of the exact type."""
    if not value.uniform or is_float(value.type):
        return value.code
    return f"{dtype_code(value.type)}({value.code})"


def zero(c_type: ir.Type, *, uniform: bool) -> str:
    """Code of 0."""
    if is_float(c_type) or not uniform:
        return f"{dtype_code(c_type)}(0)"
    return "False" if is_bool(c_type) else "0"
