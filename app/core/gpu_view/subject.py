"""Subject of the stage: the text, the launch, the blocks that stand for all, and which arguments are matrices.

A draft gives one too, and so does the sketch of a launch that takes long to execute: one block of it, where the timeline stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from math import prod
from random import Random

from app.core.base.picture_parts import MatrixRole
from app.core.session.draft import Draft, prepared_by
from app.core.session.draft_arguments import array_text, texts_of, understand
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.spec import PREPARED, Operation, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import find
from kernels.simt.base.launch import Budget, Dim3, Fill, Filled, Keep, LaunchRequest, Mode
from kernels.simt.run.variant_launch import arguments, launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec
from kernels.simt.trace.trace import Trace

MOST_STEPS = 1 << 21
"""Inner steps (threads times additions) up to which the whole grid is executed."""
MOST_VALUES = 1 << 22
"""Elements of a matrix up to which its values are drawn at random; larger ones are zeros, whose memory is never touched."""
STAGE_BUDGET = Budget(seconds=10.0, rows=600_000, bytes=16 << 30)


@dataclass(frozen=True, slots=True, eq=False)
class Subject(LaunchSpec):
    """Launch to execute and show, with what its arguments are."""

    name: str = ""
    """What the text is called."""
    matrices: tuple[MatrixRole, ...] = ()
    variant_id: str = ""
    """The variant that it is, or that the text began as; "" for a file."""
    parameters: Parameters = field(default_factory=dict)
    """Of the variant, where it is one."""
    guessed: bool = False
    """Whether a part of the launch is a guess of the program."""
    schedule: Message | None = None
    """What the schedule is by which it was executed, where there is more than one."""
    outcome: tuple[Message, ...] = ()
    """What comes of that schedule, where it breaks a race."""


def subject_of(variant: Variant, problem: Problem, parameters: Parameters, profile: Profile, order: int = 0) -> Subject:
    """A variant of the catalogue with its parameters. The choice is one that `refuse` has nothing against.

    `order` chooses one of the orders in which the warps and blocks of a launch may run that only prints; 0 is by their numbers.
    """
    largest = max((rows * columns for rows, columns in problem.shapes.values()), default=0)
    taken = launch_spec(variant, problem, parameters, Fill.RANDOM if largest <= MOST_VALUES else Fill.ZEROS)
    request = LaunchRequest(
        taken.launch.grid, taken.launch.block, taken.launch.arguments, taken.launch.shared_bytes,
        blocks=blocks_to_trace(taken.launch.grid, work(problem)), budget=STAGE_BUDGET, keep=Keep.HISTORY,
        shared_limit=max(profile.architecture.shared_bytes_per_block, taken.launch.shared_limit), gpu=profile.gpu,
    )  # fmt: skip
    if order and variant.operation is Operation.HELLO:
        request = replace(request, mode=Mode.WARP, seed=order, blocks=shuffled(prod(request.grid), order))
    shown = Subject(
        taken.text, taken.entry, request, defines=taken.defines, name=variant.source.rsplit("/", 1)[-1],
        matrices=_roles(variant, problem, parameters), variant_id=variant.id, parameters=dict(parameters),
    )  # fmt: skip
    if taken.before is None:
        return shown
    if largest > MOST_VALUES:  # what prepares T of zeros leaves zeros
        rows, columns = next((role.rows, role.columns) for role in shown.matrices if role.prepared)
        return replace(shown, launch=replace(request, arguments={**request.arguments, PREPARED: Filled(rows * columns, Fill.ZEROS)}))
    return replace(shown, before=before_of(shown, taken.before))


def before_of(subject: Subject, taken: LaunchSpec) -> Subject:
    """The launch that prepares T for the subject's: all of it."""
    whole = replace(subject.launch, grid=taken.launch.grid, block=taken.launch.block, shared_bytes=0, blocks=None, keep=Keep.RESULTS)
    return replace(subject, entry=taken.entry, defines=taken.defines, launch=whole)


def _roles(variant: Variant, problem: Problem, parameters: Parameters) -> tuple[MatrixRole, ...]:
    """The matrices of the problem that are arguments; T in place of A where the kernel reads that."""
    taken = arguments(problem, output=variant.output)
    roles = {name: MatrixRole(name, name, *shape) for name, shape in problem.shapes.items() if name in taken}
    prepared = {} if variant.launch is None else variant.launch(problem, parameters).prepared
    if PREPARED in prepared:
        roles["A"] = MatrixRole(PREPARED, "A", *prepared[PREPARED], prepared=True)
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
    """Return the blocks to trace: all (None), or where these are too many one of each kind, or where even one is much, that alone.

    The kinds are inside, at the right edge, at the lower edge and in the corner.
    """
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


def extent_text(trace: Trace) -> Message | None:
    """What part of the grid was executed, which may be more than was asked for: whole clusters are. None where it is all of it."""
    traced, blocks = len(trace.blocks), prod(trace.grid)
    if traced == blocks:
        return None
    return message("{traced} of {blocks} blocks traced; the others repeat them", traced=traced, blocks=blocks)


