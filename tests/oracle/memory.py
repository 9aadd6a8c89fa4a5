"""The oracle's memory: one flat array of bytes in which every variable of every thread, shared array and argument has its place."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from kernels.simt.ir import Array, Kind, Member, Place, Pointer, Scalar, Struct, Type, Whole

Value = int | np.floating | tuple["Value", ...]
"""Integers, bools and addresses are ints in the range of their type; floats are NumPy scalars; structs and arrays are tuples."""

INTEGERS = {(Kind.BOOL, 1): "<B"} | {
    (kind, size): "<" + (code.upper() if kind is Kind.UNSIGNED else code)
    for kind in (Kind.SIGNED, Kind.UNSIGNED)
    for size, code in ((1, "b"), (2, "h"), (4, "i"), (8, "q"))
}
FLOATS: dict[int, Callable[..., np.floating]] = {2: np.float16, 4: np.float32, 8: np.float64}
ALIGNMENT = 256


def size_of(kind: Type) -> int:
    """Bytes that an object of this type takes."""
    if isinstance(kind, Pointer):
        return 8
    return size_of(kind.element) * kind.count if isinstance(kind, Array) else kind.size


def zero(kind: Type) -> Value:
    """The value whose bits are all 0."""
    if isinstance(kind, Struct):
        return tuple(zero(field.type) for field in kind.fields)
    if isinstance(kind, Array):
        return (zero(kind.element),) * kind.count
    return FLOATS[kind.size](0) if isinstance(kind, Scalar) and kind.kind is Kind.FLOAT else 0


def complete(members: tuple[Value, ...], kind: Type) -> Value:
    """An array's last elements are zero where they are not given."""
    return members + (zero(kind.element),) * (kind.count - len(members)) if isinstance(kind, Array) else members


def step(pointer: Type | None) -> int:
    """Bytes from one element to the next of what a pointer points to."""
    assert isinstance(pointer, Pointer)
    return size_of(pointer.target) if pointer.target is not None else 1


def type_of(place: Place) -> Type:
    match place:
        case Whole():
            return place.variable.type
        case Member():
            return place.field.type
    return place.type


class Memory:
    """Bytes by address. Address 0 is never given out."""

    def __init__(self) -> None:
        self.bytes = bytearray(ALIGNMENT)

    def allocate(self, size: int) -> int:
        """The address of `size` fresh zero bytes."""
        address = -(-len(self.bytes) // ALIGNMENT) * ALIGNMENT
        self.bytes += bytes(address + max(size, 1) - len(self.bytes))
        return address

    def read(self, address: int, kind: Type) -> Value:
        if isinstance(kind, Struct):
            return tuple(self.read(address + field.offset, field.type) for field in kind.fields)
        if isinstance(kind, Array):
            return tuple(self.read(address + i * size_of(kind.element), kind.element) for i in range(kind.count))
        self._check(address, kind)
        if isinstance(kind, Scalar) and kind.kind is Kind.FLOAT:
            return FLOATS[kind.size](np.frombuffer(self.bytes, f"<f{kind.size}", 1, address)[0])
        return int(struct.unpack_from(self._format(kind), self.bytes, address)[0])

    def write(self, address: int, kind: Type, value: Value) -> None:
        if isinstance(kind, Struct | Array):
            assert isinstance(value, tuple)
            for i, member in enumerate(value):
                if isinstance(kind, Struct):
                    self.write(address + kind.fields[i].offset, kind.fields[i].type, member)
                else:
                    self.write(address + i * size_of(kind.element), kind.element, member)
            return
        self._check(address, kind)
        if isinstance(kind, Scalar) and kind.kind is Kind.FLOAT:
            self.bytes[address : address + kind.size] = FLOATS[kind.size](value).tobytes()
        else:
            struct.pack_into(self._format(kind), self.bytes, address, value)

    def _check(self, address: int, kind: Type) -> None:
        assert ALIGNMENT <= address <= len(self.bytes) - size_of(kind), f"address {address} outside of memory"

    @staticmethod
    def _format(kind: Type) -> str:
        return INTEGERS[kind.kind, kind.size] if isinstance(kind, Scalar) else "<Q"
