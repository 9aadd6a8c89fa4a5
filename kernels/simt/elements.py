"""The elements of an array as numbers, by the type that its allocation names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.intrinsics.half import bfloat16_value
from kernels.simt.trace import Allocation

_SCALARS = {
    "bool": "?", "signed char": "i1", "short": "i2", "int": "i4", "long long": "i8", "unsigned char": "u1", "unsigned short": "u2",
    "unsigned int": "u4", "unsigned long long": "u8", "half": "f2", "float": "f4", "double": "f8", "void": "u1",
}  # fmt: skip
_VECTORS = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8", "ulong": "u8", "longlong": "i8",
    "ulonglong": "u8", "half": "f2", "float": "f4", "double": "f8",
}  # fmt: skip
_VECTOR = re.compile(r"([a-z]+)[1-4]")
_BFLOAT16 = re.compile(r"__nv_bfloat162?")


@dataclass(frozen=True, slots=True)
class Scalars:
    """An array seen as scalars one after another: a float4 is four, a struct as many unsigned words as it has room for.

    `bits` are a scalar's bits as an unsigned integer, `dtype` what they mean; `brain`: they are bfloat16, shown as float32.
    """

    bits: np.dtype[Any]
    dtype: np.dtype[Any]
    brain: bool = False

    @property
    def bytes(self) -> int:
        return self.bits.itemsize

    def values(self, bits: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The numbers that these bits stand for."""
        if self.brain:
            return np.asarray(bfloat16_value(bits), np.float32)
        return bits != 0 if self.dtype == np.bool_ else bits.view(self.dtype)


def scalars_of(array: Allocation) -> Scalars:
    """How an array is shown. Pointers are 64-bit numbers; structs have words of four bytes (two, one where those do not fit)."""
    size = max(array.element_bytes, 1)
    vector = _VECTOR.fullmatch(array.element)
    code = _SCALARS.get(array.element) or (_VECTORS.get(vector[1]) if vector is not None else None)
    if _BFLOAT16.fullmatch(array.element) and size % 2 == 0:
        return Scalars(np.dtype(np.uint16), np.dtype(np.float32), brain=True)
    if array.element.endswith("*"):
        code = "u8"
    if code is None or size % np.dtype(code).itemsize:
        code = next(word for word in ("u4", "u2", "u1") if size % int(word[1]) == 0)
    dtype = np.dtype(code)
    return Scalars(np.dtype(f"u{dtype.itemsize}"), dtype)
