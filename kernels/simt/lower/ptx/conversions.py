"""Instructions that move and convert: mov, cvt, cvta, and what special registers hold."""

from __future__ import annotations

from functools import partial

from kernels.base.architectures import H100
from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.windows import LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW
from kernels.simt.lower import build
from kernels.simt.lower.ptx.arithmetic import joined
from kernels.simt.lower.ptx.assembler import BF16, SHARED_SPACES, SPECIALS, UNSIGNED, Assembler, assembles
from kernels.simt.lower.ptx.text import Group, Instruction, Operand
from kernels.simt.lower.shared_addresses import OWN_SPACES, generic_address, shared_address

B = ir.Binary
_WINDOWS = {
    "global": (0, SHARED_WINDOW), "local": (LOCAL_WINDOW, 1 << 62), "shared::cluster": (SHARED_WINDOW, LOCAL_WINDOW),
    **dict.fromkeys(OWN_SPACES, (SHARED_WINDOW, SHARED_WINDOW + (1 << RANK_SHIFT))),
}  # fmt: skip


@assembles("mov")
def move(assembler: Assembler, instruction: Instruction) -> None:
    """`mov.b32 d, a`; `{a, b}` joins registers, the first lowest, or takes one apart."""
    assembler.count(instruction, 2)
    target, source = instruction.operands
    kind = assembler.type(instruction.modifiers[-1])
    if isinstance(target, Group):
        _split(assembler, target, assembler.hold(assembler.read(source, UNSIGNED[kind.size])), kind.size)
    elif isinstance(source, Group):
        assembler.write(target, _packed(assembler, source, kind.size))
    else:
        assembler.write(target, assembler.read(source, kind))


