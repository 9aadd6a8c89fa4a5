"""Places (what can be read, written, or have its address taken) and expressions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from kernels.base.values import dataclass
from kernels.simt.base.types import BOOL, U32, Field, Location, Type, Variable

if TYPE_CHECKING:
    from kernels.simt.ir.statements import Block, Function


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole variable. Of any place `volatile` says that it is written so."""

    variable: Variable
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """`array[index]` of a variable or of a member of array type. `index` is an integer expression. `text`: the place as written."""

    array: Place
    index: Expression
    type: Type
    location: Location
    text: str = ""
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """`record.field`."""

    record: Place
    field: Field
    location: Location
    text: str = ""
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Deref:
    """`*pointer`, also `p[i]` (the pointer is then an `Offset`). Never of an `AddressOf`: that is the place itself."""

    pointer: Expression
    type: Type
    location: Location
    text: str = ""
    volatile: bool = False


Place = Whole | Element | Member | Deref


def place_type(place: Place) -> Type:
    """Give the type of the object at a place."""
    if isinstance(place, Whole):
        return place.variable.type
    return place.field.type if isinstance(place, Member) else place.type


class Unary(StrEnum):
    NEGATE = "-"
    COMPLEMENT = "~"
    NOT = "!"


class Binary(StrEnum):
    """Arithmetic, bitwise and comparison; comparisons have type BOOL. `&&` and `||` are `ShortCircuit`."""

    ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER = "+", "-", "*", "/", "%"
    AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT = "&", "|", "^", "<<", ">>"
    LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL = "<", "<=", ">", ">=", "==", "!="


@dataclass(frozen=True, slots=True)
class Const:
    """A scalar constant; for a pointer type only 0 (null)."""

    value: int | float | bool
    type: Type


@dataclass(frozen=True, slots=True)
class Special:
    """threadIdx, blockIdx, blockDim, gridDim with `.x .y .z`, warpSize, laneid: name as in the text, type U32 (warpSize: I32)."""

    name: str
    type: Type = U32


@dataclass(frozen=True, slots=True)
class Load:
    """The value of a place, never an array. Where the place is in memory (not registers), this is an access, recorded at `location`.
    `around`: to write some of its bits, and the others as they are, so that none need have been written."""

    place: Place
    type: Type
    location: Location
    around: bool = False


@dataclass(frozen=True, slots=True)
class AddressOf:
    """`&place`; also what an array decays to (the place is then its first element)."""

    place: Place
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Offset:
    """Pointer plus (or, through a negated index, minus) `index` elements of the pointer's target type."""

    pointer: Expression
    index: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Difference:
    """Pointer minus pointer, in elements; type I64."""

    left: Expression
    right: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class UnaryOp:
    operator: Unary
    operand: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class BinaryOp:
    operator: Binary
    left: Expression
    right: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class ShortCircuit:
    """`&&` (`conjunction`) or `||`; the right side is evaluated, and accesses memory, only in lanes where it decides."""

    conjunction: bool
    left: Expression
    right: Expression
    location: Location
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Select:
    """`condition ? yes : no`; each side is evaluated only in its lanes."""

    condition: Expression
    yes: Expression
    no: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion. Between pointers it changes the target type only; scalar to BOOL is `!= 0`."""

    operand: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Make:
    """A struct or an array from its members, in order (make_float4, braces, a returned struct). Missing last elements of an array are 0."""

    members: tuple[Expression, ...]
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Extract:
    """A member of a struct that is a value, not a place."""

    record: Expression
    field: Field
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Assign:
    """`place = value` as an expression whose value is `value`; `Store` statements are preferred where the value is not used."""

    place: Place
    value: Expression
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Increment:
    """`++place`, `place--` and so on, where its value is used. `by` is +1 or -1 (elements, for a pointer); `prefix`: the new value."""

    place: Place
    by: int
    prefix: bool
    type: Type
    location: Location


@dataclass(frozen=True, slots=True)
class Call:
    """A function known to the interpreter, by its CUDA name, overloads resolved to one name and argument types (see intrinsics.py):
    math, conversions, shuffles, votes, atomics, `__ldg` (a Load instead), clock. Arguments already converted."""

    name: str
    arguments: tuple[Expression, ...]
    type: Type | None
    location: Location


@dataclass(frozen=True, slots=True)
class Inlined:
    """A device function's body, executed in place. `Return` within leaves this body only, giving `result` its value."""

    body: Block
    result: Variable | None
    type: Type | None
    location: Location


@dataclass(frozen=True, slots=True)
class Invoke:
    """A call of a function of the host, which is not inlined. A reference, and `this`, is passed as an address."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type | None
    location: Location


Expression = (
    Const | Special | Load | AddressOf | Offset | Difference | UnaryOp | BinaryOp | ShortCircuit | Select | Cast | Make | Extract
    | Assign | Increment | Call | Inlined | Invoke
)  # fmt: skip
