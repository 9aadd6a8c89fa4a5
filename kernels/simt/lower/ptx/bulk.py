"""Copies in bulk: the instructions that begin with cp.async.bulk."""

from __future__ import annotations

from kernels.simt import ir
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, Assembler
from kernels.simt.lower.ptx.text import Instruction

COMPLETION = "mbarrier::complete_tx::bytes"


def copy_in_bulk(assembler: Assembler, instruction: Instruction) -> None:
    """`cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [barrier]`, the reverse, and groups."""
    kinds = instruction.modifiers[2:]
    if kinds[:1] == ("commit_group",):
        assembler.do("cp.async.bulk.commit_group")
    elif kinds[:1] == ("wait_group",):
        assembler.count(instruction, 1)
        assembler.do("cp.async.bulk.wait_group", assembler.read(instruction.operands[0], ir.U32))
    elif kinds[:1] == ("prefetch",):
        return
    elif kinds[:1] == ("global",):
        _out_of_shared(assembler, instruction, kinds)
    else:
        _into_shared(assembler, instruction, kinds)


def _into_shared(assembler: Assembler, instruction: Instruction, kinds: tuple[str, ...]) -> None:
    assembler.only(kinds, "shared::cluster", "shared::cta", "global", COMPLETION, "L2::cache_hint")
    assembler.count(instruction, 4, 5)
    if kinds[1:3] != ("global", COMPLETION):
        raise assembler.unsupported("." + ".".join(kinds))
    target, source, size, barrier = instruction.operands[:4]
    to, where, on = (
        assembler.pointer(assembler.address(each, space), None)
        for each, space in ((target, kinds[0]), (source, "global"), (barrier, kinds[0]))
    )
    assembler.do("cp.async.bulk.shared", to, where, assembler.read(size, ir.U32), on)


def _out_of_shared(assembler: Assembler, instruction: Instruction, kinds: tuple[str, ...]) -> None:
    assembler.only(kinds, "global", *SHARED_SPACES, "bulk_group", "L2::cache_hint")
    assembler.count(instruction, 3, 4)
    target, source, size = instruction.operands[:3]
    to, where = (assembler.pointer(assembler.address(each, space), None) for each, space in ((target, kinds[0]), (source, kinds[1])))
    assembler.do("cp.async.bulk.global", to, where, assembler.read(size, ir.U32))
