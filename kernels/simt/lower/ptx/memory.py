"""Instructions that access memory: loads, stores, atomics, fences, asynchronous copies of a thread's own."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.frontend.declared_functions import BLOCK_SCOPE, SYSTEM_SCOPE
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import SHARED_SPACES, SPACES, UNSIGNED, Assembler, assembles
from kernels.simt.lower.ptx.bulk import copy_in_bulk, reduce_in_bulk
from kernels.simt.lower.ptx.clusters import store_async
from kernels.simt.lower.ptx.text import Address, Instruction, Operand

B = ir.Binary
_ORDERS = ("weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc")
SCOPES = {"cta": BLOCK_SCOPE, "cluster": "", "gpu": "", "gl": "", "sys": SYSTEM_SCOPE}
_FENCES = {
    "cta": "__threadfence_block",
    "cluster": "__threadfence",
    "gpu": "__threadfence",
    "gl": "__threadfence",
    "sys": "__threadfence_system",
}
_HINTS = (
    "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "L1::no_allocate", "L1::evict_normal", "L1::evict_last", "L1::evict_first",
    "L1::evict_unchanged", "L2::cache_hint", "L2::64B", "L2::128B", "L2::256B", "L2::evict_last", "L2::evict_first", "L2::evict_normal",
)  # fmt: skip
"""What a cache should keep: no result depends on it."""


@dataclass(slots=True)
class Access:
    """Access as its modifiers say."""

    order: str = "weak"
    scope: str = "gpu"
    space: str = ""
    vector: int = 1
    rest: tuple[str, ...] = ()


def access_of(instruction: Instruction) -> Access:
    """Read the modifiers of an access."""
    found, rest = Access(), []
    for modifier in instruction.modifiers:
        if modifier in _ORDERS:
            found.order = modifier
        elif modifier in SCOPES:
            found.scope = modifier
        elif modifier in SPACES:
            found.space = modifier
        elif modifier in ("v2", "v4", "v8"):
            found.vector = int(modifier[1:])
        elif modifier not in _HINTS:
            rest.append(modifier)
    found.rest = tuple(rest)
    return found


def order(assembler: Assembler, access: Access, *, before: bool) -> None:
    """What an access orders: all before it (release), all after it (acquire)."""
    block = "_block" if access.scope == "cta" else ""
    if before and access.order == "sc":
        assembler.do(_FENCES[access.scope])
    elif before and access.order in ("release", "acq_rel"):
        assembler.do(f"__tilescope_release{block}")
    elif not before and access.order in ("acquire", "acq_rel", "sc"):
        assembler.do(f"__tilescope_acquire{block}")


def _vector(kind: ir.Scalar, count: int) -> ir.Struct:
    fields = tuple(ir.Field("xyzwabcd"[number], kind, number * kind.size) for number in range(count))
    return ir.Struct(f"v{count}", fields, count * kind.size, count * kind.size, vector=True)


def _type(assembler: Assembler, access: Access) -> ir.Scalar:
    *more, name = access.rest or ("",)
    assembler.only(more)
    return assembler.type(name)


@assembles("ld", "ldu")
def load(assembler: Assembler, instruction: Instruction) -> None:
    """`ld.global.v4.f32 {a, b, c, d}, [address]`: one access."""
    assembler.count(instruction, 2, 3)
    access = access_of(instruction)
    kind = _type(assembler, access)
    target, source = instruction.operands[:2]
    address = assembler.address(source, access.space)
    volatile = access.order != "weak"
    if access.order == "acquire":
        _load_acquire(assembler, access, kind, target, address)
        return
    targets = assembler.group(target, access.vector)
    if access.vector == 1:
        place = assembler.object(address, kind, volatile=volatile)
        assembler.write(targets[0], ir.Load(place, kind, assembler.location))
        return
    record = _vector(kind, access.vector)
    loaded = build.temporary("loaded", record, assembler.location)
    place = assembler.object(address, record, volatile=volatile)
    assembler.statements.append(ir.Declare(loaded, ir.Load(place, record, assembler.location), assembler.location))
    for each, part in zip(targets, record.fields, strict=True):
        assembler.write(each, ir.Load(ir.Member(ir.Whole(loaded), part, assembler.location), kind, assembler.location))


def _load_acquire(assembler: Assembler, access: Access, kind: ir.Scalar, target: Operand, address: ir.Expression) -> None:
    """A load that others synchronise with is an atomic one that changes nothing."""
    bits = UNSIGNED[kind.size]
    assembler.do("__tilescope_relaxed")
    found = assembler.hold(atomic(assembler, "atomicOr" + SCOPES[access.scope], address, [build.constant(0, bits)], bits), "found")
    order(assembler, access, before=False)
    assembler.write(target, assembler.bits(found, kind))


@assembles("st")
def store(assembler: Assembler, instruction: Instruction) -> None:
    """`st.shared.v2.b32 [address], {a, b}`: one access."""
    if instruction.modifiers[:1] == ("async",):
        store_async(assembler, instruction)
        return
    assembler.count(instruction, 2, 3)
    access = access_of(instruction)
    kind = _type(assembler, access)
    target, source = instruction.operands[:2]
    address = assembler.address(target, access.space)
    values = [assembler.read(each, kind) for each in assembler.group(source, access.vector)]
    if access.order == "release":
        bits = UNSIGNED[kind.size]
        order(assembler, access, before=True)
        name = "atomicExch" + SCOPES[access.scope]
        found = atomic(assembler, name, address, [assembler.bits(values[0], bits)], bits)
        assembler.statements.append(ir.Evaluate(found, assembler.location))
        return
    whole = kind if access.vector == 1 else _vector(kind, access.vector)
    value = values[0] if access.vector == 1 else ir.Make(tuple(values), whole, assembler.location)
    place = assembler.object(address, whole, volatile=access.order != "weak")
    assembler.statements.append(ir.Store(place, value, assembler.location))


def atomic(assembler: Assembler, name: str, address: ir.Expression, operands: list[ir.Expression], kind: ir.Scalar) -> ir.Expression:
    """Update what stands at an address: what was there before."""
    place = assembler.object(address, kind)
    pointer = ir.AddressOf(place, ir.Pointer(kind), assembler.location)
    return assembler.call(name, (pointer, *operands), kind)


@assembles("fence", "membar")
def fence(assembler: Assembler, instruction: Instruction) -> None:
    """`fence.acq_rel.gpu`, `membar.cta`, `fence.proxy.async`, `fence.mbarrier_init.release.cluster`."""
    if "proxy" in instruction.modifiers:
        kinds = instruction.modifiers[1:]
        assembler.only(kinds[:1], "async", "alias", *(f"async{_space(each)}" for each in ("global", *SHARED_SPACES)))
        assembler.do("fence.proxy.async")
        return
    if "mbarrier_init" in instruction.modifiers:
        assembler.only(instruction.modifiers, "mbarrier_init", "release", "cluster")
        assembler.do("fence.mbarrier_init")
        return
    assembler.only(instruction.modifiers, *_FENCES, "acq_rel", "sc", "acquire", "release")
    scope = next((each for each in instruction.modifiers if each in _FENCES), "gpu")
    assembler.do(_FENCES[scope])


def _space(name: str) -> str:
    return f"::{name}"


@assembles("prefetch", "prefetchu", "applypriority", "discard", "griddepcontrol")
def hint(assembler: Assembler, instruction: Instruction) -> None:
    """What changes no result is left out."""


@assembles("createpolicy")
def policy(assembler: Assembler, instruction: Instruction) -> None:
    """A cache policy is a number that nothing reads."""
    assembler.write(instruction.operands[0], build.constant(0, ir.U64))


# ------------------------------------------------------------ cp.async


@assembles("cp")
def copy(assembler: Assembler, instruction: Instruction) -> None:
    """`cp.async.cg.shared.global [to], [from], size, filled;`, its groups and waits; copies in bulk stand in `bulk`."""
    kinds = instruction.modifiers
    if kinds[:2] == ("async", "bulk"):
        copy_in_bulk(assembler, instruction)
    elif kinds[:3] == ("reduce", "async", "bulk"):
        reduce_in_bulk(assembler, instruction)
    elif kinds == ("async", "commit_group"):
        assembler.do("__pipeline_commit")
    elif kinds == ("async", "wait_group"):
        assembler.do("__pipeline_wait_prior", assembler.read(instruction.operands[0], ir.U32))
    elif kinds == ("async", "wait_all"):
        assembler.do("__pipeline_commit")
        assembler.do("__pipeline_wait_prior", build.constant(0, ir.U32))
    elif kinds[:3] == ("async", "mbarrier", "arrive"):
        _arrive_behind(assembler, instruction)
    else:
        _copy_async(assembler, instruction)


def _arrive_behind(assembler: Assembler, instruction: Instruction) -> None:
    """`cp.async.mbarrier.arrive{.noinc}.shared.b64 [barrier]`: the thread arrives when its copies so far have come."""
    assembler.count(instruction, 1)
    assembler.only(instruction.modifiers, "async", "mbarrier", "arrive", "noinc", "b64", *SHARED_SPACES)
    space = next((each for each in instruction.modifiers if each in SHARED_SPACES), "")
    name = "cp.async.mbarrier.arrive" + ".noinc" * ("noinc" in instruction.modifiers)
    assembler.do("__tilescope_relaxed")
    assembler.do(name, assembler.pointer(assembler.address(instruction.operands[0], space), None))


def _copy_async(assembler: Assembler, instruction: Instruction) -> None:
    assembler.count(instruction, 3, 4, 5)
    assembler.only(instruction.modifiers, "async", "global", *SHARED_SPACES, *_HINTS)
    target, source, size, *more = instruction.operands
    space = next((each for each in instruction.modifiers if each in SHARED_SPACES), "")
    to, where = assembler.address(target, space), assembler.address(source, "global")
    bytes_ = assembler.integer(size)
    allowed = (16,) if "cg" in instruction.modifiers else (4, 8, 16)
    if bytes_ not in allowed:
        raise assembler.refuse(message("{name} copies {sizes} bytes.", name=instruction.name, sizes=", ".join(map(str, allowed))))
    filled: ir.Expression = build.constant(0, ir.U64)
    if more and "L2::cache_hint" not in instruction.modifiers[-1:]:
        filled = _zeros(assembler, more[0], bytes_)
    to, where = assembler.pointer(to, None), assembler.pointer(where, None)
    assembler.do("__pipeline_memcpy_async", to, where, build.constant(bytes_, ir.U64), filled)


def _zeros(assembler: Assembler, given: Operand, size: int) -> ir.Expression:
    """The bytes that are not read but zeros: all but as many as are given; all where a predicate says to ignore the source."""
    if isinstance(given, Address):
        raise assembler.unsupported("[ ]")
    if assembler.is_predicate(given):
        all_of_it, none = build.constant(size, ir.U64), build.constant(0, ir.U64)
        return ir.Select(assembler.read(given, ir.BOOL), all_of_it, none, ir.U64, assembler.location)
    count = build.cast(assembler.read(given, ir.U32), ir.U64, assembler.location)
    return build.binary(B.SUBTRACT, build.constant(size, ir.U64), count, ir.U64, assembler.location)
