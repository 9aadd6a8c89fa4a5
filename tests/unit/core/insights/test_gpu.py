"""Expectations of the GPU: what is said however a rung comes out, with recorded counters; and nothing that was not counted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from app.core.insights import gpu_multiplications, gpu_transpositions
from app.core.insights.counter_reasons import (
    GLOBAL_LOADS,
    LOADED,
    OCCUPANCY,
    REGISTERS,
    WAVEFRONTS,
    because,
    counted_of,
    less,
    more,
    same,
    shown,
)
from app.core.insights.evidence import gather
from app.core.insights.pair_finders import named
from app.core.insights.pairs import Pair
from app.core.insights.rules import insights
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.catalogue import by_id, find, of
from kernels.measure.results import Result
from kernels.measure.rows import row_of
from tests.measured.timing_results import measured

N, SHARP, UNEVEN = 4096, (0.999, 1.0, 1.001), (0.9, 1.0, 1.2)
H200: dict[str, str | int] = {"gpu": "NVIDIA H200", "multiprocessors": 132, "compute_capability": "9.0"}
AGAINST = "The textbook has it the other way round."
EXPECTATIONS = (*gpu_multiplications.EXPECTATIONS, *gpu_transpositions.EXPECTATIONS)
WHY = message("Because.")


@dataclass(frozen=True)
class Case:
    """Two rungs, what the textbook expects, and a piece of the reason for each outcome that counters give one for."""

    rung: str
    base: str
    expected: str
    reasons: dict[str, str] = field(default_factory=dict)


CASES = (
    Case("naive-global", "naive", "slower", {"slower": "sectors written in the L2 cache 201 M, against 199"}),
    Case("uncoalesced", "naive", "slower", {"slower": "sectors loaded 570 M, against 134 M"}),
    Case("tiled", "naive", "faster", {"faster": "load requests to global memory 4.19 M, against 67.1 M"}),
    Case("coalesced-bt", "tiled", "faster", {"slower": "wavefronts of shared memory 170 M, against 54.5 M"}),
    Case("conflict-free", "coalesced-bt", "faster", {"faster": "wavefronts of shared memory 54.5 M, against 170 M"}),
    Case("conflict-free", "tiled", "faster", {"level": "has no conflict to remove"}),
    Case("work-per-thread", "tiled", "faster", {"faster": "instructions of all warps 84.6 M, against 136 M"}),
    Case("outer-product", "work-per-thread", "faster", {"faster": "load requests to shared memory 8.39 M, against 21.0 M"}),
    Case("prefetch", "outer-product", "faster", {"faster": "on their way", "level": "gains nothing here", "slower": "against 62.0 M"}),
    Case("register-tiled-k8", "prefetch", "faster", {"faster": "wavefronts of shared memory 6.82 M, against 17.8 M"}),
    Case("register-tiled-k16", "register-tiled-k8", "faster", {"faster": "halves the barriers"}),
    Case("vectorized-k8", "register-tiled-k8", "faster", {"faster": "instructions of all warps 38.7 M, against 56.6 M"}),
    Case("vectorized-k16", "register-tiled-k16", "faster", {"faster": "now turned, meet in the banks"}),
    Case("conflict-free-k8", "vectorized-k8", "faster", {"level": "as many wavefronts of shared memory"}),
    Case("conflict-free-k16", "vectorized-k16", "faster", {"faster": "wavefronts of shared memory 6.82 M, against 7.60 M"}),
    Case("double-buffered-k8", "conflict-free-k8", "faster", {"faster": "a step has one barrier"}),
    Case("double-buffered-k16", "conflict-free-k16", "faster", {"faster": "registers a thread 167, against 128"}),
    Case("async", "double-buffered-k16", "faster", {"slower": "4 bytes each"}),
    Case("warp-tiled", "double-buffered-k8", "faster", {"faster": "wavefronts of shared memory 3.55 M, against 6.82 M"}),
    Case("fastest", "warp-tiled", "faster", {"faster": "store requests to shared memory 0, against 297"}),
    Case("fastest", "cublas", "level", {"level": "Of 100 instructions 91 multiply and add", "faster": "multiply and add"}),
    Case("split-k", "fastest", "slower", {"slower": "sectors loaded 4.19 M, against 2.23 M"}),
    Case("fitted", "split-k", "faster", dict.fromkeys(("faster", "level"), "sectors loaded 3.15 M, against 4.19 M")),
    Case("wmma-tf32", "fastest", "faster", dict.fromkeys(("faster", "slower", "level"), "10.9 M, against 37.1 M")),
    Case("wmma-tf32", "cublas-tf32", "level", {"slower": "registers a thread 255"}),
    Case("mma-tf32", "wmma-tf32", "level", dict.fromkeys(("faster", "slower", "level"), "store requests to shared memory 0, against 133")),
    Case("mma-padded-tf32", "mma-tf32", "faster", dict.fromkeys(("faster", "slower", "level"), "sectors loaded 3.28 M, against 2.75 M")),
    Case("mma-swizzled-tf32", "mma-padded-tf32", "faster", dict.fromkeys(("faster", "level"), "sectors loaded 2.75 M, against 3.28 M")),
    Case("wmma-bf16", "wmma-tf32", "faster", {"faster": "wavefronts of shared memory 1.02 M, against 1.95 M"}),
    Case("wmma-bf16", "cublas-bf16", "level", {"slower": "registers a thread 226"}),
    Case("mma-bf16", "wmma-bf16", "level", dict.fromkeys(("faster", "slower", "level"), "store requests to shared memory 0, against 149")),
    Case("mma-padded-bf16", "mma-bf16", "faster", dict.fromkeys(("faster", "slower", "level"), "sectors loaded 2.49 M, against 2.23 M")),
    Case("mma-swizzled-bf16", "mma-padded-bf16", "faster", dict.fromkeys(("faster", "level"), "sectors loaded 2.23 M, against 2.49 M")),
    Case("wgmma-bf16", "wmma-bf16", "faster", {"faster": "load requests to shared memory 0, against 32"}),
    Case("wgmma-bf16", "cublas-bf16", "level", {"level": "no thread loads an operand", "faster": "no thread loads an operand"}),
    Case("wgmma-clusters-bf16", "wgmma-bf16", "faster", dict.fromkeys(("faster", "level"), "load requests to global memory 16")),
    Case("three-parts", "fastest", "faster", {"faster": "load requests to shared memory 0, against 1.67 M"}),
    Case("transpose-global-writes", "transpose-global", "level", {"faster": "sectors written in the L2 cache 196"}),
    Case("transpose-direct-map", "transpose-global", "slower", {"slower": "sectors stored 1.05 M, against 524"}),
    Case("transpose-row-first", "transpose-global", "level", {"faster": "after the barrier all warps of a block write"}),
    Case("transpose-shared", "transpose-row-first", "faster", {"faster": "wavefronts of loads from shared memory 265"}),
    Case("transpose-padded", "transpose-shared", "faster", {"faster": "fewer lanes wait", "level": "took little of the time"}),
    Case("transpose-swizzled", "transpose-padded", "faster", {"level": "waiting for the banks any more", "slower": "x ^ y takes"}),
    Case("transpose-elements", "transpose-padded", "faster", {"faster": "four reads on their way"}),
    Case("transpose-vectorized", "transpose-elements", "faster", {"faster": "load requests to global memory 8192, against 32"}),
    Case("transpose-in-place", "transpose-elements", "level", {"slower": "percent of occupancy 53.2, against 78.4"}),
    Case("transpose-vectorized", "transpose-copy", "slower", {
        "level": "turning costs nothing", "faster": "turning costs nothing", "slower": "the barrier",
    }),
)  # fmt: skip
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rung}-{case.base}")


def taken(name: str, ms: float, samples: tuple[float, ...] = SHARP, n: int = N, **parameters: int) -> Result:
    """A result of a rung on an H200 with these samples, as parts of its median."""
    result = measured(f"gpu.{name}", n, ms)
    point = replace(result.point, parameters={**result.point.parameters, **parameters})
    return replace(result, point=point, times_ms=tuple(ms * part for part in samples), conditions={**result.conditions, **H200})


def said(*results: Result) -> str:
    """All that expectations say of results."""
    points = {result.point.variant_id: result.point for result in results}
    timing = Session(results[0].point.variant_id).timing.value
    chosen = {**timing.parameters, **{identifier: point.parameters for identifier, point in points.items()}}
    choice = replace(timing, ticked=frozenset(points), parameters=chosen)
    (evidence,) = gather(Results({Provenance.MEASURED: results}), choice)
    told = (expectation(evidence) for expectation in EXPECTATIONS)
    return "\n".join(str(sentence).replace("\u202f", " ") for sentence in told if sentence is not None)


def kernels_of(name: str) -> int:
    """How many kernels a rung with its defaults launches; a library none that are counted."""
    variant = by_id(f"gpu.{name}")
    if variant.launch is None:
        return 0
    launched = variant.launch(Problem.square(variant.operation, N), variant.defaults)
    return 1 if launched.before is None else 2


def pair(rung: str, base: str, n: int = N) -> Pair:
    new, old = row_of(taken(rung, 1.0, n=n)), row_of(taken(base, 2.0, n=n))
    return Pair(new, old, named(new), named(old))


@EACH
def test_however_it_comes_out_times_are_told_with_the_reason_that_was_counted(case: Case) -> None:
    for outcome, ms, told in (("faster", 10.0, "2.0 times as fast."), ("slower", 40.0, "2.0 times as long.")):
        text = said(taken(case.rung, ms), taken(case.base, 20.0))
        assert text.startswith("At n = 4096, ")
        assert text.count("\n") == 0
        assert told in text
        assert (AGAINST in text) == ({outcome, case.expected} == {"faster", "slower"})
        assert case.reasons.get(outcome, "") in text
        assert ("Nsight Compute" in text) == (outcome in case.reasons)


@EACH
def test_level_times_are_told_where_counters_say_why(case: Case) -> None:
    text = said(taken(case.rung, 20.0), taken(case.base, 20.2))
    assert ("take the same time" in text) == ("level" in case.reasons)
    assert case.reasons.get("level", "") in text


@EACH
def test_no_reason_rests_on_the_mean_over_the_kernels_of_a_rung(case: Case) -> None:
    """Of registers and occupancy the counters of a rung that prepares its operands have that: it says nothing of either kernel."""
    kernels = [kernels_of(rung) for rung in (case.rung, case.base)]
    told = "".join(said(taken(case.rung, ms), taken(case.base, 20.0)) for ms in (10.0, 20.2, 40.0))
    assert max(kernels) < 2 or not any(str(mean.title) in told for mean in (REGISTERS, OCCUPANCY))


@EACH
def test_uneven_times_are_not_told(case: Case) -> None:
    assert said(taken(case.rung, 20.0, UNEVEN), taken(case.base, 21.0, UNEVEN)) == ""


def test_every_expectation_has_a_case_and_every_rung_but_the_first_an_expectation() -> None:
    assert len(CASES) == len(EXPECTATIONS)
    for operation in (Operation.MATMUL, Operation.TRANSPOSE):
        rungs = [variant.id for variant in of(operation) if variant.device is Device.GPU and not variant.library]
        assert {f"gpu.{case.rung}" for case in CASES} >= set(rungs[1:])


def test_a_difference_of_a_twentieth_is_told_on_a_gpu() -> None:
    text = said(taken("transpose-padded", 20.0), taken("transpose-shared", 21.0))
    assert "1.05 times as fast. The conflicts go, but they took little of the time" in text


def test_other_parameters_than_those_that_were_counted_have_times_and_no_reason() -> None:
    text = said(taken("conflict-free", 20.0, tile=32), taken("coalesced-bt", 40.0, tile=32))
    assert text.endswith("2.0 times as fast.")


def test_a_reason_is_given_only_where_all_of_it_was_counted() -> None:
    conflicts = pair("coalesced-bt", "tiled")
    assert because(WHY, *same(LOADED), *more(WAVEFRONTS))(conflicts) is not None
    assert because(WHY, *same(LOADED), *less(WAVEFRONTS))(conflicts) is None
    assert because(WHY, *more(LOADED), *more(WAVEFRONTS))(conflicts) is None
    assert because(WHY, *same(GLOBAL_LOADS))(pair("fastest", "cublas")) is None
    assert shown(WHY, GLOBAL_LOADS)(pair("fastest", "cublas")) is not None
    assert shown(WHY, GLOBAL_LOADS)(pair("cublas", "fastest")) is None


@pytest.mark.parametrize(("n", "recorded"), [(128, 256), (256, 256), (512, 256), (1024, 1024), (8192, 1024)])
def test_counters_are_those_of_the_next_recorded_size(n: int, recorded: int) -> None:
    counted = counted_of(pair("tiled", "naive", n))
    assert counted is not None
    assert counted.n == recorded
    assert counted.gpu == "NVIDIA H200"


def test_of_another_gpu_the_counters_are_told_with_the_name_of_the_one_that_counted() -> None:
    results = [replace(taken(name, ms), conditions={"gpu": "Other"}) for name, ms in (("tiled", 10.0), ("naive", 20.0))]
    assert "counted on NVIDIA H200 at n = 1024" in said(*results)


def test_too_few_blocks_and_a_short_last_wave_explain_what_the_technique_does_not() -> None:
    few = said(taken("register-tiled-k8", 0.2, n=1024), taken("prefetch", 0.1, n=1024))
    assert few.endswith("has only 64 blocks at this size: 48 % of the 132 multiprocessors have work.")
    short = said(taken("double-buffered-k16", 0.5, n=2048), taken("conflict-free-k16", 0.4, n=2048))
    assert "come in 2 waves of 396, the last one short: 65 % of the places are used, of the other's 100 %." in short
    both = said(taken("fastest", 0.1, n=1024), taken("warp-tiled", 0.2, n=1024))
    assert "Warp-tiled, tile 128 has only 32 blocks" in both
    assert "A is turned beforehand" in both
    assert "only 64 blocks" in said(taken("fastest", 0.2, n=1024), taken("cublas", 0.1, n=1024))
    assert "blocks" not in said(taken("tiled", 0.2, n=1024), taken("naive", 0.1, n=1024))


def test_expectations_are_among_the_insights_of_recorded_results() -> None:
    assert find("gpu.tiled") is not None
    results = (taken("tiled", 10.0), taken("naive", 20.0))
    choice = replace(Session("gpu.tiled").timing.value, ticked=frozenset({"gpu.tiled", "gpu.naive"}))
    sentences = [str(insight.sentence) for insight in insights(Results({Provenance.RECORDED: results}), choice)]
    assert any("load requests to global memory" in sentence for sentence in sentences)