def _split(assembler: Assembler, target: Group, value: ir.Expression, size: int) -> None:
    part = UNSIGNED[size // len(target.items)]
    for number, item in enumerate(target.items):
        shift = build.constant(8 * part.size * number, ir.U32)
        moved = build.binary(B.SHIFT_RIGHT, value, shift, build.type_of(value), assembler.location) if number else value
        assembler.write(item, build.cast(moved, part, assembler.location))


def _packed(assembler: Assembler, source: Group, size: int) -> ir.Expression:
    part, whole = UNSIGNED[size // len(source.items)], UNSIGNED[size]
    total: ir.Expression = build.constant(0, whole)
    for number, item in enumerate(source.items):
        value = build.cast(assembler.read(item, part), whole, assembler.location)
        if number:
            shift = build.constant(8 * part.size * number, ir.U32)
            value = build.binary(B.SHIFT_LEFT, value, shift, whole, assembler.location)
            value = build.binary(B.OR, total, value, whole, assembler.location)
        total = value
    return total


# ------------------------------------------------------------ conversions

_FLOAT_NAMES = {ir.F32: "float", ir.F64: "double"}
_INTEGER_NAMES = {ir.I32: "int", ir.U32: "uint", ir.I64: "ll", ir.U64: "ull"}
_WHOLE = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_MODES = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru", "rni": "rn", "rzi": "rz", "rmi": "rd", "rpi": "ru"}


@assembles("cvt")
def convert(assembler: Assembler, instruction: Instruction) -> None:
    """`cvt.rn.f16.f32 d, a`; of `f16x2`, a becomes the upper half and b the lower one."""
    *flags, to, source = instruction.modifiers
    assembler.only(flags, *_MODES, "rna", "ftz", "sat", "relu")
    mode = next((each for each in flags if each in _MODES or each == "rna"), "")
    if to == "tf32":
        assembler.count(instruction, 2)
        name = f"cvt.{mode}.tf32.f32"
        assembler.only(flags, "rna", "rn", "rz")
        assembler.write(instruction.operands[0], assembler.call(name, (assembler.read(instruction.operands[1], ir.F32),), ir.U32))
        return
    if to in ("f16x2", "bf16x2"):
        assembler.count(instruction, 3)
        if source != "f32" or mode != "rn":
            raise assembler.unsupported(f".{mode}.{to}.{source}")
        target, upper, lower = instruction.operands
        kind = ir.F16 if to == "f16x2" else BF16
        high, low = (_rounded(assembler, each, kind, relu="relu" in flags) for each in (upper, lower))
        assembler.write(target, joined(assembler, low, high))
        return
    assembler.count(instruction, 2)
    value = _converted(assembler, assembler.read(instruction.operands[1], assembler.type(source)), assembler.type(to), mode)
    if "relu" in flags:
        raise assembler.unsupported(".relu")
    if "sat" in flags:
        value = _saturated(assembler, value, assembler.type(to))
    assembler.write(instruction.operands[0], value)


def _rounded(assembler: Assembler, operand: Operand, kind: ir.Scalar, *, relu: bool) -> ir.Expression:
    value = assembler.read(operand, ir.F32)
    if relu:
        value = assembler.call("fmaxf", (value, build.constant(0.0, ir.F32)), ir.F32)
    return ir.Cast(value, kind, assembler.location)


def _converted(assembler: Assembler, value: ir.Expression, to: ir.Scalar, mode: str) -> ir.Expression:
    source = value.type
    assert isinstance(source, ir.Scalar)
    from_float, to_float = source.kind is ir.Kind.FLOAT, to.kind is ir.Kind.FLOAT
    if from_float and source.size == 2 and not to_float:
        value, source = build.cast(value, ir.F32, assembler.location), ir.F32
    if mode in _WHOLE and from_float and to_float:
        name = _WHOLE[mode] + ("f" if source == ir.F32 else "")
        return build.cast(assembler.call(name, (value,), source), to, assembler.location)
    plain = {"": True, "rn": to_float, "rni": False, "rzi": from_float and not to_float}.get(mode, False)
    if plain or source == to:
        return build.cast(value, to, assembler.location)
    names = _FLOAT_NAMES | _INTEGER_NAMES
    wide = {ir.Kind.SIGNED: ir.I32, ir.Kind.UNSIGNED: ir.U32}.get(to.kind) if to.size < 4 else to
    if source not in names or wide not in names or mode not in _MODES:
        raise assembler.unsupported(f".{mode}")
    found = assembler.call(f"__{names[source]}2{names[wide]}_{_MODES[mode]}", (value,), wide)
    return build.cast(found, to, assembler.location)


def _saturated(assembler: Assembler, value: ir.Expression, kind: ir.Scalar) -> ir.Expression:
    if kind == ir.F32:
        return assembler.call("__saturatef", (value,), kind)
    raise assembler.unsupported(".sat")


@assembles("cvta")
def convert_address(assembler: Assembler, instruction: Instruction) -> None:
    """`cvta.to.shared.u64 d, a`: a generic address as one of a state space, or the reverse."""
    assembler.count(instruction, 2)
    to = "to" in instruction.modifiers
    space = instruction.modifiers[1 if to else 0]
    value = build.cast(assembler.read(instruction.operands[1], assembler.type(instruction.modifiers[-1])), ir.U64, assembler.location)
    if space in SHARED_SPACES:
        value = (shared_address if to else generic_address)(value, assembler.cluster, assembler.location)
    elif space not in ("global", "const", "local"):
        raise assembler.unsupported(f".{space}")
    assembler.write(instruction.operands[0], value)


@assembles("isspacep")
def is_in_space(assembler: Assembler, instruction: Instruction) -> None:
    """`isspacep.shared p, a`."""
    assembler.count(instruction, 2)
    low, high = _WINDOWS.get(instruction.modifiers[0], (0, 0))
    if not high:
        raise assembler.unsupported(f".{instruction.modifiers[0]}")
    address = assembler.hold(assembler.read(instruction.operands[1], ir.U64))
    location = assembler.location
    above = build.binary(B.GREATER_EQUAL, address, build.constant(low, ir.U64), ir.BOOL, location)
    below = build.binary(B.LESS, address, build.constant(high, ir.U64), ir.BOOL, location)
    assembler.write(instruction.operands[0], ir.ShortCircuit(True, above, below, location))  # noqa: FBT003 - a conjunction


# ------------------------------------------------------------ special registers


def _built_in(name: str, _assembler: Assembler) -> ir.Expression:
    return ir.Special(name)


def _linear(assembler: Assembler, place: str, size: str) -> ir.Expression:
    """A thread's place in its block, or a block's in its grid, counted along x."""
    x, y, z, width, height = (ir.Special(name) for name in (f"{place}.x", f"{place}.y", f"{place}.z", f"{size}.x", f"{size}.y"))

    def times(a: ir.Expression, b: ir.Expression, c: ir.Expression) -> ir.Expression:
        product = build.binary(B.MULTIPLY, a, b, ir.U32, assembler.location)
        return build.binary(B.ADD, product, c, ir.U32, assembler.location)

    return times(times(z, height, y), width, x)


def _warp(assembler: Assembler) -> ir.Expression:
    number = _linear(assembler, "threadIdx", "blockDim")
    return build.binary(B.SHIFT_RIGHT, number, build.constant(5, ir.U32), ir.U32, assembler.location)


def _multiprocessor(assembler: Assembler) -> ir.Expression:
    """Block i is on multiprocessor i, and round again."""
    number = _linear(assembler, "blockIdx", "gridDim")
    return build.binary(B.REMAINDER, number, build.constant(H100.multiprocessors, ir.U32), ir.U32, assembler.location)


def _lanes(which: str, assembler: Assembler) -> ir.Expression:
    """The lanes before, at, or behind the own one, as bits."""
    own = build.binary(B.SHIFT_LEFT, build.constant(1, ir.U32), ir.Special("laneid"), ir.U32, assembler.location)
    below = build.binary(B.SUBTRACT, own, build.constant(1, ir.U32), ir.U32, assembler.location)
    upto = build.binary(B.OR, own, below, ir.U32, assembler.location)
    invert = partial(build.unary, ir.Unary.COMPLEMENT, kind=ir.U32, location=assembler.location)
    return {"eq": own, "lt": below, "le": upto, "gt": invert(upto), "ge": invert(below)}[which]


def _called(name: str, kind: ir.Scalar, assembler: Assembler) -> ir.Expression:
    return assembler.call(name, (), kind)


def _upper_time(assembler: Assembler) -> ir.Expression:
    now = build.cast(_called("clock64", ir.I64, assembler), ir.U64, assembler.location)
    upper = build.binary(B.SHIFT_RIGHT, now, build.constant(32, ir.U32), ir.U64, assembler.location)
    return build.cast(upper, ir.U32, assembler.location)


def _number_of_grid(assembler: Assembler) -> ir.Expression:
    raise assembler.refuse(message("%gridid is a number that the driver gives to each launch: no result should depend on it."))


for _axis in "xyz":
    for _name, _built in (("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim")):
        SPECIALS[f"{_name}.{_axis}"] = partial(_built_in, f"{_built}.{_axis}")
for _which in ("eq", "lt", "le", "gt", "ge"):
    SPECIALS[f"lanemask_{_which}"] = partial(_lanes, _which)
SPECIALS["laneid"] = partial(_built_in, "laneid")
SPECIALS["warpid"] = _warp
SPECIALS["smid"] = _multiprocessor
SPECIALS["nsmid"] = lambda _: build.constant(H100.multiprocessors, ir.U32)
SPECIALS["nwarpid"] = lambda _: build.constant(H100.architecture.warps, ir.U32)
SPECIALS["WARP_SZ"] = lambda _: build.constant(32, ir.U32)
SPECIALS["clock"] = SPECIALS["clock_lo"] = SPECIALS["globaltimer_lo"] = partial(_called, "clock", ir.I32)
SPECIALS["clock_hi"] = SPECIALS["globaltimer_hi"] = _upper_time
SPECIALS["gridid"] = _number_of_grid
for _name in ("dynamic_smem_size", "total_smem_size"):
    SPECIALS[_name] = partial(_called, f"__tilescope_{_name}", ir.U32)
SPECIALS["clock64"] = SPECIALS["globaltimer"] = partial(_called, "clock64", ir.I64)
