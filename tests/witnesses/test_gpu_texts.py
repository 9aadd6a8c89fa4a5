"""Edited texts on a real GPU, each in a process of its own. Skipped where no GPU is ready."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.gpu_view.subject import subject_of_draft
from app.core.session.draft import Draft, draft_of, with_kernel, with_kernels
from app.core.session.session import Session, profile_named
from app.core.stage.playground import job_of, result_of
from kernels.base.messages import Message
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.gpu.process import probe_gpu
from kernels.gpu.text_run import TextRun, Timed, run_apart
from kernels.measure.results import EDITED, Status
from kernels.simt.frontend.parse import parse

PROGRAM = """#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
using namespace std;
struct Matrix { int width; int height; float* elements; };
template <int TILE> __global__ void scale(Matrix M, const float* by) {
    extern __shared__ float kept[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x + TILE] = by[0];
    if (i < M.width * M.height) M.elements[i] *= kept[threadIdx.x + TILE];
}
__global__ void beyond(float* p) { p[threadIdx.x + (1ll << 40)] = 1.0f; }
__global__ void endless(volatile int* p) { while (p[0] != 12345) { } }
int main() { std::vector<float> host(4); printf("%zu\\n", host.size()); return 0; }
"""


@pytest.fixture(scope="module", autouse=True)
def gpu() -> None:
    found = probe_gpu()
    if not found.ready:
        pytest.skip(str(found.reason))


def never() -> bool:
    return False


def copy(variant_id: str, n: int) -> Draft:
    variant = catalogue.by_id(variant_id)
    session = Session(variant_id)
    session.set_stage_problem(Problem.square(variant.operation, n))
    assert session.draft_editor.edit_copy() is None
    draft = session.draft.value
    assert draft is not None
    return draft


def job(draft: Draft) -> TextRun:
    made = job_of(draft, subject_of_draft(draft, profile_named("h200")))
    assert made is not None
    return made


def foreign(name: str, **changed: object) -> Draft:
    draft = with_kernels(draft_of(Path("program.cu"), PROGRAM), tuple(parse(PROGRAM).kernels))
    draft = with_kernel(draft, next(kernel for kernel in draft.kernels if kernel.name == name))
    return replace(draft, settings=replace(draft.settings, **changed))  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", [v.id for v in catalogue.VARIANTS if v.interpreted and v.id != "gpu.hello"])
def test_a_copy_is_right_and_timed(variant: str) -> None:
    draft = copy(variant, 512)
    found = run_apart(job(draft), never)
    assert isinstance(found, Timed), found
    assert found.reason is None
    assert len(found.times_ms) >= 5
    result = result_of(draft, found)
    assert result is not None
    assert result.status is Status.MEASURED
    assert result.point.parameters[EDITED] == 1


def test_a_wrong_copy_says_where_and_has_no_time() -> None:
    draft = copy("gpu.tiled", 100)
    wrong = replace(draft, text=draft.text.replace("float sum = 0.0f;", "float sum = 1.0f;"))
    found = run_apart(job(wrong), never)
    assert isinstance(found, Timed)
    assert "Wrong result: C[0][0]" in str(found.reason)
    assert not found.times_ms
    result = result_of(wrong, found)
    assert result is not None
    assert result.status is Status.WRONG


def test_what_does_not_compile_says_so() -> None:
    draft = copy("gpu.tiled", 64)
    found = run_apart(job(replace(draft, text=draft.text.replace("sum +=", "sam +="))), never)
    assert isinstance(found, Message)
    assert '"sam" is undefined' in str(found)


def test_a_program_as_it_is_found_with_a_template_a_struct_and_much_shared_memory() -> None:
    arguments = {"M.width": "32", "M.height": "32", "M.elements": "1024:random"}
    found = run_apart(job(foreign("scale", template="16", grid=(4, 1, 1), shared_bytes=100 * 1024, arguments=arguments)), never)
    assert isinstance(found, Timed), found
    assert found.conditions["shared_bytes"] == 100 * 1024


def test_an_illegal_address_ends_that_process_alone() -> None:
    found = run_apart(job(foreign("beyond")), never)
    assert isinstance(found, Message)
    assert "outside" in str(found)
    assert isinstance(run_apart(job(copy("gpu.tiled", 64)), never), Timed)


def test_a_kernel_without_end_is_stopped() -> None:
    begin = time.monotonic()
    found = run_apart(job(foreign("endless")), never, seconds=15)
    assert "longer than 15" in str(found)
    assert time.monotonic() - begin < 40
    assert isinstance(run_apart(job(copy("gpu.tiled", 64)), never), Timed)
