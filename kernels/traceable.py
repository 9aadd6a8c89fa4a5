"""A variant of the catalogue as the interpreter takes it: its text, kernel, launch and arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kernels.simt.launch import Argument, Dim3, Fill, Filled
from kernels.spec import Operation, Parameters, Problem, Variant


@dataclass(frozen=True, slots=True, eq=False)
class Traceable:
    """What there is to execute. `entry` is the kernel's name in `text`."""

    text: str
    entry: str
    grid: Dim3
    block: Dim3
    defines: Mapping[str, int]
    arguments: Mapping[str, Argument]


def traceable(variant: Variant, problem: Problem, parameters: Parameters, fill: Fill = Fill.RANDOM) -> Traceable:
    """The launch of a CUDA variant; ValueError for any other. `fill` is what the inputs hold; in the output nothing is written yet."""
    if variant.launch is None:
        raise ValueError(f"{variant.id} launches no CUDA kernel")
    launch = variant.launch(problem, parameters)
    return Traceable(
        variant.source_text, variant.entry, (*launch.grid, 1), (*launch.block, 1), launch.defines, arguments(problem, fill)
    )  # fmt: skip


def arguments(problem: Problem, fill: Fill = Fill.RANDOM) -> dict[str, Argument]:
    """What every kernel of an operation is given: the matrices and their sizes; nothing where there are no matrices."""
    shapes = problem.shapes
    if not shapes:
        return {}
    arrays: dict[str, Argument] = {name: Filled(rows * columns, None if name == "C" else fill) for name, (rows, columns) in shapes.items()}
    sizes: dict[str, Argument] = {"M": problem.m, "N": problem.n}
    return arrays | sizes | ({"K": problem.k} if problem.operation is Operation.MATMUL else {})
