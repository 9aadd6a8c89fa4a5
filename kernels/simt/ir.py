"""The typed representation of a CUDA kernel: what the front end makes, and what the generator and the oracle execute.

Everything implicit in C++ is explicit here: conversions are `Cast`, reads of memory are `Load`, short-circuit operators, overloads and
templates are resolved, device functions are inlined as `Inlined`, integer constant expressions are folded to `Const`. Each node that
can be the site of an access or a diagnostic carries its `Location` in the shown text.

Arithmetic operands have equal types, after the usual arithmetic conversions. Shift counts may differ from the shifted type.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Location:
    """Line and column, counted from 1, in the file of the kernel (or in `file`, where it stands in an included one)."""

    line: int
    column: int
    file: str = ""


# ---------------------------------------------------------------- types


class Kind(StrEnum):
    """What a scalar's bits mean."""

    BOOL = "bool"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"


@dataclass(frozen=True, slots=True)
class Scalar:
    """bool (1 byte), integers of 1, 2, 4, 8 bytes, floats of 2 (half, or bfloat16 where `brain`), 4, 8 bytes."""

    kind: Kind
    size: int
    brain: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A member at `offset` bytes."""

    name: str
    type: Type
    offset: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct or a built-in vector such as float4 (`align` 16). Passed and assigned member by member; loaded as one access where
    it is a built-in vector (`vector`), else one access a scalar member."""

    name: str
    fields: tuple[Field, ...]
    size: int
    align: int
    vector: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """`count` elements one after another."""

    element: Type
    count: int


@dataclass(frozen=True, slots=True)
class Pointer:
    """A 64-bit byte address. `target` None is void*."""

    target: Type | None


Type = Scalar | Struct | Array | Pointer

BOOL = Scalar(Kind.BOOL, 1)
I32, U32 = Scalar(Kind.SIGNED, 4), Scalar(Kind.UNSIGNED, 4)
I64, U64 = Scalar(Kind.SIGNED, 8), Scalar(Kind.UNSIGNED, 8)
F16, F32, F64 = Scalar(Kind.FLOAT, 2), Scalar(Kind.FLOAT, 4), Scalar(Kind.FLOAT, 8)


class Space(StrEnum):
    """Where a variable lives."""

    REGISTER = "register"
    """A local variable, an argument, or a local array of a thread."""
    SHARED = "shared"
    CONSTANT = "constant"
    """`__constant__`, and `__device__` variables of file scope live in GLOBAL."""
    GLOBAL = "global"


@dataclass(slots=True, eq=False)
class Variable:
    """A named object. Two variables are the same only if they are the same object. `dynamic`: `extern __shared__`, an array of 0 elements
    here, its length given at launch; all of these start at one address, behind the static arrays."""

    name: str
    type: Type
    space: Space
    location: Location
    dynamic: bool = False
    initial: tuple[int | float, ...] | None = None
    """Initial scalars of a constant or global variable, flattened; None for zeros (global, constant) or nothing (others)."""
    addressed: bool = False
    """Its address is taken (or a reference to it escapes inlining): it cannot live in lane vectors alone."""


# ---------------------------------------------------------------- places (what can be read, written, or have its address taken)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole variable."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class Element:
    """`array[index]` of a variable or of a member of array type. `index` is an integer expression. `text`: the place as written."""

    array: Place
    index: Expression
    type: Type
    location: Location
    text: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """`record.field`."""

    record: Place
    field: Field
    location: Location
    text: str = ""


@dataclass(frozen=True, slots=True)
class Deref:
    """`*pointer`, also `p[i]` (the pointer is then an `Offset`). Never of an `AddressOf`: that is the place itself."""

    pointer: Expression
    type: Type
    location: Location
    text: str = ""


Place = Whole | Element | Member | Deref


# ---------------------------------------------------------------- expressions


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
    """The value of a place, never an array. Where the place is in memory (not registers), this is an access, recorded at `location`."""

    place: Place
    type: Type
    location: Location


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


Expression = (
    Const | Special | Load | AddressOf | Offset | Difference | UnaryOp | BinaryOp | ShortCircuit | Select | Cast | Make | Extract
    | Assign | Increment | Call | Inlined
)  # fmt: skip


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Declare:
    """A register variable comes into being; without `value` its content is undefined."""

    variable: Variable
    value: Expression | None
    location: Location


@dataclass(frozen=True, slots=True)
class Store:
    """`place = value`. `operator`, if given: `place operator= value` with the operation done in `value`'s type (a shift too) and converted
    back: the place's address is computed once, read, and written."""

    place: Place
    value: Expression
    location: Location
    operator: Binary | None = None


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effects."""

    expression: Expression
    location: Location


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Block
    otherwise: Block | None
    location: Location


@dataclass(frozen=True, slots=True)
class Loop:
    """for, while and do. `before` runs once; then, unless `test_last`, `condition` (None: true) is tested before each round; `step`
    runs after each round, also after `Continue`. `unroll` is the factor of a `#pragma unroll` (0: complete; None: none given)."""

    before: Block
    condition: Expression | None
    step: Block
    body: Block
    test_last: bool
    location: Location
    unroll: int | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """`cases` pairs the values that lead to a body position (None among them: default) with the index into `body` where it goes on."""

    value: Expression
    cases: tuple[tuple[tuple[int | None, ...], int], ...]
    body: tuple[Statement, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Break:
    location: Location


@dataclass(frozen=True, slots=True)
class Continue:
    location: Location


@dataclass(frozen=True, slots=True)
class Return:
    """Leaves the kernel, or the nearest `Inlined`."""

    value: Expression | None
    location: Location


class Scope(StrEnum):
    """Which threads a barrier joins."""

    BLOCK = "block"
    WARP = "warp"


@dataclass(frozen=True, slots=True)
class Barrier:
    """`__syncthreads`, with `reduce` one of "count", "and", "or" its variants (then an `Evaluate` of Call is not used: `target` gets
    the result); `__syncwarp` with its mask; tile.sync() is a warp barrier of its lanes' mask."""

    scope: Scope
    mask: Expression | None
    location: Location
    reduce: str | None = None
    predicate: Expression | None = None
    target: Variable | None = None


@dataclass(frozen=True, slots=True)
class Print:
    """printf with a constant format; arguments after the default promotions (float as F64)."""

    format: str
    arguments: tuple[Expression, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Assertion:
    """assert(condition); `text` is the condition as written."""

    condition: Expression
    text: str
    location: Location


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Statement, ...]


Statement = (
    Block | Declare | Store | Evaluate | If | Loop | Switch | Break | Continue | Return | Barrier | Print | Assertion
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kernel:
    """One `__global__` function ready to be executed. `parameters` are register variables, in order; `globals` are the shared, constant and
    file-scope variables that it uses, in order of appearance. `max_threads` and `min_blocks` are from `__launch_bounds__`."""

    name: str
    entry: str
    parameters: tuple[Variable, ...]
    globals: tuple[Variable, ...]
    body: Block
    location: Location
    max_threads: int | None = None
    min_blocks: int | None = None
