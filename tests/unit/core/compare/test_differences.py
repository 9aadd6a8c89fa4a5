"""What two launches cost in all, and the change in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.compare.differences import (
    BYTES,
    OCCUPANCY,
    SECTORS,
    SHARED_BYTES,
    WAVEFRONTS,
    Difference,
    counted,
    counts,
    coverage_text,
    differences,
    headline,
    main_difference,
    timed,
    times,
)
from app.core.compare.pairing import Pair
from app.core.compare.sentences import Times, pace, report, times_of
from app.core.gpu_view.blocks import shared_bytes
from app.core.gpu_view.counters import CONFLICTS, counters_of
from app.core.gpu_view.index import LaunchIndex
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from kernels.base.messages import Message, message
from kernels.measure.results import Result
from kernels.measure.rows import row_of
from tests.launches.launch_records import launch_of
from tests.measured.timing_results import GPU, measured

THINGS = message("sectors")


def found(left: LaunchIndex, right: LaunchIndex) -> dict[Message, Difference]:
    return {each.title: each for each in differences(left, right, Session().profile.value, (32, 32))}


def test_each_number_is_the_one_of_its_launch() -> None:
    left, right = launch_of("gpu.tiled", 64, tile=8), launch_of("gpu.tiled", 64, tile=16)
    rows = found(left, right)
    for index, side in ((left, "left"), (right, "right")):
        whole = {row.title: row.value for row in counters_of(index).whole}
        for title, each in rows.items():
            if title in whole:
                assert getattr(each, side) == whole[title]
        assert getattr(rows[SHARED_BYTES], side) == shared_bytes(index)
    assert set(rows) >= {WAVEFRONTS, SECTORS, BYTES, SHARED_BYTES, OCCUPANCY}


def test_a_transposition_with_padding_has_fewer_wavefronts_and_no_conflicts() -> None:
    rows = found(launch_of("gpu.transpose-shared", 64, tile=32), launch_of("gpu.transpose-padded", 64, tile=32))
    assert str(rows[WAVEFRONTS].sentence) == "16.5 times fewer shared wavefronts on the right"
    assert str(rows[CONFLICTS].sentence) == "No bank conflicts on the right"
    assert str(rows[SECTORS].sentence) == "As many global sectors"
    assert (rows[SHARED_BYTES].left, rows[SHARED_BYTES].right) == (4096, 4224)


def test_each_side_has_the_occupancy_of_its_own_registers() -> None:
    index = launch_of("gpu.tiled", 64, tile=16)
    rows = differences(index, index, Session().profile.value, (32, 128))
    occupancy = next(each for each in rows if each.title == OCCUPANCY)
    assert (str(occupancy.written), str(occupancy.brief)) == ("100 → 25", "75 points lower")


@pytest.mark.parametrize(
    ("left", "right", "brief", "sentence"),
    [
        (65536, 2048, "32 times fewer", "32 times fewer sectors on the right"),
        (2048, 65536, "32 times as many", "32 times as many sectors on the right"),
        (100, 300, "3 times as many", "3 times as many sectors on the right"),
        (278, 147, "1.89 times fewer", "1.89 times fewer sectors on the right"),
        (100, 119, "19 % more", "19 % more sectors on the right"),
        (1000, 999, "0.1 % fewer", "0.1 % fewer sectors on the right"),
        (7, 7, "as many", "As many sectors"),
        (0, 4, "none on the left", "No sectors on the left"),
        (4, 0, "none on the right", "No sectors on the right"),
    ],
)
def test_a_change_in_words(left: int, right: int, brief: str, sentence: str) -> None:
    each = counted(SECTORS, THINGS, left, right)
    assert (str(each.brief), str(each.sentence)) == (brief, sentence)


@pytest.mark.parametrize(
    ("left_ms", "right_ms", "expected"),
    [
        (2.0, 1.0, "32 times fewer global sectors on the right"),
        (1.0, 1.04, "32 times fewer global sectors on the right"),
        (1.0, 1.25, "32 times fewer global sectors on the right, yet 1.25 times the time at n = 64"),
        (None, None, "32 times fewer global sectors on the right"),
    ],
)
def test_a_side_with_less_is_not_praised_without_saying_that_it_is_slower(left_ms: float | None, right_ms: float, expected: str) -> None:
    main, other = (counted(SECTORS, message("global sectors"), *each) for each in ((65536, 2048), (2048, 65536)))
    time = None if left_ms is None else timed(left_ms, right_ms, 64)
    assert str(headline(main, time)) == expected
    assert str(headline(other, timed(2.0, 1.0, 64))) == "32 times as many global sectors on the right, yet 2 times as fast at n = 64"


def test_a_time_in_words() -> None:
    assert str(timed(1.83, 1.21, 8192).sentence) == "1.51 times as fast on the right"
    assert str(timed(1.0, 5.0, 64).sentence) == "5 times the time on the right"
    assert [str(timed(2.0, right, 64).sentence) for right in (2.0, 2.001)] == ["the same time"] * 2
    assert str(timed(1.834, 1.21, 8192).written) == "1.83 → 1.21"
    assert str(counted(SECTORS, THINGS, 65536, 2048).written) == "65536 → 2048"


def test_ratios_are_told_with_as_many_figures_as_they_need() -> None:
    assert [times(each) for each in (1.5, 32.0, 31.999, 15.46, 123.4, 1.526)] == [1.5, 32, 32, 15.5, 123, 1.53]


def test_the_main_difference_is_the_greater_of_wavefronts_and_sectors() -> None:
    tiled = main_difference(counts(launch_of("gpu.tiled", 64, tile=8), launch_of("gpu.tiled", 64, tile=16)))
    assert tiled is not None
    assert tiled.title == SECTORS
    other = main_difference(counts(launch_of("gpu.naive", 64), launch_of("gpu.tiled", 64, tile=16)))
    assert other is not None
    assert other.title == SECTORS
    assert main_difference(counts(launch_of("gpu.naive", 64), launch_of("gpu.naive", 64))) is None


def test_estimates_are_called_so() -> None:
    whole, part = launch_of("gpu.transpose-shared", 64, tile=32), launch_of("gpu.transpose-shared", 2048, tile=32)
    assert coverage_text(whole, whole) is None
    assert str(coverage_text(whole, part)) == "Estimated from 4 of 4096 blocks."


def transposed(name: str, n: int, milliseconds: float, tile: int = 32) -> Result:
    return measured(f"gpu.transpose-{name}", n, milliseconds, tile=tile)


def test_times_are_those_of_both_at_one_size_on_one_machine() -> None:
    left, right = launch_of("gpu.transpose-shared", 64, tile=32), launch_of("gpu.transpose-padded", 64, tile=32)
    slow, fast = transposed("shared", 1024, 2.0), transposed("padded", 1024, 1.0)
    recorded = {Provenance.RECORDED: (slow, transposed("shared", 2048, 8.0), fast, transposed("padded", 2048, 5.0))}
    chosen = times_of(Results(recorded), left.subject, right.subject)
    assert chosen is not None
    assert (chosen.n, chosen.milliseconds, str(chosen.source)) == (2048, (8.0, 5.0), f"Times recorded on {GPU}.")
    here = times_of(Results({**recorded, Provenance.MEASURED: (slow, fast)}), left.subject, right.subject)
    assert here is not None
    assert (here.n, here.provenance) == (1024, Provenance.MEASURED)
    at_stage = {Provenance.MEASURED: (slow, fast, transposed("shared", 64, 0.2), transposed("padded", 64, 0.1))}
    exact = times_of(Results(at_stage), left.subject, right.subject)
    assert exact is not None
    assert exact.n == 64


def test_a_headline_that_says_both_the_counter_and_the_time_is_not_said_twice() -> None:
    """It went on with the same two numbers: so many times the wavefronts on the right, so many times the time on the left."""
    pair = Pair(launch_of("gpu.transpose-padded", 64, tile=32), launch_of("gpu.transpose-shared", 64, tile=16))
    slower, faster = transposed("padded", 1024, 1.2), transposed("shared", 1024, 1.09, tile=16)
    told = report(pair, None, (32, 32), Results({Provenance.MEASURED: (slower, faster)}))
    assert str(told.headline) == "4.5 times as many shared wavefronts on the right, yet 1.1 times as fast at n = 1024"
    assert told.reasons == ()
    slower_right = Results({Provenance.MEASURED: (transposed("padded", 1024, 1.0), transposed("shared", 1024, 2.0, tile=16))})
    assert len(report(pair, None, (32, 32), slower_right).reasons) == 1


def test_a_launch_of_one_block_is_not_said_to_have_several() -> None:
    pair = Pair(*(launch_of("gpu.async", 64, tile=64) for _ in range(2)))
    assert str(report(pair, None, (32, 32), Results({})).conditions[0]) == "Whole launch at 64 × 64, as written: 1 block of 8 × 8."


def test_there_are_no_times_of_other_settings_machines_or_texts() -> None:
    left, right = launch_of("gpu.transpose-shared", 64, tile=32), launch_of("gpu.transpose-padded", 64, tile=32)
    slow, fast = transposed("shared", 1024, 2.0), transposed("padded", 1024, 1.0)
    other = measured("gpu.transpose-padded", 1024, 1.0, machine="another GPU", tile=32)
    for known in ((slow,), (slow, transposed("padded", 1024, 1.0, tile=16)), (slow, transposed("padded", 2048, 1.0)), (slow, other)):
        assert times_of(Results({Provenance.MEASURED: known}), left.subject, right.subject) is None
    edited = replace(right.subject, text=right.subject.text + "//")
    assert times_of(Results({Provenance.MEASURED: (slow, fast)}), left.subject, edited) is None


@pytest.mark.parametrize(
    ("slow_ms", "expected"),
    [
        (1.5, "On the {more} 16.5 times the wavefronts, 1.5 times the time: both move 1024 sectors, and that part of the time stays."),
        (15.0, "On the {more} 16.5 times the wavefronts, 15 times the time: shared memory sets the pace."),
        (0.8, "On the {more} 16.5 times the wavefronts, on the {less} 1.25 times the time."),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_time_that_does_not_follow_the_wavefronts_is_explained(slow_ms: float, expected: str, turned: bool) -> None:
    sides = [launch_of("gpu.transpose-shared", 64, tile=32), launch_of("gpu.transpose-padded", 64, tile=32)]
    results = [transposed("shared", 1024, slow_ms), transposed("padded", 1024, 1.0)]
    left, right = reversed(sides) if turned else sides
    one, other = reversed(results) if turned else results
    timing = Times(row_of(one), row_of(other), Provenance.MEASURED, GPU)
    more, less = ("right", "left") if turned else ("left", "right")
    assert str(pace({each.title: each for each in counts(left, right)}, timing)) == expected.format(more=more, less=less)


def test_where_counters_hardly_differ_nothing_is_explained() -> None:
    left, right = launch_of("gpu.transpose-padded", 64, tile=32), launch_of("gpu.transpose-swizzled", 64, tile=32)
    timing = Times(row_of(transposed("padded", 1024, 1.0)), row_of(transposed("swizzled", 1024, 1.1)), Provenance.MEASURED, GPU)
    assert pace({each.title: each for each in counts(left, right)}, timing) is None


def test_more_sectors_are_put_beside_the_time() -> None:
    left, right = launch_of("gpu.naive", 64), launch_of("gpu.uncoalesced", 64)
    fast, slow = row_of(measured("gpu.naive", 1024, 1.0)), row_of(measured("gpu.uncoalesced", 1024, 5.0))
    timing = Times(fast, slow, Provenance.MEASURED, GPU)
    assert str(pace({each.title: each for each in counts(left, right)}, timing)) == "On the right 4.25 times the sectors, 5 times the time."
