"""Instructions that compute: integers, floats, bits, comparisons, selections."""

from __future__ import annotations

from collections.abc import Callable

from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.ptx.assembler import U16, Assembler, assembles
from kernels.simt.lower.ptx.text import Instruction, Operand, Pair

B = ir.Binary
OPERATORS = {"add": B.ADD, "sub": B.SUBTRACT, "mul": B.MULTIPLY, "div": B.DIVIDE, "rem": B.REMAINDER}
BITWISE = {"and": B.AND, "or": B.OR, "xor": B.XOR}
_ROUNDED = {
    ("add", ir.F32): "__fadd_rn", ("sub", ir.F32): "__fsub_rn", ("mul", ir.F32): "__fmul_rn", ("div", ir.F32): "__fdiv_rn",
    ("add", ir.F64): "__dadd_rn", ("sub", ir.F64): "__dsub_rn", ("mul", ir.F64): "__dmul_rn", ("div", ir.F64): "__ddiv_rn",
}  # fmt: skip
"""Sums and products that are not contracted."""
_FUSED = {ir.F32: "__fmaf_rn", ir.F64: "__fma_rn", ir.F16: "__hfma"}
_HIGH = {ir.I32: "__mulhi", ir.U32: "__umulhi", ir.I64: "__mul64hi", ir.U64: "__umul64hi"}
_WIDE = {U16: ir.U32, ir.U32: ir.U64, ir.I32: ir.I64}
_APPROXIMATE = {
    ("rcp", ir.F32): "__frcp_rn", ("sqrt", ir.F32): "sqrtf", ("sqrt", ir.F64): "sqrt", ("rsqrt", ir.F32): "rsqrtf",
    ("rsqrt", ir.F64): "rsqrt", ("ex2", ir.F32): "exp2f", ("lg2", ir.F32): "__log2f", ("sin", ir.F32): "__sinf",
    ("cos", ir.F32): "__cosf", ("tanh", ir.F32): "tanhf",
}  # fmt: skip
Lanewise = Callable[..., ir.Expression]


def paired(assembler: Assembler, operation: Lanewise, values: list[ir.Expression], kind: ir.Scalar) -> ir.Expression:
    """Do an operation on both halves of words, and join the results: the first is the lower one."""
    words = [assembler.hold(value, "pair") for value in values]
    low, high = (operation(*(half(assembler, word, kind, shift) for word in words)) for shift in (0, 16))
    return joined(assembler, low, high)


def half(assembler: Assembler, word: ir.Expression, kind: ir.Scalar, shift: int) -> ir.Expression:
    """The lower or upper 16 bits of a word as a type."""
    if shift:
        word = build.binary(B.SHIFT_RIGHT, word, build.constant(shift, ir.U32), ir.U32, assembler.location)
    return assembler.bits(build.cast(word, U16, assembler.location), kind)


def joined(assembler: Assembler, low: ir.Expression, high: ir.Expression) -> ir.Expression:
    """Two values of 16 bits as a word."""
    lower, upper = (build.cast(assembler.bits(each, U16), ir.U32, assembler.location) for each in (low, high))
    upper = build.binary(B.SHIFT_LEFT, upper, build.constant(16, ir.U32), ir.U32, assembler.location)
    return build.binary(B.OR, lower, upper, ir.U32, assembler.location)


@dataclass(frozen=True, slots=True)
class _Typed:
    """The type of an instruction, and what else its modifiers say."""

    kind: ir.Scalar
    packed: bool
    flags: tuple[str, ...]

    @property
    def is_float(self) -> bool:
        return self.kind.kind is ir.Kind.FLOAT


def _typed(assembler: Assembler, instruction: Instruction, *known: str) -> _Typed:
    *flags, name = instruction.modifiers or ("",)
    assembler.only(flags, *known)
    return _Typed(assembler.type(name.removesuffix("x2")), name.endswith("x2"), tuple(flags))


def _operands(assembler: Assembler, instruction: Instruction, typed: _Typed, operation: Lanewise) -> None:
    """Write what an operation makes of the operands behind the first."""
    target, *sources = instruction.operands
    if typed.packed:
        words = [assembler.read(each, ir.U32) for each in sources]
        assembler.write(target, paired(assembler, operation, words, typed.kind))
        return
    values = [assembler.read(each, typed.kind) for each in sources]
    if "ftz" in typed.flags and typed.kind == ir.F32:
        values = [assembler.call("ftz.f32", (each,), ir.F32) for each in values]
    result = operation(*values)
    if "ftz" in typed.flags and typed.kind == ir.F32:
        result = assembler.call("ftz.f32", (result,), ir.F32)
    if "sat" in typed.flags:
        result = assembler.call("__saturatef", (result,), ir.F32)
    assembler.write(target, result)


