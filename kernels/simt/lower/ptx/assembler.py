"""From PTX to the representation: registers are local variables, instructions assignments and calls, branches jumps.

The rules of the instructions stand in the modules beside this one, and enter `RULES` by their opcode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.lower import build
from kernels.simt.lower.ptx import text
from kernels.simt.lower.refusals import Refusal
from kernels.simt.lower.shared_addresses import generic_address

U8, U16 = (ir.Scalar(ir.Kind.UNSIGNED, size) for size in (1, 2))
I8, I16 = (ir.Scalar(ir.Kind.SIGNED, size) for size in (1, 2))
BF16 = ir.Scalar(ir.Kind.FLOAT, 2, brain=True)
TYPES = {
    "pred": ir.BOOL, "u8": U8, "b8": U8, "s8": I8, "u16": U16, "b16": U16, "s16": I16, "u32": ir.U32, "b32": ir.U32, "s32": ir.I32,
    "u64": ir.U64, "b64": ir.U64, "s64": ir.I64, "f16": ir.F16, "bf16": BF16, "f32": ir.F32, "f64": ir.F64, "f16x2": ir.U32,
    "bf16x2": ir.U32, "tf32": ir.U32,
}  # fmt: skip
"""What PTX's types are here; pairs of halves are their bits."""
UNSIGNED = {1: U8, 2: U16, 4: ir.U32, 8: ir.U64}
_FROM_BITS = {
    ir.F32: "__uint_as_float", ir.F64: "__longlong_as_double", ir.F16: "__ushort_as_half", BF16: "__ushort_as_bfloat16",
}  # fmt: skip
_TO_BITS = {ir.F32: "__float_as_uint", ir.F64: "__double_as_longlong", ir.F16: "__half_as_ushort", BF16: "__bfloat16_as_ushort"}
_BITS = {ir.F64: ir.I64}
"""What the functions take and give, where it is not the unsigned type of the size."""
SHARED_SPACES = ("shared", "shared::cta", "shared::cluster")
SPACES = (*SHARED_SPACES, "global", "local", "const", "param", "param::entry")


@dataclass(frozen=True, slots=True)
class Argument:
    """An operand of the asm statement: the register that stands for it, or its value where it is only read."""

    value: ir.Expression
    variable: ir.Variable | None = None


