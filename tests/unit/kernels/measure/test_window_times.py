"""What is made of times that the window and the command measured in turn, and the history that a window is given to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from kernels.base.machine_conditions import processor_name
from kernels.measure.store import ResultStore
from tests.perf import command_starts
from tests.perf.own_results import fill
from tests.perf.paired import AGAIN, COMMAND, Turn, agrees, dips, disturbed, fared, lines, ratios
from tests.perf.window_times import Asked


def result(n: int, median: float, conditions: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "cpu.blocked", "n": n, "parameters": {"tile": 64}, "median_ms": median, "verified": True,
            "status": "measured", "reason": None, "gflops": 2e-6 * n**3 / median, "conditions": conditions or {}} | more  # fmt: skip


def turns(**medians: Sequence[float | None]) -> list[Turn]:
    """Of each side the median at n = 64 in each turn."""
    return [Turn(side, number, [result(64, ms)] if ms else []) for side, each in medians.items() for number, ms in enumerate(each)]


def test_a_ratio_is_the_median_of_those_of_each_turn() -> None:
    (ratio,) = ratios(turns(timing=[1.0, 30.0, 3.0], command=[1.0, 10.0, 2.0]), "timing")
    assert ratio.key == ("cpu.blocked", 64, "tile=64")
    assert ratio.pairs == [1.0, 3.0, 1.5]
    assert ratio.median == ratio.apart == 1.5
    (other,) = ratios(turns(timing=[1.0], command=[2.0]), "timing")
    assert (other.median, other.apart) == (0.5, 2.0)


def test_a_turn_that_one_side_lacks_is_left_out() -> None:
    (ratio,) = ratios(turns(timing=[1.0, None, 3.0], command=[1.0, 10.0]), "timing")
    assert ratio.pairs == [1.0]


def test_a_ratio_agrees_also_where_two_commands_lie_as_far_apart() -> None:
    for control, told in (([1.0, 1.0, 1.0, 1.0], "*"), ([1.0, 1.1, 1.2, 1.1], "~")):
        found = turns(timing=[1.1] * 4, command=[1.0] * 4, again=control)
        assert agrees(ratios(found, "timing")[0], ratios(found, AGAIN)[0]) == told
    close = ratios(turns(timing=[1.04], command=[1.0]), "timing")[0]
    assert agrees(close, None) == ""


def test_what_one_side_has_no_verified_time_of_is_not_compared_but_told() -> None:
    failed = result(64, 1.0, median_ms=None, verified=False, status="failed", reason="The process ended.")
    told = [
        Turn("timing", 0, [failed, result(128, 1.0)]),
        Turn(COMMAND, 0, [result(64, 1.0), result(128, 1.0), result(256, 1.0)]),
    ]
    assert [each.key[1] for each in ratios(told, "timing")] == [128]
    text = "\n".join(lines(told))
    assert "failed: The process ended. | measured" in text
    assert "not measured | measured" in text


def test_short_times_may_differ_by_more_and_what_differs_by_too_much_is_marked() -> None:
    told = list(lines([Turn("timing", 0, [result(64, 0.054), result(512, 1.08)]), Turn(COMMAND, 0, [result(64, 0.05), result(512, 1.0)])]))
    assert [row.count("*") for row in told if row.startswith("cpu.blocked")] == [0, 1]
    assert "window, timing, below 0.1 ms: 1 of 1 points within 10 %, worst 1.080 (cpu.blocked at n = 64)" in told
    assert "window, timing, from 0.1 ms on: 0 of 1 points within 5 %, worst 1.080 (cpu.blocked at n = 512)" in told


def test_a_dip_is_told_only_where_the_command_has_none() -> None:
    flat = {64: 1.0, 128: 8.0, 256: 64.0}
    dipped = flat | {128: 10.0}
    for mine, its, found in ((dipped, flat, 1), (dipped, dipped, 0), (flat, dipped, 0)):
        sides = {"timing": mine, COMMAND: its}
        told = [Turn(side, 0, [result(n, ms) for n, ms in times.items()]) for side, times in sides.items()]
        assert dips(told, "timing") == [("cpu.blocked", 128, "tile=64")] * found


def test_who_disturbed_is_told_with_the_largest_share() -> None:
    told = [{"disturbed_share": 0.2, "disturbed_by": "steal"}, {}, {"disturbed_share": 0.5, "disturbed_by": "programs,steal"}]
    assert disturbed([result(64, 1.0, each) for each in told]) == "2 of 3, 50 % programs+steal"
    assert disturbed([result(64, 1.0)]) == "-"


def test_of_the_longest_gap_it_is_told_what_was_own_work_and_what_was_waiting_for_a_core() -> None:
    ticks = {"late": [1.0, 80.0, 60.0], "own": [0.5, 12.0, 58.0], "waited": [0.0, 68.0, 1.0], "share": 0.1, "seconds": 2.0}
    first, later = fared([Turn("timing", number, [result(64, 1.0)], ticks) for number in range(3)], "timing")
    assert (first.phase, later.phase) == ("first measurement", "measuring")
    assert (later.longest_ms, later.own_ms, later.waited_ms) == (80.0, 12.0, 68.0)
    assert (later.over, later.over_own, later.seconds) == (4, 2, 4.0)


def test_few_points_take_turns_at_a_time_and_large_ones_have_fewer() -> None:
    groups = list(Asked(["cpu.blocked", "cpu.numpy", "cpu.transpose-naive"], [2048, 128], pairs=6).groups())
    assert [(set(variants), n, pairs) for variants, n, pairs in groups] == [
        ({"cpu.blocked", "cpu.numpy"}, 128, 6), ({"cpu.transpose-naive"}, 128, 6),
        ({"cpu.blocked", "cpu.numpy"}, 2048, 2), ({"cpu.transpose-naive"}, 2048, 2),
    ]  # fmt: skip


def test_starts_of_the_command_that_lie_too_far_apart_are_marked() -> None:
    medians = {64: (1.0, 1.09), 128: (8.0, 9.0)}
    found = {("cpu.parallel", n): [result(n, ms) for ms in each] for n, each in medians.items()}
    told = list(command_starts.lines(found))
    assert [row.count("*") for row in told if row.startswith("cpu.parallel")] == [0, 1]
    assert told[-1] == "1 of 2 points within 10 % without disturbed starts, worst 1.125 (cpu.parallel at n = 128)"
    found["cpu.parallel", 128][1] = result(128, 9.0, {"disturbed_share": 1.0, "disturbed_by": "steal"})
    assert list(command_starts.lines(found))[-2:] == [
        "1 of 2 points within 10 %, worst 1.125 (cpu.parallel at n = 128)",
        "2 of 2 points within 10 % without disturbed starts, worst 1.090 (cpu.parallel at n = 64)",
    ]


def test_the_rungs_that_are_started_again_and_again_share_out_iterations() -> None:
    assert {
        "cpu.parallel",
        "cpu.parallel-private",
        "cpu.transpose-parallel",
        "cpu.transpose-parallel-cached",
        "cpu.transpose-triangle",
    } == set(command_starts.rungs())


def test_own_results_are_of_this_machine_and_of_the_past(tmp_path: Path) -> None:
    fill(tmp_path / "data" / "results.sqlite", 300)
    store = ResultStore.open(tmp_path / "data" / "results.sqlite")
    results = store.results(processor=processor_name())
    store.close()
    assert store.notice is None
    assert len(results) == 300
    assert all(each.verified for each in results)
    assert all(before.created < after.created for before, after in pairwise(results))
    assert len({(each.point.variant_id, each.point.problem.n, *each.point.parameters.values()) for each in results}) > 200
