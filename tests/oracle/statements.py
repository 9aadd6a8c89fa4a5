"""Random declarations and simple statements over the names in scope."""

from __future__ import annotations

from random import Random

from tests.oracle.expressions import INTEGERS, REALS, Expressions, Name

INPUTS = 64
"""Elements of the arrays that kernels read."""


class Simple(Expressions):
    """Each method gives the lines of one statement."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.count = 0

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def integer_variable(self) -> list[str]:
        name = Name(self.fresh("i"), self.random.choice(INTEGERS))
        line = f"{name.type} {name.text} = ({name.type})({self.integer(2)});"
        self.scope.append(name)
        return [line]

    def real_variable(self) -> list[str]:
        name = Name(self.fresh("r"), self.random.choice(REALS))
        line = f"{name.type} {name.text} = {self.real(2)};"
        self.scope.append(name)
        return [line]

    def array(self) -> list[str]:
        kind, length = self.random.choice(("int", "int", "unsigned", "short", "unsigned char", "float")), self.random.choice((2, 4, 8))
        values = [self.real(1) if kind == "float" else f"({kind})({self.integer(1)})" for _ in range(length)]
        name = Name(self.fresh("a"), kind, length)
        self.scope.append(name)
        return [f"{kind} {name.text}[{length}] = {{{', '.join(f'(float)({v})' if kind == 'float' else v for v in values)}}};"]

    def record(self) -> list[str]:
        kind = self.random.choice(("Pair", "float4", "int4"))
        if kind == "Pair":
            value = f"paired((int)({self.integer(1)}), {self.real(1)})"
        elif self.random.random() < 0.4:
            value = f"reinterpret_cast<const {kind}*>({'real' if kind == 'float4' else 'in'})[{self.index(INPUTS // 4, 2)}]"
        else:
            members = [self.real(1) if kind == "float4" else f"(int)({self.integer(1)})" for _ in range(4)]
            value = f"make_{kind}({', '.join(members)})"
        name = Name(self.fresh("s"), kind)
        self.scope.append(name)
        return [f"{kind} {name.text} = {value};"]

    def target(self, types: tuple[str, ...]) -> Name | None:
        names = self.names(types, writable=True)
        return self.random.choice(names) if names else None

    def assignment(self) -> list[str]:
        name = self.target(INTEGERS)
        return [f"{name.text} = {self.integer(3)};"] if name else self.integer_variable()

    def real_assignment(self) -> list[str]:
        name = self.target(REALS)
        if name is None:
            return self.real_variable()
        operator = self.random.choice(("=", "+=", "-=", "*=", "/="))
        return [f"{name.text} {operator} {self.integer(2) if self.random.random() < 0.2 else self.real(3)};"]

    def compound(self) -> list[str]:
        name = self.target(INTEGERS)
        return [self.update(name.text)] if name else self.integer_variable()

    def update(self, place: str) -> str:
        """`place operator= value;` of an integer."""
        operator = self.random.choice("+-*&|^<>/%")
        if operator in "<>":
            return f"{place} {operator * 2}= ({self.integer(1)} & 15);"
        if operator in "/%":
            return f"{place} {operator}= ({self.integer(1)} & 15) + 2;"
        return f"{place} {operator}= {self.integer(2)};"

    def count_up(self) -> list[str]:
        name = self.target(tuple(each for each in INTEGERS if each != "bool"))
        return [self.random.choice(("{}++;", "{}--;", "++{};", "--{};")).format(name.text)] if name else self.integer_variable()

    def store_element(self) -> list[str]:
        arrays = self.names(INTEGERS, arrays=True, writable=True)
        reals = self.names(REALS, arrays=True, writable=True)
        if reals and self.random.random() < 0.3:
            array = self.random.choice(reals)
            return [f"{array.text}[{self.index(array.length, 2)}] {self.random.choice(('=', '+=', '*='))} {self.real(2)};"]
        if not arrays:
            return self.array()
        array = self.random.choice(arrays)
        place = f"{array.text}[{self.index(array.length, 2)}]"
        return [self.update(place) if self.random.random() < 0.6 else f"{place} = {self.integer(2)};"]

    def member(self) -> list[str]:
        name = self.target(("Pair", "float4", "int4"))
        if name is None:
            return self.record()
        if name.type == "float4":
            return [f"{name.text}.{self.random.choice('xyzw')} {self.random.choice(('=', '-=', '*='))} {self.real(2)};"]
        place = f"{name.text}.{self.random.choice('xyzw' if name.type == 'int4' else ('a', 'c[1]', 'd'))}"
        return [self.update(place) if self.random.random() < 0.5 else f"{place} = {self.integer(2)};"]

    def method(self) -> list[str]:
        """Structs through pointers, member functions and operators."""
        name = self.target(("Pair",))
        if name is None:
            return self.record()
        pointer = self.fresh("q")
        return self.random.choice((
            [f"{name.text}.scale((int)({self.integer(1)}));"],
            [f"{name.text} = {name.text} + paired((int)({self.integer(1)}), {self.real(1)});"],
            [f"Pair* {pointer} = &{name.text};", self.update(f"{pointer}->c[{self.index(2)}]"), f"{pointer}->b -= {self.real(1)};"],
        ))  # fmt: skip

    def alias(self) -> list[str]:
        """A reference to a variable or to an element."""
        name = self.target(INTEGERS)
        arrays = self.names(INTEGERS, arrays=True, writable=True)
        if arrays and self.random.random() < 0.5:
            name = self.random.choice(arrays)
        if name is None or name.type == "bool":
            return self.array()
        place = f"{name.text}[{self.index(name.length)}]" if name.length else name.text
        reference = self.fresh("x")  # not in scope: what it stands for may be hidden
        return [f"{name.type}& {reference} = {place};", self.update(reference), self.update(reference)]

    def matrix(self) -> list[str]:
        """A local array of two dimensions."""
        kind, name = self.random.choice(("int", "unsigned short", "long long")), self.fresh("m")
        rows = ", ".join(
            "{" + ", ".join(f"({kind})({self.integer(1)})" for _ in range(self.random.randrange(1, 3))) + "}" for _ in range(4)
        )
        changed = self.update(f"{name}[{self.index(4)}][{self.index(2)}]")
        found = self.integer_variable()
        read = f"{self.scope[-1].text} ^= {name}[{self.index(4)}][{self.index(2)}];" if self.scope[-1].type != "bool" else ""
        return [f"{kind} {name}[4][2] = {{{rows}}};", changed, *found, *([read] if read else [])]

    def exchange(self) -> list[str]:
        for kind in self.random.sample((*INTEGERS, "Pair", "float4", "float"), 6):
            names = self.names((kind,), writable=True)
            if len(names) > 1:
                a, b = self.random.sample(names, 2)
                return [self.random.choice((f"trade({a.text}, {b.text});", f"{a.text} = {b.text};"))]
        return self.record()