@dataclass
class Assembler:
    """One asm statement while it is lowered. `arguments` are its operands; `place` says where a character of its text stands."""

    arguments: Sequence[Argument]
    place: Callable[[int], ir.Location]
    words: Callable[[str, int], ir.Variable]
    """Gives so many words of the block that barriers without an address have, by a name."""
    cluster: tuple[int, int, int] = (1, 1, 1)
    """Blocks of a cluster along each axis."""
    in_cluster: bool = False
    """Whether the kernel says so, be it of one block."""
    statements: list[ir.Statement] = field(default_factory=list)
    location: ir.Location = field(init=False)
    """Of the instruction that is lowered."""
    _scopes: list[dict[str, ir.Variable]] = field(default_factory=list)
    _labels: list[dict[str, str]] = field(default_factory=list)
    _count: int = 0
    """Blocks so far: two labels of one name are different ones."""
    _instruction: text.Instruction = field(init=False)

    def __post_init__(self) -> None:
        self.location = self.place(0)

    def assemble(self, source: str) -> tuple[ir.Statement, ...]:
        """Lower a text. Raises Refusal."""
        try:
            parsed = text.parse(source.replace("%=", "$0"))  # a number of the statement's own: so are its labels here
        except text.SyntaxProblem as problem:
            raise Refusal(self.place(problem.at), problem.reason) from None
        self._scope(parsed)
        return tuple(self.statements)

    # ------------------------------------------------------------ statements

    def _scope(self, statements: tuple[text.Statement, ...]) -> None:
        self._count += 1
        labels = {each.name: f"{each.name} {self._count}" for each in statements if isinstance(each, text.Label)}
        self._scopes.append({})
        self._labels.append(labels)
        for statement in statements:
            match statement:
                case text.Scope():
                    self._scope(statement.statements)
                case text.Label():
                    self.statements.append(ir.Label(labels[statement.name], self.place(statement.at)))
                case text.Registers():
                    self._declare(statement)
                case text.Instruction():
                    self._guarded(statement)
        self._scopes.pop()
        self._labels.pop()

    def _declare(self, registers: text.Registers) -> None:
        self.location = self.place(registers.at)
        kind = TYPES.get(registers.type)
        if kind is None:
            raise Refusal(self.location, message("Registers of the type .{type} are not executed.", type=registers.type))
        for name in registers.names:
            variable = build.temporary(_plain(name), kind, self.location)
            self._scopes[-1][_plain(name)] = variable
            self.statements.append(ir.Declare(variable, None, self.location))

    def _guarded(self, instruction: text.Instruction) -> None:
        self._instruction = instruction
        self.location = self.place(instruction.at)
        rule = RULES.get(instruction.opcode)
        if rule is None:
            raise self.refuse(message("The PTX instruction {name} is not executed: write it in CUDA C.", name=instruction.name))
        if instruction.predicate is None:
            rule(self, instruction)
            return
        condition = self.read(instruction.predicate, ir.BOOL)
        with self.collected() as inside:
            rule(self, instruction)
        self.statements.append(ir.If(condition, ir.Block(tuple(inside)), None, self.location))

    @contextmanager
    def collected(self) -> Iterator[list[ir.Statement]]:
        """Statements made within, apart from the others."""
        outer, self.statements = self.statements, []
        yield self.statements
        self.statements = outer

    def jump(self, name: str) -> ir.Goto:
        """A jump to a label of this block or of one around it."""
        for labels in reversed(self._labels):
            if name in labels:
                return ir.Goto(labels[name], self.location)
        raise self.refuse(message("{name} is no label of this asm statement.", name=name))

    # ------------------------------------------------------------ refusals

    def refuse(self, reason: Message) -> Refusal:
        """Make the refusal of the instruction in words of its own."""
        return Refusal(self.location, reason)

    def unsupported(self, what: str) -> Refusal:
        """Make the refusal of a part of the instruction."""
        return self.refuse(message("{name}: {what} is not executed: write it in CUDA C.", name=self._instruction.name, what=what))

    def only(self, modifiers: Sequence[str], *known: str) -> None:
        """Refuse modifiers that are not known."""
        for modifier in modifiers:
            if modifier not in known:
                raise self.unsupported(f".{modifier}")

    def count(self, instruction: text.Instruction, *counts: int) -> None:
        """Refuse another number of operands."""
        if len(instruction.operands) not in counts:
            raise self.refuse(message("{name} does not take {count} operands.", name=instruction.name, count=len(instruction.operands)))

    def type(self, name: str) -> ir.Scalar:
        """The type that a modifier names."""
        kind = TYPES.get(name)
        if kind is None:
            raise self.unsupported(f".{name}")
        return kind

    # ------------------------------------------------------------ values

    def variable(self, operand: text.Operand) -> ir.Variable:
        """The register that an operand names."""
        if isinstance(operand, text.Given):
            variable = self._argument(operand.number).variable
            if variable is None:
                raise self.refuse(message("%{number} is not written by this asm statement: make it an output.", number=operand.number))
            return variable
        if isinstance(operand, text.Name):
            for scope in reversed(self._scopes):
                if _plain(operand.name) in scope:
                    return scope[_plain(operand.name)]
            if operand.name.startswith("%"):
                raise self.refuse(message("{name}: this special register is not executed.", name="%" + _plain(operand.name).lstrip("%")))
            raise self.refuse(message("{name} is no register that this asm statement declares.", name=operand.name))
        raise self.refuse(message("{name} needs a register here.", name=self._instruction.name))

    def is_predicate(self, operand: text.Operand) -> bool:
        """Whether an operand is a predicate that this asm statement declares."""
        return isinstance(operand, text.Name) and self.variable(operand).type == ir.BOOL

    def _argument(self, number: int) -> Argument:
        if number >= len(self.arguments):
            raise self.refuse(message("The asm statement has no operand %{number}.", number=number))
        return self.arguments[number]

    def read(self, operand: text.Operand, kind: ir.Scalar) -> ir.Expression:
        """The value of an operand, its bits taken as a type."""
        if isinstance(operand, text.Number):
            return self._immediate(operand, kind)
        if isinstance(operand, text.Given):
            value = self._argument(operand.number).value
        elif isinstance(operand, text.Name) and (special := SPECIALS.get(_plain(operand.name).removeprefix("%"))) is not None:
            value = special(self)
        else:
            variable = self.variable(operand)
            value = ir.Load(ir.Whole(variable), variable.type, self.location)
        value = self.bits(value, kind)
        if isinstance(operand, text.Given | text.Name) and operand.negated:
            return build.unary(ir.Unary.NOT, value, ir.BOOL, self.location)
        return value

    def _immediate(self, number: text.Number, kind: ir.Scalar) -> ir.Expression:
        if kind.kind is ir.Kind.FLOAT or not isinstance(number.value, float):
            return build.constant(number.value, kind)
        return self.bits(build.constant(number.value, ir.F64 if number.bits == 64 else ir.F32), kind)

    def integer(self, operand: text.Operand) -> int:
        """The value of an operand that is constant."""
        value = self.read(operand, ir.I64)
        if not isinstance(value, ir.Const):
            raise self.refuse(message("{name} needs a constant here.", name=self._instruction.name))
        return int(value.value)

    def bits(self, value: ir.Expression, kind: ir.Scalar) -> ir.Expression:
        """The bits of a value as another type; longer integers are cut, shorter ones get zeros or signs."""
        source = value.type
        if source == kind:
            return value
        if isinstance(source, ir.Scalar) and source.kind is ir.Kind.FLOAT:
            raw = _BITS.get(source, UNSIGNED[source.size])
            return self.bits(ir.Call(_TO_BITS[source], (value,), raw, self.location), kind)
        if kind.kind is not ir.Kind.FLOAT:
            return build.cast(value, kind, self.location)
        raw = _BITS.get(kind, UNSIGNED[kind.size])
        return ir.Call(_FROM_BITS[kind], (build.cast(value, raw, self.location),), kind, self.location)

    def write(self, operand: text.Operand, value: ir.Expression) -> None:
        """Give a register a value; `_` takes none."""
        if isinstance(operand, text.Name) and operand.name == "_":
            self.statements.append(ir.Evaluate(value, self.location))
            return
        variable = self.variable(operand)
        kind = variable.type
        assert isinstance(kind, ir.Scalar)
        self.statements.append(ir.Store(ir.Whole(variable), self.bits(value, kind), self.location))

    def hold(self, value: ir.Expression, name: str = "value") -> ir.Expression:
        """The value, computed once."""
        if isinstance(value, ir.Const | ir.Special):
            return value
        kind = build.type_of(value)
        variable = build.temporary(name, kind, self.location)
        self.statements.append(ir.Declare(variable, value, self.location))
        return ir.Load(ir.Whole(variable), kind, self.location)

    def call(self, name: str, arguments: Sequence[ir.Expression], kind: ir.Type | None) -> ir.Expression:
        """Call a function that the interpreter knows."""
        return ir.Call(name, tuple(arguments), kind, self.location)

    def do(self, name: str, *arguments: ir.Expression) -> None:
        """Call a function that gives nothing."""
        self.statements.append(ir.Evaluate(self.call(name, arguments, None), self.location))

    def word(self, name: str, count: int, number: ir.Expression) -> ir.Expression:
        """Address of one of the words that `words` gives."""
        element = ir.Element(ir.Whole(self.words(name, count)), number, ir.U64, self.location)
        return ir.AddressOf(element, ir.Pointer(ir.U64), self.location)

    def spread(self, targets: Sequence[text.Operand], name: str, arguments: Sequence[ir.Expression], kind: ir.Scalar) -> None:
        """Call a function that gives one value for each of some registers."""
        if len(targets) == 1:
            self.write(targets[0], self.call(name, arguments, kind))
            return
        record = record_of(kind, len(targets))
        variable = build.temporary("results", record, self.location)
        self.statements.append(ir.Declare(variable, self.call(name, arguments, record), self.location))
        for target, part in zip(targets, record.fields, strict=True):
            self.write(target, ir.Load(ir.Member(ir.Whole(variable), part, self.location), kind, self.location))

    def group(self, operand: text.Operand, count: int | None = None) -> tuple[text.Operand, ...]:
        """The registers of a vector; a single register is a vector of one."""
        items = operand.items if isinstance(operand, text.Group) else (operand,)
        if count is not None and len(items) != count:
            raise self.refuse(
                message("{name} needs {count} registers here, not {given}.", name=self._instruction.name, count=count, given=len(items))
            )
        return items

    # ------------------------------------------------------------ addresses

    def address(self, operand: text.Operand, space: str) -> ir.Expression:
        """The generic address that an operand in brackets means in a state space ("": it is generic)."""
        if not isinstance(operand, text.Address):
            raise self.refuse(message("{name} needs an address in [ ] here.", name=self._instruction.name))
        if space.startswith("param"):
            raise self.unsupported(f".{space}")
        value: ir.Expression = self._based(operand.base)
        if space in SHARED_SPACES:
            value = generic_address(value, self.cluster, self.location, space)
        return self.sum(value, operand.offset)

    def _based(self, base: text.Operand) -> ir.Expression:
        kind = build.type_of(self._argument(base.number).value) if isinstance(base, text.Given) else None
        wide = kind if isinstance(kind, ir.Scalar) and kind.size == 8 else ir.U64
        return build.cast(self.read(base, wide), ir.U64, self.location)

    def sum(self, value: ir.Expression, offset: int) -> ir.Expression:
        """An address and some bytes."""
        if not offset:
            return value
        return build.binary(ir.Binary.ADD, value, build.constant(offset, ir.U64), ir.U64, self.location)

    def pointer(self, address: ir.Expression, kind: ir.Type | None) -> ir.Expression:
        """The address as a pointer."""
        return ir.Cast(address, ir.Pointer(kind), self.location)

    def object(self, address: ir.Expression, kind: ir.Type, *, volatile: bool = False) -> ir.Deref:
        """What stands at an address."""
        return ir.Deref(self.pointer(address, kind), kind, self.location, "", volatile)


def record_of(kind: ir.Scalar, count: int) -> ir.Struct:
    """A struct of as many values of one type."""
    fields = tuple(ir.Field(f"x{number}", kind, number * kind.size) for number in range(count))
    return ir.Struct(f"results{count}", fields, count * kind.size, kind.size)


def _plain(name: str) -> str:
    """The name of a register; `%%` is the text's way to write `%`."""
    return name.removeprefix("%")


Rule = Callable[[Assembler, text.Instruction], None]
RULES: dict[str, Rule] = {}
"""By opcode."""
SPECIALS: dict[str, Callable[[Assembler], ir.Expression]] = {}
"""Special registers by name, without %."""


def assembles(*opcodes: str) -> Callable[[Rule], Rule]:
    """Register the rule of some opcodes."""

    def register(rule: Rule) -> Rule:
        for opcode in opcodes:
            assert opcode not in RULES, opcode
            RULES[opcode] = rule
        return rule

    return register
