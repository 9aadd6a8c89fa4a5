"""LLVM's text, line by line: types, constants, conversions and operations, none of which is undefined for any value.

What C leaves undefined is given the meaning that it has on x86: integers wrap, shift counts are taken modulo the width, a float that no
integer holds becomes some integer. A division by zero is the caller's to look for.
"""

from __future__ import annotations

import struct

from kernels.simt import ir
from kernels.simt.lower.build import SHIFTS

SIGNED = {
    ir.Binary.DIVIDE: "sdiv", ir.Binary.REMAINDER: "srem", ir.Binary.SHIFT_RIGHT: "ashr",
    ir.Binary.LESS: "slt", ir.Binary.LESS_EQUAL: "sle", ir.Binary.GREATER: "sgt", ir.Binary.GREATER_EQUAL: "sge",
}  # fmt: skip
UNSIGNED = {
    ir.Binary.DIVIDE: "udiv", ir.Binary.REMAINDER: "urem", ir.Binary.SHIFT_RIGHT: "lshr",
    ir.Binary.LESS: "ult", ir.Binary.LESS_EQUAL: "ule", ir.Binary.GREATER: "ugt", ir.Binary.GREATER_EQUAL: "uge",
}  # fmt: skip
EITHER = {
    ir.Binary.ADD: "add", ir.Binary.SUBTRACT: "sub", ir.Binary.MULTIPLY: "mul", ir.Binary.AND: "and", ir.Binary.OR: "or",
    ir.Binary.XOR: "xor", ir.Binary.SHIFT_LEFT: "shl", ir.Binary.EQUAL: "eq", ir.Binary.NOT_EQUAL: "ne",
}  # fmt: skip
FLOATING = {
    ir.Binary.ADD: "fadd", ir.Binary.SUBTRACT: "fsub", ir.Binary.MULTIPLY: "fmul", ir.Binary.DIVIDE: "fdiv",
    ir.Binary.REMAINDER: "frem", ir.Binary.LESS: "olt", ir.Binary.LESS_EQUAL: "ole", ir.Binary.GREATER: "ogt",
    ir.Binary.GREATER_EQUAL: "oge", ir.Binary.EQUAL: "oeq", ir.Binary.NOT_EQUAL: "une",
}  # fmt: skip
COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
DIVISIONS = (ir.Binary.DIVIDE, ir.Binary.REMAINDER)
FLOATS = {2: "half", 4: "float", 8: "double"}


def is_float(kind: ir.Type | None) -> bool:
    """Say whether it is a floating-point type."""
    return isinstance(kind, ir.Scalar) and kind.kind is ir.Kind.FLOAT


def is_signed(kind: ir.Type | None) -> bool:
    """Say whether it is a signed integer type."""
    return isinstance(kind, ir.Scalar) and kind.kind is ir.Kind.SIGNED


def type_text(kind: ir.Type | None) -> str:
    """Write a type as values of it have it; bool is one bit, a pointer a number of 64."""
    match kind:
        case None:
            return "void"
        case ir.Scalar(kind=ir.Kind.BOOL):
            return "i1"
        case ir.Scalar(kind=ir.Kind.FLOAT):
            return "bfloat" if kind.brain else FLOATS[kind.size]
        case ir.Scalar():
            return f"i{8 * kind.size}"
        case ir.Pointer():
            return "i64"
        case ir.Array():
            return f"[{kind.count} x {type_text(kind.element)}]"
        case ir.Struct():
            return "{" + ", ".join(type_text(field.type) for field in kind.fields) + "}"


def memory_type(kind: ir.Type) -> str:
    """Write the type that a scalar has in memory."""
    return "i8" if kind == ir.BOOL else type_text(kind)


def constant(value: int | float | bool, kind: ir.Type) -> str:
    """Write a constant of a scalar type, or the zero of any other."""
    if is_float(kind):
        return "0x" + struct.pack(">d", float(value)).hex().upper()
    return str(int(value)) if isinstance(kind, ir.Scalar | ir.Pointer) else "zeroinitializer"


