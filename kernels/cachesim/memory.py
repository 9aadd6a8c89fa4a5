"""The few things that a recording kernel and the model do with bare memory, as functions that cost an instruction each once compiled.

A block is the address of 64-bit numbers, its fields; arrays as arguments would have their references counted at every access.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from kernels.cachesim.stream import BYTES

_WORD = ir.IntType(64)
_BYTE = ir.IntType(8)
Function = TypeVar("Function", bound=Callable[..., Any])


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
