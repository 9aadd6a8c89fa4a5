"""The frozen types that the whole program shares: problems, parameters, launches, variants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib.resources import files

from kernels.base.messages import Message
from kernels.base.values import dataclass

FLOAT32_BYTES = 4
PREPARED = "T"
"""The matrix that a `Preparation` fills."""

Parameters = Mapping[str, int]
"""A value for each parameter of a variant, by name."""


class Operation(StrEnum):
    """Operation of a kernel: what is computed."""

    MATMUL = "matmul"
    TRANSPOSE = "transpose"
    HELLO = "hello"


class Device(StrEnum):
    """Device on which a variant runs."""

    CPU = "cpu"
    GPU = "gpu"
    MPI = "mpi"


class Output(StrEnum):
    """Output of a kernel: what it leaves in C."""

    RESULT = "result"
    """What the operation asks for."""
    COPY = "copy"
    """The elements of A in A's own order: what moving as many bytes costs."""
    IN_PLACE = "in place"
    """What the operation asks for, where A's elements were before: the kernel takes C alone, which holds A when it begins."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Precision to which A and B are rounded before they are multiplied. `unit_roundoff` is the largest relative error of an element.

    Products are exact then, and sums float32.
    """

    name: str
    unit_roundoff: float


@dataclass(frozen=True, slots=True)
class Needs:
    """Requirements of a kernel. `capability` 90 is compute capability 9.0; `alone`: what it uses, later GPUs do not have."""

    capability: int = 0
    alone: bool = False
    each_rank: bool = False
    """Whether each rank needs a GPU of its own."""
    matrix_registers: bool = False
    """Of the processor: whether it must have AMX."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem size. Matrices are float32 and row-major.

    matmul: C (m x n) = A (m x k) times B (k x n). transpose: C (n x m) = A (m x n) transposed; `k` is 0. hello: there are no
    matrices; all sizes are 0.
    """

    operation: Operation
    m: int
    n: int
    k: int = 0

    @staticmethod
    def square(operation: Operation, n: int) -> Problem:
        """The problem on n x n matrices; without a size where the operation has none."""
        return Problem.of(operation, n, n, n)

    @staticmethod
    def of(operation: Operation, m: int, n: int, k: int) -> Problem:
        """The problem with those of the sizes that the operation has."""
        if operation is Operation.HELLO:
            return Problem(operation, 0, 0)
        return Problem(operation, m, n, k if operation is Operation.MATMUL else 0)

    @property
    def shapes(self) -> dict[str, tuple[int, int]]:
        """Rows and columns of each matrix by name, inputs first, the output `C` last; empty where there are none."""
        if self.operation is Operation.MATMUL:
            return {"A": (self.m, self.k), "B": (self.k, self.n), "C": (self.m, self.n)}
        if self.operation is Operation.HELLO:
            return {}
        return {"A": (self.m, self.n), "C": (self.n, self.m)}

    @property
    def flops(self) -> int:
        """Floating-point operations that the definition asks for: 2 m n k for a multiplication, none for a transposition."""
        return 2 * self.m * self.n * self.k

    @property
    def bytes(self) -> int:
        """Bytes that all matrices take; for a transposition also what must at least be moved."""
        return FLOAT32_BYTES * sum(rows * columns for rows, columns in self.shapes.values())


@dataclass(frozen=True, slots=True)
class Parameter:
    """A whole number that the user chooses. `stops` are the values offered, in order; any value in range may be typed.

    A parameter with `names` goes from 0 to the last name.
    """

    name: str
    title: Message
    default: int
    minimum: int
    maximum: int
    stops: tuple[int, ...]
    names: tuple[str, ...] = ()
    """What the values 0, 1, ... are called, in order, where they are choices and not amounts; empty for an amount."""
    small: int | None = None
    """What matrices of a few rows are shown with, where the default would be larger than they are."""

    def written(self, value: int) -> str:
        """The value as it is shown and typed: its name, where it has one."""
        return self.names[value] if 0 <= value < len(self.names) else str(value)


