"""Random statements within statements: branches, loops, switches, and what reaches memory."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.oracle.effects import SCRATCH, Effects
from tests.oracle.expressions import INTEGERS, Name


class Nested(Effects):
    """Statements with bodies; each method gives the lines of one."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.loops = 0
        self.escapes: list[str] = []
        """What may leave the statement at hand: "break;", "continue;", "return ...;"."""

    def statement(self, depth: int) -> list[str]:
        simple: list[Callable[[], list[str]]] = [
            self.integer_variable, self.real_variable, self.assignment, self.assignment, self.compound, self.compound, self.real_assignment,
            self.count_up, self.sequenced, self.array, self.store_element, self.store_element, self.record, self.member, self.exchange,
            self.method, self.alias, self.matrix, self.ordered, self.ordered, self.walk, self.nest, self.bag, self.atomic,
        ]  # fmt: skip
        nested = [
            self.branch, self.branch, self.counted, self.counted, self.conditional, self.switch, self.pointer, self.scratch, self.braces,
        ]  # fmt: skip
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
                    f"{other.text} = ({step}, {self.integer(1)});",
                    f"{other.text} = {step} {self.random.choice('+-*^')} {self.integer(1)};",
                ))
            ]  # fmt: skip

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
        start = f"{array.text} + ({self.integer(1)} & {array.length // 2 - 1})"
        if len(arrays) > 1 and not array.writable:
            start = f"{self.condition(1)} ? {start} : {self.random.choice(arrays).text}"
        lines = [f"{'' if array.writable else 'const '}int* {name} = {start};"]
        lines += [f"{name} += {self.index(2)};"] if self.random.random() < 0.5 else []
        if array.writable:
            lines.append(self.update(self.random.choice((f"{name}[1]", f"*{name}", f"*({name} + 1)"))))
        found = self.target(INTEGERS)
        if found is not None:
            lines.append(f"{found.text} = {name}[{self.index(2)}] + {f'(int)({name} - {array.text})' if array.writable else '1'};")
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
