"""Instructions of a whole warp on matrices: ldmatrix, stmatrix, mma.sync."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.instructions import MMA
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, Assembler, assembles
from kernels.simt.lower.ptx.text import Instruction
from kernels.simt.lower.ptx.warp import every_lane


@assembles("ldmatrix", "stmatrix")
def move_matrices(assembler: Assembler, instruction: Instruction) -> None:
    """`ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [row]`; stmatrix has its operands the other way round."""
    assembler.count(instruction, 2)
    assembler.only(instruction.modifiers, "sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", *SHARED_SPACES, "b16")
    count = next((int(each[1:]) for each in instruction.modifiers if each in ("x1", "x2", "x4")), 1)
    trans = ".trans" if "trans" in instruction.modifiers else ""
    loads = instruction.opcode == "ldmatrix"
    registers, row = instruction.operands if loads else reversed(instruction.operands)
    space = next((each for each in instruction.modifiers if each in SHARED_SPACES), "")
    address = assembler.pointer(assembler.address(row, space), None)
    targets = assembler.group(registers, count)
    name = f"{instruction.opcode}.x{count}{trans}"
    if loads:
        assembler.spread(targets, name, (every_lane(), address), ir.U32)
    else:
        assembler.do(name, every_lane(), address, *(assembler.read(each, ir.U32) for each in targets))


@assembles("mma")
def multiply(assembler: Assembler, instruction: Instruction) -> None:
    """`mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d...}, {a...}, {b...}, {c...}`."""
    assembler.count(instruction, 4)
    known = ("sync", "aligned", "row", "col")
    kinds = ".".join(each for each in instruction.modifiers if each not in (*known, "satfinite"))
    shape = MMA.get(kinds)
    if shape is None or instruction.modifiers[:2] != ("sync", "aligned") or instruction.modifiers[3:5] != ("row", "col"):
        raise assembler.refuse(message("{name} is not executed. These products are: {known}.", name=instruction.name, known=", ".join(MMA)))
    d, a, b, c = instruction.operands
    saturate = ".satfinite" if "satfinite" in instruction.modifiers else ""
    registers = [
        assembler.read(each, kind)
        for operand, (count, kind) in zip((a, b, c), shape.registers, strict=True)
        for each in assembler.group(operand, count)
    ]
    count, kind = shape.registers[2]
    assembler.spread(assembler.group(d, count), f"mma.{kinds}{saturate}", (every_lane(), *registers), kind)
