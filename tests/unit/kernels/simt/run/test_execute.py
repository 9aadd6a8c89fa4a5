"""From a text to a trace: arguments in, results out, and what keeps a kernel from being executed."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.catalogue.catalogue import by_id
from kernels.simt.base.launch import Argument, Budget, Fill, Filled, LaunchRequest, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel
from kernels.simt.lower import lower
from kernels.simt.run.execution import NotExecuted, execute
from kernels.simt.run.worker import Tracer, trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Traced
from kernels.simt.trace.trace import Trace

N = 24
SCALE = "__global__ void scale(const float* x, float4* y, float by, int n) { int i = threadIdx.x; if (i < n) y[i].x = by * x[i]; }"
ENDLESS = "__global__ void spin(int* x) {\n  while (x[0] < 1)\n    x[1] = 2;\n}"


def lowered(text: str, entry: str) -> Kernel:
    return lower(parse(text), entry)


def matmul(mode: Mode) -> tuple[Trace, np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
    variant = by_id("gpu.tiled")
    generator = np.random.default_rng(1)
    A, B = (generator.uniform(-1, 1, (N, N)).astype(np.float32) for _ in "AB")
    arguments: dict[str, Argument] = {"A": A, "B": B, "C": Filled(N * N), "M": N, "N": N, "K": N}
    request = LaunchRequest((2, 2, 1), (16, 16, 1), arguments, mode=mode, seed=2)
    return execute(lowered(variant.source_text, variant.entry), request, variant.source_text), A @ B


@pytest.mark.parametrize("mode", Mode)
def test_a_kernel_of_the_catalogue_multiplies(mode: Mode) -> None:
    trace, expected = matmul(mode)
    assert np.abs(trace.values["C"].view(np.float32).reshape(N, N) - expected).max() < 1e-5
    assert trace.findings == ()
    assert trace.values["A"].shape == (N, N)


def test_bytes_are_what_counts_of_an_array() -> None:
    given = np.zeros((4, 3), np.float32)  # as three float4
    request = LaunchRequest((1, 1, 1), (32, 1, 1), {"x": Filled(3, Fill.ARANGE), "y": given, "by": 0.5, "n": 3})
    found = execute(lowered(SCALE, "scale"), request).values["y"]
    assert found.shape == (4, 3)
    assert found.reshape(-1).tolist() == [0, 0, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0]
    assert not given.any()


def test_an_array_without_a_fill_is_undefined_until_it_is_written() -> None:
    request = LaunchRequest((1, 1, 1), (32, 1, 1), {"x": Filled(2), "y": Filled(2), "by": 1, "n": 2})
    (finding,) = execute(lowered(SCALE, "scale"), request).findings
    assert finding.kind == "uninitialised-read"
    assert finding.threads == ((0, 0, 0), (1, 0, 0))


def test_a_struct_parameter_is_given_by_member() -> None:
    text = "struct M { int width; float* e; }; __global__ void fill(M m) { m.e[threadIdx.x] = m.width; }"
    request = LaunchRequest((1, 1, 1), (4, 1, 1), {"m.width": 7, "m.e": Filled(4)})
    assert execute(lowered(text, "fill"), request).values["m.e"].tolist() == [7, 7, 7, 7]


def test_a_launch_that_cannot_work_is_not_executed() -> None:
    with pytest.raises(NotExecuted, match="needs a value for x"):
        execute(lowered(SCALE, "scale"), LaunchRequest((1, 1, 1), (32, 1, 1)))


def test_a_loop_without_end_is_ended_with_a_finding() -> None:
    request = LaunchRequest((1, 1, 1), (32, 1, 1), {"x": Filled(2, Fill.ZEROS)}, budget=Budget(seconds=0.3))
    outcome = trace_job(LaunchSpec(ENDLESS, None, request))
    assert isinstance(outcome, Traced)
    assert ("deadlock", 2) in [(each.kind, each.location.line) for each in outcome.trace.findings]


def test_the_tracing_process_sends_the_whole_trace() -> None:
    tracer = Tracer()
    launch = LaunchRequest((1, 1, 1), (32, 1, 1))
    job = LaunchSpec(SCALE, "scale", launch, texts={"x": "3:arange", "y": "3:zeros", "by": "2.0f", "n": "3"})
    try:
        outcome = tracer.trace(job)
        assert isinstance(outcome, Traced), outcome
        assert outcome.trace.values["y"].tolist() == [[0, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]]
        assert outcome.trace.source == SCALE
        refused = tracer.trace(LaunchSpec(SCALE + "}", "scale", launch))
        assert isinstance(refused, NotTraced)
    finally:
        tracer.close()