MOST_THREADS = 1 << 20
"""Threads of a launch of which nothing else is known, up to which all blocks are executed."""
SMALL_LAUNCH = 1 << 14
"""Threads up to which warps may also be executed one after the other."""


def subject_of_draft(draft: Draft, profile: Profile, mode: Mode = Mode.BLOCK) -> Subject:
    """The launch of a draft on a GPU."""
    settings = draft.settings
    texts = texts_of(draft.kernel, settings.arguments)
    blocks = _blocks(draft)
    if settings.turned:
        mode, blocks = Mode.WARP, tuple(reversed(blocks or range(prod(settings.grid))))
    request = LaunchRequest(
        settings.grid, settings.block, shared_bytes=settings.shared_bytes, mode=mode, blocks=blocks, budget=STAGE_BUDGET,
        keep=Keep.HISTORY, shared_limit=profile.architecture.shared_bytes_per_block, gpu=profile.gpu,
    )  # fmt: skip
    given = {name: array_text(_lighter(text)) for name, text in texts.items()}
    subject = Subject(
        draft.text, entry_of(draft), request, draft.path, dict(settings.defines), given, name=draft.name, matrices=_declared(draft, texts),
        variant_id=draft.variant_id, guessed=bool(settings.guessed),
    )  # fmt: skip
    before = prepared_by(draft)
    return subject if before is None else replace(subject, before=before_of(subject, before))


def _declared(draft: Draft, texts: Mapping[str, str]) -> tuple[MatrixRole, ...]:
    """The arguments that a user wrote as matrices. They are the operands of the variant that the text began as where all of these are
    there still; else their shape is all that is known: what they are to each other must be seen."""
    variables = {each.name for each in (draft.kernel.variables or ())} if draft.kernel is not None else set()
    given = {
        name: matrix
        for name in texts
        if name not in variables and (matrix := understand(draft.settings.arguments.get(name, ""))) is not None
    }
    variant = find(draft.variant_id)
    known: dict[str, MatrixRole] = {}
    if variant is not None and draft.problem is not None:
        known = {role.name: role for role in _roles(variant, draft.problem, draft.parameters)}
    plain = known.keys() - given.keys()
    roles = (MatrixRole(name, "", 0, 0) if plain or name not in known else known[name] for name in given)
    return tuple(replace(role, rows=given[role.name].rows, columns=given[role.name].columns) for role in roles)


def entry_of(draft: Draft) -> str | None:
    """The kernel as C++ writes it, "reduce<128>"; None while it is not known."""
    settings = draft.settings
    return f"{settings.entry}<{settings.template}>" if settings.entry and settings.template else settings.entry


def can_run_by_warps(draft: Draft) -> bool:
    """Whether the launch is small enough to be executed warp by warp as well."""
    return prod(draft.settings.grid) * prod(draft.settings.block) <= SMALL_LAUNCH and _blocks(draft) is None


def _blocks(draft: Draft) -> tuple[int, ...] | None:
    grid: Dim3 = draft.settings.grid
    if draft.problem is not None and draft.problem.shapes:
        return blocks_to_trace(grid, work(draft.problem))
    threads = prod(draft.settings.block)
    return None if prod(grid) * threads <= MOST_THREADS else blocks_to_trace(grid, prod(grid) * threads * 2)


def _lighter(text: str) -> str:
    """Large matrices hold zeros, whose memory is never touched."""
    matrix = understand(text)
    if matrix is None or matrix.rows * matrix.columns <= MOST_VALUES or not text.endswith(":random"):
        return text
    return text.removesuffix("random") + "zeros"


MOST_DRAGGED_ITERATIONS = 1024
"""Blocks times iterations of the inner loop that are executed about as fast as a hand drags: blocks run one after the other."""
MOST_SUMS = 1 << 15
"""The same times the results of a thread, each of which is added to in an iteration: some 200 ms."""


def sketch_of(subject: Subject, progress: float) -> Subject | None:
    """The subject with one block, that in which `progress` (0 to 1) of the grid falls; None where all of it is quick, or is one block."""
    blocks = prod(subject.launch.grid)
    executed = blocks if subject.launch.blocks is None else len(subject.launch.blocks)
    added = iterations(subject, executed)
    if executed == 1 or (added <= MOST_DRAGGED_ITERATIONS and added * _results(subject) <= MOST_SUMS):
        return None
    shown = subject.launch.blocks or range(blocks)
    block = shown[min(int(progress * executed), executed - 1)] if executed < blocks else min(int(progress * blocks), blocks - 1)
    return replace(subject, launch=replace(subject.launch, blocks=(block,)))


def iterations(subject: Subject, blocks: int) -> int:
    """Iterations of the inner loop in so many blocks: where A and B are multiplied, A's columns for each block."""
    matrices = {role.letter: role for role in subject.matrices}
    return blocks * (matrices["A"].columns if {"A", "B"} <= set(matrices) else 1)


def _results(subject: Subject) -> float:
    """Results of a thread: the elements of C, where there is one, for each thread of the grid; at least one."""
    found = next((role.rows * role.columns for role in subject.matrices if role.letter == "C"), 0)
    return max(found / (prod(subject.launch.grid) * prod(subject.launch.block)), 1.0)
