"""Wavefronts as the hardware counted them, for every pattern measured, and summed over traces."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.banks import cost, phases, shared_accesses
from kernels.analysis.reuse import Mode
from tests.launches.analysis_traces import Recorder, words
from tests.launches.bank_costs import conflict_degree, ideal, wavefronts

GOLDEN = Path(__file__).parents[3] / "golden" / "shared_wavefronts_h200.csv"
INACTIVE = -1


@dataclass(frozen=True)
class Measured:
    operation: str
    bytes_per_lane: int
    words: tuple[int, ...]
    expected: tuple[int, int, int]


def measured() -> list[Measured]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return [
            Measured(
                row["operation"],
                int(row["bytes_per_lane"]),
                tuple(int(word) for word in row["word_index_of_lane_0_to_31"].split()),
                (int(row["wavefronts_hardware"]), int(row["wavefronts_source"]), int(row["wavefronts_ideal"])),
            )
            for row in csv.DictReader(file)
        ]


def test_every_measured_pattern_is_reproduced() -> None:
    patterns = measured()
    assert len(patterns) == 525
    for each in patterns:
        what = (each.words, each.bytes_per_lane, each.operation)
        assert (wavefronts(*what, "hardware"), wavefronts(*what, "source"), ideal(*what)) == each.expected, each


def test_the_phases_shown_take_the_wavefronts_counted() -> None:
    for each in measured():
        shown = phases(each.words, each.bytes_per_lane, each.operation)
        assert sum(phase.wavefronts for phase in shown) == each.expected[0]
        assert sorted(lane for phase in shown for lane in phase.lanes) == [lane for lane, word in enumerate(each.words) if word != INACTIVE]
        assert max((phase.wavefronts for phase in shown), default=0) == conflict_degree(each.words, each.bytes_per_lane, each.operation)


def test_many_instructions_cost_what_each_does() -> None:
    for operation, size in {(each.operation, each.bytes_per_lane) for each in measured()}:
        alike = [each for each in measured() if (each.operation, each.bytes_per_lane) == (operation, size)]
        table = np.array([each.words for each in alike], np.int64)
        found = cost(table, table != INACTIVE, size, operation)
        assert list(zip(found.hardware.tolist(), found.source.tolist(), found.ideal.tolist(), strict=True)) == [
            each.expected for each in alike
        ]


def test_a_warp_without_active_lanes_costs_nothing() -> None:
    assert wavefronts([INACTIVE] * 32, 4, "load", "hardware") == 0
    assert ideal([INACTIVE] * 32, 16, "store") == 0
    assert phases([INACTIVE] * 32, 8, "load") == ()


def test_bytes_of_one_word_are_served_together() -> None:
    assert wavefronts([lane // 4 for lane in range(32)], 1, "store", "hardware") == 1
    assert wavefronts([lane // 2 for lane in range(32)], 2, "load", "source") == 1
    assert wavefronts([16 * lane for lane in range(32)], 2, "load", "hardware") == 16


def test_atomics_do_not_merge() -> None:
    pairs = [lane // 2 * 2 for lane in range(32)]
    assert wavefronts(pairs, 8, "load", "hardware") == 1
    assert wavefronts(pairs, 8, "atomic", "hardware") == 4


def test_atomics_take_turns_by_lanes() -> None:
    shared_by_four = [16 * (lane // 4) for lane in range(32)]
    assert [wavefronts(shared_by_four, 4, operation, "source") for operation in ("store", "atomic", "compare-and-swap")] == [4, 16, 32]
    assert [ideal(shared_by_four, 4, operation) for operation in ("store", "atomic", "compare-and-swap")] == [1, 1, 2]
    assert [wavefronts([0] * 32, size, "atomic", "hardware") for size in (1, 4, 8)] == [32, 32, 32]
    assert wavefronts([0, 0, *[INACTIVE] * 30], 4, "atomic", "hardware") == 2
    assert conflict_degree([0] * 32, 8, "atomic") == 16


def test_phases_of_an_atomic_take_what_is_counted() -> None:
    lanes = [3 * (lane // 5) for lane in range(32)]
    for size, operation in ((4, "atomic"), (8, "atomic"), (4, "compare-and-swap")):
        shown = phases([size // 4 * word for word in lanes], size, operation)
        assert sum(phase.wavefronts for phase in shown) == wavefronts([size // 4 * word for word in lanes], size, operation, "hardware")
    (phase,) = phases(lanes, 4, "atomic")
    assert (phase.wavefronts, max(phase.lanes_of_bank), max(phase.words_of_bank)) == (5, 5, 1)


def test_a_site_is_known_to_compare_and_swap_by_its_name() -> None:
    recorder = Recorder()
    recorder.atomic("s", 3, words(*range(32)))
    recorder.atomic("s", 4, words(*range(32)), function="atomicCAS")
    add, swap = shared_accesses(recorder.trace())
    assert ((add.source, add.ideal), (swap.source, swap.ideal)) == ((1, 1), (2, 2))


def test_lanes_and_words_of_each_bank_are_shown() -> None:
    (phase,) = phases([*range(0, 64, 2)], 4, "load")
    assert phase.lanes_of_bank == (2, 0) * 16
    assert phase.words_of_bank == (2, 0) * 16
    (phase,) = phases([5] * 32, 4, "load")
    assert (phase.lanes_of_bank[5], phase.words_of_bank[5], sum(phase.lanes_of_bank)) == (32, 1, 32)


@pytest.mark.parametrize(
    "arguments",
    [
        ([0] * 31, 4, "load"),
        ([0] * 32, 3, "load"),
        ([0] * 32, 4, "fetch"),
        ([-2] * 32, 4, "load"),
    ],
)
def test_what_is_no_instruction_is_refused(arguments: tuple[list[int], int, str]) -> None:
    with pytest.raises(ValueError, match=r"."):
        phases(*arguments)


def test_a_trace_is_summed_site_by_site() -> None:
    recorder = Recorder(threads=64)
    for _ in range(3):
        recorder.load("s", 3, words(*range(64)))
    recorder.load("s", 3, words(*[2 * lane for lane in range(32)]))
    recorder.store("s", 4, words(*[32 * lane for lane in range(32)]))
    recorder.load("a", 5, words(*range(64)))
    load, store = shared_accesses(recorder.trace())
    assert (load.requests, load.source, load.hardware, load.ideal) == (7, 8, 8, 7)
    assert (store.requests, store.source, store.ideal) == (1, 32, 1)


def test_many_cases_of_one_site_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    for stride in (1, 2, 3, 4):
        recorder.load("s", 3, words(*[stride * lane for lane in range(32)]))
    monkeypatch.setattr("kernels.analysis.distinct_instructions.LANES_AT_ONCE", 1)
    (load,) = shared_accesses(recorder.trace())
    assert (load.requests, load.source) == (4, 1 + 2 + 1 + 4)


def test_a_bank_conflict_stays_one_wherever_the_array_begins() -> None:
    recorder = Recorder()
    for start in (0, 4, 60, 128, 1000):
        recorder.load("s", 3, words(*[start + 4 * lane for lane in range(32)]), offset=4 * start)
    (load,) = shared_accesses(recorder.trace())
    assert (load.requests, load.source) == (5, 5 * 4)


def test_bytes_below_a_word_count_with_their_offset() -> None:
    recorder = Recorder()
    recorder.access("load", "s", 3, [2 * lane for lane in range(32)], size=2)
    recorder.access("load", "s", 3, [2 * lane + 2 for lane in range(32)], size=2, offset=2)
    (load,) = shared_accesses(recorder.trace())
    assert (load.requests, load.source) == (2, 2)


def test_tile_operations_have_no_banks() -> None:
    recorder = Recorder()
    recorder.access("load", "s", 3, words(*range(32)), tile=True)
    assert shared_accesses(recorder.trace()) == ()


def test_after_register_reuse_repeated_loads_take_nothing() -> None:
    recorder = Recorder()
    for _ in range(4):
        recorder.load("s", 3, words(*range(32)))
    (written,) = shared_accesses(recorder.trace())
    (reused,) = shared_accesses(recorder.trace(), Mode.REGISTER_REUSE)
    assert (written.requests, reused.requests) == (4, 1)
