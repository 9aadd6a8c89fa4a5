"""Expressions, functions and numbers of random programs, which do nothing undefined."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SCALARS = ("int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "signed char")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a program: what stands before `main`, and what `main` does."""

    before: str
    call: str


@dataclass(slots=True)
class Writer:
    """Writes parts. `functions` are those of host and device that several parts may call."""

    draw: Random
    functions: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def number(self, kind: str) -> str:
        """A number of a type."""
        small, draw = self.draw.randint(-9, 99), self.draw
        if kind == "unsigned":
            return f"{draw.choice((abs(small), 0x9E3779B9, 0xFFFFFFFF, 1 << draw.randrange(32)))}u"
        if kind == "unsigned long long":
            return f"{draw.choice((abs(small), 0x9E3779B97F4A7C15, 1 << draw.randrange(64)))}ull"
        if kind == "long long":
            return f"{draw.choice((small, small * 1000003, 1 << draw.randrange(40)))}ll"
        return str(draw.choice((small, draw.randint(0, 7), 255, 4096)))

    def whole(self, kind: str, known: dict[str, str], depth: int = 3) -> str:
        """An expression of whole numbers, of a type, over variables with their types."""
        draw = self.draw
        if depth == 0 or draw.random() < 0.15:
            return self._leaf(kind, known)
        ways = (self._wrapping, self._wrapping, self._bits, self._shift, self._division, self._chosen, self._cast, self._call)
        return f"({kind})({draw.choice(ways)(kind, known, depth - 1)})"

    def condition(self, known: dict[str, str], depth: int = 2) -> str:
        """A condition."""
        draw = self.draw
        kind = draw.choice(("int", "unsigned", "long long"))
        made = f"{self.whole(kind, known, depth)} {draw.choice(('<', '<=', '==', '!=', '>', '>='))} {self.whole(kind, known, 1)}"
        if depth and draw.random() < 0.3:
            made = f"({made}) {draw.choice(('&&', '||'))} !({self.condition(known, 0)})"
        return made

    def exact(self, known: dict[str, str], kind: str = "float") -> str:
        """An expression of floating point that is rounded nowhere but, maybe, at its end."""
        draw, mark = self.draw, "f" if kind == "float" else ""
        small = [f"({kind})({self.whole('int', known, 1)} & {draw.choice((15, 63, 255))}) * 0.5{mark}" for _ in range(3)]
        low, high = f"fmin{mark}({small[0]}, {small[1]})", f"fmax{mark}({small[0]}, {small[1]})"
        ways = (
            f"{small[0]} * ({small[1]}) + {small[2]}", f"{small[0]} - {small[1]}", f"fabs{mark}({small[0]} - {small[1]})", low, high,
            f"floor{mark}({small[0]}) + {small[1]}", f"sqrt{mark}({small[0]} + {small[1]})", f"({small[0]}) / ({small[1]} + 1.0{mark})",
            f"{self.condition(known, 1)} ? {small[0]} : -({small[1]})",
        )  # fmt: skip
        return f"({draw.choice(ways)})"

    def function(self) -> str:
        """The name of a function of host and device, `unsigned name(unsigned, int)`, which may be new."""
        if self.names and self.draw.random() < 0.6:
            return self.draw.choice(self.names)
        name = f"mix{len(self.names)}"
        self.functions.append(self._function(name))
        self.names.append(name)
        return name

    def statements(self, known: dict[str, str], target: str, kind: str) -> list[str]:
        """Statements that compute a variable in place."""
        draw, found = self.draw, []
        for _ in range(draw.randint(1, 3)):
            value = self.whole(kind, known, 2)
            found += draw.choice((
                [f"{target} = {value};"],
                [f"{target} ^= {value};"],
                [f"if ({self.condition(known)})", f"    {target} = {value};", "else", f"    {target} |= {self.whole(kind, known, 1)};"],
                [f"for (int k = 0; k < {draw.randint(1, 6)}; ++k) {{", f"    if ({self.condition({**known, 'k': 'int'}, 1)})",
                 f"        {draw.choice(('continue', 'break'))};", f"    {target} ^= {self.whole(kind, {**known, 'k': 'int'}, 2)};", "}"],
                [f"switch ({self.whole('unsigned', known, 1)} % 4u) {{", f"case 0: {target} = {value};",
                 f"case 1: {target} ^= {self.whole(kind, known, 1)}; break;", f"case 2: {{ {target} &= {value}; break; }}",
                 f"default: {target} = {self.whole(kind, known, 1)};", "}"],
            ))  # fmt: skip
        return found

    def _function(self, name: str) -> str:
        known = {"a": "unsigned", "b": "int"}
        draw = self.draw
        lines = [
            f"unsigned long long wide = {self.whole('unsigned long long', known, 2)};",
            f"short narrow = {self.whole('short', known, 2)};",
        ]
        inner = {**known, "wide": "unsigned long long", "narrow": "short"}
        if draw.random() < 0.5:
            size = draw.choice((4, 8))
            lines += [f"unsigned table[{size}];", f"for (int k = 0; k < {size}; ++k)",
                      f"    table[k] = {self.whole('unsigned', {**inner, 'k': 'int'}, 2)};"]  # fmt: skip
            inner[f"table[a % {size}]"] = "unsigned"
        lines += self.statements(inner, "a", "unsigned")
        body = "".join(f"    {line}\n" for line in lines)
        return f"__host__ __device__ unsigned {name}(unsigned a, int b)\n{{\n{body}    return {self.whole('unsigned', inner, 2)};\n}}\n\n"

    # ------------------------------------------------------------ ways of making one

    def _leaf(self, kind: str, known: dict[str, str]) -> str:
        if known and self.draw.random() < 0.75:
            name = self.draw.choice(list(known))
            return name if known[name] == kind else f"({kind})({name})"
        return f"({self.number(kind)})"

    def _wrapping(self, _kind: str, known: dict[str, str], depth: int) -> str:
        wide = self.draw.choice(("unsigned", "unsigned long long"))
        return f"{self.whole(wide, known, depth)} {self.draw.choice('+-*')} {self.whole(wide, known, depth)}"

    def _bits(self, _kind: str, known: dict[str, str], depth: int) -> str:
        one, two = self.draw.choice(SCALARS), self.draw.choice(SCALARS)
        mark = self.draw.choice(("", "~"))
        return f"{mark}{self.whole(one, known, depth)} {self.draw.choice('&|^')} {self.whole(two, known, depth)}"

    def _shift(self, _kind: str, known: dict[str, str], depth: int) -> str:
        if self.draw.random() < 0.5:
            return f"{self.whole('unsigned', known, depth)} << ({self.whole('int', known, 0)} & 31)"
        kind = self.draw.choice(("int", "unsigned", "long long"))
        return f"{self.whole(kind, known, depth)} >> ({self.whole('int', known, 0)} & 31)"

    def _division(self, _kind: str, known: dict[str, str], depth: int) -> str:
        way = self.draw.randrange(3)
        if way == 0:
            return f"{self.whole('unsigned', known, depth)} {self.draw.choice('/%')} ({self.whole('unsigned', known, 0)} | 1u)"
        if way == 1:
            return f"{self.draw.choice(('quotient', 'rest'))}({self.whole('int', known, depth)}, {self.whole('int', known, 1)})"
        return f"{self.whole('long long', known, depth)} {self.draw.choice('/%')} {self.draw.choice((2, 3, 7, -5, 1000))}"

    def _chosen(self, kind: str, known: dict[str, str], depth: int) -> str:
        return f"{self.condition(known, min(depth, 1))} ? {self.whole(kind, known, depth)} : {self.whole(kind, known, depth)}"

    def _cast(self, _kind: str, known: dict[str, str], depth: int) -> str:
        return self.whole(self.draw.choice(SCALARS), known, depth)

    def _call(self, kind: str, known: dict[str, str], depth: int) -> str:
        if not self.names:
            return self._wrapping(kind, known, depth)
        return f"{self.draw.choice(self.names)}({self.whole('unsigned', known, depth)}, {self.whole('int', known, 0)})"
