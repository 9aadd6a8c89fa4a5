"""What is known while a kernel is lowered: names, the function that is being inlined, variables of memory, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from enum import Enum, auto

from clang.cindex import Cursor, Type

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.frontend.unit import Unit
from kernels.simt.lower.accumulators import Accumulators
from kernels.simt.lower.cursors import is_adjusted
from kernels.simt.lower.refusals import Consequence, Refusal, unsupported_construct
from kernels.simt.lower.types import Types, UnsupportedType

DEEPEST = 220
"""Expressions and statements within each other, inlined functions included; everything that follows walks what is made here."""
TOO_DEEP = message(
    "This is nested too deeply, in more than {limit} levels: split long expressions, and functions that call functions.", limit=DEEPEST
)
LARGEST = 100_000
"""Expressions and statements in all, which take 8 s: functions that call functions twice grow without bound."""
TOO_LARGE = message(
    "The kernel has more than {limit} expressions and statements when its functions are inlined: call fewer functions, or call them in a"
    " loop.", limit=LARGEST,
)  # fmt: skip


class Result(Enum):
    """Uses of the value that an inlined function returns."""

    VALUE = auto()
    ADDRESS = auto()
    """It returns a reference."""
    NOTHING = auto()


@dataclass
class Frame:
    """Function body in the making. `places` and `values` are what its names stand for, by the hash of their declaration."""

    function: Cursor
    this: ir.Place | None = None
    caller: ir.Location | None = None
    """Where the function was called, if its own text is not the user's: the location of everything in it."""
    places: dict[int, ir.Place] = field(default_factory=dict)
    values: dict[int, ir.Expression] = field(default_factory=dict)
    result: Result = Result.VALUE
    handlers: int = 0
    """How many `catch` blocks stand around what is being lowered."""


@dataclass(frozen=True)
class Closure:
    """Meaning of the names in a lambda's body: objects that are captured by reference are those of the function around it. `captures` are
    the declarations that the members of its object stand for, by their hash; 0 is `this`."""

    this: ir.Place | None
    places: dict[int, ir.Place] = field(default_factory=dict)
    values: dict[int, ir.Expression] = field(default_factory=dict)
    captures: tuple[int, ...] = ()

    def enter(self, frame: Frame) -> None:
        """Make the frame of a call mean the same by its names."""
        frame.this = self.this
        frame.places.update(self.places)
        frame.values.update(self.values)


