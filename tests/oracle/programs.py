"""Random CUDA kernels that are valid C++ too and do nothing undefined: what they compute is one value, bit for bit, wherever they run.

No thread reads what another writes. Each thread ends by writing its variables to `out`, `SLOTS` numbers a thread, floats as their bits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from tests.oracle.expressions import INTEGERS, REALS, Expressions, Name

PREAMBLE = Path(__file__).with_name("preamble.cuh").read_text(encoding="utf-8")
GRID, BLOCK = 2, 40
SLOTS, SCRATCH, INPUTS = 8, 8, 64
ENTRY = "fuzz"
INPUT_ARRAYS = (Name("in", "int", INPUTS, writable=False), Name("real", "float", INPUTS, writable=False))
PARAMETERS = "const int* in, const float* real, int* scratch"
HEAD = f"""__global__ void {ENTRY}({PARAMETERS}, unsigned long long* out, int n)
{{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
"""


def arguments(seed: int) -> dict[str, npt.NDArray[np.generic] | int]:
    """What the kernels are launched with: small and extreme integers and floats."""
    random = np.random.default_rng(seed)
    integers = random.integers(-(2**31), 2**31, INPUTS, dtype=np.int32) >> random.integers(0, 32, INPUTS, dtype=np.int32)
    reals = (random.standard_normal(INPUTS) * 10.0 ** random.integers(-6, 7, INPUTS)).astype(np.float32)
    reals[:4] = 0.0, -0.0, np.inf, 1e-40
    return {
        "in": integers.astype(np.int32),
        "real": reals,
        "scratch": np.zeros(GRID * BLOCK * SCRATCH, np.int32),
        "out": np.zeros(GRID * BLOCK * SLOTS, np.uint64),
        "n": 23,
    }


def write(random: Random, statements: int = 12) -> str:
    """The text of a translation unit with the kernel `ENTRY`, of about so many top-level statements."""
    return Author(random).program(statements)


class Author(Expressions):
    """Writes statements: each method gives the lines of one."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.count = 0
        self.loops = 0
        self.escapes: list[str] = []
        """What may leave the statement at hand: "break;", "continue;", "return ...;"."""

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def program(self, statements: int) -> str:
        self.scope = []
        functions = "".join(self.function() for _ in range(self.random.randrange(3)))
        self.scope = list(INPUT_ARRAYS)
        lines = [line for make in (self.integer_variable, self.real_variable, self.array) for line in make()]
        self.escapes = ["return;"]
        for _ in range(statements):
            lines += self.statement(3)
        return f"{PREAMBLE}{functions}{HEAD}" + "".join(f"    {line}\n" for line in [*lines, *self.results()]) + "}\n"

    def function(self) -> str:
        """A device function that returns int."""
        types = tuple(self.random.choice(INTEGERS + REALS) for _ in range(self.random.randrange(1, 4)))
        parameters = [Name(self.fresh("p"), each) for each in types]
        self.scope = [*INPUT_ARRAYS, *parameters]
        self.escapes = [f"return {self.random.randrange(9)};"]
        body = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(1)]
        body.append(f"return (int)({self.integer(2)});")
        self.scope = []
        name = self.fresh("f")
        listed = ", ".join([PARAMETERS, "int tid", "int n", *(f"{each.type} {each.text}" for each in parameters)])
        text = f"__device__ int {name}({listed})\n{{\n" + "".join(f"    {line}\n" for line in body) + "}\n\n"
        self.functions.append((f"{name}", types))
        return text

    def results(self) -> list[str]:
        """Each variable of the outermost scope goes to a slot of `out`."""
        values = [f"(unsigned long long)({name.text})" for name in self.names(INTEGERS)]
        values += [f"bits({name.text})" for name in self.names(REALS)]
        values += [f"bits({name.text}.b) + {name.text}.a + {name.text}.c[0] + {name.text}.d" for name in self.names(("Pair",))]
        values += [f"(unsigned long long){name.text}.x + {name.text}.z" for name in self.names(("int4",))]
        values += [f"bits({name.text}.y) + bits({name.text}.w)" for name in self.names(("float4",))]
        values += [
            f"(unsigned long long)({'bits' if name.type in REALS else ''}({name.text}[{i}]))"
            for name in self.scope if name.writable
            for i in range(name.length)
        ]  # fmt: skip
        slots = [" ^ ".join(f"({each}) * {2 * i + 1}ull" for i, each in enumerate(values[slot::SLOTS])) for slot in range(SLOTS)]
        return [f"out[tid * {SLOTS} + {slot}] = {value};" for slot, value in enumerate(slots) if value]

    # ------------------------------------------------------------ declarations

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

    # ------------------------------------------------------------ statements

    def statement(self, depth: int) -> list[str]:
        simple: list[Callable[[], list[str]]] = [
            self.integer_variable, self.real_variable, self.assignment, self.assignment, self.compound, self.compound, self.real_assignment,
            self.count_up, self.sequenced, self.array, self.store_element, self.store_element, self.record, self.member, self.exchange,
        ]  # fmt: skip
        nested = [
            self.branch,
            self.branch,
            self.counted,
            self.counted,
            self.conditional,
            self.switch,
            self.pointer,
            self.scratch,
            self.braces,
        ]
        if depth > 0 and self.random.random() < 0.45:
            return self.random.choice(nested)(depth)
        return self.random.choice(simple)()

    def body(self, depth: int, *escapes: str) -> list[str]:
        """The indented lines of a compound statement with a scope of its own."""
        before, outside = list(self.scope), self.escapes
        self.escapes = [*escapes, *outside] if escapes else outside
        lines = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(depth - 1)]
        if self.escapes and self.random.random() < 0.25:
            lines += [f"if ({self.condition(1)})", f"    {self.random.choice(self.escapes)}"]
            lines += self.statement(0)
        self.scope, self.escapes = before, outside
        return [f"    {line}" for line in lines]

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
            return f"{place} {operator}= ({self.integer(1)} & 15) + 1;"
        return f"{place} {operator}= {self.integer(2)};"

    def count_up(self) -> list[str]:
        name = self.target(tuple(each for each in INTEGERS if each != "bool"))
        return [self.random.choice(("{}++;", "{}--;", "++{};", "--{};")).format(name.text)] if name else self.integer_variable()

    def sequenced(self) -> list[str]:
        """A change within an expression, where C++ says when it happens."""
        changed = self.target(tuple(each for each in INTEGERS if each != "bool"))
        if changed is None:
            return self.integer_variable()
        with self.hiding(changed):
            step = self.random.choice(("{}++", "--{}", "({} = {{}})", "({} += {{}})")).format(changed.text).format(self.integer(1))
            other = self.target(INTEGERS)
            if other is None:
                return [f"if ({self.condition(2)} {self.random.choice(('&&', '||'))} {step} > 3) {{", *self.body(1), "}"]
            return [
                self.random.choice((
                    f"{other.text} = {self.condition(2)} {self.random.choice(('&&', '||'))} {step} < {self.integer(1)};",
                    f"{other.text} = {self.condition(1)} ? {step} : {self.integer(2)};",
                    f"{other.text} = {step} {self.random.choice('+-*^')} {self.integer(1)};",
                ))
            ]  # fmt: skip

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

    def exchange(self) -> list[str]:
        for kind in self.random.sample((*INTEGERS, "Pair", "float4", "float"), 6):
            names = self.names((kind,), writable=True)
            if len(names) > 1:
                a, b = self.random.sample(names, 2)
                return [self.random.choice((f"trade({a.text}, {b.text});", f"{a.text} = {b.text};"))]
        return self.record()

    # ------------------------------------------------------------ nested statements

    def branch(self, depth: int) -> list[str]:
        lines = [f"if ({self.condition(2)}) {{", *self.body(depth)]
        return [*lines, "} else {", *self.body(depth), "}"] if self.random.random() < 0.5 else [*lines, "}"]

    def counted(self, depth: int) -> list[str]:
        """A for loop with a bound that is the same for all threads, or not."""
        if self.loops > 1:
            return self.branch(depth)
        name = Name(self.fresh("k"), "int", writable=False)
        bound = self.random.choice(("DEPTH", str(self.random.randrange(1, 8)), f"({self.integer(1)} & 7)"))
        head = self.random.choice((
            f"for (int {name.text} = 0; {name.text} < {bound}; {name.text}++) {{",
            f"for (int {name.text} = 7; {name.text} >= 0; {name.text} -= 2) {{",
            f"for (int {name.text} = 0, j{name.text} = 5; {name.text} < j{name.text}; ++{name.text}, --j{name.text}) {{",
        ))  # fmt: skip
        self.loops += 1
        self.scope.append(name)
        lines = self.body(depth, "break;", "continue;")
        self.scope.remove(name)
        self.loops -= 1
        unrolled = ["#pragma unroll"] if self.random.random() < 0.15 else []
        return [*unrolled, head, *lines, "}"]

    def conditional(self, depth: int) -> list[str]:
        """A while or do loop that ends for sure."""
        if self.loops > 1:
            return self.branch(depth)
        name = Name(self.fresh("w"), "int", writable=False)
        condition = f"{name.text} < {self.random.randrange(2, 6)} && {self.condition(1)}"
        self.loops += 1
        lines = [f"    ++{name.text};", *self.body(depth, "break;", "continue;")]
        self.loops -= 1
        if self.random.random() < 0.5:
            return [f"int {name.text} = 0;", f"while ({condition}) {{", *lines, "}"]
        return [f"int {name.text} = 0;", "do {", *lines, f"}} while ({condition});"]

    def switch(self, depth: int) -> list[str]:
        labels = self.random.sample(range(8), self.random.randrange(1, 6))
        lines = []
        escapes = ["break;"] if "continue;" not in self.escapes else ["break;", "continue;"]
        for label in [*labels, None]:
            lines.append(f"case {label}: {{" if label is not None else "default: {")
            lines += self.body(depth, *escapes)
            lines.append("}")
            if self.random.random() < 0.7:
                lines.append("    break;")
        return [f"switch ({self.integer(1)} & 7) {{", *lines, "}"]

    def pointer(self, depth: int) -> list[str]:
        """Pointers into an array, moved and read and written through."""
        arrays = [each for each in self.names(("int",), arrays=True) if each.length >= 4]
        if not arrays:
            return self.scratch(depth)
        array, name = self.random.choice(arrays), self.fresh("q")
        lines = [f"{'' if array.writable else 'const '}int* {name} = {array.text} + ({self.integer(1)} & {array.length // 2 - 1});"]
        lines += [f"{name} += {self.index(2)};"] if self.random.random() < 0.5 else []
        if array.writable:
            lines.append(self.update(self.random.choice((f"{name}[1]", f"*{name}", f"*({name} + 1)"))))
        found = self.target(INTEGERS)
        if found is not None:
            lines.append(f"{found.text} = {name}[{self.index(2)}] + (int)({name} - {array.text});")
        return lines

    def scratch(self, depth: int) -> list[str]:
        """The thread's own part of global memory."""
        own = f"scratch + tid * {SCRATCH}"
        if self.random.random() < 0.3:
            return [f"bump({own} + {self.index(4)}, {self.random.choice(('in', 'table'))} + {self.index(4)}, {self.index(4, 2)});"]
        if self.random.random() < 0.2:
            return [f"*reinterpret_cast<int4*>({own}) = reinterpret_cast<const int4*>(in)[{self.index(16)}];"]
        return [self.update(f"scratch[tid * {SCRATCH} + ({self.index(SCRATCH, depth)})]")]

    def braces(self, depth: int) -> list[str]:
        return ["{", *self.body(depth), "}"]
