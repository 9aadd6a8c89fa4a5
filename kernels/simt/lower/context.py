"""What is known while a kernel is lowered: names, the function that is being inlined, variables of memory, and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto

from clang.cindex import Cursor, Type

from kernels.base.messages import Message, message
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.lower.libclang import is_adjusted
from kernels.simt.lower.refusals import Consequence, Refusal, construct
from kernels.simt.lower.types import Types, UnsupportedType

DEEPEST = 220
"""Expressions and statements within each other, inlined functions included; everything that follows walks what is made here."""
TOO_DEEP = message("This is nested too deeply: split long expressions, and functions that call functions.")
LARGEST = 30_000
"""Expressions and statements in all: functions that call functions twice grow without bound."""
TOO_LARGE = message("The kernel is too large when its functions are inlined: call fewer functions, or call them in a loop.")


class Result(Enum):
    """What is made of the value that an inlined function returns."""

    VALUE = auto()
    ADDRESS = auto()
    """It returns a reference."""
    NOTHING = auto()


@dataclass
class Frame:
    """One function body in the making. `places` and `values` are what its names stand for, by the hash of their declaration."""

    function: Cursor
    this: ir.Place | None = None
    caller: ir.Location | None = None
    """Where the function was called, if its own text is not the user's: the location of everything in it."""
    places: dict[int, ir.Place] = field(default_factory=dict)
    values: dict[int, ir.Expression] = field(default_factory=dict)
    result: Result = Result.VALUE


class Context:
    """Shared by the parts that lower one kernel."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.types = Types()
        self.frames: list[Frame] = []
        self.globals: dict[int, ir.Variable] = {}
        self.strings: dict[tuple[int, ...], ir.Variable] = {}
        self._refusals: list[Refusal] = []
        self._consequences: list[Refusal] = []
        self._depth = self._size = 0
        self._refused_types: set[str] = set()

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @contextmanager
    def entered(self, frame: Frame) -> Iterator[None]:
        """Lower within a function."""
        self.frames.append(frame)
        try:
            yield
        finally:
            self.frames.pop()

    @contextmanager
    def deeper(self, cursor: Cursor) -> Iterator[None]:
        """Lower something within something else."""
        self._depth += 1
        self._size += 1
        try:
            if self._depth > DEEPEST:
                raise self.refuse(cursor, TOO_DEEP)
            if self._size > LARGEST:
                raise Refusal(self.location(self.frames[0].function), TOO_LARGE)
            yield
        finally:
            self._depth -= 1

    def location(self, cursor: Cursor) -> ir.Location:
        """Where to point at: in the user's text, even for what stands in the prelude."""
        return self.frame.caller or self.unit.location(cursor)

    def text(self, cursor: Cursor) -> str:
        """As written; empty for what stands in the prelude."""
        return "" if self.frame.caller else self.unit.text_of(cursor)

    def type(self, cursor: Cursor) -> ir.Type:
        """The type of a cursor that has a value."""
        kind = self.type_or_void(cursor, cursor.type)
        if kind is None:
            raise construct(self.location(cursor), cursor)
        return kind

    def type_or_void(self, cursor: Cursor, written: Type) -> ir.Type | None:
        """A type that stands at `cursor`."""
        try:
            kind = self.types.of(written)
            return ir.Pointer(kind.element) if isinstance(kind, ir.Array) and is_adjusted(cursor) else kind
        except UnsupportedType as unsupported:
            spelling = written.get_canonical().spelling.removeprefix("const ")
            refusal = Consequence if spelling in self._refused_types else Refusal
            self._refused_types.add(spelling)
            raise refusal(self.location(cursor), unsupported.reason) from None

    def refuse_destructor(self, cursor: Cursor, kind: ir.Type) -> None:
        """An object that ends within the kernel must not do anything then."""
        name = self.types.destructor(kind)
        if name is not None:
            reason = message("Destructors are not executed: write what ~{name} does where the object ends.", name=name.partition("<")[0])
            raise Refusal(self.location(cursor), reason)

    def refuse(self, cursor: Cursor, reason: Message) -> Refusal:
        """The refusal of something in words of its own."""
        return Refusal(self.location(cursor), reason)

    def note(self, refusal: Refusal) -> None:
        """Keep a refusal for the report."""
        (self._consequences if isinstance(refusal, Consequence) else self._refusals).append(refusal)

    @property
    def refusals(self) -> list[Refusal]:
        """What cannot be lowered, without what only follows from it."""
        return self._refusals or self._consequences

    def unsupported(self, cursor: Cursor) -> Refusal:
        """The refusal of a kind of construct."""
        return construct(self.location(cursor), cursor)

    def temporary(self, name: str, kind: ir.Type, location: ir.Location) -> ir.Variable:
        """A variable that has no name in the text."""
        return ir.Variable(name, kind, ir.Space.REGISTER, location)
