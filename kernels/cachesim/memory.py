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
LANES = 8
"""Fields that `first_match`, `mark` and `shift_in` take at once."""
_LANES = ir.VectorType(_WORD, LANES)
Function = TypeVar("Function", bound=Callable[..., Any])


def inlined(function: Function) -> Function:
    """Decorates a function that becomes part of those that call it: left to itself, LLVM calls the larger ones."""
    made: Function = register_jitable(forceinline=True)(function)
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


def _prefetched(_typing: Any, _address: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", (_BYTE.as_pointer(),), kind)
        builder.call(function, [builder.inttoptr(arguments[0], _BYTE.as_pointer()), flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(types.int64), generate


def _first_match(_typing: Any, _block: Any, _word: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        block, word, mask = arguments
        words = builder.load(_lanes_at(builder, block), align=BYTES)
        found = _equal(builder, words, word, mask)
        bits = builder.zext(builder.bitcast(found, ir.IntType(LANES)), _WORD)
        return builder.cttz(builder.or_(bits, _WORD(1 << LANES)), ir.IntType(1)(1))

    return types.int64(types.int64, types.int64, types.int64), generate


def _mark(_typing: Any, _block: Any, _word: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        block, word, mask = arguments
        words = builder.load(_lanes_at(builder, block), align=BYTES)
        found = _equal(builder, words, word, mask)
        builder.store(builder.or_(words, builder.zext(found, _LANES)), _lanes_at(builder, block), align=BYTES)
        return builder.zext(builder.bitcast(found, ir.IntType(LANES)), _WORD)

    return types.int64(types.int64, types.int64, types.int64), generate


def _shift_in(_typing: Any, _block: Any, _rank: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        block, rank, word = arguments
        place = _lanes_at(builder, block)
        words = builder.load(place, align=BYTES)
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [LANES, *range(LANES - 1)])
        moved = builder.shuffle_vector(words, _splat(builder, word), order)
        # the mask comes from memory: LLVM would make a masked store of one that it sees, and what that leaves is slow to be loaded again
        moves = builder.load(_lanes_at(builder, builder.sub(_steps(builder), builder.mul(rank, _WORD(BYTES)))), align=BYTES)
        builder.store(builder.xor(words, builder.and_(builder.xor(words, moved), moves)), place, align=BYTES)
        return builder.extract_element(words, ir.IntType(32)(LANES - 1))

    return types.int64(types.int64, types.int64, types.int64), generate


def _steps(builder: Any) -> Any:
    """The address of a mask in memory for `shift_in`: the first lane; each word before it is one lane more."""
    kind = ir.ArrayType(_WORD, 2 * LANES)
    steps = builder.module.globals.get(".cachesim.steps")
    if steps is None:
        steps = ir.GlobalVariable(builder.module, kind, ".cachesim.steps")
        steps.global_constant, steps.linkage = True, "internal"
        steps.initializer = ir.Constant(kind, [-1] * LANES + [0] * LANES)
    return builder.add(builder.ptrtoint(steps, _WORD), _WORD((LANES - 1) * BYTES))


def _equal(builder: Any, words: Any, word: Any, mask: Any) -> Any:
    return builder.icmp_unsigned("==", builder.and_(words, _splat(builder, mask)), _splat(builder, word))


def _lanes_at(builder: Any, block: Any) -> Any:
    return builder.inttoptr(block, _LANES.as_pointer())


def _splat(builder: Any, word: Any) -> Any:
    one = builder.insert_element(ir.Constant(_LANES, ir.Undefined), word, ir.IntType(32)(0))
    return builder.shuffle_vector(one, ir.Constant(_LANES, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


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
prefetched = cast(Callable[[int], None], intrinsic(_prefetched))
"""`prefetched(address)`: ask for the cache line of the processor's that is there."""
first_match = cast(Callable[[int, int, int], int], intrinsic(_first_match))
"""`first_match(block, word, mask)`: which of the first `LANES` fields is `word` under the mask; `LANES` where none is."""
shift_in = cast(Callable[[int, int, int], int], intrinsic(_shift_in))
"""`shift_in(block, rank, word)`: of the first `LANES` fields those before `rank` move back by one, over the one at it, and `word` goes in
front; the last of the fields as it was before."""
mark = cast(Callable[[int, int, int], int], intrinsic(_mark))
"""`mark(block, word, mask)`: makes bit 0 of those of the first `LANES` fields 1 that are `word` under the mask; 0 where none is."""
