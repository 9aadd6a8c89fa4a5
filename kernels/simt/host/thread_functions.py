"""What CUDA gives a thread, emitted where the result has the interpreter's bits: exact arithmetic, bits, atomics, its place in the grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.frontend.declared_functions import BLOCK_SCOPE, KNOWN, SYSTEM_SCOPE, Known
from kernels.simt.generate.walk import root
from kernels.simt.host.code import constant, is_float, is_signed, memory_type, type_text
from kernels.simt.host.threads import COMMUTING, SHUFFLES, SITES, VOTES, Cell, NotCompiled, ThreadPlaces
from kernels.simt.trace.trace import WARP

_ROUNDED_ONCE = {
    **{name: name for name in ("fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "sqrt", "round", "copysign", "fma")},
    **{f"{name}f": name for name in ("fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "sqrt", "round", "copysign", "fma")},
    "__fsqrt_rn": "sqrt", "__dsqrt_rn": "sqrt", "__fmaf_rn": "fma", "__fma_rn": "fma",
}  # fmt: skip
"""Functions that LLVM has, exact or rounded once."""
_OPERATORS = {
    "add": ir.Binary.ADD, "sub": ir.Binary.SUBTRACT, "mul": ir.Binary.MULTIPLY, "div": ir.Binary.DIVIDE,
}  # fmt: skip
_PLAIN = {
    **{f"__{letter}{name}_rn": operator for name, operator in _OPERATORS.items() for letter in "fd"},
    "__fdividef": ir.Binary.DIVIDE, "fdividef": ir.Binary.DIVIDE,
}  # fmt: skip
_RECIPROCALS = ("rsqrt", "rsqrtf", "__frsqrt_rn", "__frcp_rn")
_SMALLER = ("min", "fmin", "fminf", "umin", "llmin", "ullmin")
_LARGER = ("max", "fmax", "fmaxf", "umax", "llmax", "ullmax")
_SAME_BITS = ("__int_as_float", "__uint_as_float", "__float_as_int", "__float_as_uint", "__longlong_as_double", "__double_as_longlong")
_WHOLE = {f"__float2{whole}_{mode}": mode for whole in ("int", "uint") for mode in ("rn", "rz", "ru", "rd")}
_MODES = {"rn": "rint", "rz": "trunc", "ru": "ceil", "rd": "floor"}
_FROM_WHOLE = ("__int2float_rn", "__uint2float_rn", "__ll2float_rn", "__int2double_rn", "__ll2double_rn", "__double2float_rn")
_COUNTS = {"__popc": "ctpop", "__popcll": "ctpop", "__clz": "ctlz", "__clzll": "ctlz", "__brev": "bitreverse", "__brevll": "bitreverse"}
_HIGH = ("__mulhi", "__umulhi", "__mul64hi", "__umul64hi")
_FENCES = (*(name for name, kind in KNOWN.items() if kind is Known.FENCE), "__brkpt")
_SUFFIXES = {"float": "f32", "double": "f64"}
_UPDATES = {
    "atomicAdd": ir.Binary.ADD, "atomicSub": ir.Binary.SUBTRACT, "atomicAnd": ir.Binary.AND, "atomicOr": ir.Binary.OR,
    "atomicXor": ir.Binary.XOR,
}  # fmt: skip
_ATOMICS = (*_UPDATES, "atomicExch", "atomicCAS", "atomicMin", "atomicMax", "atomicInc", "atomicDec")


def _without_scope(call: ir.Call) -> str:
    """Name the function whose scope does not matter here. That of one block alone may be too narrow: the interpreter finds where."""
    pointer = call.arguments[0]
    below = root(pointer.place) if isinstance(pointer, ir.AddressOf) else None
    shared = isinstance(below, ir.Whole) and below.variable.space is ir.Space.SHARED
    return call.name.removesuffix(SYSTEM_SCOPE).removesuffix(BLOCK_SCOPE if shared else SYSTEM_SCOPE)


class ThreadFunctions(ThreadPlaces):
    """Emits calls of CUDA's functions."""

    loops = 0
    """Loops around."""

    def _other(self, expression: ir.Expression) -> str:
        if isinstance(expression, ir.Special):
            return self._special(expression)
        return super()._other(expression)

    def _special(self, special: ir.Special) -> str:
        name, _, axis = special.name.partition(".")
        if name == "threadIdx":
            return f"%t{axis}"
        if name == "blockDim":
            return str(self.plan.block["xyz".index(axis)])
        if name in ("blockIdx", "gridDim"):
            return self.op(f"trunc i64 {self.field(f'{name[:-3].lower()}_{axis}')} to i32")
        return str(WARP) if name == "warpSize" else self.op(f"and i32 %tid, {WARP - 1}")

    def _call(self, call: ir.Call) -> str:
        name = call.name
        if name.startswith("atomic"):
            return self.update(call, used=True)
        if name in SHUFFLES or name in VOTES:
            return self._within_warp(call)
        if name in _FENCES:
            return ""
        if name == "__trap":
            self.require("0", 4)
            return ""
        emit = self._table(name)
        if emit is None:
            raise NotCompiled(message("{name} is computed by the interpreter.", name=name))
        return emit(call, [self.value(each) for each in call.arguments])

    def _table(self, name: str) -> Callable[[ir.Call, list[str]], str] | None:
        tables: tuple[tuple[object, Callable[[ir.Call, list[str]], str]], ...] = (
            (_ROUNDED_ONCE, self._rounded_once), (_PLAIN, self._plain), (_RECIPROCALS, self._reciprocal),
            ((*_SMALLER, *_LARGER), self._extreme), (("abs", "labs", "llabs"), self._absolute), (_SAME_BITS, self._same_bits),
            (_WHOLE, self._to_whole), (_FROM_WHOLE, self._from_whole), (_COUNTS, self._bits), (("__ffs", "__ffsll"), self._first_set),
            (_HIGH, self._high), (("isnan", "isinf", "isfinite", "signbit"), self._kind_of_number), (("__saturatef",), self._saturate),
        )  # fmt: skip
        return next((emit for names, emit in tables if name in names), None)  # type: ignore[operator]

    def intrinsic(self, name: str, kind: str, values: list[str], more: str = "") -> str:
        """Call a function of LLVM's on values of one type."""
        full = f"llvm.{name}.{_SUFFIXES.get(kind, kind)}"
        types = ", ".join([kind for _ in values] + (["i1"] if more else []))
        self.shared.outside[full] = f"declare {kind} @{full}({types})"
        given = ", ".join([f"{kind} {value}" for value in values] + ([more] if more else []))
        return self.op(f"call {kind} @{full}({given})")

    # ------------------------------------------------------------ numbers

    def _rounded_once(self, call: ir.Call, values: list[str]) -> str:
        return self.intrinsic(_ROUNDED_ONCE[call.name], type_text(call.type), values)

    def _plain(self, call: ir.Call, values: list[str]) -> str:
        (left, right), kind = values, call.type
        assert kind is not None
        return self.arithmetic(_PLAIN[call.name], left, right, kind)

    def _reciprocal(self, call: ir.Call, values: list[str]) -> str:
        (value,), kind = values, call.type
        assert kind is not None
        if call.name == "__frcp_rn":
            return self.arithmetic(ir.Binary.DIVIDE, constant(1.0, kind), value, kind)
        wide = self.convert(value, kind, ir.F64)
        found = self.arithmetic(ir.Binary.DIVIDE, constant(1.0, ir.F64), self.intrinsic("sqrt", "double", [wide]), ir.F64)
        return self.convert(found, ir.F64, kind)

    def _extreme(self, call: ir.Call, values: list[str]) -> str:
        kind, smaller = call.type, call.name in _SMALLER
        assert kind is not None
        a, b = (self.convert(value, each.type, kind) for value, each in zip(values, call.arguments, strict=True))
        text = type_text(kind)
        if not is_float(kind):
            return self.intrinsic(f"{'s' if is_signed(kind) else 'u'}{'min' if smaller else 'max'}", text, [a, b])
        first = self.op(f"fcmp {'olt' if smaller else 'ogt'} {text} {a}, {b}")
        first = self.op(f"or i1 {first}, {self.op(f'fcmp uno {text} {b}, {b}')}")
        found = self.op(f"select i1 {first}, {text} {a}, {text} {b}")
        negative = self._negative(a, text)
        of_equal = self.op(f"select i1 {negative}, {text} {a if smaller else b}, {text} {b if smaller else a}")
        return self.op(f"select i1 {self.op(f'fcmp oeq {text} {a}, {b}')}, {text} {of_equal}, {text} {found}")

    def _negative(self, value: str, text: str) -> str:
        whole = "i32" if text == "float" else "i64"
        return self.op(f"icmp slt {whole} {self.op(f'bitcast {text} {value} to {whole}')}, 0")

    def _absolute(self, call: ir.Call, values: list[str]) -> str:
        text = type_text(call.type)
        return self.intrinsic("fabs", text, values) if is_float(call.type) else self.intrinsic("abs", text, values, "i1 0")

    def _same_bits(self, call: ir.Call, values: list[str]) -> str:
        return self.op(f"bitcast {type_text(call.arguments[0].type)} {values[0]} to {type_text(call.type)}")

    def _to_whole(self, call: ir.Call, values: list[str]) -> str:
        assert call.type is not None
        return self._to_integer(self.intrinsic(_MODES[_WHOLE[call.name]], "float", values), "float", call.type)

    def _from_whole(self, call: ir.Call, values: list[str]) -> str:
        assert call.type is not None
        return self.convert(values[0], call.arguments[0].type, call.type)

    def _bits(self, call: ir.Call, values: list[str]) -> str:
        kind, name = call.arguments[0].type, _COUNTS[call.name]
        assert call.type is not None
        found = self.intrinsic(name, type_text(kind), values, "i1 0" if name == "ctlz" else "")
        return self.convert(found, ir.U64 if type_text(kind) == "i64" else ir.U32, call.type)

    def _first_set(self, call: ir.Call, values: list[str]) -> str:
        text = type_text(call.arguments[0].type)
        place = self.op(f"add {text} {self.intrinsic('cttz', text, values, 'i1 0')}, 1")
        place = place if text == "i32" else self.op(f"trunc {text} {place} to i32")
        return self.op(f"select i1 {self.op(f'icmp eq {text} {values[0]}, 0')}, i32 0, i32 {place}")

    def _high(self, call: ir.Call, values: list[str]) -> str:
        text, extend = type_text(call.type), "sext" if is_signed(call.type) else "zext"
        bits = int(text[1:])
        a, b = (self.op(f"{extend} {text} {value} to i{2 * bits}") for value in values)
        high = self.op(f"lshr i{2 * bits} {self.op(f'mul i{2 * bits} {a}, {b}')}, {bits}")
        return self.op(f"trunc i{2 * bits} {high} to {text}")

    def _kind_of_number(self, call: ir.Call, values: list[str]) -> str:
        (value,), kind = values, call.arguments[0].type
        assert kind is not None
        text = type_text(kind)
        if call.name == "signbit":
            return self._negative(value, text)
        if call.name == "isnan":
            return self.op(f"fcmp uno {text} {value}, {value}")
        size = self.intrinsic("fabs", text, [value])
        return self.op(f"fcmp {'oeq' if call.name == 'isinf' else 'one'} {text} {size}, {constant(float('inf'), kind)}")

    def _saturate(self, _call: ir.Call, values: list[str]) -> str:
        (value,), one = values, constant(1.0, ir.F32)
        small = self.op(f"select i1 {self.op(f'fcmp olt float {value}, {one}')}, float {value}, float {one}")
        return self.op(f"select i1 {self.op(f'fcmp ogt float {value}, 0.0')}, float {small}, float 0.0")

    # ------------------------------------------------------------ atomics

    def update(self, call: ir.Call, *, used: bool) -> str:
        """Emit an atomic operation: what was there before."""
        call = replace(call, name=_without_scope(call))
        if call.name not in _ATOMICS:
            raise NotCompiled(message("{name} is computed by the interpreter.", name=call.name))
        pointer, kind = call.arguments[0], call.type
        assert isinstance(kind, ir.Scalar)
        spot = self.place(pointer.place) if isinstance(pointer, ir.AddressOf) else None
        if not isinstance(spot, Cell):
            raise NotCompiled(message("{name} is computed by the interpreter.", name=call.name))
        operands = [self.convert(self.value(each), each.type, kind) for each in call.arguments[1:]]
        self._inside(spot, kind.size)
        self._tags(spot, kind.size, "update", self._is_defined(spot, kind.size), self._tag(call, kind, used=used))
        text, place = memory_type(kind), self.pointer(spot.value)
        old = self.op(f"load {text}, ptr {place}")
        self.add(f"store {text} {self._updated(call, kind, old, operands)}, ptr {place}")
        return old

    def _tag(self, call: ir.Call, kind: ir.Scalar, *, used: bool) -> str:
        """Choose the tag that says among which operations the order is the interpreter's, or all the same."""
        if not used and not is_float(kind) and call.name in COMMUTING:
            number = COMMUTING[call.name]
        elif not self.loops:
            number, self.plan.tags = self.plan.tags, self.plan.tags + 1
            self._in_order(number - SITES)
        else:
            return self.op("load i32, ptr %me")
        return self.op(f"add i32 {self.op('load i32, ptr %now')}, {self.plan.threads + number}")

    def _in_order(self, number: int) -> None:
        """Let the threads of a block come to a place in the order of their numbers alone, as the interpreter has them."""
        place = self.op(f"getelementptr i32, ptr {self.pointer(self.field('orders'))}, i64 {number}")
        me = self.op("load i32, ptr %me")
        self.require(self.op(f"icmp ugt i32 {me}, {self.op(f'load i32, ptr {place}')}"), 3)
        self.add(f"store i32 {me}, ptr {place}")

    # ------------------------------------------------------------ what the lanes of a warp tell each other

    def _within_warp(self, call: ir.Call) -> str:
        """Tell the other lanes a value, wait for them, and find out what they said."""
        given = [self.value(each) for each in call.arguments]
        text = type_text(call.arguments[1].type)
        bits = given[1] if text[0] == "i" else self.op(f"bitcast {text} {given[1]} to i{64 if text == 'double' else 32}")
        whole = bits if text in ("i64", "double") else self.op(f"zext i32 {bits} to i64")
        self.add(f"store i64 {whole}, ptr {self._of_thread('values', 'i64', '%tid')}")
        self.add(f"store i32 {given[0]}, ptr {self._of_thread('names', 'i32', '%tid')}")
        self.wait(of_warp=True)
        present = self.op(f"load i32, ptr {self._of_warp('present')}")
        if call.name in VOTES:
            return self._voted(call.name, self.op(f"and i32 {present}, {given[0]}"))
        source = self._source(SHUFFLES[call.name], given[2], given[3])
        there = self.op(f"trunc i32 {self.op(f'lshr i32 {present}, {source}')} to i1")
        thread = self.op(f"or i32 {self.op('and i32 %tid, -32')}, {source}")
        told = self.op(f"load i64, ptr {self._of_thread('taken', 'i64', thread)}")
        found = self.op(f"select i1 {there}, i64 {told}, i64 {whole}")
        if text in ("i64", "double"):
            return found if text == "i64" else self.op(f"bitcast i64 {found} to double")
        found = self.op(f"trunc i64 {found} to i32")
        return found if text == "i32" else self.op(f"bitcast i32 {found} to float")

    def _voted(self, name: str, present: str) -> str:
        ballot = self.op(f"load i32, ptr {self._of_warp('ballots')}")
        agreed = self.op(f"and i32 {ballot}, {present}")
        if name == "__ballot_sync":
            return agreed
        every, none = self.op(f"icmp eq i32 {agreed}, {present}"), self.op(f"icmp eq i32 {agreed}, 0")
        said = {"__all_sync": every, "__any_sync": self.op(f"xor i1 {none}, 1"), "__uni_sync": self.op(f"or i1 {every}, {none}")}[name]
        return self.op(f"zext i1 {said} to i32")

    def _source(self, kind: str, operand: str, width: str) -> str:
        """Find the lane that a shuffle reads; its own where that is beyond its part of the warp."""
        lane, segment = self.op(f"and i32 %tid, {WARP - 1}"), self.op(f"sub i32 32, {width}")
        by, first = self.op(f"and i32 {operand}, 31"), self.op(f"and i32 {lane}, {segment}")
        rest = self.op(f"xor i32 {segment}, -1")
        last = self.op(f"or i32 {first}, {self.op(f'and i32 31, {rest}')}")
        if not kind:
            further = self.op(f"and i32 {by}, {rest}")
            return self.op(f"and i32 {self.op(f'or i32 {first}, {further}')}, 31")
        operation = {"up": "sub", "down": "add", "xor": "xor"}[kind]
        source = self.op(f"{operation} i32 {lane}, {by}")
        inside = self.op(f"icmp sge i32 {source}, {first}" if kind == "up" else f"icmp sle i32 {source}, {last}")
        return self.op(f"select i1 {inside}, i32 {self.op(f'and i32 {source}, 31')}, i32 {lane}")

    def _of_thread(self, name: str, kind: str, thread: str) -> str:
        return self.op(f"getelementptr {kind}, ptr {self.pointer(self.field(name))}, i32 {thread}")

    def _of_warp(self, name: str) -> str:
        return self._of_thread(name, "i32", self.op("lshr i32 %tid, 5"))

    def wait(self, *, of_warp: bool) -> None:
        """Wait for the block, or for the warp alone."""
        raise NotImplementedError

    def _updated(self, call: ir.Call, kind: ir.Scalar, old: str, operands: list[str]) -> str:
        name, text = call.name, type_text(kind)
        if name in _UPDATES:
            return self.arithmetic(_UPDATES[name], old, operands[0], kind)
        if name == "atomicExch":
            return operands[0]
        if name == "atomicCAS":
            return self.op(f"select i1 {self.op(f'icmp eq {text} {old}, {operands[0]}')}, {text} {operands[1]}, {text} {old}")
        if name in ("atomicMin", "atomicMax") and not is_float(kind):
            return self.intrinsic(f"{'s' if is_signed(kind) else 'u'}{name[6:].lower()}", text, [old, operands[0]])
        if name == "atomicInc":
            more = self.op(f"add {text} {old}, 1")
            return self.op(f"select i1 {self.op(f'icmp uge {text} {old}, {operands[0]}')}, {text} 0, {text} {more}")
        if name == "atomicDec":
            less = self.op(f"sub {text} {old}, 1")
            wraps = self.op(f"or i1 {self.op(f'icmp eq {text} {old}, 0')}, {self.op(f'icmp ugt {text} {old}, {operands[0]}')}")
            return self.op(f"select i1 {wraps}, {text} {operands[0]}, {text} {less}")
        raise NotCompiled(message("{name} is computed by the interpreter.", name=name))
