"""What is made of times that the window and the command measured in turn, and the history that a window is given to begin with."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from kernels.base.machine_conditions import processor_name
from kernels.measure.store import ResultStore
from tests.perf import command_starts
from tests.perf.own_results import fill
from tests.perf.window_times import COMMAND, Round, beyond, dips, lines, ratios, sides


def result(n: int, median: float, spread: float = 0.0, conditions: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "cpu.blocked", "n": n, "parameters": {"tile": 64}, "median_ms": median, "spread_ms": spread, "verified": True,
            "status": "measured", "reason": None, "gflops": 2e-6 * n**3 / median, "conditions": conditions or {}} | more  # fmt: skip


def rounds(window: list[list[dict[str, Any]]], command: list[list[dict[str, Any]]]) -> list[Round]:
    return [*(Round("timing", each) for each in window), *(Round(COMMAND, each) for each in command)]


def test_the_ratio_is_that_of_the_medians_over_the_rounds() -> None:
    found = sides(
        rounds([[result(64, 1.0)], [result(64, 3.0)], [result(64, 2.0)]], [[result(64, 1.6)], [result(64, 90.0)], [result(64, 1.0)]])
    )
    key = ("cpu.blocked", 64, "tile=64")
    assert ratios(found["timing"], found[COMMAND]) == {key: 2.0 / 1.6}
    assert found["timing"][key].rounds == 3.0
    assert beyond(0.5) == beyond(2.0) == 2.0


def test_what_one_side_has_no_verified_time_of_is_not_compared_but_told() -> None:
    failed = result(64, 1.0, median_ms=None, spread_ms=None, verified=False, status="failed", reason="The process ended.")
    told = rounds([[failed, result(128, 1.0)]], [[result(64, 1.0), result(128, 1.0), result(256, 1.0)]])
    assert list(ratios(*sides(told).values())) == [("cpu.blocked", 128, "tile=64")]
    text = "\n".join(lines(told))
    assert "failed: The process ended. | measured" in text
    assert "not compared: cpu.blocked at n = 64, cpu.blocked at n = 256" in text


def test_short_times_may_differ_by_more_and_what_differs_by_too_much_is_marked() -> None:
    told = list(lines(rounds([[result(64, 0.054), result(512, 1.08)]], [[result(64, 0.05), result(512, 1.0)]])))
    assert [row.count("*") for row in told if row.startswith("cpu.blocked")] == [0, 1]
    assert "below 0.1 ms: 1 of 1 points within 10 %, worst 1.080 (cpu.blocked at n = 64)" in told
    assert "from 0.1 ms on: 0 of 1 points within 5 %, worst 1.080 (cpu.blocked at n = 512)" in told


def test_a_dip_is_told_only_where_the_command_has_none() -> None:
    flat = {64: 1.0, 128: 8.0, 256: 64.0}
    dipped = flat | {128: 10.0}
    both = {name: sides([Round("timing", [result(n, ms) for n, ms in times.items()])])["timing"] for name, times in
            (("flat", flat), ("dipped", dipped))}  # fmt: skip
    assert dips(both["dipped"], both["flat"]) == [("cpu.blocked", 128, "tile=64")]
    assert dips(both["dipped"], both["dipped"]) == []
    assert dips(both["flat"], both["dipped"]) == []


def test_who_disturbed_is_told_with_the_largest_share() -> None:
    disturbed = [{"disturbed_share": 0.2, "disturbed_by": "steal"}, {}, {"disturbed_share": 0.5, "disturbed_by": "programs,steal"}]
    found = sides(rounds([[result(64, 1.0, conditions=each)] for each in disturbed], []))
    assert next(iter(found["timing"].values())).disturbed == "2 of 3, 50 % programs+steal"


def test_starts_of_the_command_that_lie_too_far_apart_are_marked() -> None:
    medians = {64: (1.0, 1.09), 128: (8.0, 9.0)}
    told = list(command_starts.lines({("cpu.parallel", n): [result(n, ms) for ms in each] for n, each in medians.items()}))
    assert [row.count("*") for row in told if row.startswith("cpu.parallel")] == [0, 1]
    assert told[-1] == "1 of 2 points within 10 %, worst 1.125 (cpu.parallel at n = 128)"


def test_the_rungs_that_are_started_again_and_again_share_out_iterations() -> None:
    assert {"cpu.parallel", "cpu.parallel-private", "cpu.transpose-parallel", "cpu.transpose-triangle"} == set(command_starts.rungs())


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
