"""PTX as it is written: instructions, labels, declarations of registers and blocks, read from the text of an asm statement."""

from __future__ import annotations

import re
import struct

from kernels.base.messages import Message, message
from kernels.base.values import dataclass


class SyntaxProblem(Exception):
    """A text that is no PTX: what is wrong, and at which character."""

    def __init__(self, at: int, reason: Message) -> None:
        super().__init__(str(reason))
        self.at = at
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Name:
    """A register, a special register, or `_`."""

    name: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """An operand of the asm statement, by its number."""

    number: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """An immediate; `bits` is how many bits a float has that is written by its bits (0f3F800000)."""

    value: int | float
    bits: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """`{a, b}`."""

    items: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """`p|q`: two destinations."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Address:
    """`[base + offset]`, and what else stands in the brackets."""

    base: Operand
    offset: int = 0
    more: tuple[Operand, ...] = ()


Operand = Name | Given | Number | Group | Pair | Address


@dataclass(frozen=True, slots=True)
class Instruction:
    """`@predicate opcode.modifier... operands;` at a character of the text."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    predicate: Name | Given | None
    at: int

    @property
    def name(self) -> str:
        """The instruction with all its modifiers."""
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True, slots=True)
class Label:
    """`name:`."""

    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Registers:
    """`.reg .type name, name<count>;`."""

    type: str
    names: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Scope:
    """`{ ... }`, in which registers and labels have names of their own."""

    statements: tuple[Statement, ...]


Statement = Instruction | Label | Registers | Scope

_TOKEN = re.compile(
    r"(?P<space>(?:\s|//[^\n]*(?:\n|$)|/\*.*?\*/)+)"
    r"|(?P<given>%\d+)"
    r"|(?P<float>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|-?\d+\.\d*(?:[eE][-+]?\d+)?)"
    r"|(?P<number>-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?)"
    r"|(?P<word>(?:%%|\.)?[A-Za-z_$][\w$]*(?:(?:\.|::)\w+)*)"
    r"|(?P<mark>[][{}();,:@!|+<>-])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def parse(text: str) -> tuple[Statement, ...]:
    """Read the text of an asm statement. Raises SyntaxProblem."""
    reader = _Reader(list(_tokens(text)), len(text))
    statements = reader.statements()
    if not reader.ended:
        raise reader.problem()
    return statements


def _tokens(text: str) -> list[_Token]:
    at, found = 0, []
    while at < len(text):
        match = _TOKEN.match(text, at)
        if text.startswith("%[", at):
            name = text[at : text.find("]", at) + 1] or text[at:]
            raise SyntaxProblem(at, message("{name}: CUDA's compiler knows operands by their numbers alone, %0, %1, ….", name=name))
        if match is None or match.lastgroup is None:
            raise SyntaxProblem(at, message("{text} is not understood in PTX.", text=text[at : at + 8].split("\n")[0]))
        if match.lastgroup != "space":
            found.append(_Token(match.lastgroup, match.group(), at))
        at = match.end()
    return found


class _Reader:
    """Reads tokens from front to back."""

    def __init__(self, tokens: list[_Token], length: int) -> None:
        self._tokens = tokens
        self._next = 0
        self._end = _Token("end", "", max(length - 1, 0))

    @property
    def ended(self) -> bool:
        return self._next >= len(self._tokens)

    def _peek(self, ahead: int = 0) -> _Token:
        place = self._next + ahead
        return self._tokens[place] if place < len(self._tokens) else self._end

    def _take(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def _accept(self, text: str) -> bool:
        if self._peek().text != text:
            return False
        self._next += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise self.problem(text)

    def problem(self, wanted: str | Message = "") -> SyntaxProblem:
        """Make the refusal of the next token."""
        token = self._peek()
        if not wanted:
            return SyntaxProblem(token.at, message("{text} is not understood in PTX.", text=token.text))
        found = token.text or message("the end of the text")
        return SyntaxProblem(token.at, message("PTX has {wanted} here, not {text}.", wanted=wanted, text=found))

    def statements(self) -> tuple[Statement, ...]:
        """Read up to the end of the block."""
        found: list[Statement] = []
        while not self.ended and self._peek().text != "}":
            if self._accept(";"):
                continue
            found.append(self._statement())
        return tuple(found)

    def _statement(self) -> Statement:
        token = self._peek()
        if self._accept("{"):
            inner = self.statements()
            self._expect("}")
            return Scope(inner)
        if token.text == ".reg":
            return self._registers()
        if token.kind == "word" and self._peek(1).text == ":":
            self._next += 2
            return Label(token.text, token.at)
        return self._instruction()

    def _registers(self) -> Registers:
        start = self._take().at
        c_type = self._take().text.removeprefix(".")
        names: list[str] = []
        while not names or self._accept(","):
            name = self._word()
            if self._accept("<"):
                count = self._take()
                self._expect(">")
                names += [f"{name}{number}" for number in range(int(count.text, 0))]
            else:
                names.append(name)
        self._expect(";")
        return Registers(c_type, tuple(names), start)

    def _word(self) -> str:
        token = self._peek()
        if token.kind != "word":
            raise self.problem(message("a name"))
        self._next += 1
        return token.text

    def _instruction(self) -> Instruction:
        predicate: Name | Given | None = None
        start = self._peek().at
        if self._accept("@"):
            guard = self._simple()
            if not isinstance(guard, Name | Given):
                raise self.problem(message("a predicate"))
            predicate = guard
            start = self._peek().at
        opcode, *modifiers = self._word().split(".")
        operands: list[Operand] = []
        while self._peek().text != ";" and not self.ended:
            operands.append(self._operand())
            if not self._accept(","):
                break
        if not self.ended:
            self._expect(";")
        return Instruction(opcode, tuple(modifiers), tuple(operands), predicate, start)

    def _operand(self) -> Operand:
        if self._accept("{"):
            items = [self._operand()]
            while self._accept(","):
                items.append(self._operand())
            self._expect("}")
            return Group(tuple(items))
        if self._accept("["):
            return self._address()
        first = self._simple()
        if self._accept("|"):
            return Pair(first, self._simple())
        return first

    def _address(self) -> Address:
        base = self._simple()
        offset = 0
        while self._peek().text in ("+", "-") or (self._peek().kind == "number" and self._peek().text.startswith("-")):
            sign = -1 if self._peek().text == "-" else 1
            self._next += self._peek().text in ("+", "-")
            number = self._simple()
            if not isinstance(number, Number):
                raise self.problem(message("a number"))
            offset += sign * int(number.value)
        more: list[Operand] = []
        while self._accept(","):
            more.append(self._operand())
        self._expect("]")
        return Address(base, offset, tuple(more))

    def _simple(self) -> Operand:
        negated = self._accept("!")
        token = self._take()
        if token.kind == "given":
            return Given(int(token.text[1:]), negated)
        if token.kind == "word":
            return Name(token.text, negated)
        if token.kind == "number":
            return Number(int(token.text.removesuffix("U"), 0))
        if token.kind == "float":
            return _float(token.text)
        self._next -= 1
        raise self.problem(message("an operand"))


def _float(text: str) -> Number:
    if text[:2] in ("0f", "0F"):
        return Number(struct.unpack(">f", bytes.fromhex(text[2:]))[0], 32)
    if text[:2] in ("0d", "0D"):
        return Number(struct.unpack(">d", bytes.fromhex(text[2:]))[0], 64)
    return Number(float(text))