class Context:
    """Context of everything that is lowered for one kernel: the function that is being lowered and those around it, types, variables
    in memory, and refusals. Each function of this package is given it, and none keeps it."""

    has_threads = True
    """A thread of a block executes it, which has its place in the grid."""
    keeps_statics = False
    """Static variables can be written."""
    keeps_lambdas = False
    """Lambdas can be objects, which are stored, passed on and given back."""
    jumps = False
    """Jumps are left as they are; else they become parts of the text that are left early."""

    def __init__(self, unit: Unit, types: Types | None = None) -> None:
        self.unit = unit
        self.types = types or Types()
        self.frames: list[Frame] = []
        self.globals: dict[int, ir.Variable] = {}
        self.strings: dict[tuple[int, ...], ir.Variable] = {}
        """String literals by their characters: equal ones are one array."""
        self.cluster = (1, 1, 1)
        """Blocks of a cluster along each axis."""
        self.in_cluster = False
        """Whether the kernel says so, be it of one block."""
        self.accumulators = Accumulators()
        self.closures: dict[ir.Variable, Closure] = {}
        """Which variables hold which lambda."""
        self.read_only: dict[int, frozenset[int]] = {}
        """By function, the parameters that it reads and nothing else."""
        self.pointed: tuple[Cursor, ...] | None = None
        """Functions whose address is taken somewhere, once that has been asked."""
        self._refusals: list[Refusal] = []
        self._consequences: list[Refusal] = []
        self._depth = self._size = 0
        self._refused_types: set[str] = set()

    @property
    def frame(self) -> Frame:
        """Give the innermost function."""
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
        """Say where to point at: in the user's text, even for what stands in the prelude."""
        return self.frame.caller or self.unit.location(cursor)

    def text(self, cursor: Cursor) -> str:
        """Give a cursor's text as it is written; empty for what stands in the prelude."""
        return "" if self.frame.caller else self.unit.text_of(cursor)

    def type(self, cursor: Cursor) -> ir.Type:
        """Give the type of a cursor that has a value."""
        kind = self.type_or_void(cursor, cursor.type)
        if kind is None:
            raise unsupported_construct(self.location(cursor), cursor)
        return kind

    def type_or_void(self, cursor: Cursor, written: Type) -> ir.Type | None:
        """Translate a type that stands at `cursor`; None is void. A type is refused once, then only followed by consequences."""
        try:
            kind = self.types.of(written)
            return ir.Pointer(kind.element) if isinstance(kind, ir.Array) and is_adjusted(cursor) else kind
        except UnsupportedType as unsupported:
            spelling = written.get_canonical().spelling.removeprefix("const ")
            refusal = Consequence if spelling in self._refused_types else Refusal
            self._refused_types.add(spelling)
            raise refusal(self.location(cursor), unsupported.reason) from None

    def call(self, _cursor: Cursor, _callee: Cursor, _result: Result) -> ir.Expression | list[ir.Statement] | None:
        """Lower a call as the heir of this class does; None where it is inlined, or known to kernels."""
        return None

    def through(self, _cursor: Cursor, _pointer: Cursor, _prototype: Type, _result: Result) -> ir.Expression | list[ir.Statement] | None:
        """Lower a call through a pointer to a function of some type, as the heir of this class does; None in a kernel."""
        return None

    def address(self, _function: Cursor) -> int | None:
        """Give the number that stands for a function of the host, as the heir of this class does; None in a kernel."""
        return None

    def new(self, _cursor: Cursor) -> ir.Expression | None:
        """Lower `new` as the heir of this class does; None where the device's heap is meant."""
        return None

    def delete(self, _cursor: Cursor, _into: list[ir.Statement]) -> bool:
        """Lower `delete` as the heir of this class does, and say whether that was done."""
        return False

    def variable(self, _cursor: Cursor, _declaration: Cursor) -> ir.Variable | None:
        """Find a variable that is no local one, as the heir of this class does; None where it is a kernel's."""
        return None

    def declared(self, _declaration: Cursor, _into: list[ir.Statement]) -> bool:
        """Declare an array whose length is known only when the program runs, as the heir of this class does; say whether it is one."""
        return False

    def row(self, _subscript: Cursor) -> ir.Place | None:
        """Find a row of such an array, as the heir of this class does; None where it is none."""
        return None

    def measured(self, _cursor: Cursor) -> ir.Expression | None:
        """Compute the `sizeof` such an array, as the heir of this class does; None of anything else."""
        return None

    def sequence(self, _place: ir.Place, _location: ir.Location) -> tuple[ir.Expression, ir.Expression] | None:
        """Find the first element of a container and how many there are, as the heir of this class does; None where it is none."""
        return None

    def iterated(
        self, _place: ir.Place, _location: ir.Location, _body: Callable[[ir.Place, list[ir.Statement]], ir.Block]
    ) -> list[ir.Statement] | None:
        """Make a loop over the elements of an object, as the heir of this class does; None where it has none."""
        return None

    def begun_once(self, _declaration: Cursor, _into: list[ir.Statement]) -> None:
        """Give a static variable its initial value when its declaration is first reached, as the heir of this class does."""

    def copied(self, _cursor: Cursor, _source: ir.Place, *, moved: bool) -> ir.Expression | None:  # noqa: ARG002
        """Copy an object with a copy constructor in it, as the heir of this class does; None where its bytes are all that it is."""
        return None

    def lambda_object(self, _place: ir.Place, _cursor: Cursor) -> ir.Expression | None:
        """Make the object of a lambda that is known by its text so far, as the heir of this class does; None for any other place."""
        return None

    def assigned(self, _cursor: Cursor, _callee: Cursor, _target: ir.Place, _right: Cursor, _into: list[ir.Statement]) -> bool:
        """Assign an object that does something when it ends, as the heir of this class does; say whether that was done."""
        return False

    def becomes(self, _target: ir.Place, _location: ir.Location, _into: list[ir.Statement]) -> None:
        """Have an object be of its class, once those that it inherits are there, as the heir of this class does."""

    def handed_over(self, _cursor: Cursor, _kind: ir.Type) -> ir.Expression | None:
        """Give a local object to the caller instead of a copy, as the heir of this class does."""
        return None

    def ends(self, cursor: Cursor, variable: ir.Variable, _into: list[ir.Statement], *, temporary: bool = False) -> None:  # noqa: ARG002
        """Have an object destroyed where the block around it ends, or the statement (`temporary`), as the heir of this class does."""
        self.refuse_destructor(cursor, variable.type)

    def listed(self, _cursor: Cursor, _kind: ir.Type | None) -> ir.Expression | None:
        """Make the list of what stands between braces, as the heir of this class does; None where no list is wanted."""
        return None

    def bound_member(self, cursor: Cursor, _declaration: Cursor) -> ir.Expression:
        """Give the address that a member which is a reference is bound to, as the heir of this class does."""
        raise self.unsupported(cursor)

    def made_of(self, _cursor: Cursor, _kind: ir.Type) -> ir.Expression | None:
        """Make an object by a constructor that the compiler chose, as the heir of this class does, where libclang does not show it."""
        return None

    def unused(self, value: ir.Expression, location: ir.Location, into: list[ir.Statement]) -> None:
        """Evaluate an expression whose value is not used; the heir of this class destroys it."""
        into.append(ir.Evaluate(value, location))

    def complete(self, lower: Callable[[Cursor], ir.Expression], cursor: Cursor) -> ir.Expression:
        """Lower an expression that stands by itself: the heir of this class destroys its temporary objects."""
        return lower(cursor)

    @contextmanager
    def full_statement(self, _into: list[ir.Statement]) -> Iterator[None]:
        """Lower a statement: the heir of this class destroys its temporary objects."""
        yield

    def refuse_destructor(self, cursor: Cursor, kind: ir.Type) -> None:
        """Refuse an object that does something when it ends within the kernel."""
        name = self.types.destructor(kind)
        if name is not None:
            reason = message("Destructors are not executed: write what ~{name} does where the object ends.", name=name.partition("<")[0])
            raise Refusal(self.location(cursor), reason)

    def refuse(self, cursor: Cursor, reason: Message) -> Refusal:
        """Make the refusal of something in words of its own."""
        return Refusal(self.location(cursor), reason)

    def note(self, refusal: Refusal) -> None:
        """Keep a refusal for the report."""
        (self._consequences if isinstance(refusal, Consequence) else self._refusals).append(refusal)

    @property
    def refusals(self) -> list[Refusal]:
        """Give what cannot be lowered, without what only follows from it."""
        return self._refusals or self._consequences

    def unsupported(self, cursor: Cursor) -> Refusal:
        """Make the refusal of a kind of construct."""
        return unsupported_construct(self.location(cursor), cursor)
