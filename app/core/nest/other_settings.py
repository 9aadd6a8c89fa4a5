"""The executions that the shown one is compared with: the same kernel with other sizes and with other tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.nest.question import CountsQuestion, Execution
from app.core.session import STAGE_SIZES, refuse_stage
from kernels.catalog import find
from kernels.limits import Limits, refuse
from kernels.spec import Problem


def sizes_of(execution: Execution) -> Mapping[int, CountsQuestion]:
    """Square matrices of the sizes that the stage offers."""
    made = {n: replace(execution, problem=Problem.square(execution.problem.operation, n)) for n in STAGE_SIZES}
    return {n: CountsQuestion(each) for n, each in made.items() if _possible(each)}


def tiles_of(execution: Execution) -> Mapping[int, CountsQuestion]:
    """The tiles that the kernel offers, as long as they are smaller than the matrices, and the first that is not."""
    variant = find(execution.variant_id)
    parameter = next((each for each in variant.parameters if each.name == "tile"), None) if variant is not None else None
    if parameter is None:
        return {}
    problem, found = execution.problem, {}
    for stop in parameter.stops:
        values = tuple((name, stop if name == "tile" else value) for name, value in execution.values)
        made = replace(execution, values=values)
        if _possible(made):
            found[stop] = CountsQuestion(made)
        if stop >= max(problem.m, problem.n, problem.k):
            break
    return found


def _possible(execution: Execution) -> bool:
    variant = find(execution.variant_id)
    if variant is None:
        return False
    return (refuse_stage(variant, execution.problem) or refuse(variant, execution.problem, dict(execution.values), Limits())) is None
