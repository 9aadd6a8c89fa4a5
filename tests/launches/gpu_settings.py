"""Settings of the CUDA kernels that tests and recordings go through."""

from __future__ import annotations

from itertools import product

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Problem, Variant

VALUES = {
    "tile": (1, 3, 16, 32, 64, 128), "rows": (0, 1, 8), "padding": (0, 1, 2, 8), "results": (4, 8), "tile_rows": (0, 128),
    "layout": (0, 1), "depth": (8, 16, 32),
    "registers": (0,), "result_rows": (8, 16), "stages": (2, 3), "slices": (2,), "cluster": (1, 2), "multiprocessors": (1, 132),
    "blocks": (1, 3), "threads_x": (1, 5), "threads_y": (1, 4),
}  # fmt: skip
"""For each parameter values at the ends of what is sensible, and odd ones."""


def settings(variant: Variant) -> list[dict[str, int]]:
    """The combinations of `VALUES` that the variant can be launched with."""
    names = [parameter.name for parameter in variant.parameters]
    combinations = (dict(zip(names, values, strict=True)) for values in product(*(VALUES[name] for name in names)))
    problem = Problem.square(variant.operation, 64)
    return [setting for setting in combinations if refuse(variant, problem, setting, Limits()) is None]
