"""A variant of the catalogue as the interpreter takes it: its text, kernel, launch and arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kernels.base.spec import PREPARED, Launch, Operation, Output, Parameters, Problem, Variant
from kernels.simt.base.launch import Argument, Dim3, Fill, Filled


@dataclass(frozen=True, slots=True, eq=False)
class Traceable:
    """Text and launch that can be executed. `entry` is the kernel's name in `text`."""

    text: str
    entry: str
    grid: Dim3
    block: Dim3
    defines: Mapping[str, int]
    arguments: Mapping[str, Argument]
    before: Traceable | None = None
    """What is launched first, and leaves T."""
    prepared: tuple[int, int] | None = None
    """Rows and columns of T, where there is one."""


def traceable(variant: Variant, problem: Problem, parameters: Parameters, fill: Fill = Fill.RANDOM) -> Traceable:
    """The launch of a variant that is interpreted; ValueError for any other. `fill` is what the inputs hold; the output is still empty."""
    if variant.launch is None or variant.measured_only is not None:
        raise ValueError(f"{variant.id} launches no CUDA kernel that can be executed here")
    launch = variant.launch(problem, parameters)
    prepared = {name: Filled(rows * columns) for name, (rows, columns) in launch.prepared.items()}
    taken = arguments(problem, fill, variant.output) | prepared
    before = None
    if launch.before is not None:
        before = _traceable(variant, launch.before.entry, launch.before.launch, taken)
    return replace(_traceable(variant, variant.entry, launch, taken), before=before, prepared=launch.prepared.get(PREPARED))


def _traceable(variant: Variant, entry: str, launch: Launch, taken: Mapping[str, Argument]) -> Traceable:
    return Traceable(variant.source_text, entry, (*launch.grid, 1), (*launch.block, 1), launch.defines, taken)


def arguments(problem: Problem, fill: Fill = Fill.RANDOM, output: Output = Output.RESULT) -> dict[str, Argument]:
    """What every kernel of an operation is given: the matrices and their sizes; nothing where there are no matrices."""
    shapes = problem.shapes
    if not shapes:
        return {}
    if output is Output.IN_PLACE:
        return {"C": Filled(problem.m * problem.n, fill), "M": problem.m, "N": problem.n}
    arrays: dict[str, Argument] = {name: Filled(rows * columns, None if name == "C" else fill) for name, (rows, columns) in shapes.items()}
    sizes: dict[str, Argument] = {"M": problem.m, "N": problem.n}
    return arrays | sizes | ({"K": problem.k} if problem.operation is Operation.MATMUL else {})
