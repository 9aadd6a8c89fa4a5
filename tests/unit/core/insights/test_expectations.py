"""Each expectation: what is said where the measurement agrees with it, where it does not, and where it cannot tell."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from app.core.insights import cpu_multiplications, cpu_transpositions, workers
from app.core.insights.evidence import gather
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from kernels.catalogue.catalogue import by_id
from kernels.measure.results import Result
from tests.measured.timing_results import measured

N = 1024
SHARP, DISTURBED = (0.99, 1.0, 1.01), (0.5, 1.0, 2.5)
MACHINE = {"cores": 4, "l3_bytes": 1 << 24}
AGAINST = "The textbook has it the other way round."
EXPECTATIONS = (*cpu_multiplications.EXPECTATIONS, *cpu_transpositions.EXPECTATIONS, *workers.EXPECTATIONS)


@dataclass(frozen=True)
class Case:
    """A rung and what it is compared with, what the textbook expects, and a piece of the reason for each outcome that has one."""

    rung: tuple[str, dict[str, int]]
    base: tuple[str, dict[str, int]]
    expected: str
    reasons: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.rung[0]} {self.rung[1]} - {self.base[0]} {self.base[1]}".replace("{}", "")


CASES = (
    Case(("cpu.loop-order", {}), ("cpu.naive", {}), "faster", {"faster": "4096 bytes from one element to the next"}),
    Case(("cpu.loop-order", {"order": 3}), ("cpu.naive", {}), "slower", {"slower": "down columns of A and of C"}),
    Case(("cpu.unrolled", {}), ("cpu.loop-order", {}), "faster", {"faster": "B is read a quarter as often", "level": "B (4 MiB)"}),
    Case(("cpu.hints", {"fastmath": 1}), ("cpu.hints", {"fastmath": 0}), "faster", {"faster": "each addition waits"}),
    Case(("cpu.hints", {"contiguous": 1}), ("cpu.hints", {"contiguous": 0}), "faster", {"faster": "lane by lane"}),
    Case(("cpu.hints", {"boundscheck": 0}), ("cpu.hints", {"boundscheck": 1}), "faster", {"faster": "looked at", "level": "costs nothing"}),
    Case(("cpu.simd", {}), ("cpu.loop-order", {}), "faster", {
        "faster": "Eight rows of C stay in registers", "level": "had made vectors of the plain loop too", "slower": "4096 bytes",
    }),
    Case(("cpu.simd", {"lanes": 8}), ("cpu.simd", {"lanes": 4}), "faster", {"faster": "twice as many values", "level": "in halves"}),
    Case(("cpu.simd-blocked", {}), ("cpu.blocked", {}), "faster", {"faster": "plain tiles read and write C"}),
    Case(("cpu.simd-blocked", {}), ("cpu.simd", {}), "faster", {
        "faster": "all of B (4 MiB) passes by", "level": "All of B (4 MiB) stays", "slower": "after every 128 products",
    }),
    Case(("cpu.simd-blocked-bt", {}), ("cpu.simd-blocked", {}), "slower", {"slower": "lanes of every sum must be added up"}),
    Case(("cpu.divide-and-conquer", {}), ("cpu.blocked", {}), "faster", {"faster": "Halving finds parts"}),
    Case(("cpu.packed", {}), ("cpu.blocked", {}), "faster", {"faster": "in the order in which they are read"}),
    Case(("cpu.parallel", {}), ("cpu.parallel-private", {"threads": 4}), "faster", {
        "faster": "The 4 private copies of C take 16 MiB", "level": "is little work",
    }),
    Case(("cpu.parallel", {"schedule": 1}), ("cpu.parallel", {"schedule": 0}), "level", {
        "level": "does not matter", "slower": "only costs", "faster": "others take over",
    }),
    Case(("cpu.transpose-parallel", {"schedule": 1}), ("cpu.transpose-parallel", {"schedule": 0}), "level", {"level": "does not matter"}),
    Case(("cpu.transpose-parallel-cached", {"schedule": 1}), ("cpu.transpose-parallel-cached", {"schedule": 0}), "level", {
        "level": "does not matter",
    }),
    Case(("cpu.transpose-triangle", {"schedule": 1}), ("cpu.transpose-triangle", {"schedule": 0}), "faster", {
        "faster": "is the last to end", "level": "wait for the same memory",
    }),
    Case(("cpu.parallel", {"threads": 8}), ("cpu.parallel", {"threads": 4}), "level", {"level": "the 4 cores", "slower": "is not running"}),
    Case(("cpu.parallel-private", {"threads": 8}), ("cpu.parallel-private", {"threads": 4}), "level", {"slower": "is not running"}),
    Case(("cpu.transpose-parallel", {"threads": 8}), ("cpu.transpose-parallel", {"threads": 4}), "level", {"level": "one waits"}),
    Case(("cpu.transpose-parallel-cached", {"threads": 8}), ("cpu.transpose-parallel-cached", {"threads": 4}), "level", {
        "level": "one waits",
    }),
    *(
        Case((f"mpi.{name}", {"ranks": 8}), (f"mpi.{name}", {"ranks": 4}), "level", {"level": "one waits", "slower": "is not running"})
        for name in ("point-to-point", "rows", "blocks", "overlap", "summa")
    ),
    Case(("cpu.transpose-blocked", {}), ("cpu.transpose-naive", {}), "faster", {"faster": "4096 bytes", "level": "still in the cache"}),
    Case(("cpu.transpose-cache-oblivious", {}), ("cpu.transpose-naive", {}), "faster", {"faster": "4096 bytes"}),
    Case(("cpu.transpose-cache-oblivious", {}), ("cpu.transpose-blocked", {}), "level", {"level": "no better than tiles"}),
    Case(("cpu.transpose-simd", {}), ("cpu.transpose-blocked", {}), "faster", {"faster": "written once", "level": "either way"}),
    Case(("cpu.transpose-streaming", {}), ("cpu.transpose-simd", {}), "faster", {
        "faster": "only to be overwritten", "level": "A and C (8 MiB) stay in the caches", "slower": "quicker than writing past it",
    }),
    Case(("cpu.transpose-parallel-cached", {}), ("cpu.transpose-parallel", {}), "faster", {
        "faster": "quicker than writing past it", "level": "A and C (8 MiB) stay in the caches",
    }),
)  # fmt: skip
EACH = pytest.mark.parametrize("case", CASES, ids=str)


def taken(which: tuple[str, dict[str, int]], ms: float, samples: tuple[float, ...], n: int = N) -> Result:
    """A result with these samples, as parts of its median, on a machine with 4 cores and 16 MiB of cache."""
    result = measured(which[0], n, ms)
    point = replace(result.point, parameters={**result.point.parameters, **which[1]})
    return replace(result, point=point, times_ms=tuple(ms * part for part in samples), conditions={**result.conditions, **MACHINE})


def told(case: Case, ms: float, base_ms: float, samples: tuple[float, ...] = SHARP) -> str:
    """All that expectations say of the pair."""
    return said(taken(case.rung, ms, samples), taken(case.base, base_ms, samples))


def said(*results: Result) -> str:
    """All that expectations say of results, the last of each rung being of the parameters that are chosen."""
    variants = {result.point.variant_id: result.point for result in results}
    first = by_id(results[0].point.variant_id)
    chosen = {identifier: point.parameters for identifier, point in variants.items()}
    timing = Session(first.id).timing.value
    choice = replace(timing, ticked=frozenset(variants), parameters={**timing.parameters, **chosen})
    evidence = gather(Results({Provenance.MEASURED: results}), choice)
    return "\n".join(str(sentence) for each in evidence for expectation in EXPECTATIONS if (sentence := expectation(each)) is not None)


def test_every_expectation_has_a_case() -> None:
    assert len(CASES) == len(EXPECTATIONS)


@EACH
def test_what_agrees_or_not_is_told_with_both_times_the_ratio_and_the_reason(case: Case) -> None:
    outcomes = {
        "faster": (told(case, 10.0, 20.0), "10 ms and", "20 ms: 2.0 times as fast."),
        "slower": (told(case, 30.0, 20.0), "30 ms and", "20 ms: 1.5 times as long."),
    }
    for outcome, (text, own, other) in outcomes.items():
        assert text.startswith("At n = 1024, ")
        assert text.count("\n") == 0
        assert own in text
        assert other in text
        assert (AGAINST in text) == ({outcome, case.expected} == {"faster", "slower"})
        assert case.reasons.get(outcome, "") in text


@EACH
def test_equal_times_are_told_only_with_a_reason(case: Case) -> None:
    text = told(case, 20.0, 20.4)
    assert text.startswith("At n = 1024, ") if "level" in case.reasons else True
    assert case.reasons.get("level", "") in text
    if text:
        assert "take the same time, 20 and 20.4 ms." in text


@EACH
def test_what_is_too_near_to_tell_or_disturbed_is_not_told(case: Case) -> None:
    assert told(case, 20.0, 22.0) == ""
    assert told(case, 20.0, 20.1, (0.9, 1.0, 1.2)) == ""
    assert told(case, 10.0, 13.0, (0.7, 1.0, 1.4)) == ""
    assert told(case, 10.0, 40.0, DISTURBED) == ""


def test_the_largest_n_that_both_have_is_told_of() -> None:
    case = CASES[0]
    sizes = {512: 20.0, 1024: 30.0, 2048: 50.0}
    results = [taken(case.base, ms, SHARP, n) for n, ms in sizes.items()] + [taken(case.rung, 5.0, SHARP, n) for n in (512, 1024)]
    assert said(*results).startswith("At n = 1024, ")


def test_settings_are_compared_only_where_nothing_else_differs() -> None:
    off = taken(("cpu.hints", {"fastmath": 0, "contiguous": 0}), 40.0, SHARP)
    assert said(off, taken(("cpu.hints", {"fastmath": 1, "contiguous": 1}), 10.0, SHARP)) == ""


def test_the_lanes_that_the_compiler_made_are_told_of_where_they_were_read() -> None:
    loop = taken(("cpu.loop-order", {}), 40.0, SHARP)
    loop = replace(loop, conditions={**loop.conditions, "llvm_lanes": 16})
    assert "made them of the plain loop too, 16 values at a time" in said(taken(("cpu.simd", {}), 20.0, SHARP), loop)


def test_streaming_that_is_level_has_no_reason_where_no_cache_holds_both_matrices() -> None:
    case = CASES[-1]
    assert "stay in the caches" in said(taken(case.rung, 20.0, SHARP), taken(case.base, 20.0, SHARP))
    assert said(taken(case.rung, 20.0, SHARP, 4096), taken(case.base, 20.0, SHARP, 4096)) == ""


def test_an_edited_copy_supports_no_sentence() -> None:
    edited = taken(("cpu.loop-order", {}), 10.0, SHARP)
    edited = replace(edited, point=replace(edited.point, parameters={**edited.point.parameters, "edited": 1}))
    assert said(taken(("cpu.naive", {}), 40.0, SHARP), edited) == ""
