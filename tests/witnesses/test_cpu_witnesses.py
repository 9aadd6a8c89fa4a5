"""Three witnesses for every CPU kernel: NumPy in float64, the execution on recording arrays, and the compiled kernel."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.cpusim.execute import trace
from kernels.jit.runner import CpuRunner
from tests.devices.cpu_settings import CPU_VARIANTS, with_tile


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
@pytest.mark.parametrize("shape", [(16, 16, 16), (7, 13, 11), (1, 17, 5), (19, 1, 3)])
def test_three_witnesses_agree(variant: Variant, shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    problem = Problem(variant.operation, m, n, k if variant.operation is Operation.MATMUL else 0)
    parameters = with_tile(variant, 4)
    recorded = trace(variant, problem, parameters, seed=5)
    A = recorded.inputs["A"].astype(np.float64)
    exact = A.T if variant.operation is Operation.TRANSPOSE else A @ recorded.inputs["B"].astype(np.float64)
    with CpuRunner().prepare(Case(variant.id, problem, parameters), recorded.inputs, lambda: None) as run:
        run.poison()
        run.sample(lambda: None)
        compiled_output = run.output().copy()
    # The inputs are multiples of 0.5, so float32 forms these sums without rounding: all three agree to the bit.
    np.testing.assert_array_equal(recorded.outputs["C"], exact)
    np.testing.assert_array_equal(compiled_output, exact)


@pytest.mark.parametrize("name", ["cpu.naive", "cpu.loop-order", "cpu.blocked"])
def test_the_compiled_kernel_adds_in_the_order_that_is_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On inputs that do round, equal bits mean an equal order of additions."""
    variant = next(variant for variant in CPU_VARIANTS if variant.id == name)
    problem = Problem(Operation.MATMUL, 9, 10, 31)
    parameters = with_tile(variant, 8)
    random = np.random.default_rng(1)
    inputs = {name: random.random(problem.shapes[name], dtype=np.float32) for name in ("A", "B")}
    monkeypatch.setattr("kernels.cpusim.execute.display_inputs", lambda *_: inputs)
    recorded = trace(variant, problem, parameters, seed=1)
    with CpuRunner().prepare(Case(variant.id, problem, parameters), inputs, lambda: None) as run:
        run.sample(lambda: None)
        assert run.output().tobytes() == recorded.outputs["C"].tobytes()
