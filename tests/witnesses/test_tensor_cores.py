"""The arithmetic of tensor cores against what an H200 computed: the largest errors that are recorded with its times.

Of each output that was timed there the largest error is kept, in six digits, relative to the sum of the products' sizes. Most of it is that
of rounding A and B, which is the same everywhere: what is left of the digits is decided by the order, the width and the rounding of sums.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.base.arrays import never
from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.simt.base import tensor_cores
from kernels.simt.base.rounding import bfloat16_bits, tf32
from kernels.simt.base.tensor_cores import WMMA_TF32_TERMS, product
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec

RECORDED = Path(__file__).parents[2] / "resources" / "recorded"
RUNGS = {"gpu.wmma-bf16": ("bf16", None), "gpu.wgmma-bf16": ("bf16", None), "gpu.wmma-tf32": ("tf32", WMMA_TF32_TERMS)}
LIBRARY = "gpu.cublas-tf32"
DEPTH = 16
"""A multiple of it is what the kernels multiply: zeros fill the rest."""
SMALL = [(1, 1, 1), (1, 33, 65), (17, 17, 17), (31, 33, 32), (33, 1, 129), (33, 65, 129), (129, 65, 1), (128, 128, 128), (131, 131, 131),
         (257, 100, 63), (256, 256, 256), (500, 500, 500), (512, 512, 512)]  # fmt: skip
"""The errors at (1000, 1001, 999) and at 1000, 1024 and 2048 are the recorded ones too; they take minutes."""


@cache
def recorded() -> dict[tuple[str, int, int, int], set[float]]:
    """The errors of each rung and size."""
    found: dict[tuple[str, int, int, int], set[float]] = {}
    for name in ("h200.json", "odd_sizes/h200.json"):
        for point in json.loads((RECORDED / name).read_text(encoding="utf-8"))["points"]:
            if point["id"] in (*RUNGS, LIBRARY) and point.get("relative_error") is not None:
                found.setdefault((point["id"], point["m"], point["n"], point["k"]), set()).add(point["relative_error"])
    return found


@cache
def largest_error(size: tuple[int, int, int], kind: str, terms: int | None) -> float:
    """What the model's product of the inputs of a timed run is off by."""
    problem = Problem(Operation.MATMUL, *size)
    inputs = random_inputs(problem, 0)
    a, b = (padded(each, axis, kind) for each, axis in ((inputs["A"], 1), (inputs["B"], 0)))
    output = product(a, b, np.zeros(problem.shapes["C"], np.float32), kind, terms)
    error = compute_reference(problem, inputs, never).verify(output, never).relative_error
    assert error is not None
    return float(f"{error:.6g}")


def padded(matrix: npt.NDArray[np.float32], axis: int, kind: str) -> npt.NDArray[Any]:
    """A matrix rounded to nearest, with zeros up to a multiple of DEPTH steps of k."""
    room = [(0, -matrix.shape[axis] % DEPTH if each == axis else 0) for each in (0, 1)]
    wide = np.pad(matrix, room)
    if kind == "bf16":
        return bfloat16_bits(wide)
    return tf32((wide.view(np.uint32) + np.uint32(0x1000)).view(np.float32))  # __float_to_tf32: halves go away from zero


@pytest.mark.parametrize("size", SMALL, ids=str)
@pytest.mark.parametrize("rung", RUNGS)
def test_the_largest_error_is_the_one_that_was_recorded(rung: str, size: tuple[int, int, int]) -> None:
    assert recorded()[rung, *size] == {largest_error(size, *RUNGS[rung])}


@pytest.mark.parametrize("size", [(31, 33, 32), (131, 131, 131), (512, 512, 512)], ids=str)
def test_the_library_leaves_at_some_sizes_the_error_of_8_products_of_tf32_at_once(size: tuple[int, int, int]) -> None:
    assert recorded()[LIBRARY, *size] == {largest_error(size, "tf32", None)}
    assert largest_error(size, "tf32", None) != largest_error(size, "tf32", WMMA_TF32_TERMS)


@pytest.mark.parametrize(("kind", "rung", "terms", "kept"), [
    ("bf16", "gpu.wmma-bf16", 8, 25),
    ("bf16", "gpu.wmma-bf16", 16, 24),
    ("tf32", "gpu.wmma-tf32", 8, 25),
    ("tf32", "gpu.wmma-tf32", 4, 24),
])  # fmt: skip
def test_another_order_or_width_is_told_apart(monkeypatch: pytest.MonkeyPatch, kind: str, rung: str, terms: int, kept: int) -> None:
    monkeypatch.setattr(tensor_cores, "KEPT_BITS", kept)
    differs = largest_error.__wrapped__  # what was kept is of the model as it is
    assert any(recorded()[rung, *size] != {differs(size, kind, terms)} for size in SMALL[:10])


@pytest.mark.parametrize("size", [(17, 17, 17), (33, 65, 129)], ids=str)
@pytest.mark.parametrize("rung", ["gpu.wmma-bf16", "gpu.wmma-tf32"])
def test_the_kernel_executed_here_leaves_the_recorded_error_too(rung: str, size: tuple[int, int, int]) -> None:
    variant, problem = by_id(rung), Problem(Operation.MATMUL, *size)
    inputs = random_inputs(problem, 0)
    spec = launch_spec(variant, problem, variant.defaults)
    matrices = {name: matrix.ravel() for name, matrix in inputs.items()}
    request = replace(spec.launch, arguments={**spec.launch.arguments, **matrices})
    assert spec.entry is not None
    trace = execute(lower(parse(spec.text, defines=spec.defines), spec.entry), request, spec.text)
    output: npt.NDArray[Any] = trace.values["C"].reshape(problem.shapes["C"])
    error = compute_reference(problem, inputs, never).verify(output, never).relative_error
    assert recorded()[rung, *size] == {float(f"{error:.6g}")}
    kind, terms = RUNGS[rung]
    a, b = (padded(each, axis, kind) for each, axis in ((inputs["A"], 1), (inputs["B"], 0)))
    assert (output == product(a, b, np.zeros_like(output), kind, terms)).all()
