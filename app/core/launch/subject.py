"""What the stage executes of a CUDA kernel: a text, a launch, the blocks that stand for all, and which arguments are matrices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path
from random import Random

from kernels.analysis.devices import Profile
from kernels.messages import Message, message
from kernels.simt.launch import Budget, Dim3, Fill, Keep, LaunchRequest, Mode
from kernels.spec import PREPARED, Operation, Parameters, Problem, Variant
from kernels.traceable import Traceable, traceable

MOST_STEPS = 1 << 21
"""Inner steps (threads times additions) up to which the whole grid is executed."""
MOST_VALUES = 1 << 22
"""Elements of a matrix up to which its values are drawn at random; larger ones are zeros, whose memory is never touched."""
STAGE_BUDGET = Budget(seconds=10.0, rows=600_000, bytes=16 << 30)


@dataclass(frozen=True, slots=True)
class MatrixRole:
    """An argument that is a matrix. `letter` (A, B or C) is its colour; C is the output. Row-major."""

    name: str
    letter: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One launch to execute and show. `texts` are arguments as the user wrote them; `entry` None: the only kernel there is."""

    name: str
    text: str
    entry: str | None
    launch: LaunchRequest
    defines: Mapping[str, str | int] = field(default_factory=dict)
    matrices: tuple[MatrixRole, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None
    variant_id: str = ""
    """The variant that it is, or that the text began as; "" for a file."""
    parameters: Parameters = field(default_factory=dict)
    """Of the variant, where it is one."""
    before: Subject | None = None
    """What is launched first, and leaves T."""


def subject_of(variant: Variant, problem: Problem, parameters: Parameters, profile: Profile, order: int = 0) -> Subject:
    """A variant of the catalogue with its parameters. The choice is one that `refuse` has nothing against.

    `order` chooses one of the orders in which the warps and blocks of a launch may run that only prints; 0 is by their numbers.
    """
    largest = max((rows * columns for rows, columns in problem.shapes.values()), default=0)
    taken = traceable(variant, problem, parameters, Fill.RANDOM if largest <= MOST_VALUES else Fill.ZEROS)
    request = LaunchRequest(
        taken.grid, taken.block, taken.arguments,
        blocks=blocks_to_trace(taken.grid, work(problem)), budget=STAGE_BUDGET, keep=Keep.HISTORY,
        shared_limit=profile.architecture.shared_bytes_per_block,
    )  # fmt: skip
    if order and variant.operation is Operation.HELLO:
        request = replace(request, mode=Mode.WARP, seed=order, blocks=shuffled(prod(taken.grid), order))
    shown = Subject(variant.source.rsplit("/", 1)[-1], taken.text, taken.entry, request, taken.defines, _roles(taken, problem),
                    variant_id=variant.id, parameters=dict(parameters))  # fmt: skip
    if taken.before is None or largest > MOST_VALUES:  # T of zeros is what zeros leave
        return shown
    return replace(shown, before=before_of(shown, taken.before))


def before_of(subject: Subject, taken: Traceable) -> Subject:
    """The launch that prepares T for the subject's: all of it."""
    whole = replace(subject.launch, grid=taken.grid, block=taken.block, blocks=None, keep=Keep.RESULTS)
    return replace(subject, entry=taken.entry, defines=taken.defines, launch=whole)


def _roles(taken: Traceable, problem: Problem) -> tuple[MatrixRole, ...]:
    """The matrices of the problem that are arguments; T in place of A where the kernel reads that."""
    shapes = {name: shape for name, shape in problem.shapes.items() if name in taken.arguments}
    roles = {name: MatrixRole(name, name, rows, columns) for name, (rows, columns) in shapes.items()}
    if taken.prepared is not None:
        roles["A"] = MatrixRole(PREPARED, "A", *taken.prepared)
    return tuple(roles.values())


def shuffled(blocks: int, order: int) -> tuple[int, ...]:
    """The blocks of a grid in another order: orders that follow each other begin with different blocks."""
    first = order % blocks
    rest = [block for block in range(blocks) if block != first]
    Random(order).shuffle(rest)
    return first, *rest


def work(problem: Problem) -> int:
    """Inner steps of a problem."""
    return problem.m * problem.n * max(problem.k, 1)


def blocks_to_trace(grid: Dim3, steps: int) -> tuple[int, ...] | None:
    """All blocks (None), or where these are too many one of each kind: inside, at the right edge, at the lower edge, in the corner; where
    even one is much, that alone."""
    if steps <= MOST_STEPS:
        return None
    if steps // prod(grid) > MOST_STEPS:
        return (0,)
    return block_of_each_kind(grid)


def block_of_each_kind(grid: Dim3) -> tuple[int, ...]:
    """A block inside, one at the right edge, one at the lower edge, the one in the corner, as far as the grid has them."""
    across, down = grid[0], grid[1]
    xs = (0, across - 1) if across > 1 else (0,)
    ys = (0, down - 1) if down > 1 else (0,)
    return tuple(dict.fromkeys(y * across + x for y in ys for x in xs))


def extent_words(request: LaunchRequest) -> Message | None:
    """What part of the grid is executed, or None where it is all of it."""
    if request.blocks is None or len(request.blocks) == prod(request.grid):
        return None
    return message("{traced} of {blocks} blocks traced; the others repeat them", traced=len(request.blocks), blocks=prod(request.grid))
