"""Instructions on matrices, of a whole warp (ldmatrix, stmatrix, mma.sync) and of a warpgroup (wgmma and its groups); setmaxnreg, elect."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.instructions import MMA, WGMMA
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, Assembler, assembles
from kernels.simt.lower.ptx.text import Group, Instruction, Name, Number, Operand, Pair
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
    known = ("sync", "aligned", "row", "col")
    kinds = ".".join(each for each in instruction.modifiers if each not in (*known, "satfinite"))
    shape = MMA.get(kinds)
    if shape is None or instruction.modifiers[:2] != ("sync", "aligned") or instruction.modifiers[3:5] != ("row", "col"):
        raise assembler.refuse(message("{name} is not executed. These products are: {known}.", name=instruction.name, known=", ".join(MMA)))
    assembler.count(instruction, 4)
    d, a, b, c = instruction.operands
    saturate = ".satfinite" if "satfinite" in instruction.modifiers else ""
    registers = [
        assembler.read(each, kind)
        for operand, (count, kind) in zip((a, b, c), shape.registers, strict=True)
        for each in assembler.group(operand, count)
    ]
    count, kind = shape.registers[2]
    assembler.spread(assembler.group(d, count), f"mma.{kinds}{saturate}", (every_lane(), *registers), kind)


@assembles("wgmma")
def warpgroup_instruction(assembler: Assembler, instruction: Instruction) -> None:
    """`wgmma.fence`, `wgmma.mma_async`, `wgmma.commit_group`, `wgmma.wait_group n`, all `.sync.aligned`."""
    what, *rest = instruction.modifiers or ("",)
    if what == "mma_async":
        _multiply(assembler, instruction)
        return
    assembler.only([what, *rest], "fence", "commit_group", "wait_group", "sync", "aligned")
    if what == "wait_group":
        assembler.count(instruction, 1)
        assembler.do("wgmma.wait_group", every_lane(), build.constant(assembler.integer(instruction.operands[0]), ir.U32))
        apart = ir.UnaryOp(ir.Unary.NOT, assembler.call("wgmma.test_wait", (), ir.BOOL), ir.BOOL, assembler.location)
        empty = ir.Block(())
        assembler.statements.append(ir.Loop(empty, apart, empty, empty, test_last=False, location=assembler.location))
    else:
        assembler.count(instruction, 0)
        assembler.do(f"wgmma.{what}", every_lane())


def _multiply(assembler: Assembler, instruction: Instruction) -> None:
    """`{d...}, a, b, scale-d, scale-a, scale-b, transpose-a, transpose-b`; a is a descriptor, or four registers, then not transposed."""
    kinds = [each for each in instruction.modifiers[1:] if each not in ("sync", "aligned")]
    shape = WGMMA.get(".".join(kinds))
    if shape is None:
        raise assembler.refuse(
            message(
                "{name} is not executed: wgmma multiplies m64nNkK of f16, bf16, tf32, s8 and u8 without sparsity.", name=instruction.name
            )
        )
    d, a, b, *flags = instruction.operands
    in_registers = isinstance(a, Group)
    numbers = [1, 1, 0, 0]
    known = (0 if shape.sums == "s32" else 2) + ((1 if in_registers else 2) if shape.left in ("f16", "bf16") else 0)
    if len(flags) != 1 + known:
        raise assembler.refuse(message("{name} does not take {count} operands.", name=instruction.name, count=len(instruction.operands)))
    given = [assembler.integer(each) for each in flags[1:]]
    numbers[: min(2, len(given))] = given[:2]
    numbers[4 - len(given[2:]) :] = given[2:]
    keeps = _scale(assembler, flags[0])
    options = [build.constant(number, ir.I32) for number in numbers]
    left = [assembler.read(each, ir.U32) for each in assembler.group(a, 4)] if in_registers else [assembler.read(a, ir.U64)]
    right = assembler.read(b, ir.U64)
    targets = assembler.group(d, shape.registers[0])
    sums = [assembler.read(each, shape.registers[1]) for each in targets]
    name = f"wgmma.{'.'.join(kinds)}"
    assembler.spread(targets, name, (every_lane(), keeps, *options, right, *sums, *left), shape.registers[1])


def _scale(assembler: Assembler, operand: Operand) -> ir.Expression:
    """Whether what is in d is added to."""
    if isinstance(operand, Name):
        return assembler.read(operand, ir.BOOL)
    value = assembler.integer(operand) if isinstance(operand, Number) else None
    if value is not None:
        return build.constant(value != 0, ir.BOOL)
    return build.cast(assembler.read(operand, ir.U32), ir.BOOL, assembler.location)


@assembles("setmaxnreg")
def registers(assembler: Assembler, instruction: Instruction) -> None:
    """`setmaxnreg.inc.sync.aligned.u32 n`: nothing that is computed depends on it."""
    assembler.count(instruction, 1)
    assembler.only(instruction.modifiers, "inc", "dec", "sync", "aligned", "u32")
    number = assembler.integer(instruction.operands[0])
    if number % 8 or not 24 <= number <= 256:
        raise assembler.refuse(message("setmaxnreg takes a multiple of 8 from 24 to 256, not {number}.", number=number))
    assembler.do("setmaxnreg", every_lane(), build.constant(number, ir.U32))


@assembles("elect")
def elect(assembler: Assembler, instruction: Instruction) -> None:
    """`elect.sync d|p, mask`: p holds in the first lane named, d is its number."""
    assembler.count(instruction, 2)
    assembler.only(instruction.modifiers, "sync")
    target, mask = instruction.operands
    if not isinstance(target, Pair):
        raise assembler.refuse(message("{name} needs two destinations: d|p.", name=instruction.name))
    named = build.cast(assembler.read(mask, ir.U32), ir.I32, assembler.location)
    place = assembler.call("__ffs", (named,), ir.I32)
    leader = assembler.hold(build.binary(ir.Binary.SUBTRACT, place, build.constant(1, ir.I32), ir.I32, assembler.location), "leader")
    own = build.cast(ir.Special("laneid"), ir.I32, assembler.location)
    assembler.write(target.first, leader)
    assembler.write(target.second, build.binary(ir.Binary.EQUAL, own, leader, ir.BOOL, assembler.location))
