"""Copies in bulk: the instructions that begin with cp.async.bulk."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.instructions import CLUSTER_REDUCTIONS, GLOBAL_REDUCTIONS
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, U16, Assembler
from kernels.simt.lower.ptx.text import Address, Instruction

_DIMENSIONS = ("1d", "2d", "3d", "4d", "5d")
COMPLETION, MULTICAST = "mbarrier::complete_tx::bytes", "multicast::cluster"
_WITHIN_CLUSTER = ("shared::cluster", "shared::cta", COMPLETION)
_TO_GLOBAL = ("global", "shared::cta", "bulk_group")


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
    elif kinds[:1] == ("tensor",):
        _box(assembler, instruction, kinds[1:])
    elif kinds[:1] == ("global",):
        _out_of_shared(assembler, instruction, kinds)
    else:
        _into_shared(assembler, instruction, kinds)


def _box(assembler: Assembler, instruction: Instruction, kinds: tuple[str, ...]) -> None:
    """`cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [to], [map, {x, y}], [barrier]`, or the reverse."""
    assembler.only(kinds, *_DIMENSIONS, *SHARED_SPACES, "global", "tile", COMPLETION, MULTICAST, "bulk_group", "L2::cache_hint")
    spaces = [each for each in kinds[1:] if each in (*SHARED_SPACES, "global")]
    loads = spaces[-1:] == ["global"]
    assembler.count(instruction, *((3, 4, 5) if loads else (2, 3)))
    place, box = (instruction.operands[0], instruction.operands[1])[:: 1 if loads else -1]
    if not isinstance(box, Address) or len(box.more) != 1 or len(spaces) != 2:
        raise assembler.refuse(message("{name} needs a tensor map and coordinates: [map, {{x, y}}].", name=instruction.name))
    coordinates = [assembler.read(each, ir.I32) for each in assembler.group(box.more[0], _DIMENSIONS.index(kinds[0]) + 1)]
    tensor_map = assembler.pointer(assembler.address(Address(box.base, box.offset), ""), None)
    shared = assembler.pointer(assembler.address(place, spaces[0 if loads else 1]), None)
    if not loads:
        assembler.do("cp.async.bulk.tensor.global", shared, tensor_map, *coordinates)
        return
    barrier = assembler.pointer(assembler.address(instruction.operands[2], spaces[0]), None)
    receivers = _receivers(assembler, instruction, 3)
    assembler.do("cp.async.bulk.tensor.shared", shared, tensor_map, barrier, receivers, *coordinates)


def _into_shared(assembler: Assembler, instruction: Instruction, kinds: tuple[str, ...]) -> None:
    assembler.only(kinds, "shared::cluster", "shared::cta", "global", COMPLETION, MULTICAST, "L2::cache_hint")
    assembler.count(instruction, 4, 5, 6)
    if kinds == _WITHIN_CLUSTER:
        _to_block(assembler, instruction, "cp.async.bulk.cluster")
        return
    if kinds[1:3] != ("global", COMPLETION):
        raise assembler.unsupported("." + ".".join(kinds))
    target, source, size, barrier = instruction.operands[:4]
    to, where, on = (
        assembler.pointer(assembler.address(each, space), None)
        for each, space in ((target, kinds[0]), (source, "global"), (barrier, kinds[0]))
    )
    assembler.do("cp.async.bulk.shared", to, where, assembler.read(size, ir.U32), on, _receivers(assembler, instruction, 4))


def _receivers(assembler: Assembler, instruction: Instruction, place: int) -> ir.Expression:
    """The ranks of a cluster that a copy goes to, as bits; 0 for the own block alone."""
    if MULTICAST not in instruction.modifiers:
        return build.constant(0, ir.U32)
    if len(instruction.operands) <= place:
        raise assembler.refuse(message("{name} needs the ranks of the blocks that receive, as bits.", name=instruction.name))
    return build.cast(assembler.read(instruction.operands[place], U16), ir.U32, assembler.location)


def _out_of_shared(assembler: Assembler, instruction: Instruction, kinds: tuple[str, ...], name: str = "cp.async.bulk.global") -> None:
    assembler.only(kinds, "global", *SHARED_SPACES, "bulk_group", "L2::cache_hint")
    assembler.count(instruction, 3, 4)
    target, source, size = instruction.operands[:3]
    to, where = (assembler.pointer(assembler.address(each, space), None) for each, space in ((target, kinds[0]), (source, kinds[1])))
    assembler.do(name, to, where, assembler.read(size, ir.U32))


def _to_block(assembler: Assembler, instruction: Instruction, name: str) -> None:
    """`[to], [from], size, [barrier]`: out of the own shared memory into that of a block of the cluster."""
    assembler.count(instruction, 4)
    target, source, size, barrier = instruction.operands
    to, where, on = (
        assembler.pointer(assembler.address(each, space), None)
        for each, space in ((target, "shared::cluster"), (source, "shared::cta"), (barrier, "shared::cluster"))
    )
    assembler.do(name, to, where, assembler.read(size, ir.U32), on)


def reduce_in_bulk(assembler: Assembler, instruction: Instruction) -> None:
    """`cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [to], [from], size`, and to a block of the cluster with a barrier."""
    spaces, kinds = instruction.modifiers[3:6], tuple(each for each in instruction.modifiers[6:] if each != "L2::cache_hint")
    if spaces not in (_WITHIN_CLUSTER, _TO_GLOBAL):
        raise assembler.unsupported("." + ".".join(instruction.modifiers[3:]))
    allowed = CLUSTER_REDUCTIONS if spaces == _WITHIN_CLUSTER else GLOBAL_REDUCTIONS
    if kinds[:1] == ("add",) and kinds[-1] in ("f16", "bf16"):
        if kinds[1:-1] != ("noftz",):
            raise assembler.refuse(message("{name} of 16-bit floats needs .noftz.", name=instruction.name))
        kinds = (kinds[0], kinds[-1])
    if len(kinds) != 2 or kinds[1] not in allowed.get(kinds[0], ()):
        raise assembler.unsupported("." + ".".join(kinds))
    if spaces == _WITHIN_CLUSTER:
        _to_block(assembler, instruction, f"cp.async.bulk.reduce.cluster.{'.'.join(kinds)}")
    else:
        _out_of_shared(assembler, instruction, spaces, f"cp.async.bulk.reduce.global.{'.'.join(kinds)}")
