"""Instructions with which the threads of a warp or a block come together, and branches."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import Assembler, assembles
from kernels.simt.lower.ptx.clusters import cluster_barrier, threads_of_block
from kernels.simt.lower.ptx.text import Instruction, Name, Pair

B = ir.Binary
_MODES = {"up": "up_", "down": "down_", "bfly": "xor_", "idx": ""}
EVERY_LANE = 0xFFFFFFFF
NAMED_BARRIERS = 16


def every_lane() -> ir.Expression:
    """The mask of all lanes of a warp."""
    return build.constant(EVERY_LANE, ir.U32)


@assembles("bra")
def branch(assembler: Assembler, instruction: Instruction) -> None:
    """`bra label`."""
    assembler.only(instruction.modifiers, "uni")
    assembler.count(instruction, 1)
    (target,) = instruction.operands
    if not isinstance(target, Name):
        raise assembler.refuse(message("{name} needs a label.", name=instruction.name))
    assembler.statements.append(assembler.jump(target.name))


@assembles("shfl")
def shuffle(assembler: Assembler, instruction: Instruction) -> None:
    """`shfl.sync.bfly.b32 d|p, a, b, c, mask`; bits 8 to 12 of c tell how wide the parts of the warp are."""
    assembler.count(instruction, 5)
    assembler.only(instruction.modifiers, "sync", "b32", *_MODES)
    mode = next((each for each in instruction.modifiers if each in _MODES), "idx")
    target, value, by, clamp, mask = instruction.operands
    segment = build.binary(B.SHIFT_RIGHT, assembler.read(clamp, ir.U32), build.constant(8, ir.U32), ir.U32, assembler.location)
    segment = build.binary(B.AND, segment, build.constant(31, ir.U32), ir.U32, assembler.location)
    width = build.binary(B.SUBTRACT, build.constant(32, ir.U32), segment, ir.U32, assembler.location)
    width = assembler.hold(build.cast(width, ir.I32, assembler.location), "width")
    operand = assembler.hold(assembler.read(by, ir.I32 if mode in ("bfly", "idx") else ir.U32), "by")
    named, moved = assembler.read(mask, ir.U32), assembler.read(value, ir.U32)
    found = assembler.hold(assembler.call(f"__shfl_{_MODES[mode]}sync", (named, moved, operand, width), ir.U32), "shuffled")
    if isinstance(target, Pair):
        assembler.write(target.second, assembler.call(f"shfl.within.{mode}", (operand, width), ir.BOOL))
        target = target.first
    assembler.write(target, found)


@assembles("vote")
def vote(assembler: Assembler, instruction: Instruction) -> None:
    """`vote.sync.any.pred p, q, mask`, `vote.sync.ballot.b32 d, p, mask`."""
    assembler.count(instruction, 3)
    assembler.only(instruction.modifiers, "sync", "any", "all", "uni", "ballot", "pred", "b32")
    name = instruction.modifiers[1]
    target, predicate, mask = instruction.operands
    test = build.cast(assembler.read(predicate, ir.BOOL), ir.I32, assembler.location)
    kind = ir.U32 if name == "ballot" else ir.I32
    found = assembler.call(f"__{name}_sync", (assembler.read(mask, ir.U32), test), kind)
    assembler.write(target, found if name == "ballot" else build.cast(found, ir.BOOL, assembler.location))


@assembles("activemask")
def active_mask(assembler: Assembler, instruction: Instruction) -> None:
    """`activemask.b32 d`."""
    assembler.count(instruction, 1)
    assembler.write(instruction.operands[0], assembler.call("__activemask", (), ir.U32))


@assembles("match")
def match(assembler: Assembler, instruction: Instruction) -> None:
    """`match.any.sync.b32 d, a, mask`."""
    assembler.count(instruction, 3)
    assembler.only(instruction.modifiers, "any", "sync", "b32", "b64")
    kind = assembler.type(instruction.modifiers[-1])
    target, value, mask = instruction.operands
    given = (assembler.read(mask, ir.U32), assembler.read(value, kind))
    assembler.write(target, assembler.call("__match_any_sync", given, ir.U32))


@assembles("redux")
def reduce(assembler: Assembler, instruction: Instruction) -> None:
    """`redux.sync.add.u32 d, a, mask`."""
    assembler.count(instruction, 3)
    assembler.only(instruction.modifiers, "sync", "add", "min", "max", "and", "or", "xor", "u32", "s32", "b32")
    kind = assembler.type(instruction.modifiers[-1])
    target, value, mask = instruction.operands
    given = (assembler.read(mask, ir.U32), assembler.read(value, kind))
    assembler.write(target, assembler.call(f"__reduce_{instruction.modifiers[1]}_sync", given, kind))


@assembles("bar", "barrier")
def barrier(assembler: Assembler, instruction: Instruction) -> None:
    """`bar.sync 0`, `bar.warp.sync mask`."""
    if "cluster" in instruction.modifiers:
        cluster_barrier(assembler, instruction)
        return
    kinds = [each for each in instruction.modifiers if each not in ("cta", "aligned")]
    if kinds == ["warp", "sync"]:
        assembler.count(instruction, 1)
        mask = assembler.read(instruction.operands[0], ir.U32)
        assembler.statements.append(ir.Barrier(ir.Scope.WARP, mask, assembler.location))
        return
    if kinds not in (["sync"], ["arrive"]) or not instruction.operands:
        raise assembler.unsupported("." + ".".join(kinds))
    number = assembler.hold(assembler.read(instruction.operands[0], ir.U32), "number")
    if kinds == ["sync"] and len(instruction.operands) == 1 and isinstance(number, ir.Const) and number.value == 0:
        assembler.statements.append(ir.Barrier(ir.Scope.BLOCK, None, assembler.location))
    else:
        _named_barrier(assembler, instruction, number, waits=kinds == ["sync"])


def _named_barrier(assembler: Assembler, instruction: Instruction, number: ir.Expression, *, waits: bool) -> None:
    """`bar.sync number, threads`: so many threads meet, others do not wait for them; `bar.arrive` does not wait either."""
    count = assembler.read(instruction.operands[1], ir.U32) if len(instruction.operands) > 1 else threads_of_block(assembler)
    word = assembler.word("block barriers", NAMED_BARRIERS, number)
    assembler.do("__tilescope_release_block")
    token = assembler.hold(assembler.call("barrier.arrive", (word, count), ir.U64), "arrived")
    if not waits:
        return
    met = ir.UnaryOp(ir.Unary.NOT, assembler.call("barrier.test_wait", (word, token), ir.BOOL), ir.BOOL, assembler.location)
    empty = ir.Block(())
    assembler.statements.append(ir.Loop(empty, met, empty, empty, test_last=False, location=assembler.location))
    assembler.do("__tilescope_acquire_block")


@assembles("nanosleep")
def sleep(assembler: Assembler, instruction: Instruction) -> None:
    """`nanosleep.u32 t`."""
    assembler.count(instruction, 1)
    assembler.do("__nanosleep", assembler.read(instruction.operands[0], ir.U32))


@assembles("trap", "brkpt")
def trap(assembler: Assembler, instruction: Instruction) -> None:
    """`trap`."""
    assembler.do(f"__{instruction.opcode}")