@assembles("add", "sub", "mul", "div", "rem")
def arithmetic(assembler: Assembler, instruction: Instruction) -> None:
    """`add.type d, a, b`: a sum, difference, product, quotient or remainder."""
    assembler.count(instruction, 3)
    typed = _typed(assembler, instruction, "rn", "ftz", "sat", "lo", "hi", "wide", "approx", "full")
    if "sat" in typed.flags and typed.kind != ir.F32:
        raise assembler.unsupported(".sat")
    if instruction.opcode == "mul" and not typed.is_float:
        _write_product(assembler, instruction, typed)
        return
    name = _ROUNDED.get((instruction.opcode, typed.kind)) if "rn" in typed.flags else None
    if instruction.opcode == "div" and ("approx" in typed.flags or "full" in typed.flags):
        name = "__fdividef"

    def operation(a: ir.Expression, b: ir.Expression) -> ir.Expression:
        if name is not None:
            return assembler.call(name, (a, b), typed.kind)
        return build.binary(OPERATORS[instruction.opcode], a, b, typed.kind, assembler.location)

    _operands(assembler, instruction, typed, operation)


def _write_product(assembler: Assembler, instruction: Instruction, typed: _Typed) -> None:
    target, left, right = instruction.operands
    assembler.write(target, _product(assembler, typed, left, right))


def _product(assembler: Assembler, typed: _Typed, left: Operand, right: Operand) -> ir.Expression:
    """A product of integers: its lower or upper half, or all of it."""
    a, b = assembler.read(left, typed.kind), assembler.read(right, typed.kind)
    if "wide" in typed.flags:
        wide = _WIDE.get(typed.kind)
        if wide is None:
            raise assembler.unsupported(".wide")
        a, b = (build.cast(each, wide, assembler.location) for each in (a, b))
        return build.binary(B.MULTIPLY, a, b, wide, assembler.location)
    if "hi" in typed.flags:
        return assembler.call(_HIGH[typed.kind], (a, b), typed.kind)
    if "lo" not in typed.flags:
        raise assembler.refuse(message("A product of integers is .lo, .hi or .wide."))
    return build.binary(B.MULTIPLY, a, b, typed.kind, assembler.location)


@assembles("mad", "fma")
def multiply_add(assembler: Assembler, instruction: Instruction) -> None:
    """`fma.rn.f32 d, a, b, c`, `mad.lo.s32 d, a, b, c`."""
    assembler.count(instruction, 4)
    typed = _typed(assembler, instruction, "rn", "ftz", "sat", "lo", "hi", "wide")
    if typed.is_float:
        function = _FUSED.get(typed.kind)
        if function is None:
            raise assembler.unsupported(f".{instruction.modifiers[-1]}")
        _operands(assembler, instruction, typed, lambda *values: assembler.call(function, values, typed.kind))
        return
    target, left, right, added = instruction.operands
    product = _product(assembler, typed, left, right)
    kind = product.type
    assert isinstance(kind, ir.Scalar)
    assembler.write(target, build.binary(B.ADD, product, assembler.read(added, kind), kind, assembler.location))


@assembles("min", "max")
def extremes(assembler: Assembler, instruction: Instruction) -> None:
    """`min.type d, a, b`."""
    assembler.count(instruction, 3)
    typed = _typed(assembler, instruction, "ftz")
    name = {ir.F32: f"f{instruction.opcode}f", ir.F64: f"f{instruction.opcode}"}.get(typed.kind, instruction.opcode)
    _operands(assembler, instruction, typed, lambda a, b: assembler.call(name, (a, b), typed.kind))


@assembles("neg", "abs", "not")
def unary(assembler: Assembler, instruction: Instruction) -> None:
    """`neg.type d, a`."""
    assembler.count(instruction, 2)
    typed = _typed(assembler, instruction, "ftz")

    def operation(a: ir.Expression) -> ir.Expression:
        if instruction.opcode == "abs":
            return assembler.call("fabsf" if typed.kind == ir.F32 else "fabs" if typed.is_float else "abs", (a,), typed.kind)
        if instruction.opcode == "not" and typed.kind == ir.BOOL:
            return build.unary(ir.Unary.NOT, a, ir.BOOL, assembler.location)
        operator = ir.Unary.NEGATE if instruction.opcode == "neg" else ir.Unary.COMPLEMENT
        return build.unary(operator, a, typed.kind, assembler.location)

    _operands(assembler, instruction, typed, operation)


