"""Barriers in shared memory: the mbarrier instructions."""

from __future__ import annotations

from collections.abc import Callable

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, Assembler, assembles
from kernels.simt.lower.ptx.text import Address, Instruction, Operand

_ORDERS = ("release", "acquire", "relaxed", "cta", "cluster", "b64", *SHARED_SPACES)


@assembles("mbarrier")
def barrier(assembler: Assembler, instruction: Instruction) -> None:
    """`mbarrier.init.shared::cta.b64 [barrier], count` and the like."""
    what, *modifiers = instruction.modifiers or ("",)
    rule = _RULES.get(what)
    if rule is None:
        raise assembler.unsupported(f".{what}")
    assembler.only(modifiers, *_ORDERS, "expect_tx", "parity", "noComplete")
    rule(assembler, instruction)


def _address(assembler: Assembler, instruction: Instruction, operand: Operand) -> ir.Expression:
    space = next((each for each in instruction.modifiers if each in SHARED_SPACES), "")
    return assembler.pointer(assembler.address(operand, space), None)


def _init(assembler: Assembler, instruction: Instruction) -> None:
    assembler.count(instruction, 2)
    place, count = instruction.operands
    assembler.do("mbarrier.init", _address(assembler, instruction, place), assembler.read(count, ir.U32))


def _invalidate(assembler: Assembler, instruction: Instruction) -> None:
    assembler.count(instruction, 1)
    assembler.do("mbarrier.inval", _address(assembler, instruction, instruction.operands[0]))


def _arrive(assembler: Assembler, instruction: Instruction) -> None:
    """`mbarrier.arrive{.expect_tx} state, [barrier]{, number}`: the number is of arrivals, or of bytes."""
    given = list(instruction.operands)
    state = None if isinstance(given[0], Address) else given.pop(0)
    expects = "expect_tx" in instruction.modifiers
    if len(given) not in ((2,) if expects else (1, 2)):
        raise assembler.refuse(message("{name} does not take {count} operands.", name=instruction.name, count=len(instruction.operands)))
    place = _address(assembler, instruction, given[0])
    number = assembler.read(given[1], ir.U32) if len(given) > 1 else build.constant(1, ir.U32)
    arrivals, bytes_ = (build.constant(1, ir.U32), number) if expects else (number, build.constant(0, ir.U32))
    if "relaxed" not in instruction.modifiers:
        assembler.do("__tilescope_release" if "cluster" in instruction.modifiers else "__tilescope_release_block")
    found = assembler.call(f"mbarrier.{instruction.modifiers[0]}", (place, arrivals, bytes_), ir.U64)
    if state is None:
        assembler.statements.append(ir.Evaluate(found, assembler.location))
    else:
        assembler.write(state, found)


def _expect(assembler: Assembler, instruction: Instruction) -> None:
    """`mbarrier.expect_tx [barrier], bytes`: no arrival."""
    assembler.count(instruction, 2)
    place = _address(assembler, instruction, instruction.operands[0])
    assembler.do("__tilescope_relaxed")
    none, bytes_ = build.constant(0, ir.U32), assembler.read(instruction.operands[1], ir.U32)
    assembler.statements.append(ir.Evaluate(assembler.call("mbarrier.arrive", (place, none, bytes_), ir.U64), assembler.location))


def _test(assembler: Assembler, instruction: Instruction) -> None:
    """`mbarrier.try_wait.parity p, [barrier], parity{, time}`: test_wait and try_wait are the same to those who try again."""
    assembler.count(instruction, 3, 4)
    target, place, expected = instruction.operands[:3]
    by_parity = "parity" in instruction.modifiers
    name = "mbarrier.test_wait" + (".parity" if by_parity else "")
    given = (_address(assembler, instruction, place), assembler.read(expected, ir.U32 if by_parity else ir.U64))
    found = assembler.hold(assembler.call(name, given, ir.BOOL), "complete")
    if "relaxed" not in instruction.modifiers:
        assembler.do("__tilescope_acquire" if "cluster" in instruction.modifiers else "__tilescope_acquire_block")
    assembler.write(target, found)


def _pending(assembler: Assembler, instruction: Instruction) -> None:
    assembler.count(instruction, 2)
    target, state = instruction.operands
    assembler.write(target, assembler.call("mbarrier.pending_count", (assembler.read(state, ir.U64),), ir.U32))


_RULES: dict[str, Callable[[Assembler, Instruction], None]] = {
    "init": _init, "inval": _invalidate, "arrive": _arrive, "arrive_drop": _arrive, "expect_tx": _expect, "test_wait": _test,
    "try_wait": _test, "pending_count": _pending,
}  # fmt: skip
