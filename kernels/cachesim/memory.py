"""The few things that a recording kernel and the model do with bare memory, as functions that cost an instruction each once compiled.

A block is the address of 64-bit numbers, its fields; arrays as arguments would have their references counted at every access.

What an access looks like between a running kernel and the model: one 64-bit number.

bits   0-35   address in bytes, from the start of the matrices
bits  36-43   its size in bytes
bit   44      1 for a streaming write, which goes past the caches
bit   45      1 for a write
bits  46-51   the array, an index into the names of the execution's arrays
bits  52-62   the place in the source, an index into the places of the instrumented source
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import config, njit, types
from numba.extending import intrinsic, overload, register_jitable

from kernels.jit.compile import CACHE_VARIABLE

Entries = npt.NDArray[np.int64]

BYTES = 8
"""Of such a number."""
ADDRESS_BITS, SIZE_BITS, ARRAY_BITS, PLACE_BITS = 36, 8, 6, 11
SIZE_SHIFT = ADDRESS_BITS
STREAM_SHIFT = SIZE_SHIFT + SIZE_BITS
WRITE_SHIFT = STREAM_SHIFT + 1
ARRAY_SHIFT = WRITE_SHIFT + 1
PLACE_SHIFT = ARRAY_SHIFT + ARRAY_BITS
ADDRESS_MASK = (1 << ADDRESS_BITS) - 1
SIZE_MASK = (1 << SIZE_BITS) - 1
ARRAY_MASK = (1 << ARRAY_BITS) - 1
MOST_ARRAYS = 1 << ARRAY_BITS
MOST_PLACES = 1 << PLACE_BITS


@dataclass(frozen=True, slots=True, eq=False)
class Accesses:
    """Accesses in the order of the execution, as columns. `size` is in bytes."""

    address: npt.NDArray[np.int64]
    size: npt.NDArray[np.int16]
    write: npt.NDArray[np.bool_]
    array: npt.NDArray[np.uint8]
    place: npt.NDArray[np.int16]

    @staticmethod
    def unpacked(entries: Entries) -> Accesses:
        """The columns of packed accesses."""
        return Accesses(
            entries & ADDRESS_MASK,
            ((entries >> SIZE_SHIFT) & SIZE_MASK).astype(np.int16),
            ((entries >> WRITE_SHIFT) & 1).astype(np.bool_),
            ((entries >> ARRAY_SHIFT) & ARRAY_MASK).astype(np.uint8),
            (entries >> PLACE_SHIFT).astype(np.int16),
        )

    def __len__(self) -> int:
        return len(self.address)

    @property
    def bytes(self) -> int:
        """What they take in memory."""
        return sum(column.nbytes for column in (self.address, self.size, self.write, self.array, self.place))


_WORD = ir.IntType(64)
_BYTE = ir.IntType(8)
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Decorates a function that numba compiles, and keeps on disk where there is a folder for it."""
    directory = os.environ.get(CACHE_VARIABLE, "")
    config.CACHE_DIR = directory  # type: ignore[attr-defined]  # numba itself reads the variable only at its import
    return cast(Function, njit(nogil=True, cache=bool(directory))(function))


def inlined(function: Function) -> Function:
    """Decorates a function that becomes part of those that call it."""
    made: Function = register_jitable(function)
    return made


def compiles_as(function: Callable[..., Any]) -> Callable[[Function], Function]:
    """Decorates what gives, for the types of its arguments, the Python function that is compiled where `function` is called."""
    return cast(Callable[[Function], Function], overload(function, strict=False))


def _field(_typing: Any, _block: Any, _number: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_place(builder, *arguments))

    return types.int64(types.int64, types.int64), generate


def _set_field(_typing: Any, _block: Any, _number: Any, _value: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        block, number, value = arguments
        builder.store(value, _place(builder, block, number))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _byte(_typing: Any, _block: Any, _number: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address = builder.inttoptr(builder.add(*arguments), _BYTE.as_pointer())
        return builder.zext(builder.load(address), _WORD)

    return types.int64(types.int64, types.int64), generate


def _call(_typing: Any, _function: Any, _argument: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        function = builder.inttoptr(arguments[0], ir.FunctionType(_WORD, [_WORD]).as_pointer())
        return builder.call(function, [arguments[1]])

    return types.int64(types.int64, types.int64), generate


def _data_address(_typing: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.ptrtoint(data, _WORD)

    return types.int64(array), generate


def _pointer(_typing: Any, _address: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], _BYTE.as_pointer())

    return types.voidptr(types.int64), generate


def _place(builder: Any, block: Any, number: Any) -> Any:
    return builder.inttoptr(builder.add(block, builder.mul(number, _WORD(BYTES))), _WORD.as_pointer())


field = cast(Callable[[int, int], int], intrinsic(_field))
"""`field(block, number)`: the field with this number."""
set_field = cast(Callable[[int, int, int], None], intrinsic(_set_field))
"""`set_field(block, number, value)`."""
byte = cast(Callable[[int, int], int], intrinsic(_byte))
"""`byte(block, number)`: the byte with this number, from 0 to 255."""
call = cast(Callable[[int, int], int], intrinsic(_call))
"""`call(function, number)`: what the C function at this address returns for a 64-bit number."""
data_address = cast(Callable[[Any], int], intrinsic(_data_address))
"""`data_address(array)`: where its first element is."""
pointer = cast(Callable[[int], Any], intrinsic(_pointer))
"""`pointer(address)`: what `numba.carray` makes an array of."""