@assembles("and", "or", "xor")
def bitwise(assembler: Assembler, instruction: Instruction) -> None:
    """`and.b32 d, a, b`, of predicates too."""
    assembler.count(instruction, 3)
    typed = _typed(assembler, instruction)
    _operands(assembler, instruction, typed, lambda a, b: combined(assembler, instruction.opcode, a, b))


def combined(assembler: Assembler, name: str, a: ir.Expression, b: ir.Expression) -> ir.Expression:
    """`a & b`, `a | b`, `a ^ b`, of predicates too."""
    if a.type == ir.BOOL and name == "xor":
        return build.binary(B.NOT_EQUAL, a, b, ir.BOOL, assembler.location)
    if a.type == ir.BOOL:
        return ir.ShortCircuit(name == "and", a, b, assembler.location)
    return build.binary(BITWISE[name], a, b, build.type_of(a), assembler.location)


@assembles("shl", "shr")
def shift(assembler: Assembler, instruction: Instruction) -> None:
    """`shl.b32 d, a, b`: more than all bits gives zeros, or signs."""
    assembler.count(instruction, 3)
    typed = _typed(assembler, instruction)
    operator = B.SHIFT_LEFT if instruction.opcode == "shl" else B.SHIFT_RIGHT
    target, value, by = instruction.operands
    a, b = assembler.read(value, typed.kind), assembler.read(by, ir.U32)
    assembler.write(target, build.binary(operator, a, b, typed.kind, assembler.location))


@assembles("shf")
def funnel(assembler: Assembler, instruction: Instruction) -> None:
    """`shf.l.wrap.b32 d, a, b, c`: the upper or lower word of two words that are shifted."""
    assembler.count(instruction, 4)
    assembler.only(instruction.modifiers, "l", "r", "wrap", "clamp", "b32")
    name = f"__funnelshift_{instruction.modifiers[0]}{'c' if 'clamp' in instruction.modifiers else ''}"
    _call(assembler, instruction, name, ir.U32)


PERMUTATIONS = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543), "b4e": (0x5670, 0x6701, 0x7012, 0x0123), "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333), "ecr": (0x0000, 0x1110, 0x2210, 0x3210), "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}  # fmt: skip
"""The bytes that a mode of `prmt` takes, as its plain form names them, by the last two bits of its third operand."""


@assembles("prmt")
def permuted_bytes(assembler: Assembler, instruction: Instruction) -> None:
    """`prmt.b32 d, a, b, c`, or with a mode behind."""
    kind, *mode = instruction.modifiers
    assembler.only((kind,), "b32")
    assembler.only(mode[:1], *PERMUTATIONS)
    assembler.only(mode[1:])
    assembler.count(instruction, 4)
    target, *sources = instruction.operands
    a, b, chosen = (assembler.read(each, ir.U32) for each in sources)
    if mode:
        known = build.constant(sum(each << 16 * place for place, each in enumerate(PERMUTATIONS[mode[0]])), ir.U64)
        place = build.binary(B.AND, chosen, build.constant(3, ir.U32), ir.U32, assembler.location)
        bits = build.binary(B.MULTIPLY, place, build.constant(16, ir.U32), ir.U32, assembler.location)
        chosen = assembler.bits(build.binary(B.SHIFT_RIGHT, known, bits, ir.U64, assembler.location), ir.U32)
    assembler.write(target, assembler.call("__byte_perm", (a, b, chosen), ir.U32))


@assembles("lop3", "bfe", "bfi")
def bits(assembler: Assembler, instruction: Instruction) -> None:
    """Instructions on bits that are functions of their operands."""
    assembler.only(instruction.modifiers, "b32", "u32", "s32")
    assembler.count(instruction, 4 if instruction.opcode == "bfe" else 5)
    signed = instruction.modifiers[-1] == "s32"
    kind = ir.I32 if signed else ir.U32
    _call(assembler, instruction, f"{instruction.opcode}.{'s32' if signed else 'b32'}", kind)


def _call(assembler: Assembler, instruction: Instruction, name: str, kind: ir.Scalar) -> None:
    target, *sources = instruction.operands
    assembler.write(target, assembler.call(name, [assembler.read(each, kind) for each in sources], kind))


@assembles("popc", "clz", "brev")
def counted_bits(assembler: Assembler, instruction: Instruction) -> None:
    """`popc.b32 d, a`."""
    assembler.count(instruction, 2)
    typed = _typed(assembler, instruction)
    long = "ll" if typed.kind.size == 8 else ""
    result = typed.kind if instruction.opcode == "brev" else ir.I32
    source = typed.kind if instruction.opcode != "clz" else (ir.I64 if long else ir.I32)
    target, value = instruction.operands
    assembler.write(target, assembler.call(f"__{instruction.opcode}{long}", (assembler.read(value, source),), result))


