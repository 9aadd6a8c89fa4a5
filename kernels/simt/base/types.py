"""Locations, types, where variables live, whom a barrier joins: what the representation of a kernel and its traces share."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """Line and column, counted from 1, in the file of the kernel (or in `file`, where it stands in an included one)."""

    line: int
    column: int
    file: str = ""

    @property
    def whole_line(self) -> tuple[str, int]:
        """The file and the line: the same for all that stands there."""
        return self.file, self.line


class Kind(StrEnum):
    """Kind of a scalar: what its bits mean."""

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
    name: str = field(default="", compare=False)
    """As the text writes it, where that is known and not the usual name."""


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
    """Array of `count` elements one after another."""

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
    """Memory space that a variable lives in."""

    REGISTER = "register"
    """A local variable, an argument, or a local array of a thread."""
    SHARED = "shared"
    CONSTANT = "constant"
    """`__constant__`, and `__device__` variables of file scope live in GLOBAL."""
    GLOBAL = "global"


class Scope(StrEnum):
    """Scope of a barrier: which threads it joins. A fence (`__threadfence`) joins none: it orders what its thread did before for all that
    see it."""

    BLOCK = "block"
    GRID = "grid"
    """All blocks: it joins the threads of each block, too."""
    WARP = "warp"
    FENCE = "fence"


class ThreadScope(StrEnum):
    """Threads between which an atomic excludes, or a fence orders: those of the block, of the device, of all that share its memory."""

    BLOCK = "block"
    DEVICE = "device"
    SYSTEM = "system"


class MemoryOrder(StrEnum):
    """Kind of a fence. ACQ_REL is a fence of its own. The others belong to one atomic of their thread: RELAXED and RELEASE to the next
    one, which orders nothing before it, or all, ACQUIRE to the last one. PROXY orders nothing between threads: it shows what its thread
    wrote to the engines that copy in bulk and to wgmma. BARRIER_INIT orders nothing but the words that its thread made barriers of, for the
    blocks of its cluster."""

    RELAXED = "relaxed"
    RELEASE = "release"
    ACQUIRE = "acquire"
    ACQ_REL = "acq_rel"
    PROXY = "proxy"
    BARRIER_INIT = "barrier init"


@dataclass(slots=True, eq=False)
class Variable:
    """A named object. Two variables are the same only if they are the same object. `dynamic`: `extern __shared__`, an array of 0 elements
    here, its length given at launch; all of these start at one address, behind the static arrays."""

    name: str
    type: Type
    space: Space
    location: Location
    dynamic: bool = False
    initial: tuple[int | float | AddressIn, ...] | None = None
    """Initial scalars of a constant or global variable, flattened; None for zeros (global, constant) or nothing (others)."""
    addressed: bool = False
    """Its address is taken (or a reference to it escapes inlining): it cannot live in lane vectors alone."""
    alignment: int = 0
    """Bytes that the text wants the address of a shared variable to be a multiple of; 0: it says nothing."""


@dataclass(frozen=True, slots=True)
class AddressIn:
    """Address of a byte in a variable of global or constant memory, as an initial value: known once that is placed."""

    variable: Variable
    offset: int
