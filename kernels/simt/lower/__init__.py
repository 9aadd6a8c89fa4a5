"""Lowering: from libclang's cursors to the typed representation of one kernel.

`lower(unit, entry)` gives an `ir.Kernel`, or raises `Unsupported` with everything in it that cannot be executed.
"""

from __future__ import annotations

from kernels.simt.lower.kernel import Unsupported, lower

__all__ = ["Unsupported", "lower"]
