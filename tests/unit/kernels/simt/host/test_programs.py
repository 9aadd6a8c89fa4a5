"""Whole programs: what they print, how they end, and what is found in them, as the corpus says; and the corpus as g++ has it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.program_races import look
from kernels.simt.host.process import Programs
from kernels.simt.host.result import ProgramJob, ProgramRun
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, Traced
from tests.program_corpus import Sample, compiled_shim, run_by_gxx, samples

CORPUS = {sample.name: sample for sample in samples()}
OF_THE_RUNTIME_ALONE = (
    "device_query", "hello", "device_heap", "textures", "surfaces", "curand_sequences", "curand_pi", "option_price", "c_text",
    "scan_templates",
)  # fmt: skip
"""What they print is the runtime's word, or a library's; in `hello` and `c_text`, that a kernel's text comes when the host waits for it."""
OF_NVCC_ALONE = (
    "group_reduce", "soa_particles", "group_statistics", "launch_options", "owned_buffers", "ray_spheres", "timed_streams", "heat_box",
    "escape_time", "managed_classes", "half_numbers",
    *(name for name in CORPUS if name.startswith("child_")),
)  # fmt: skip
"""Those that use what `gxx_cuda.h` has not, such as groups that reduce, launch bounds, launches by kernels."""
BY_GXX = [name for name in CORPUS if not name.startswith("defect_") and name not in (*OF_THE_RUNTIME_ALONE, *OF_NVCC_ALONE)]


def run(sample: Sample) -> ProgramRun:
    written: list[tuple[int, bytes]] = []
    text = sample.path.read_text(encoding="utf-8")
    waiting = [b"", sample.input]
    job = ProgramJob(text, sample.path, sample.arguments, look=look, readable=None)
    outcome = Programs().run(job, lambda stream, data: written.append((stream, data)), read=lambda: waiting.pop() if waiting else b"")
    assert isinstance(outcome, ProgramRun), outcome
    assert b"".join(data for stream, data in written if stream == 1).decode() == outcome.stdout
    return outcome


@pytest.mark.parametrize("name", CORPUS)
def test_prints_ends_and_is_found_wrong_as_it_says(name: str) -> None:
    sample = CORPUS[name]
    done = run(sample)
    assert done.stdout == sample.output
    assert done.status == sample.status
    assert {(each.wrong.value, each.location.line) for each in done.findings} == sample.finds


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the programs include, compiled."""
    if shutil.which("g++") is None:
        pytest.skip("there is no g++")
    return compiled_shim(tmp_path_factory.mktemp("shim"))


@pytest.mark.parametrize("name", BY_GXX)
def test_the_corpus_is_what_another_compiler_prints(name: str, shim: Path, tmp_path: Path) -> None:
    sample = CORPUS[name]
    assert run_by_gxx(sample, shim, tmp_path) == (sample.output, sample.status)


def test_a_launch_is_kept_as_the_interpreter_takes_it() -> None:
    sample = CORPUS["matmul_naive"]
    (launch,) = run(sample).launches
    assert launch.request is not None
    assert (launch.entry, launch.grid, launch.block, launch.blocks, launch.recorded) == ("matmul", (4, 4, 1), (16, 16, 1), 16, 16)
    assert launch.flops == 2 * 64**3
    traced = trace_job(LaunchSpec(sample.path.read_text(encoding="utf-8"), launch.entry, launch.request, sample.path))
    assert isinstance(traced, Traced)
    a, b = (np.asarray(launch.request.arguments[name], np.float32).reshape(64, 64) for name in "AB")
    assert np.array_equal(traced.trace.values["C"].reshape(64, 64), a @ b)
    assert traced.trace.flops == launch.flops


def test_a_kept_launch_knows_what_its_variables_held() -> None:
    """The first launch of this kernel reads the host's constants, the second also what the first has left."""
    text = """__constant__ float weights[2];
__device__ int calls = 5;
__global__ void scale(float* p) { p[threadIdx.x] = weights[threadIdx.x] * ++calls; }
int main() {
    float w[] = {3, 4}, *p;
    cudaMalloc(&p, 8);
    cudaMemcpyToSymbol(weights, w, 8);
    scale<<<1, 1>>>(p);
    scale<<<1, 1>>>(p);
    cudaMemcpy(w, p, 8, cudaMemcpyDeviceToHost);
    cudaFree(p);
}
"""
    done = Programs().run(ProgramJob(text))
    assert isinstance(done, ProgramRun)
    found = []
    for each in done.launches:
        assert each.request is not None
        again = trace_job(LaunchSpec(text, each.entry, each.request))
        assert isinstance(again, Traced)
        found.append(again.trace.values["p"][0])
    assert found == [18.0, 21.0]


def test_copies_and_allocations_have_their_lines() -> None:
    done = run(CORPUS["vector_add"])
    assert [(each.direction, each.bytes, each.location.line) for each in done.copies] == [
        ("HostToDevice", 4000, 26),
        ("HostToDevice", 4000, 27),
        ("DeviceToHost", 4000, 30),
    ]
    assert [(each.home, each.name, each.bytes) for each in done.allocations] == [
        *(("host", name, 4000) for name in ("x", "y", "sum")),
        *(("device", name, 4000) for name in ("dx", "dy", "dsum")),
    ]
    assert all(each.freed is not None for each in done.allocations)
