"""Random statements in which it matters what happens first, and objects within objects."""

from __future__ import annotations

from tests.oracle.expressions import INTEGERS
from tests.oracle.statements import Simple

COUNTED = tuple(each for each in INTEGERS if each != "bool")
SCRATCH = 8
"""Elements of global memory that a thread has to itself."""


class Effects(Simple):
    """Each method gives the lines of one statement, or of a few that belong together."""

    def ordered(self) -> list[str]:
        """Several changes in one statement, whose order C++17 fixes: the right side of an assignment before the left, a shift's left
        operand before its right, a comma's left before its right."""
        one, other, array = self.target(COUNTED), self.target(INTEGERS), self.names(INTEGERS, arrays=True, writable=True)
        if one is None or other is None or one == other:
            return self.integer_variable()
        with self.hiding(one, other, *array[:1]):
            x, y, value = one.text, other.text, self.integer(2)
        lines = [
            f"{x} = {x}++ + {value};", f"{x} = --{x} ^ {value};", f"{y} = {x} = {value};", f"{y} += ({x} -= {value});",
            f"{y} = ({x}++, {x} * 3);", f"{y} = ({x}++ << ({x} & 7));", f"{y} = ({x} += {value}) >> ({x}-- & 3);",
            f"{x} -= {x}++ * 2;", f"{y} = {x}++ > 3 ? {x} : {x}--;",
        ]  # fmt: skip
        if array:
            mask = array[0].length - 1
            lines += [
                f"{array[0].text}[{x}++ & {mask}] = {x};", f"{array[0].text}[{x} & {mask}] ^= {x}++;",
                f"{array[0].text}[({x} = {value}) & {mask}] = {y};", f"{y} = {array[0].text}[{x}-- & {mask}] = {x};",
            ]  # fmt: skip
        return [self.random.choice(lines)]

    def walk(self) -> list[str]:
        """A pointer that moves as it is read and written through."""
        arrays = [each for each in self.names(("int", "unsigned", "short"), arrays=True, writable=True) if each.length >= 4]
        if not arrays:
            return self.array()
        array, pointer, place = self.random.choice(arrays), self.fresh("q"), self.read_into()
        with self.hiding(array):
            first, second = self.integer(2), self.integer(1)
        return [
            f"{array.type}* {pointer} = {array.text} + {self.random.randrange(2)};",
            self.random.choice((f"*{pointer}++ = {first};", f"*++{pointer} ^= {first};", f"(*{pointer}++)++;")),
            self.random.choice((f"*{pointer}-- += {second};", f"{pointer}[-1] = *{pointer} + {second};", f"--*{pointer};")),
            place.format(self.random.choice((f"*{pointer}", f"({pointer} - {array.text})", f"({pointer} > {array.text})"))),
        ]

    def nest(self) -> list[str]:
        """A struct of arrays of structs: declared, changed, copied and read."""
        name, copy, place = self.fresh("n"), self.fresh("n"), self.read_into()
        pairs = ", ".join(f"paired((int)({self.integer(1)}), {self.real(1)})" for _ in range(2))
        vector = ", ".join(f"(float)({self.real(1)})" for _ in range(4))
        return [
            f"Nest {name} = {{{{{pairs}}}, make_float4({vector}), (short)({self.integer(1)})}};",
            self.update(f"{name}.inner[{self.index(2)}].c[{self.index(2)}]"),
            f"Nest {copy} = {name};",
            f"{name}.inner[{self.index(2)}] = {copy}.inner[{self.index(2)}];",
            self.random.choice((f"{name}.self().n += 3;", f"{name}.inner[1].scale({copy}.n);", f"Nest* p{name} = &{name}; --p{name}->n;")),
            place.format(f"({name}.inner[{self.index(2)}].sum() ^ to_int({name}.v.{self.random.choice('xyzw')}) + {name}.n)"),
        ]

    def bag(self) -> list[str]:
        """An instance of a struct template, whose operator gives a reference."""
        kind, name, place = self.random.choice(("int", "short", "unsigned char", "long long")), self.fresh("b"), self.read_into()
        items = ", ".join(f"({kind})({self.integer(1)})" for _ in range(4))
        return [
            f"Bag<{kind}, 4> {name} = {{{{{items}}}}};",
            self.update(f"{name}[{self.index(4)}]"),
            f"{name}[{self.index(4)}]++;",
            place.format(self.random.choice((f"{name}.total()", f"{name}.total<true>()", f"{name}[{self.index(4)}]"))),
        ]

    def atomic(self) -> list[str]:
        """An atomic on an element that no other thread touches: what it gives is certain."""
        kind, place = self.random.choice(("int", "unsigned")), self.read_into()
        name = self.random.choice(("atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicExch"))
        at = f"({kind}*)(scratch + tid * {SCRATCH} + {self.index(SCRATCH)})"
        if self.random.random() < 0.25:
            return [place.format(f"atomicCAS({at}, ({kind})({self.integer(1)}), ({kind})({self.integer(1)}))")]
        return [place.format(f"{name}({at}, ({kind})({self.integer(2)}))")]

    def read_into(self) -> str:
        """A statement that gives a value, to be put in, to some variable."""
        name = self.target(INTEGERS)
        if name is None:
            return f"scratch[tid * {SCRATCH}] ^= (int)({{}});"
        return f"{name.text} {self.random.choice(('=', '^=', '+=') if name.type != 'bool' else ('=',))} {{}};"
