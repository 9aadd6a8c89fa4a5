"""Clusters of blocks: their barrier, addresses in other blocks' shared memory, values that go there and complete on a barrier (st.async,
red.async), and where a block is in its cluster."""

from __future__ import annotations

from functools import partial
from math import prod

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.instructions import CLUSTER_REDUCTIONS
from kernels.simt.base.windows import OWN_ADDRESS, RANK_SHIFT
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, SPECIALS, UNSIGNED, Assembler, assembles
from kernels.simt.lower.ptx.bulk import COMPLETION
from kernels.simt.lower.ptx.text import Instruction
from kernels.simt.lower.shared_addresses import generic_address, shared_address

B = ir.Binary
_TYPES = ("b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64")
_LONGEST = 16
_RANKS = 0xFF


def threads_of_block(assembler: Assembler) -> ir.Expression:
    """How many threads a block has."""
    found: ir.Expression = ir.Special("blockDim.x")
    for axis in "yz":
        found = build.binary(B.MULTIPLY, found, ir.Special(f"blockDim.{axis}"), ir.U32, assembler.location)
    return found


def cluster_barrier(assembler: Assembler, instruction: Instruction) -> None:
    """`barrier.cluster.arrive`, `barrier.cluster.wait`. An arrival orders by the fence before it, which `.relaxed` leaves out."""
    assembler.count(instruction, 0)
    assembler.only(instruction.modifiers, "cluster", "arrive", "wait", "release", "relaxed", "acquire", "aligned")
    if "arrive" in instruction.modifiers:
        if "relaxed" not in instruction.modifiers:
            assembler.do("__threadfence")
        assembler.do("cluster.arrive", assembler.word("cluster barrier", 1, build.constant(0, ir.U32)))
        return
    met = ir.UnaryOp(ir.Unary.NOT, assembler.call("cluster.test_wait", (), ir.BOOL), ir.BOOL, assembler.location)
    empty = ir.Block(())
    assembler.statements.append(ir.Loop(empty, met, empty, empty, test_last=False, location=assembler.location))
    assembler.do("__tilescope_acquire")


@assembles("mapa")
def map_address(assembler: Assembler, instruction: Instruction) -> None:
    """`mapa.shared::cluster.u32 d, a, rank`: the same place in the shared memory of another block of the cluster."""
    assembler.count(instruction, 3)
    assembler.only(instruction.modifiers, *SHARED_SPACES, "u32", "u64")
    kind = assembler.type(instruction.modifiers[-1])
    target, address, rank = instruction.operands
    generic = not any(each in SHARED_SPACES for each in instruction.modifiers)
    own = build.cast(assembler.read(address, kind), ir.U64, assembler.location)
    if generic:
        own = shared_address(own, assembler.cluster, assembler.location)
    own = build.binary(B.AND, own, build.constant(OWN_ADDRESS, ir.U64), ir.U64, assembler.location)
    above = build.cast(assembler.read(rank, ir.U32), ir.U64, assembler.location)
    above = build.binary(B.SHIFT_LEFT, above, build.constant(RANK_SHIFT, ir.U32), ir.U64, assembler.location)
    mapped = build.binary(B.OR, own, above, ir.U64, assembler.location)
    if generic:
        mapped = generic_address(mapped, assembler.cluster, assembler.location)
    assembler.write(target, build.cast(mapped, kind, assembler.location))


@assembles("getctarank")
def rank_of_address(assembler: Assembler, instruction: Instruction) -> None:
    """`getctarank.shared::cluster.u32 d, a`: the rank of the block in whose shared memory an address lies."""
    assembler.count(instruction, 2)
    assembler.only(instruction.modifiers, *SHARED_SPACES, "u32", "u64")
    target, address = instruction.operands
    above = build.cast(assembler.read(address, assembler.type(instruction.modifiers[-1])), ir.U64, assembler.location)
    if not any(each in SHARED_SPACES for each in instruction.modifiers):
        above = shared_address(above, assembler.cluster, assembler.location)
    above = build.binary(B.SHIFT_RIGHT, above, build.constant(RANK_SHIFT, ir.U32), ir.U64, assembler.location)
    above = build.binary(B.AND, above, build.constant(_RANKS, ir.U64), ir.U64, assembler.location)
    assembler.write(target, build.cast(above, ir.U32, assembler.location))


def _place(axis: str, assembler: Assembler) -> ir.Expression:
    """Where the block is in its cluster, along an axis."""
    size = build.constant(assembler.cluster["xyz".index(axis)], ir.U32)
    return build.binary(B.REMAINDER, ir.Special(f"blockIdx.{axis}"), size, ir.U32, assembler.location)


def _number(of: str, axis: str, assembler: Assembler) -> ir.Expression:
    """Which cluster it is along an axis, or how many there are."""
    size = build.constant(assembler.cluster["xyz".index(axis)], ir.U32)
    return build.binary(B.DIVIDE, ir.Special(f"{of}.{axis}"), size, ir.U32, assembler.location)


def _extent(axis: str, assembler: Assembler) -> ir.Expression:
    return build.constant(assembler.cluster["xyz".index(axis)], ir.U32)


def _rank(assembler: Assembler) -> ir.Expression:
    found: ir.Expression = build.constant(0, ir.U32)
    for axis, size in reversed(list(zip("xyz", assembler.cluster, strict=True))):
        found = build.binary(B.MULTIPLY, found, build.constant(size, ir.U32), ir.U32, assembler.location)
        found = build.binary(B.ADD, found, _place(axis, assembler), ir.U32, assembler.location)
    return found


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


for _axis in "xyz":
    SPECIALS[f"cluster_ctaid.{_axis}"] = partial(_place, _axis)
    SPECIALS[f"cluster_nctaid.{_axis}"] = partial(_extent, _axis)
    SPECIALS[f"clusterid.{_axis}"] = partial(_number, "blockIdx", _axis)
    SPECIALS[f"nclusterid.{_axis}"] = partial(_number, "gridDim", _axis)
SPECIALS["cluster_ctarank"] = _rank
SPECIALS["is_explicit_cluster"] = lambda assembler: build.constant(assembler.in_cluster, ir.BOOL)
SPECIALS["cluster_nctarank"] = lambda assembler: build.constant(prod(assembler.cluster), ir.U32)
