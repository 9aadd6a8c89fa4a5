"""Control codes of machine instructions: what the assembler tells the scheduler of a warp, in 21 bits of each instruction's 128.

NVIDIA does not document them. Their layout is the one that Jia, Maggioni, Staiger and Scarpazza found on Volta ("Dissecting the NVIDIA
Volta GPU Architecture via Microbenchmarking", 2018, section 2.1), which later architectures up to Hopper kept.
"""

from __future__ import annotations

import re

from kernels.base.values import dataclass

NO_BARRIER = 7
BARRIERS = 6
REGISTER_BANKS = 2
"""Since Volta, a bank serves 64 bits of each lane a cycle (Jia et al., section 3.5)."""
_FIRST_BIT = 41
"""Of the control code, in the upper half of the instruction."""
_REGISTER = re.compile(r"\bR(\d+)(?:\.reuse)?\b")
_OF_THREE = ("FFMA", "IMAD", "HFMA2", "DFMA", "LOP3", "IADD3")
"""Operations with three register operands, which two banks cannot deliver in a cycle when all are in one."""


@dataclass(frozen=True, slots=True)
class Control:
    """Control code: cycles until the warp may issue its next instruction (`stall`), whether the scheduler should rather go on with another
    warp (`yields`), the scoreboard barriers, 0 to 5, that are set until the result is written and until the operands are read (None: not
    set), and those that must be clear before the instruction is issued."""

    stall: int
    yields: bool
    write_barrier: int | None
    read_barrier: int | None
    waits: tuple[int, ...]

    @property
    def text(self) -> str:
        """The code as assemblers made outside NVIDIA write it: barriers waited for, set for reading, set for writing, yield, stall."""
        waits = "".join(str(barrier) if barrier in self.waits else "-" for barrier in range(BARRIERS))
        read, write = ("-" if barrier is None else barrier for barrier in (self.read_barrier, self.write_barrier))
        return f"B{waits}:R{read}:W{write}:{'Y' if self.yields else '-'}:S{self.stall:02}"


def control_code(upper_half: int) -> Control:
    """The control code of an instruction, from the upper 64 of its 128 bits."""
    code = upper_half >> _FIRST_BIT
    write, read, mask = code >> 5 & 7, code >> 8 & 7, code >> 11 & 63
    return Control(
        code & 15, not code >> 4 & 1, None if write == NO_BARRIER else write, None if read == NO_BARRIER else read,
        tuple(barrier for barrier in range(BARRIERS) if mask >> barrier & 1),
    )  # fmt: skip


def source_banks(opcode: str, operands: str) -> tuple[int, ...]:
    """The register bank of each register that an operation with three operands reads, those in the reuse cache left out; () of others."""
    if opcode.split(".")[0] not in _OF_THREE:
        return ()
    sources = [each.strip() for each in operands.split(",")][1:]
    found = [_REGISTER.search(each) for each in sources]
    return tuple(int(each[1]) % REGISTER_BANKS for each in found if each)