class Code:
    """The lines of one function. Values are the texts that stand for them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.slots: list[str] = []
        """Lines of the entry: places of the function's own."""
        self._count = 0
        self._open = True

    def fresh(self, start: str = "v") -> str:
        """Make a name."""
        self._count += 1
        return f"{start}{self._count}"

    def op(self, text: str) -> str:
        """Add an instruction with a value."""
        name = f"%{self.fresh()}"
        self.add(f"{name} = {text}")
        return name

    def add(self, text: str) -> None:
        """Add an instruction. After one that ends a block, what follows is never reached, but it has to stand somewhere."""
        if not self._open:
            self.begin(self.fresh("dead"))
        self.lines.append(f"  {text}")

    def begin(self, label: str) -> None:
        """Begin a block; the one before goes on to it where it has no end."""
        if self._open:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self._open = True

    def jump(self, label: str) -> None:
        """End a block."""
        self.end(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """End a block, one way or the other."""
        self.end(f"br i1 {condition}, label %{yes}, label %{no}")

    def end(self, text: str) -> None:
        """End a block with an instruction."""
        self.add(text)
        self._open = False

    def slot(self, kind: str) -> str:
        """Make a place that no address leads to, zero at first."""
        name = f"%{self.fresh('s')}"
        self.slots += [f"  {name} = alloca {kind}", f"  store {kind} zeroinitializer, ptr {name}"]
        return name

    def arithmetic(self, operator: ir.Binary, left: str, right: str, kind: ir.Type) -> str:
        """Compute with two operands of one type; a divisor is not zero. A comparison gives one bit."""
        text = type_text(kind)
        if text == "bfloat":
            result = self.arithmetic(operator, self.convert(left, kind, ir.F32), self.convert(right, kind, ir.F32), ir.F32)
            return result if operator in COMPARISONS else self._to_bfloat(result)
        if is_float(kind):
            name = FLOATING[operator]
            return self.op(f"{'fcmp ' if operator in COMPARISONS else ''}{name} {text} {left}, {right}")
        name = EITHER.get(operator) or (SIGNED if is_signed(kind) else UNSIGNED)[operator]
        if operator in COMPARISONS:
            return self.op(f"icmp {name} {text} {left}, {right}")
        if operator in SHIFTS:
            right = self.op(f"and {text} {right}, {8 * _bytes(kind) - 1}")
        return self.op(f"{name} {text} {left}, {right}")

    def convert(self, value: str, source: ir.Type | None, target: ir.Type) -> str:
        """Convert a scalar or pointer."""
        old, new = type_text(source), type_text(target)
        if old == new:
            return value
        if new == "i1":
            return self.op(f"fcmp une {old} {value}, {constant(0, _typed(source))}" if is_float(source) else f"icmp ne {old} {value}, 0")
        if new == "bfloat":
            single = value if old == "float" else self._to_odd(self.convert(value, source, ir.F64))
            return self._to_bfloat(single)
        if old == "double" and new == "half":
            return self.op(f"fptrunc float {self._to_odd(value)} to half")
        if is_float(source) and is_float(target):
            return self.op(f"{'fpext' if _bytes(source) < _bytes(target) else 'fptrunc'} {old} {value} to {new}")
        if is_float(source):
            return self._to_integer(value, old, target)
        if is_float(target):
            return self.op(f"{'sitofp' if is_signed(source) else 'uitofp'} {old} {value} to {new}")
        if old != "i1" and _bytes(source) > _bytes(target):
            return self.op(f"trunc {old} {value} to {new}")
        return self.op(f"{'sext' if is_signed(source) else 'zext'} {old} {value} to {new}")

    def _to_odd(self, value: str) -> str:
        """Narrow a double to a float, rounded to odd, so that it is rounded rightly to half: no instruction does that at once."""
        near = self.op(f"fptrunc double {value} to float")
        back, bits = self.op(f"fpext float {near} to double"), self.op(f"bitcast float {near} to i32")
        above, below = (self.op(f"fcmp {how} double {back}, {value}") for how in ("ogt", "olt"))
        is_negative = self.op(f"fcmp olt double {value}, {constant(0, ir.F64)}")
        is_larger = self.op(f"select i1 {is_negative}, i1 {below}, i1 {above}")
        shorter = self.op(f"sub i32 {bits}, {self.op(f'zext i1 {is_larger} to i32')}")
        inexact = self.op(f"zext i1 {self.op(f'fcmp one double {back}, {value}')} to i32")
        return self.op(f"bitcast i32 {self.op(f'or i32 {shorter}, {inexact}')} to float")

    def _to_bfloat(self, value: str) -> str:
        """Round a float to bfloat, to nearest even: few processors have an instruction for that."""
        bits = self.op(f"bitcast float {value} to i32")
        is_odd = self.op(f"and i32 {self.op(f'lshr i32 {bits}, 16')}, 1")
        rounded = self.op(f"add i32 {self.op(f'add i32 {bits}, 32767')}, {is_odd}")
        is_nan, quiet = self.op(f"fcmp uno float {value}, {value}"), self.op(f"or i32 {bits}, 4194304")
        chosen = self.op(f"select i1 {is_nan}, i32 {quiet}, i32 {rounded}")
        upper = self.op(f"trunc i32 {self.op(f'lshr i32 {chosen}, 16')} to i16")
        return self.op(f"bitcast i16 {upper} to bfloat")

    def _to_integer(self, value: str, old: str, target: ir.Type) -> str:
        """Convert a float as x86 does: through the wider signed type where there is one."""
        new = type_text(target)
        if _bytes(target) == 8 and not is_signed(target):
            return self.op(f"freeze i64 {self.op(f'fptoui {old} {value} to i64')}")
        wide = "i64" if (_bytes(target) == 4 and not is_signed(target)) or _bytes(target) == 8 else "i32"
        found = self.op(f"freeze {wide} {self.op(f'fptosi {old} {value} to {wide}')}")
        return found if wide == new else self.op(f"trunc {wide} {found} to {new}")

    def bits(self, value: str, kind: ir.Type | None) -> str:
        """Give a scalar as a number of 64 bits: a float's own bits, an integer extended by its sign."""
        text = type_text(kind)
        if text == "i64":
            return value
        if is_float(kind):
            if text != "double":
                value = self.op(f"fpext {text} {value} to double")
            return self.op(f"bitcast double {value} to i64")
        return self.op(f"{'sext' if is_signed(kind) else 'zext'} {text} {value} to i64")

    def from_bits(self, value: str, kind: ir.Type) -> str:
        """Give the scalar that `bits` was given."""
        text = type_text(kind)
        if text == "i64":
            return value
        if is_float(kind):
            wide = self.op(f"bitcast i64 {value} to double")
            return wide if text == "double" else self.convert(wide, ir.F64, kind)
        return self.op(f"trunc i64 {value} to {text}")


def _bytes(kind: ir.Type | None) -> int:
    return kind.size if isinstance(kind, ir.Scalar) else 8


def _typed(kind: ir.Type | None) -> ir.Type:
    assert kind is not None
    return kind
