"""What the generator knows of CUDA functions by their names."""

from __future__ import annotations

from kernels.simt import ir
from kernels.simt.fragments import PRODUCT, product_operations
from kernels.simt.generate.values import is_float

PURE = frozenset(
    name
    for line in (
        "min max abs labs llabs fminf fmaxf fmin fmax fabsf fabs sqrtf sqrt rsqrtf expf exp exp2f logf log log2f powf pow sinf cosf",
        "tanhf floorf ceilf floor ceil roundf round truncf trunc fmaf fma __fdividef __expf __logf __mul24 __umul24 __mulhi __umulhi",
        "__clz __popc __ffs __brev __float2int_rn __float2int_rz __float2int_rd __float2int_ru __int2float_rn",
        "__float_as_int __int_as_float",
    )
    for name in line.split()
)
"""Those whose result depends on nothing but their arguments, so that it is uniform where they are; of any other it varies."""

_FUSED = frozenset(("fma", "fmaf", "__fmaf_rn", "__fma_rn", "__hfma"))
_WITHOUT_ARITHMETIC = (
    "atomic", "__shfl", "__float", "__double", "__int", "__uint", "__ll", "__ull", "__half", "__hiloint", "fmin", "fmax", "fabs", "min",
    "max", "abs", "copysign", "floor", "ceil", "trunc", "rint", "round", "nearbyint", "ldexp", "scalbn",
)  # fmt: skip
"""Beginnings of the names of functions that give floats without an operation on them."""


def operations(call: ir.Call) -> int:
    """Floating-point operations that a call counts for in each lane: two for a fused multiply-add, a lane's part of a warp's product of
    tiles, one for any other function of arithmetic."""
    if call.name in _FUSED:
        return 2
    if call.name == PRODUCT:
        return product_operations(call)
    return int(is_float(call.type) and not call.name.startswith(_WITHOUT_ARITHMETIC))
