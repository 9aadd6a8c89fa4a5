"""How wide the vector registers of this processor are."""

from __future__ import annotations

from collections.abc import Mapping

WIDTHS = {"avx512f": 16, "avx2": 8, "neon": 4, "sse2": 4}
"""Floats in a register by instruction set, the widest first."""


def lanes_of_this_processor() -> int:
    """Floats in the widest vector register that the compiler may use here."""
    return WIDTHS[instruction_set_of_this_processor()]


def instruction_set_of_this_processor() -> str:
    """The name of the widest vector instructions, as LLVM spells it."""
    import llvmlite.binding

    return widest(llvmlite.binding.get_host_cpu_features())


def widest(features: Mapping[str, bool]) -> str:
    """The widest instruction set of `features`; every 64-bit processor has at least registers of four floats."""
    return next((name for name in WIDTHS if features.get(name)), "sse2")
