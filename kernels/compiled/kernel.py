"""How a kernel is compiled, and what became of it, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from kernels.base.values import dataclass
from kernels.compiled.listing import Access, Instruction, Usage


@dataclass(frozen=True, slots=True)
class CompileSettings:
    """Settings by which a kernel is compiled: `entry` as C++ writes it ("reduce<128>"), `capability` 90 for 9.0, the macros, the folder
    that local includes are beside, and a folder for CUDA's own headers, which are unpacked there when the text includes some."""

    entry: str
    capability: int
    defines: Mapping[str, int | str]
    beside: Path | None = None
    headers: Path | None = None
    contract: bool = True
    """Whether a multiplication and an addition may become one fused operation, as is CUDA's default."""
    specific: bool = False
    """Whether the text uses what GPUs of this capability alone have, and no later ones (sm_90a)."""


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """Compiled kernel: its usage of the machine and its instructions in order."""

    capability: int
    compiler: tuple[int, int]
    usage: Usage
    instructions: tuple[Instruction, ...]

    def on_line(self, line: int) -> tuple[Instruction, ...]:
        """The instructions made from a line of the text; they need not stand together."""
        return tuple(instruction for instruction in self.instructions if instruction.line == line)

    def accesses(self) -> Mapping[tuple[int, Access], int]:
        """How many instructions of each kind of access each line has become. In the text of the machine code, not as executed."""
        return Counter((instruction.line, access) for instruction in self.instructions for access in instruction.accesses)
