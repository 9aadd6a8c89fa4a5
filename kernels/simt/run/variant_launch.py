"""A variant of the catalogue as the interpreter takes it: its text, kernel, launch and arguments."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.base.architectures import OPT_IN_SHARED_BYTES, SHARED_BYTES
from kernels.base.spec import Launch, Operation, Output, Parameters, Problem, Variant
from kernels.simt.base.launch import Argument, Fill, Filled, LaunchRequest
from kernels.simt.trace.launch_spec import LaunchSpec


def launch_spec(variant: Variant, problem: Problem, parameters: Parameters, fill: Fill = Fill.RANDOM) -> LaunchSpec:
    """The launch of a variant that is interpreted; ValueError for any other. `fill` is what the inputs hold; the output is still empty."""
    if variant.launch is None or variant.measured_only is not None:
        raise ValueError(f"{variant.id} launches no CUDA kernel that can be executed here")
    launch = variant.launch(problem, parameters)
    prepared = {name: Filled(rows * columns) for name, (rows, columns) in launch.prepared.items()}
    taken = arguments(problem, fill, variant.output) | prepared
    before = None if launch.before is None else _spec(variant, launch.before.entry, launch.before.launch, taken)
    return _spec(variant, variant.entry, launch, taken, before)


def _spec(variant: Variant, entry: str, launch: Launch, taken: Mapping[str, Argument], before: LaunchSpec | None = None) -> LaunchSpec:
    dynamic = launch.dynamic_shared_bytes
    limit = OPT_IN_SHARED_BYTES if dynamic else SHARED_BYTES
    request = LaunchRequest((*launch.grid, 1), (*launch.block, 1), taken, dynamic, shared_limit=limit)
    return LaunchSpec(variant.source_text, entry, request, defines=launch.defines, before=before)


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
