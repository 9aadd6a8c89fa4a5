"""How C types lie in memory: their names, their scalars with offsets, the NumPy types that hold them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernels.simt.base.types import Array, Kind, Pointer, Scalar, Struct, Type

POINTER_BYTES = 8
_NAMES = {
    (Kind.BOOL, 1): "bool",
    (Kind.SIGNED, 1): "signed char",
    (Kind.SIGNED, 2): "short",
    (Kind.SIGNED, 4): "int",
    (Kind.SIGNED, 8): "long long",
    (Kind.UNSIGNED, 1): "unsigned char",
    (Kind.UNSIGNED, 2): "unsigned short",
    (Kind.UNSIGNED, 4): "unsigned int",
    (Kind.UNSIGNED, 8): "unsigned long long",
    (Kind.FLOAT, 2): "half",
    (Kind.FLOAT, 4): "float",
    (Kind.FLOAT, 8): "double",
}
_CODES = {Kind.BOOL: "b", Kind.SIGNED: "i", Kind.UNSIGNED: "u", Kind.FLOAT: "f"}


def type_name(c_type: Type | None) -> str:
    """The type as one writes it in CUDA C; None is void."""
    match c_type:
        case None:
            return "void"
        case Scalar():
            return "__nv_bfloat16" if c_type.brain else _NAMES[c_type.kind, c_type.size]
        case Struct():
            return c_type.name
        case Array():
            return f"{type_name(c_type.element)}[{c_type.count}]"
        case Pointer():
            return f"{type_name(c_type.target)}*"


def written_name(c_type: Type | None) -> str:
    """The type as the text has it: `char` and `size_t` where it says so."""
    match c_type:
        case Scalar() if c_type.name:
            return c_type.name
        case Array():
            return f"{written_name(c_type.element)}[{c_type.count}]"
        case Pointer():
            return f"{written_name(c_type.target)}*"
    return type_name(c_type)


def size_of(c_type: Type | None) -> int:
    """Bytes of one object; 1 for void, as pointer arithmetic on void* counts bytes."""
    match c_type:
        case None:
            return 1
        case Scalar() | Struct():
            return c_type.size
        case Array():
            return c_type.count * size_of(c_type.element)
        case Pointer():
            return POINTER_BYTES


def leaves(c_type: Type, name: str = "", offset: int = 0) -> Iterator[tuple[str, Scalar | Pointer, int]]:
    """The scalars and pointers that an object consists of, in order: path ("v.x", "a[2]"), type, offset in bytes."""
    match c_type:
        case Struct():
            for field in c_type.fields:
                path = f"{name}.{field.name}" if field.name else name  # a base class has no name
                yield from leaves(field.type, path, offset + field.offset)
        case Array():
            for index in range(c_type.count):
                yield from leaves(c_type.element, f"{name}[{index}]", offset + index * size_of(c_type.element))
        case _:
            yield name, c_type, offset


def scalar_dtype(scalar: Scalar | Pointer) -> np.dtype[np.generic]:
    """The NumPy type with the scalar's bytes; uint16 (the bit pattern) for bfloat16, uint64 for a pointer, bool for bool."""
    if isinstance(scalar, Pointer):
        return np.dtype(np.uint64)
    if scalar.kind is Kind.BOOL:
        return np.dtype(np.bool_)
    if scalar.brain:
        return np.dtype(np.uint16)
    return np.dtype(f"{_CODES[scalar.kind]}{scalar.size}")


def numpy_dtype(c_type: Type | None) -> np.dtype[np.generic]:
    """The NumPy type of one object: a plain one for a scalar, a structured one for a struct, bytes for void."""
    match c_type:
        case None:
            return np.dtype(np.uint8)
        case Scalar() | Pointer():
            return scalar_dtype(c_type)
        case Array():
            return np.dtype((numpy_dtype(c_type.element), (c_type.count,)))
        case Struct():
            fields = c_type.fields
            return np.dtype(
                {
                    "names": [field.name or f"base{field.offset}" for field in fields],
                    "formats": [numpy_dtype(field.type) for field in fields],
                    "offsets": [field.offset for field in fields],
                    "itemsize": c_type.size,
                }
            )


def integer_range(scalar: Scalar) -> tuple[int, int]:
    """The least and the largest value of an integer type."""
    bits = 8 * scalar.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if scalar.kind is Kind.SIGNED else (0, (1 << bits) - 1)
