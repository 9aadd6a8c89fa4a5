"""Vectors and register tiles as numba types, and how code for them is emitted.

A vector of n floats is LLVM's `<n x float>`; where n is wider than a register, LLVM takes several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, Signature, infer_global
from numba.extending import lower_builtin, models, register_model

FLOAT = ir.FloatType()
INDEX = ir.IntType(64)
INT = ir.IntType(32)
FLOAT_BYTES = 4
UNALIGNED = 4
"""Bytes: all that is promised of an address is that it is a float's."""
LANES_OF_AVX512 = 16
Generate = Callable[["Code", Any, Any], Any]
"""Emits an instruction from the code so far, the signature and the values of its arguments."""


class VectorType(types.Type):
    """`lanes` floats in a register."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(f"float32x{lanes}")


class TileType(types.Type):
    """`rows` vectors of `columns` floats each."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns
        super().__init__(f"float32x{rows}x{columns}")


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: VectorType) -> None:
        super().__init__(manager, kind, ir.VectorType(FLOAT, kind.lanes))  # type: ignore[no-untyped-call]


@register_model(TileType)
class _TileModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: TileType) -> None:
        super().__init__(manager, kind, ir.ArrayType(ir.VectorType(FLOAT, kind.columns), kind.rows))  # type: ignore[no-untyped-call]


