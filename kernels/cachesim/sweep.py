"""Misses against one number: a tile, or the size of the matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kernels.cachesim.count import Counts, count
from kernels.cachesim.geometry import Hierarchy, Level
from kernels.measure.runner import CancelCheck
from kernels.messages import Message
from kernels.spec import FLOAT32_BYTES, Operation, Parameters, Problem, Variant


@dataclass(frozen=True, slots=True)
class Sweep:
    """`counts[i]` belongs to `values[i]`. `marks` says for each level from which value on its content no longer fits: see `fits_up_to`."""

    values: tuple[int, ...]
    counts: tuple[Counts, ...]
    marks: dict[str, float]


def fits_up_to(operation: Operation, level: Level) -> float:
    """The side of the largest squares, one of each matrix, that the level holds together: a bound for a tile as for whole matrices."""
    matrices = len(Problem.square(operation, 1).shapes)
    return math.sqrt(level.size / (FLOAT32_BYTES * matrices))


def misses_by_parameter(
    variant: Variant,
    problem: Problem,
    parameters: Parameters,
    name: str,
    values: Sequence[int],
    hierarchy: Hierarchy,
    check: CancelCheck = lambda: None,
) -> Sweep | Message:
    """The problem counted with each of `values` of one parameter, such as `tile`; or why that cannot be."""
    return _sweep(variant, values, [(problem, {**parameters, name: value}) for value in values], hierarchy, check)


def misses_by_n(
    variant: Variant, sizes: Sequence[int], parameters: Parameters, hierarchy: Hierarchy, check: CancelCheck = lambda: None
) -> Sweep | Message:
    """Square matrices of each size, counted; or why that cannot be."""
    return _sweep(variant, sizes, [(Problem.square(variant.operation, n), parameters) for n in sizes], hierarchy, check)


def _sweep(
    variant: Variant, values: Sequence[int], points: Sequence[tuple[Problem, Parameters]], hierarchy: Hierarchy, check: CancelCheck
) -> Sweep | Message:
    counted: list[Counts] = []
    for problem, parameters in points:
        found = count(variant, problem, parameters, hierarchy, check)
        if isinstance(found, Message):
            return found
        counted.append(found)
    return Sweep(tuple(values), tuple(counted), {level.name: fits_up_to(variant.operation, level) for level in hierarchy.levels})
