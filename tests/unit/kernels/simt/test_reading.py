"""A text is read once for all launches of it; what it includes counts as its text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.run.reading import Read, read
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Traced

SCALE = "__global__ void scale(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= BY; }"
LAUNCH = LaunchRequest((2, 1, 1), (32, 1, 1), {"x": Filled(64, Fill.ARANGE), "n": 64})


def test_the_same_text_is_read_once() -> None:
    job = LaunchSpec(SCALE, "scale", LAUNCH, defines={"BY": 2})
    first = read(job)
    assert isinstance(first, Read)
    assert read(replace(job, launch=replace(LAUNCH, grid=(1, 1, 1)))) is first
    other = read(replace(job, defines={"BY": 3}))
    assert isinstance(other, Read)
    assert other.kernel is not first.kernel


def test_what_was_executed_before_leaves_no_trace() -> None:
    """A kernel read once gives the same whatever was executed with it meanwhile."""
    job = LaunchSpec(SCALE, "scale", LAUNCH, defines={"BY": 2})
    shorter = replace(job, launch=replace(LAUNCH, grid=(1, 1, 1), arguments={"x": Filled(40, Fill.ARANGE), "n": 40}))
    traces = []
    for each in (job, shorter, job):
        outcome = trace_job(each)
        assert isinstance(outcome, Traced), outcome
        traces.append(outcome.trace)
    assert np.array_equal(traces[0].values["x"], traces[2].values["x"])
    assert np.array_equal(traces[0].rows.offset, traces[2].rows.offset)
    assert traces[0].values["x"].tolist() == [2.0 * each for each in range(64)]
    assert len(traces[1].values["x"]) == 40


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    header = tmp_path / "by.h"
    header.write_text("#define BY 2\n")
    job = LaunchSpec(f'#include "by.h"\n{SCALE}', "scale", LAUNCH, tmp_path / "scale.cu")
    found = []
    for by in (2, 5):
        header.write_text(f"#define BY {by}\n")
        outcome = trace_job(job)
        assert isinstance(outcome, Traced), outcome
        found.append(outcome.trace.values["x"][3])
    assert found == [6, 15]


def test_the_reason_is_remembered_too() -> None:
    job = LaunchSpec(SCALE + "}", "scale", LAUNCH, defines={"BY": 2})
    refused = read(job)
    assert isinstance(refused, NotTraced)
    assert refused.diagnostics
    assert read(job) is refused
