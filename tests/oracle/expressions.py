"""Random C expressions without undefined behaviour.

Divisors are not zero, shifts and indices are in range, floats fit where they become integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

INTEGERS = (
    "int", "unsigned", "int", "unsigned", "int", "long long", "unsigned long long",
    "short", "unsigned short", "signed char", "unsigned char", "char", "bool",
)  # fmt: skip
AROUND = "in, real, scratch, tid, n"
"""What every device function that is written here takes beside its own parameters: the leaves of expressions."""
REALS = ("float", "float", "double")
LITERALS = (
    "0", "1", "2", "3", "(-1)", "7", "(-13)", "100", "255", "65535", "(-32768)", "2147483647", "(-2147483647 - 1)",
    "0u", "1u", "4000000000u", "0xdeadbeefu", "5ll", "(-9223372036854775807ll)", "18446744073709551615ull",
    "'a'", "true", "SCALE", "DEPTH", "DARK", "LIGHT", "(int)sizeof(Pair)", "table[5]",
)  # fmt: skip
EXACT = ("sqrtf", "fabsf", "floorf", "ceilf", "truncf", "(float)", "sqrt", "fabs", "floor", "ceil")
"""What gives the same bits on every machine."""
REAL_LITERALS = ("0.0f", "(-0.0f)", "1.0f", "0.1f", "(-2.5f)", "1e30f", "3e-39f", "16777216.0f", "0.1", "(-3.75)", "1e200", "1.0 / 3")


@dataclass(frozen=True, slots=True)
class Name:
    """A variable in scope. `length` is its number of elements where it is an array, a power of two."""

    text: str
    type: str
    length: int = 0
    writable: bool = True


class Expressions:
    """Writes expressions over the names in scope; none of them has an effect."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.scope: list[Name] = []
        self.functions: list[tuple[str, tuple[str, ...]]] = []
        """Device functions that return int: name and parameter types."""
        self.hidden: set[str] = set()

    @contextmanager
    def hiding(self, *names: Name) -> Iterator[None]:
        """Names that must not be read meanwhile, because their change is not sequenced with the reading."""
        before = self.hidden
        self.hidden = before | {name.text for name in names}
        yield
        self.hidden = before

    def names(self, types: tuple[str, ...], arrays: bool = False, writable: bool = False) -> list[Name]:
        return [
            name
            for name in self.scope
            if name.type in types and bool(name.length) == arrays and name.text not in self.hidden and (name.writable or not writable)
        ]

    def index(self, length: int, depth: int = 1) -> str:
        """An expression from 0 to length - 1, `length` a power of two."""
        if self.random.random() < 0.3:
            return str(self.random.randrange(length))
        return f"({self.integer(depth - 1)} & {length - 1})"

    def element(self, types: tuple[str, ...]) -> str | None:
        arrays = self.names(types, arrays=True)
        if not arrays:
            return None
        array = self.random.choice(arrays)
        return f"{array.text}[{self.index(array.length)}]"

    # ------------------------------------------------------------ integers

    def integer(self, depth: int) -> str:
        if depth <= 0:
            return self._integer_leaf()
        kind = self.random.randrange(20)
        if kind < 8:
            return f"({self.integer(depth - 1)} {self.random.choice('+-*&|^')} {self.integer(depth - 1)})"
        if kind < 10:
            return self._division(depth)
        if kind < 12:
            count = f"({self.integer(depth - 1)} & {self.random.choice((7, 15, 31))})"
            return f"({self.integer(depth - 1)} {self.random.choice(('<<', '>>'))} {count})"
        if kind == 12:
            return f"({self.random.choice('-~!')}{self.integer(depth - 1)})"
        if kind == 13:
            return self.random.choice(("(({0})({1}))", "static_cast<{0}>({1})")).format(
                self.random.choice(INTEGERS), self.integer(depth - 1)
            )
        if kind == 14:
            return f"({self.condition(depth - 1)})"
        if kind == 15:
            return f"({self.condition(depth - 1)} ? {self.integer(depth - 1)} : {self.integer(depth - 1)})"
        return self._called(depth)

    def _division(self, depth: int) -> str:
        """Signed divisors are at least 2 or at most -2: `x - a / b` becomes `x + a / -b` in GCC 12, which traps where b is 1."""
        divisor = self.random.choice(("(({}) & 15) + 2", "-(({}) & 15) - 2", "(({}) | 1u)")).format(self.integer(depth - 1))
        dividend = self.integer(depth - 1)
        if divisor.endswith("1u)"):  # unsigned at least: but a wider signed type could be -1
            divisor, dividend = f"(unsigned)({divisor})", f"(unsigned)({dividend})"
        return f"({dividend} {self.random.choice('/%')} ({divisor}))"

    def _called(self, depth: int) -> str:
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        choices = [
            f"{self.random.choice(('min', 'max'))}((int)({a}), (int)({b}))",
            f"__popc((unsigned)({a}))",
            f"__clz((int)({a}))",
            f"CLAMP(({a}), -20, ({b}))",
            f"blend<{self.random.randrange(1, 4)}, {self.random.choice(('int', 'unsigned', 'short', 'long long'))}>({a}, {b})",
            f"collatz(({a}) & 31)",
            f"{self.random.choice(('__brev', '__ffs'))}((unsigned)({a}))",
            f"{self.random.choice(('__popcll', '__brevll'))}((unsigned long long)({a}))",
            f"__mulhi((int)({a}), (int)({b}))",
            f"__umulhi((unsigned)({a}), (unsigned)({b}))",
            f"__ldg(in + (({a}) & 63))",
            f"(({self.random.choice(('long long', 'unsigned long long'))})({a}) {self.random.choice(('<<', '>>'))} (({b}) & 63))",
            f"quotient<{self.random.choice(('int', 'short', 'long long', 'signed char'))}>({a}, {b})",
            f"to_int({self.real(depth - 1)})",
            f"to_long({self.real(depth - 1)})",
        ]
        if self.functions:
            name, types = self.random.choice(self.functions)
            arguments = ", ".join(self.real(depth - 1) if each in REALS else f"({each})({self.integer(depth - 1)})" for each in types)
            choices += [f"{name}({AROUND}, {arguments})"] * 3
        return self.random.choice(choices)

    def _integer_leaf(self) -> str:
        names = self.names(INTEGERS)
        kind = self.random.randrange(10)
        if kind < 5 and names:
            return self.random.choice(names).text
        if kind == 5:
            return self.random.choice(("threadIdx.x", "tid", "blockIdx.x", "n"))
        if kind == 6:
            return self.element(INTEGERS) or "in[3]"
        if kind == 7 and (pairs := self.names(("Pair",))):
            return f"{self.random.choice(pairs).text}.{self.random.choice(('a', 'c[1]', 'd', 'sum()'))}"
        if kind == 8 and (vectors := self.names(("int4",))):
            return f"{self.random.choice(vectors).text}.{self.random.choice('xyzw')}"
        return self.random.choice(LITERALS)

    # ------------------------------------------------------------ floats and conditions

    def real(self, depth: int) -> str:
        if depth <= 0:
            return self._real_leaf()
        kind = self.random.randrange(12)
        if kind < 6:
            return f"({self.real(depth - 1)} {self.random.choice('+-*/')} {self.real(depth - 1)})"
        if kind == 6:
            return f"({self.real(depth - 1)} {self.random.choice('+-*')} {self.integer(depth - 1)})"
        if kind == 7:
            return f"(({self.random.choice(REALS)})({self.integer(depth - 1)}))"
        if kind == 8:
            return f"(-{self.real(depth - 1)})"
        if kind == 9:
            return f"({self.condition(depth - 1)} ? {self.real(depth - 1)} : {self.real(depth - 1)})"
        if kind == 10:
            return f"fmaf({self.real(depth - 1)}, {self.real(depth - 1)}, {self.real(depth - 1)})"
        return f"{self.random.choice(EXACT)}({self.real(depth - 1)})"

    def _real_leaf(self) -> str:
        names = self.names(REALS)
        kind = self.random.randrange(8)
        if kind < 4 and names:
            return self.random.choice(names).text
        if kind == 4:
            return self.element(REALS) or "real[5]"
        if kind == 5 and (pairs := self.names(("Pair",))):
            return f"{self.random.choice(pairs).text}.b"
        if kind == 6 and (vectors := self.names(("float4",))):
            return f"{self.random.choice(vectors).text}.{self.random.choice('xyzw')}"
        return self.random.choice(REAL_LITERALS)

    def condition(self, depth: int) -> str:
        kind = self.random.randrange(8)
        comparison = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        if kind < 4 or depth <= 0:
            return f"({self.integer(depth - 1)} {comparison} {self.integer(depth - 1)})"
        if kind == 4:
            return f"({self.real(depth - 1)} {comparison} {self.real(depth - 1)})"
        if kind == 5:
            return f"!{self.condition(depth - 1)}"
        return f"({self.condition(depth - 1)} {self.random.choice(('&&', '||'))} {self.condition(depth - 1)})"