@assembles("rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh")
def functions(assembler: Assembler, instruction: Instruction) -> None:
    """Functions of one float."""
    assembler.count(instruction, 2)
    typed = _typed(assembler, instruction, "rn", "ftz", "approx")
    if (instruction.opcode, typed.kind) == ("rcp", ir.F64):
        one = build.constant(1.0, ir.F64)
        _operands(assembler, instruction, typed, lambda a: build.binary(B.DIVIDE, one, a, ir.F64, assembler.location))
        return
    name = _APPROXIMATE.get((instruction.opcode, typed.kind))
    if name is None or typed.packed:
        raise assembler.unsupported(f".{instruction.modifiers[-1]}")
    _operands(assembler, instruction, typed, lambda a: assembler.call(name, (a,), typed.kind))


# ------------------------------------------------------------ comparisons

_COMPARISONS = {
    "eq": B.EQUAL, "ne": B.NOT_EQUAL, "lt": B.LESS, "le": B.LESS_EQUAL, "gt": B.GREATER, "ge": B.GREATER_EQUAL,
    "lo": B.LESS, "ls": B.LESS_EQUAL, "hi": B.GREATER, "hs": B.GREATER_EQUAL,
}  # fmt: skip
_OPPOSITE = {"equ": B.NOT_EQUAL, "ltu": B.GREATER_EQUAL, "leu": B.GREATER, "gtu": B.LESS_EQUAL, "geu": B.LESS}
"""True where the opposite is not: also of what is no number."""


@assembles("setp")
def compare(assembler: Assembler, instruction: Instruction) -> None:
    """`setp.lt.s32 p|q, a, b`, combined with a third predicate by `.and` and the like."""
    comparison, *rest, name = instruction.modifiers
    assembler.only(rest, "ftz", "and", "or", "xor")
    joining = next((each for each in rest if each != "ftz"), None)
    assembler.count(instruction, 4 if joining else 3)
    kind = assembler.type(name)
    target, left, right, *third = instruction.operands
    found = assembler.hold(_compared(assembler, comparison, assembler.read(left, kind), assembler.read(right, kind)), "compared")
    results = [found, build.unary(ir.Unary.NOT, found, ir.BOOL, assembler.location)]
    if joining:
        with_it = assembler.hold(assembler.read(third[0], ir.BOOL))
        results = [combined(assembler, joining, each, with_it) for each in results]
    targets = (target.first, target.second) if isinstance(target, Pair) else (target,)
    for each, result in zip(targets, results, strict=False):
        assembler.write(each, result)


def _compared(assembler: Assembler, name: str, a: ir.Expression, b: ir.Expression) -> ir.Expression:
    location = assembler.location
    is_float = isinstance(a.type, ir.Scalar) and a.type.kind is ir.Kind.FLOAT
    if is_float and name in ("ne", "equ"):
        a, b = assembler.hold(a), assembler.hold(b)
        less, greater = (build.binary(each, a, b, ir.BOOL, location) for each in (B.LESS, B.GREATER))
        different = ir.ShortCircuit(False, less, greater, location)  # noqa: FBT003 - a disjunction
        return different if name == "ne" else build.unary(ir.Unary.NOT, different, ir.BOOL, location)
    if is_float and name in ("num", "nan"):
        a, b = assembler.hold(a), assembler.hold(b)
        tests = [build.binary(B.EQUAL, each, each, ir.BOOL, location) for each in (a, b)]
        both = ir.ShortCircuit(True, tests[0], tests[1], location)  # noqa: FBT003 - a conjunction
        return both if name == "num" else build.unary(ir.Unary.NOT, both, ir.BOOL, location)
    if is_float and name == "neu":
        return build.binary(B.NOT_EQUAL, a, b, ir.BOOL, location)
    if is_float and name in _OPPOSITE:
        return build.unary(ir.Unary.NOT, build.binary(_OPPOSITE[name], a, b, ir.BOOL, location), ir.BOOL, location)
    if name not in _COMPARISONS:
        raise assembler.unsupported(f".{name}")
    return build.binary(_COMPARISONS[name], a, b, ir.BOOL, location)


@assembles("selp")
def select(assembler: Assembler, instruction: Instruction) -> None:
    """`selp.b32 d, a, b, p`: a where p holds, else b."""
    assembler.count(instruction, 4)
    kind = assembler.type(instruction.modifiers[-1])
    target, yes, no, predicate = instruction.operands
    condition = assembler.read(predicate, ir.BOOL)
    assembler.write(target, ir.Select(condition, assembler.read(yes, kind), assembler.read(no, kind), kind, assembler.location))
