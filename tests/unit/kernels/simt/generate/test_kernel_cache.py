"""A launch that comes again is executed by the code made before, on its own memory: with the same trace and the same results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Filled, Keep
from kernels.simt.generate import kernel_cache
from kernels.simt.generate.generated_kernel import GeneratedKernel, generate
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.machine.memory import Region
from kernels.simt.run import reading
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Traced
from kernels.simt.trace.trace import Trace

LOCAL = """
__global__ void count(int* out, int n)
{
    int seen[8] = {0};
    for (int i = 0; i < n; ++i)
        seen[(threadIdx.x + i) % 8] += i;
    out[threadIdx.x] = seen[threadIdx.x % 8];
}
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[GeneratedKernel]:
    """The kernels that are generated from here on."""
    found: list[GeneratedKernel] = []

    def make(*given: object) -> GeneratedKernel:
        found.append(generate(*given))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(kernel_cache, "generate", make)
    reading._read.cache_clear()
    return found


def kept(job: LaunchSpec) -> KernelCache:
    found = reading.read(job)
    assert not isinstance(found, NotTraced)
    return found.kernel_cache


def traced(job: LaunchSpec) -> Trace:
    outcome = trace_job(job)
    assert isinstance(outcome, Traced)
    return outcome.trace


def variant_job(variant_id: str, n: int, keep: Keep) -> LaunchSpec:
    variant = catalogue.by_id(variant_id)
    job = launch_spec(variant, Problem.square(Operation.MATMUL, n), variant.defaults | {"tile": 64 if "fastest" in variant_id else 8})
    return replace(job, launch=replace(job.launch, keep=keep))


def local_job(n: int) -> LaunchSpec:
    job = variant_job("gpu.tiled", 8, Keep.RESULTS)
    launch = replace(job.launch, grid=(1, 1, 1), block=(32, 1, 1), arguments={"out": Filled(32), "n": n})
    return replace(job, text=LOCAL, entry="count", launch=launch, defines={})


def same(first: Trace, second: Trace) -> bool:
    rows = all(
        np.array_equal(getattr(first.rows, name), getattr(second.rows, name)) for name in ("site", "block", "mask", "base", "offset")
    )
    held = first.written is None or (second.written is not None and np.array_equal(first.written.bytes, second.written.bytes))
    values = first.values.keys() == second.values.keys() and all(
        np.array_equal(each, second.values[at]) for at, each in first.values.items()
    )
    return rows and held and values and first.sites == second.sites and first.findings == second.findings


@pytest.mark.parametrize("variant_id", ["gpu.tiled", "gpu.fastest"])
@pytest.mark.parametrize("keep", list(Keep))
def test_a_launch_that_comes_again_has_the_same_trace_by_the_same_code(made: list[GeneratedKernel], variant_id: str, keep: Keep) -> None:
    first = traced(variant_job(variant_id, 64, keep))
    count = len(made)
    assert same(first, traced(variant_job(variant_id, 64, keep)))
    assert len(made) == count > 0


def test_local_memory_is_that_of_each_launch(made: list[GeneratedKernel]) -> None:
    first, again, other = traced(local_job(12)), traced(local_job(12)), traced(local_job(20))
    assert same(first, again)
    assert not np.array_equal(first.values["out"], other.values["out"])
    assert len(made) == 2


def test_what_is_kept_holds_no_memory(made: list[GeneratedKernel]) -> None:
    job = variant_job("gpu.fastest", 64, Keep.HISTORY)
    traced(job)
    assert made
    for each in kept(job)._kept.values():
        assert not each.generated.local
        assert all(site.region is None for site in each.generated.sites)
        assert not any(isinstance(held, Region) for held in each.generated.objects.values())


def test_only_so_many_are_kept(made: list[GeneratedKernel], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "MOST_KEPT", 2)
    for n in (1, 2, 3):
        traced(local_job(n))
    assert len(kept(local_job(1))._kept) == 2
    traced(local_job(1))
    assert len(made) == 4
