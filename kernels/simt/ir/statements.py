"""Statements, and the kernel that they make."""

from __future__ import annotations

from kernels.base.values import dataclass
from kernels.simt.base.types import Location, Scope, Type, Variable
from kernels.simt.ir.expressions import Binary, Expression, Place


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
    runs after each round, also after `Continue`."""

    before: Block
    condition: Expression | None
    step: Block
    body: Block
    test_last: bool
    location: Location


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
class Launch:
    """`entry<<<grid, block, shared_bytes, stream>>>(arguments)`, of the host or of each thread that comes to it. `grid` and `block` are
    structs of three U32, the arguments' types those of the kernel's parameters, by position. `cooperative`: all blocks are on the device
    at once, to wait for each other."""

    entry: str
    grid: Expression
    block: Expression
    shared_bytes: Expression
    stream: Expression
    arguments: tuple[Expression, ...]
    location: Location
    cooperative: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """Where a `Goto` of the same function goes on. Of the host only."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class Goto:
    """Goes on at the label of this name. Of the host only."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class Throw:
    """An exception: the address of the object, the names of its class and of those that it inherits, the address of its words or null.
    None for `value`: the one that is being handled is thrown again. Of the host only."""

    value: Expression | None
    names: tuple[str, ...]
    what: Expression
    location: Location


@dataclass(frozen=True, slots=True)
class Try:
    """`body`, and what handles exceptions: the name of a class, None for all; the variable that is given the object's address. `begin` and
    `end` tell that it is under way. Of the host only."""

    begin: Expression
    end: Expression
    body: Block
    handlers: tuple[tuple[str | None, Variable, Block], ...]
    location: Location


@dataclass(frozen=True, slots=True)
class Defer:
    """From here on, `body` is executed when the block that this stands in is left, whichever way; the last one first. Of the host only."""

    body: Block
    location: Location


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Statement, ...]


Statement = (
    Block | Declare | Store | Evaluate | If | Loop | Switch | Break | Continue | Return | Barrier | Print | Assertion
    | Launch | Defer | Label | Goto | Throw | Try
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Function:
    """Function of the host. Two are the same only if they are the same object; `body` is filled in once it is lowered, because it may
    call itself."""

    name: str
    parameters: tuple[Variable, ...]
    result: Type | None
    location: Location
    body: Block


@dataclass(frozen=True, slots=True)
class Kernel:
    """One `__global__` function ready to be executed. `parameters` are register variables, in order; `globals` are the shared, constant and
    file-scope variables that it uses, in order of appearance. `max_threads` is from `__launch_bounds__`; `cluster`, how many
    blocks a cluster has along each axis, is from `__cluster_dims__`."""

    name: str
    entry: str
    parameters: tuple[Variable, ...]
    globals: tuple[Variable, ...]
    body: Block
    location: Location
    max_threads: int | None = None
    cluster: tuple[int, int, int] = (1, 1, 1)
