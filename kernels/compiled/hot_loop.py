"""The loop in which a kernel spends its time, read off its machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernels.compiled.listing import Instruction

_ARITHMETIC = ("FFMA", "FADD", "FMUL")
_MEMORY = ("shared", "global")


@dataclass(frozen=True, slots=True)
class HotLoop:
    """Instructions in the text of the loop, once around; of a kernel without a loop those of all its text."""

    instructions: int
    arithmetic: int
    """Of float32: fused multiply-adds, additions, multiplications."""
    accesses: int
    """To shared and to global memory."""
    global_loads: int
    repeats: bool
    """Whether there is a loop."""

    @property
    def useful(self) -> int:
        """Those that a trace tells how often they are executed."""
        return self.arithmetic + self.accesses


def hot_loop(instructions: Sequence[Instruction]) -> HotLoop:
    """The loop that computes most; if none computes, the one that moves most; of several that contain each other the innermost."""
    loops = [(each.target, each.address) for each in instructions if each.target is not None and each.target < each.address]
    bodies = [_counted([each for each in instructions if start <= each.address <= end], repeats=True) for start, end in loops]
    working = [body for body in bodies if body.useful]
    if not working:
        return _counted(instructions, repeats=False)
    return max(working, key=lambda body: (body.arithmetic, body.accesses if not body.arithmetic else 0, -body.instructions))


def _counted(body: Sequence[Instruction], *, repeats: bool) -> HotLoop:
    accesses = [access for each in body for access in each.accesses]
    return HotLoop(
        len(body),
        sum(each.opcode.split(".")[0] in _ARITHMETIC for each in body),
        sum(access.space in _MEMORY for access in accesses),
        sum((access.operation, access.space) == ("load", "global") for access in accesses),
        repeats,
    )
