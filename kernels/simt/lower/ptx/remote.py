"""Values out of registers into the shared memory of a block of the cluster, which complete on a barrier there: st.async, red.async."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.instructions import CLUSTER_REDUCTIONS
from kernels.simt.lower.ptx.assembler import UNSIGNED, Assembler
from kernels.simt.lower.ptx.bulk import COMPLETION
from kernels.simt.lower.ptx.text import Instruction

_TYPES = ("b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64")
_LONGEST = 16


def store_async(assembler: Assembler, instruction: Instruction) -> None:
    """`st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [to], {a, b}, [barrier]`."""
    *kinds, type_name = instruction.modifiers[1:]
    assembler.only(kinds, "weak", "shared::cluster", COMPLETION, "v2", "v4")
    count = next((int(each[1:]) for each in kinds if each in ("v2", "v4")), 1)
    if type_name not in _TYPES or count * assembler.type(type_name).size > _LONGEST:
        raise assembler.unsupported("." + ".".join((*(f"v{count}" for _ in range(count > 1)), type_name)))
    _send(assembler, instruction, "st.async", type_name, count)


def update_async(assembler: Assembler, instruction: Instruction) -> None:
    """`red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [to], a, [barrier]`."""
    *kinds, operation, type_name = ("", "", *instruction.modifiers[1:])
    assembler.only(kinds[2:], "relaxed", "cluster", "shared::cluster", COMPLETION)
    if type_name not in CLUSTER_REDUCTIONS.get(operation, ()):
        raise assembler.unsupported(f".{operation}.{type_name}")
    _send(assembler, instruction, f"red.async.{operation}.{type_name}", type_name, 1)


def _send(assembler: Assembler, instruction: Instruction, name: str, type_name: str, count: int) -> None:
    if COMPLETION not in instruction.modifiers:
        raise assembler.refuse(message("{name} is executed with .mbarrier::complete_tx::bytes only.", name=instruction.name))
    assembler.count(instruction, 3)
    space = "shared::cluster" if "shared::cluster" in instruction.modifiers else ""
    target, source, barrier = instruction.operands
    to, on = (assembler.pointer(assembler.address(each, space), None) for each in (target, barrier))
    kind: ir.Scalar = UNSIGNED[assembler.type(type_name).size]
    assembler.do(name, to, on, *(assembler.read(each, kind) for each in assembler.group(source, count)))
