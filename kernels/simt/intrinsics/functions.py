"""Table of the functions that CUDA gives a kernel, on lane vectors: `FUNCTIONS[name](context, *arguments)`.

Called where NumPy's floating-point warnings are off. For an atomic operation it is given here what becomes of the old value; the machine
does them lane after lane where addresses coincide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.simt.base import rounding
from kernels.simt.base.types import Scalar
from kernels.simt.frontend.declared_functions import BLOCK_SCOPE, SYSTEM_SCOPE
from kernels.simt.intrinsics import (
    barriers,
    bulk,
    clusters,
    copies,
    integers,
    launches,
    mathematics,
    matrices,
    random_numbers,
    remote,
    services,
    tensor_copies,
    updates,
    warpgroups,
    warps,
)
from kernels.simt.intrinsics.calling_convention import dtype_of, elementwise, of_one_type

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Functions, Value


_UPDATES: dict[str, Callable[..., Any]] = {
    "atomicAdd": np.add,
    "atomicSub": np.subtract,
    "atomicExch": lambda _, value: value,
    "atomicMin": np.minimum,
    "atomicMax": np.maximum,
    "atomicAnd": np.bitwise_and,
    "atomicOr": np.bitwise_or,
    "atomicXor": np.bitwise_xor,
    "atomicInc": updates.increment,
    "atomicDec": updates.decrement,
    "atomicCAS": lambda old, expected, value: np.where(old == expected, value, old),
}


def _atomic(update: Callable[..., Any]) -> Function:
    def call(context: Context, address: Value, *operands: Value) -> Value:
        assert context.call is not None
        scalar = context.call.type
        assert isinstance(scalar, Scalar)
        dtype = dtype_of(scalar)
        return context.atomic(address, scalar, update, *(context.vector(operand, dtype) for operand in operands))

    return call


def functions() -> dict[str, Function]:
    """Return every atomic by its CUDA name. Which threads it excludes is looked at by those who look for races."""
    return {f"{name}{scope}": _atomic(update) for name, update in _UPDATES.items() for scope in ("", BLOCK_SCOPE, SYSTEM_SCOPE)}


FUNCTIONS: Functions = {
    **{name: elementwise(function) for name, function in mathematics.functions().items()},
    **{name: elementwise(function) for name, function in integers.functions().items()},
    **{name: elementwise(function) for name, function in rounding.functions().items()},
    "min": of_one_type(mathematics.fmin, np.minimum),
    "max": of_one_type(mathematics.fmax, np.maximum),
    **warps.functions(),
    **functions(),
    **updates.functions(),
    **services.functions(mathematics.functions()),
    **copies.functions(),
    **matrices.functions(),
    **warpgroups.functions(),
    **barriers.functions(),
    **bulk.functions(),
    **clusters.functions(),
    **remote.functions(),
    **tensor_copies.functions(),
    **launches.functions(),
    **random_numbers.functions(),
}
"""By CUDA name."""