@dataclass(frozen=True, slots=True)
class Launch:
    """A CUDA launch: blocks in the grid and threads in a block as (x, y), and the macros that the source is compiled with."""

    grid: tuple[int, int]
    block: tuple[int, int]
    defines: Mapping[str, int]
    static_shared_bytes: int = 0
    dynamic_shared_bytes: int = 0
    """Asked for at the launch; above 48 KB a kernel must opt in."""
    before: Preparation | None = None

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a block in all."""
        return self.static_shared_bytes + self.dynamic_shared_bytes

    @property
    def prepared(self) -> dict[str, tuple[int, int]]:
        """Rows and columns of the matrix that is filled before, by name; empty where nothing is."""
        return {} if self.before is None else {PREPARED: (self.before.rows, self.before.columns)}


@dataclass(frozen=True, slots=True)
class Preparation:
    """Another kernel of the same text, launched first and timed with it. It fills `T`, a float32 matrix of `rows` x `columns`.

    Both kernels take T after the matrices of the problem, before the sizes.
    """

    entry: str
    launch: Launch
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Variant:
    """One rung of the ladder: a kernel that can be shown, run and animated.

    `source` is the kernel's file, relative to the package `kernels`; `entry` is the function or kernel in it. `features` are
    short English terms of the glossary. `launch` is None where no CUDA kernel of ours is launched. `constraint` says why values of the
    parameters, each in its range, do not go together, or None where they do.
    """

    id: str
    operation: Operation
    device: Device
    title: Message
    idea: Message
    source: str
    entry: str
    parameters: tuple[Parameter, ...] = ()
    features: frozenset[str] = frozenset()
    launch: Callable[[Problem, Parameters], Launch] | None = None
    constraint: Callable[[Parameters], Message | None] | None = None
    costs: Callable[[Problem, Parameters], Mapping[str, int]] | None = None
    """What the algorithm needs or does otherwise than others, by name, for the conditions of a result; None: nothing to say."""
    error_growth: Callable[[Problem, Parameters], float] | None = None
    """How many times the error of ordinary summation is allowed, in any element; None: ordinary summation, bounded element by element."""
    library: bool = False
    """True for the 100 % line of its device and operation: a library's routine, for transpositions on the GPU a copy."""
    output: Output = Output.RESULT
    precision: Precision | None = None
    """None: A and B are multiplied as they are, in float32. A library is the 100 % line of its precision alone."""
    needs: Needs = Needs()
    workspace: Callable[[Problem], tuple[int, int]] | None = None
    """Rows and columns of a float32 matrix T that a library's routine is given besides, after C; None where it needs none."""
    measured_only: Message | None = None
    """Why the text cannot be executed without a GPU, and so is timed but not shown step by step; None where it can."""
    rung: int = 0
    """Its place in the ladder of its operation, from 1 on: the catalogue counts."""

    @property
    def source_text(self) -> str:
        """The text that is shown, run and animated: the whole source file."""
        return files("kernels").joinpath(self.source).read_text(encoding="utf-8")

    @property
    def interpreted(self) -> bool:
        """Whether it is a CUDA kernel that can be executed, and shown step by step, without a GPU."""
        return self.launch is not None and self.measured_only is None

    def beside(self, problem: Problem, parameters: Parameters) -> dict[str, tuple[int, int]]:
        """Rows and columns of the matrix that it needs beside those of the problem, by name; empty where it needs none."""
        if self.workspace is not None:
            return {PREPARED: self.workspace(problem)}
        return {} if self.launch is None else self.launch(problem, parameters).prepared

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def written(self, name: str, value: int) -> str:
        """The value of a parameter as it is shown and typed; also of a name that is none of the variant's."""
        parameter = self.parameter(name)
        return str(value) if parameter is None else parameter.written(value)

    @property
    def defaults(self) -> dict[str, int]:
        """The default value of each parameter."""
        return {parameter.name: parameter.default for parameter in self.parameters}
