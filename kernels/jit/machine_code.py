"""What the compiler made of a kernel's inner loop, read from its machine code: vectors or not, how wide, by which instruction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kernels.base.messages import Message, message
from kernels.base.values import dataclass

_LABEL = re.compile(r"^([\w.$]+):")
_INSTRUCTION = re.compile(r"^\s+([a-z][\w.]*)(?:\s+(.*))?$")
_BRANCH = re.compile(r"j[a-z]+|b|b\.[a-z]+|cbn?z|tbn?z")
_X86_ADD = re.compile(r"v?(?:fn?m(?:add|sub)(?:132|213|231)|add)([ps])s")
_ARM_ADD = re.compile(r"fn?m(?:la|ls|ad|add|sub)|fadd")
_ARM_OPERAND = re.compile(r"v\d+\.([24])s|(z)\d+\.s|(s)\d+")
_PRODUCT = re.compile(r"v?fn?m.*|v?mul[ps]s|fmul")
_GATHER = re.compile(r"v?gather[dq]ps .*|v?insertps .*|ld1 \{.*}\[\d].*|ld1w .*\bz\d+\.[sd].*\[.*\bz\d+\.[sd].*")
"""On AArch64 a load of one lane, or of all by a vector of addresses."""
SCALABLE = 0
"""Lanes of a register whose length only the processor knows (SVE)."""
LONGEST = 64
"""Floats in the longest of those."""
_X86_LANES = {"x": 4, "y": 8, "z": 16}


@dataclass(frozen=True, slots=True)
class InnerLoop:
    """The loop of a kernel that does the most at a time: its additions, fused with a multiplication where the processor has that."""

    instruction: str
    """The one that adds, for example `vfmadd231ps`."""
    registers: str
    """What it works on: `zmm`, `ymm`, `xmm`, `v.4s`, `z.s`, or `s` for one float."""
    lanes: int
    """Floats that it adds at a time, or `SCALABLE`."""
    additions: int
    """Such instructions in one iteration."""
    length: int
    """Instructions in one iteration."""
    gathers: int
    """Instructions among them that fetch the lanes of a vector from places that lie apart."""

    @property
    def vectorised(self) -> bool:
        """Whether one instruction adds several values."""
        return self.lanes != 1

    @property
    def fused(self) -> bool:
        """Whether one instruction multiplies and adds."""
        return _PRODUCT.fullmatch(self.instruction) is not None

    @property
    def summary(self) -> str:
        """For the conditions of a result: instruction and registers."""
        return f"{self.instruction} {self.registers}" + (", gathered" if self.gathers else "")

    @property
    def sentence(self) -> Message:
        """The inner loop in words."""
        if not self.vectorised:
            return message(
                "The inner loop is not vectorised: {instruction} adds one value at a time, {additions} × in {length} instructions.",
                instruction=self.instruction, additions=self.additions, length=self.length,
            )  # fmt: skip
        if self.gathers:
            return message(
                "The inner loop is vectorised, but its vectors are gathered: {instruction} on {registers} adds {lanes} values at a time, "
                "which {gathers} of {length} instructions fetch from places that lie apart.",
                instruction=self.instruction, registers=self.registers, lanes=self.lanes or "?", gathers=self.gathers, length=self.length,
            )  # fmt: skip
        if self.lanes == SCALABLE:
            return message(
                "The inner loop is vectorised: {instruction} on {registers} adds as many values at a time as a register holds, "
                "{additions} × in {length} instructions.",
                instruction=self.instruction, registers=self.registers, additions=self.additions, length=self.length,
            )  # fmt: skip
        return message(
            "The inner loop is vectorised: {instruction} on {registers} adds {lanes} values at a time, "
            "{additions} × in {length} instructions.",
            instruction=self.instruction, registers=self.registers, lanes=self.lanes, additions=self.additions, length=self.length,
        )  # fmt: skip


def inner_loop(assembly: str) -> InnerLoop | None:
    """The innermost loop that adds the most products at a time; None where no loop adds products.

    One that fuses multiplication and addition goes before one that does not: where sums must keep their order, only vectors that the
    kernel spells out are fused, and the loops for the edges are not. `assembly` is x86-64's in AT&T notation, or AArch64's.
    """
    loops = [found for body in _innermost(assembly) if (found := _described(body)) is not None]
    return max(loops, key=lambda loop: (loop.vectorised, loop.fused, loop.lanes or LONGEST, loop.additions), default=None)


Instruction = tuple[str, str]
"""Mnemonic and operands."""


def _innermost(assembly: str) -> Iterator[list[Instruction]]:
    """The instructions of each loop that has no loop inside: from where a branch goes back to, up to the branch."""
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    loops: list[tuple[int, int]] = []
    for line in assembly.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(instructions)
        elif found := _INSTRUCTION.match(line):
            name, operands = found[1], found[2] or ""
            instructions.append((name, operands))
            target = operands.split(",")[-1].strip()
            if target in labels and _BRANCH.fullmatch(name):
                loops.append((labels[target], len(instructions)))
    for start, end in loops:
        if not any((start, end) != (first, last) and start <= first and last <= end for first, last in loops):
            yield instructions[start:end]


def _described(body: list[Instruction]) -> InnerLoop | None:
    """What a loop adds products with; of several ways the one that it uses most."""
    if not any(_PRODUCT.fullmatch(name) for name, _ in body):
        return None
    ways = Counter(way for name, operands in body if (way := _addition(name, operands)) is not None)
    if not ways:
        return None
    (instruction, registers, lanes), additions = ways.most_common(1)[0]
    gathers = sum(_gathers(name, operands) for name, operands in body)
    return InnerLoop(instruction, registers, lanes, additions, len(body), gathers if lanes != 1 else 0)


def _addition(name: str, operands: str) -> tuple[str, str, int] | None:
    """Instruction, registers and lanes of an addition of floats; None for any other instruction."""
    if found := _X86_ADD.fullmatch(name):
        if found[1] == "s":
            return name, "xmm", 1
        width = re.findall(r"%([xyz])mm", operands)[-1]
        return name, f"{width}mm", _X86_LANES[width]
    if _ARM_ADD.fullmatch(name) and (operand := _ARM_OPERAND.match(operands)):
        lanes, scalable, _ = operand.groups()
        return (name, "z.s", SCALABLE) if scalable else (name, f"v.{lanes}s", int(lanes)) if lanes else (name, "s", 1)
    return None


def _gathers(name: str, operands: str) -> bool:
    """Whether an instruction fetches lanes that lie apart."""
    return _GATHER.fullmatch(f"{name} {operands}") is not None
