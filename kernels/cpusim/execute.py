"""Executes a CPU kernel's own source on recording arrays: the trace that the stage animates. Threads take turns, and share memory.

The originals of packed copies are found by executing the kernel again on matrices that hold their own places. Packing copies values and
computes nothing, so what a panel then holds are the places that its values came from; a word of two values holds both places, as the parts
of a complex number. Control flow does not depend on values: both
executions touch the same in the same order. A sum or a difference has no original: places are so large and so near each other that none of
those is one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, ReasonedError, message
from kernels.base.spec import Device, Operation, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.source import constants
from kernels.cpu.atomics import TracedWords
from kernels.cpu.simd import Vector, fma
from kernels.cpusim.loops import LoopNest, find_loops
from kernels.cpusim.recorder import ACCESS_FIELDS, AccessLimitReached, Recorder, TracedArray, TracedCopies, TracedPanel
from kernels.cpusim.trace import CHUNK_FIELDS, COPY, NOT_STARTED, Trace
from kernels.cpusim.turns import TurnTaking
from kernels.jit.team_run import PANELS, handed_out, new_team, shared_shape


def run_team(
    kernel: Callable[..., None],
    operands: Mapping[str, TracedArray],
    sizes: Mapping[str, int],
    recorder: Recorder,
    variant: Variant,
    problem: Problem,
    parameters: Parameters,
) -> npt.NDArray[np.int64]:
    """Execute the kernel once for each thread of the team that the parameters ask for.

    Returns the chunks that were handed out, as in `Trace.chunks`.
    """
    turns = TurnTaking(parameters["threads"], lambda: len(recorder.lines))
    recorder.turns = turns
    team = new_team(parameters).view(TracedWords)
    team.turns = turns
    shared = _shared_memory(recorder, variant, problem, parameters)
    turns.run(lambda thread: kernel(**operands, **shared, **sizes, team=team, thread=thread))
    return handed_out(team)[:, :CHUNK_FIELDS]


def _shared_memory(recorder: Recorder, variant: Variant, problem: Problem, parameters: Parameters) -> dict[str, TracedArray]:
    """What the threads share besides the matrices: panels, or copies of C, which are shown where C is."""
    shape = shared_shape(variant, problem, parameters)
    if shape is None:
        return {}
    name, rows, columns = shape
    data = np.zeros((rows, columns), np.float32)
    if name == PANELS:
        return {name: TracedPanel(recorder, data)}
    elements = problem.m * problem.n
    places = np.arange(data.size).reshape(data.shape) % max(elements, 1)
    return {name: TracedCopies(recorder, list(problem.shapes).index("C"), data, problem.n, places)}


Matrix = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
KIND, MATRIX, ROW, COLUMN, ROWS, COLUMNS = range(6)
"""Fields of an access."""


FIRST = 5_000_003
"""The first place: odd, as sums of many products, which float32 rounds to multiples of a power of two, are not."""


def place_matrices(shapes: Mapping[str, tuple[int, int]]) -> dict[str, Matrix]:
    """Matrices whose elements are all different: they count up from `FIRST`, one matrix after the other. Zero is nobody's place.

    Exact for up to 11 million elements in all, far more than a trace can have.
    """
    places: dict[str, Matrix] = {}
    first = FIRST
    for name, (rows, columns) in shapes.items():
        places[name] = np.arange(first, first + rows * columns, dtype=np.float32).reshape(rows, columns)
        first += rows * columns
    return places


def locate(accesses: npt.NDArray[np.float64], copies: Mapping[int, Matrix], shapes: Mapping[str, tuple[int, int]]) -> None:
    """Fill in where the originals of the copies are, as the smallest rectangle around them, in the columns of `accesses`.

    `shapes` are those that `place_matrices` was given, in the order of the matrices' numbers. A copy of zeros only, which fill a
    panel where the matrix ends, or of sums has no rows.
    """
    for access, held in copies.items():
        assert accesses[KIND, access] == COPY
        found = _rectangle(np.ascontiguousarray(held).view(np.float32).astype(np.int64).ravel(), shapes)
        if found is not None:
            accesses[MATRIX : COLUMNS + 1, access] = found


def _rectangle(places: Places, shapes: Mapping[str, tuple[int, int]]) -> tuple[int, int, int, int, int] | None:
    places = places[places >= FIRST] - FIRST
    for number, (rows, columns) in enumerate(shapes.values()):
        own = places[places < rows * columns]
        if len(own):
            row, column = np.divmod(own, columns)
            top, left = int(row.min()), int(column.min())
            return number, top, left, int(row.max()) - top + 1, int(column.max()) - left + 1
        places = places - rows * columns
    return None


Inputs = dict[str, npt.NDArray[np.float32]]
ACCESS_LIMIT = 500_000
"""Accesses to matrices in one trace: about a second of executing, and twenty megabytes."""


class TraceTooLarge(ReasonedError):
    """The execution touches its matrices more often than may be recorded. `reason` says so in numbers."""


def trace(variant: Variant, problem: Problem, parameters: Parameters, seed: int, limit: int = ACCESS_LIMIT) -> Trace:
    """Execute `variant`, a CPU variant, once and record every step.

    `seed` chooses the inputs. Raises `TraceTooLarge` beyond `limit` accesses, and whatever the kernel itself raises.
    """
    if variant.device is not Device.CPU:
        raise ValueError(f"{variant.id} does not run on the CPU")
    if sum(rows * columns for rows, columns in problem.shapes.values()) > limit:
        raise TraceTooLarge(_too_large(problem, limit))
    inputs = display_inputs(problem, seed)
    recorded = _record(variant, problem, parameters, inputs, limit)
    if recorded.recorder.copies:
        shapes = {name: shape for name, shape in problem.shapes.items() if name in inputs}
        with np.errstate(all="ignore"):  # sums of places mean nothing
            located = _record(variant, problem, parameters, place_matrices(shapes), limit, places=True)
        locate(recorded.accesses, located.recorder.copies, shapes)
    return _pack(recorded, variant, problem, parameters, inputs)


def display_inputs(problem: Problem, seed: int) -> dict[str, npt.NDArray[np.float32]]:
    """Input matrices by name, the same for the same seed: whole numbers from -3 to 3, short enough for a cell and for mental arithmetic."""
    random = np.random.default_rng(seed)
    shapes = {name: shape for name, shape in problem.shapes.items() if name != "C"}
    return {name: random.integers(-3, 4, shape).astype(np.float32) for name, shape in shapes.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Recorded:
    """One execution: its recorder, its loops, its accesses as columns, and what it computed."""

    recorder: Recorder
    nest: LoopNest
    accesses: npt.NDArray[np.float64]
    output: npt.NDArray[np.float32]
    chunks: npt.NDArray[np.int64]


def _record(variant: Variant, problem: Problem, parameters: Parameters, inputs: Inputs, limit: int, *, places: bool = False) -> _Recorded:
    """Execute the kernel once on these inputs, which may be `places`."""
    source = variant.source_text
    kernel = _function(source, variant, constants(variant, parameters))
    nest = find_loops(source, variant.entry)
    recorder = Recorder(kernel.__code__, nest, limit)
    held: type[np.number[Any]] = np.float32
    if places and "words" in kernel.__globals__:
        held = np.complex64
        kernel.__globals__.update(words=_both_places, register_dot=_read_words)
    if "fma" in kernel.__globals__:
        kernel.__globals__["fma"] = partial(_counted_fma, recorder)
    kernel.__globals__["panel"] = lambda rows, columns: TracedPanel(recorder, np.zeros((rows, columns), held))
    output = np.full(problem.shapes["C"], np.nan, np.float32)
    matrices = {**inputs, "C": output}
    operands = {name: TracedArray(recorder, number, data, data.shape[1]) for number, (name, data) in enumerate(matrices.items())}
    sizes = {name: value for name, value in parameters.items() if name in inspect.signature(kernel).parameters}
    chunks = np.zeros((0, CHUNK_FIELDS), np.int64)
    try:
        if "team" in inspect.signature(kernel).parameters:
            chunks = run_team(kernel, operands, sizes, recorder, variant, problem, parameters)
        else:
            kernel(**operands, **sizes)
    except AccessLimitReached:
        raise TraceTooLarge(_too_large(problem, limit)) from None
    # float64 holds every int32 and float32 exactly, so one conversion serves all columns.
    return _Recorded(recorder, nest, np.array(recorder.accesses, np.float64).reshape(-1, ACCESS_FIELDS).T.copy(), output, chunks)


def _counted_fma(recorder: Recorder, a: Vector, b: Vector, c: Vector) -> Vector:
    """In place of `fma`: counts a multiplication for each lane."""
    recorder.multiplied(len(a))
    return fma(a, b, c)


def _both_places(low: Matrix, high: Matrix) -> npt.NDArray[np.complex64]:
    """In place of `words`: words that hold two places."""
    return (low + 1j * high).astype(np.complex64)


def _read_words(c: Matrix, a: TracedArray, b: TracedArray) -> Matrix:
    """In place of `register_dot`: reads the places, and multiplies nothing."""
    np.positive(a)  # type: ignore[call-overload]
    np.positive(b)  # type: ignore[call-overload]
    return c


def _function(source: str, variant: Variant, constants: dict[str, int]) -> Callable[..., None]:
    """The kernel, from the very text that is shown, with its constants."""
    namespace: dict[str, Any] = {}
    exec(compile(source, variant.source, "exec"), namespace)
    namespace.update(constants)
    kernel: Callable[..., None] = namespace[variant.entry]
    return kernel


def _pack(recorded: _Recorded, variant: Variant, problem: Problem, parameters: Parameters, inputs: Inputs) -> Trace:
    recorder = recorded.recorder
    kind, matrix, row, column, rows, columns, value = recorded.accesses
    indices = np.array(recorder.indices, np.int32).reshape(len(recorder.lines), len(recorded.nest.loops))
    chains = {chain: number for number, chain in enumerate(dict.fromkeys(recorder.chains))}
    ran = (indices != NOT_STARTED).any(axis=0)
    return Trace(
        variant_id=variant.id,
        problem=problem,
        parameters=dict(parameters),
        arrays=tuple(problem.shapes),
        loops=tuple(compress(recorded.nest.loops, ran)),
        lines=np.array(recorder.lines, np.int32),
        indices=indices[:, ran],
        access_start=np.array([*recorder.access_start, len(kind)], np.int32),
        kind=kind.astype(np.uint8),
        matrix=matrix.astype(np.uint8),
        row=row.astype(np.int32),
        column=column.astype(np.int32),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        value=value.astype(np.float32),
        inputs=inputs,
        outputs={"C": recorded.output},
        values=recorder.values,
        chains=tuple(chains),
        chain=np.array([chains[chain] for chain in recorder.chains], np.int32),
        chunks=recorded.chunks,
        products=np.array(recorder.products, np.int32),
        threads=np.array(recorder.threads if recorder.turns is not None else [], np.int32),
    )


def _too_large(problem: Problem, limit: int) -> Message:
    if problem.operation is Operation.MATMUL:
        return message(
            "{m} × {k} times {k} × {n} takes more than {limit} accesses, too many to be shown step by step; choose smaller matrices.",
            m=problem.m, n=problem.n, k=problem.k, limit=limit,
        )  # fmt: skip
    return message(
        "{m} × {n} takes more than {limit} accesses, too many to be shown step by step; choose smaller matrices.",
        m=problem.m, n=problem.n, limit=limit,
    )  # fmt: skip