class Code:
    """Emits what several instructions have in common."""

    def __init__(self, context: Any, builder: Any) -> None:
        self.context = context
        self.builder = builder

    def address(self, kind: Any, array: Any, row: Any, column: Any) -> Any:
        """Where the element (row, column) of a matrix is. Rows may lie apart, as those of a part of a matrix do."""
        data = self.context.make_array(kind)(self.context, self.builder, array)
        stride = cgutils.unpack_tuple(self.builder, data.strides)[0]
        start = self.builder.add(self.builder.ptrtoint(data.data, INDEX), self.builder.mul(row, stride))
        return self.builder.gep(self.builder.inttoptr(start, FLOAT.as_pointer()), [column])

    def load(self, address: Any, lanes: int) -> Any:
        """A vector from memory."""
        return self.builder.load(self._vector_at(address, lanes), align=UNALIGNED)

    def store(self, value: Any, address: Any) -> None:
        """A vector into memory."""
        self.builder.store(value, self._vector_at(address, value.type.count), align=UNALIGNED)

    def store_streaming(self, value: Any, address: Any) -> None:
        """A vector into memory past the caches; its address is a multiple of its size."""
        size = value.type.count * FLOAT_BYTES
        stored = self.builder.store(value, self._vector_at(address, value.type.count), align=size)
        stored.set_metadata("nontemporal", self.builder.module.add_metadata([INT(1)]))

    def are_aligned(self, addresses: Sequence[Any], lanes: int) -> Any:
        """Whether each address is a multiple of the size of a vector of `lanes`, a power of two."""
        bits = INDEX(0)
        for address in addresses:
            bits = self.builder.or_(bits, self.builder.ptrtoint(address, INDEX))
        return self.builder.icmp_signed("==", self.builder.and_(bits, INDEX(lanes * FLOAT_BYTES - 1)), INDEX(0))

    def splat(self, value: Any, lanes: int) -> Any:
        """The value in every lane."""
        undefined = ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined)
        return self._shuffle(self.builder.insert_element(undefined, value, INT(0)), undefined, [0] * lanes)

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a b + c in every lane."""
        return self.call(f"llvm.fma.v{a.type.count}f32", a.type, [a, b, c])

    def call(self, name: str, result: Any, arguments: Sequence[Any]) -> Any:
        """One of LLVM's intrinsic functions."""
        return self.builder.call(self.function(name, ir.FunctionType(result, [argument.type for argument in arguments])), arguments)

    def function(self, name: str, kind: Any) -> Any:
        """A function of LLVM, declared where it is not yet."""
        return cgutils.get_or_insert_function(self.builder.module, kind, name)

    def transpose(self, rows: Sequence[Any], distance: int) -> list[Any]:
        """The columns of as many vectors as each has lanes, a power of two, by exchanging halves, quarters, and so on.

        In the round of distance d, each pair of vectors d apart exchanges the lanes whose number has, or lacks, the bit d. The first
        distance is half the lanes, or less where that round has been done.
        """
        lanes = len(rows)
        vectors = list(rows)
        while distance:
            low = [lane if not lane & distance else lanes + lane - distance for lane in range(lanes)]
            high = [lane + distance if not lane & distance else lanes + lane for lane in range(lanes)]
            for number in range(lanes):
                if not number & distance:
                    one, other = vectors[number], vectors[number + distance]
                    vectors[number] = self._shuffle(one, other, low)
                    vectors[number + distance] = self._shuffle(one, other, high)
            distance //= 2
        return vectors

    def _shuffle(self, one: Any, other: Any, lanes: Sequence[int]) -> Any:
        return self.builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(INT, len(lanes)), list(lanes)))

    def joined(self, one: Any, other: Any, first: Any) -> Any:
        """As many lanes as a vector has, from lane `first` on of two vectors side by side."""
        lanes = one.type.count
        if lanes == LANES_OF_AVX512:
            counted = ir.Constant(ir.VectorType(INT, lanes), list(range(lanes)))
            numbers = self.builder.add(counted, self.splat(self.builder.trunc(first, INT), lanes))
            return self.call("llvm.x86.avx512.vpermi2var.ps.512", one.type, [one, numbers, other])
        both = self.builder.bitcast(cgutils.alloca_once(self.builder, ir.VectorType(FLOAT, 2 * lanes)), FLOAT.as_pointer())
        self.store(one, both)
        self.store(other, self.builder.gep(both, [INDEX(lanes)]))
        return self.load(self.builder.gep(both, [first]), lanes)

    def beside(self, low: Any, high: Any) -> Any:
        """Two vectors as the halves of one."""
        return self._shuffle(low, high, range(2 * low.type.count))

    def first_lanes(self, count: Any, lanes: int) -> Any:
        """A mask that is true in the lanes below `count`."""
        numbers = ir.Constant(ir.VectorType(INDEX, lanes), list(range(lanes)))
        return self.builder.icmp_signed("<", numbers, self.splat(count, lanes))

    def masked_load(self, address: Any, mask: Any) -> Any:
        """The lanes of the mask from memory, zero elsewhere; what is not in the mask is not touched."""
        kind = ir.VectorType(FLOAT, mask.type.count)
        pointer = self._vector_at(address, kind.count)
        name = f"llvm.masked.load.v{kind.count}f32.p0"
        return self.call(name, kind, [pointer, INT(UNALIGNED), mask, ir.Constant(kind, None)])

    def masked_store(self, value: Any, address: Any, mask: Any) -> None:
        """The lanes of the mask into memory."""
        pointer = self._vector_at(address, value.type.count)
        self.call(f"llvm.masked.store.v{value.type.count}f32.p0", ir.VoidType(), [value, pointer, INT(UNALIGNED), mask])

    def _vector_at(self, address: Any, lanes: int) -> Any:
        return self.builder.bitcast(address, ir.VectorType(FLOAT, lanes).as_pointer())


def instruction(function: Callable[..., Any], type_of: Callable[..., Signature | None]) -> Callable[[Generate], Generate]:
    """Decorates the code of a function of `simd`: `type_of` gives its signature from the types of its arguments."""

    class Template(AbstractTemplate):
        key = function
        prefer_literal = True

        def generic(self, arguments: Any, keywords: Any) -> Signature | None:
            return None if keywords else type_of(*arguments)

    infer_global(function)(Template)

    def register(generate: Generate) -> Generate:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            result = generate(Code(context, builder), signature, values)
            return context.get_dummy_value() if result is None else result

        lower_builtin(function, types.VarArg(types.Any))(lower)
        return generate

    return register


def constant(kind: Any) -> int:
    """The value of an argument that must be a constant. Raises `TypingError` where it is not."""
    if not isinstance(kind, types.IntegerLiteral):
        from numba.core.errors import TypingError

        raise TypingError(f"the size of a vector or register tile must be a constant, not {kind}")
    return int(kind.literal_value)
