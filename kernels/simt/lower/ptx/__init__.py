"""Lowering of PTX, the text of asm statements: read by `text`, lowered by `assembler` and the rules of the modules beside it."""

from __future__ import annotations

from kernels.simt.lower.ptx import arithmetic, barriers, clusters, conversions, matrix, memory, updates, warp
from kernels.simt.lower.ptx.assembler import Argument, Assembler

RULES_STAND_IN = (arithmetic, barriers, clusters, conversions, matrix, memory, updates, warp)
"""The modules whose rules enter the table when they are imported."""

__all__ = ["RULES_STAND_IN", "Argument", "Assembler"]
