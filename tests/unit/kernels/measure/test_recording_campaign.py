"""Recording all CUDA kernels: which points, where a setting stops, and that nothing is lost when it is ended."""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from recording import record as script
from recording.campaign import (
    FURTHER_SIZES,
    LARGEST_EXPLORED,
    SIZES,
    ProtocolOf,
    Stops,
    odd_points,
    odd_protocol,
    protocol_for,
    sweep_points,
    variants,
    working,
)
from recording.journal import Journal, journals

from kernels.base.arrays import never
from kernels.base.limits import Limits
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.recording_file import load_recorded
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Sampler, Unobserved
from kernels.measure.sweep import Bench, measure_point
from tests.devices.fake_runner import FakeClock, FakeRunner, per_flop


def square(variant_id: str, n: int, **parameters: int) -> Case:
    variant = by_id(variant_id)
    return Case(variant_id, Problem.square(variant.operation, n), variant.defaults | parameters)


def bench(runner: FakeRunner) -> Bench:
    return Bench(Sampler(runner, clock=runner.clock), Limits(), Protocol(), Estimator(), {"gpu": "Fake"}, clock=runner.clock)


def recorded(points: Sequence[Case], runner: FakeRunner, path: Path, protocol_of: ProtocolOf = protocol_for) -> Journal:
    journal = Journal(path, io.StringIO())
    assert script.record(points, bench(runner), protocol_of, journal)
    return journal


def test_the_parts_are_the_whole() -> None:
    whole = {each.id for each in variants()}
    parts = [{each.id for each in variants(part, 3)} for part in (1, 2, 3)]
    assert set.union(*parts) == whole
    assert sum(map(len, parts)) == len(whole)
    assert {"gpu.cublas", "gpu.fastest", "gpu.transpose-copy"} <= whole
    assert "gpu.hello" not in whole


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.id)
def test_every_tile_is_there_at_every_size_and_every_other_value_at_small_ones(variant: object) -> None:
    points = sweep_points([variant], 40000)  # type: ignore[list-item]
    seen = {(name, value, point.problem.n) for point in points for name, value in point.parameters.items()}
    for parameter in variant.parameters:  # type: ignore[attr-defined]
        sizes = [n for n in SIZES if parameter.name == "tile" or n <= LARGEST_EXPLORED]
        assert seen >= {(parameter.name, setting[parameter.name], n) for setting in working(variant) for n in sizes}
    assert {point.problem.n for point in points} == {*SIZES, *FURTHER_SIZES}
    assert len(set(points)) == len(points)
    assert sum(point.problem.n == 40000 for point in points) == 1


def test_sizes_come_in_ascending_order_and_end_where_they_are_told_to() -> None:
    sizes = [point.problem.n for point in sweep_points(variants(), 5000) if point.problem.operation is Operation.MATMUL]
    assert sizes == sorted(sizes)
    assert sizes[-1] == 5000


def test_odd_sizes_meet_every_parameter_and_nothing_that_is_refused() -> None:
    points = odd_points(variants())
    for variant in variants():
        own = [point for point in points if point.variant_id == variant.id]
        assert {(17, 17)} <= {(point.problem.m, point.problem.n) for point in own}
        for parameter in variant.parameters:
            alone = [each for each in working(variant) if parameter.name != "tile" or each == variant.defaults | {"tile": each["tile"]}]
            possible = {setting[parameter.name] for setting in alone}
            assert {point.parameters[parameter.name] for point in own} >= possible, (variant.id, parameter.name)
    assert len(set(points)) == len(points)
    assert any(point.problem.k == 0 and point.problem.operation is Operation.MATMUL for point in points)


def test_a_setting_stops_where_a_launch_is_predicted_to_pass_two_seconds(tmp_path: Path) -> None:
    # 0.1 GFLOP/s: 0.34 s at n = 256, 2.7 s at 512
    points = [square("gpu.naive", n) for n in (128, 256, 512, 1024)]
    runner = FakeRunner(FakeClock(), per_flop(0.1))
    journal = recorded(points, runner, tmp_path / "j.jsonl")
    outcomes = [journal.find(point) for point in points]
    assert [result and result.status for result in outcomes] == [Status.MEASURED, Status.SINGLE, Status.SKIPPED, None]
    assert "the time budget is 2 s" in str(outcomes[2] and outcomes[2].reason)
    assert {point.problem.n for point in runner.prepared} == {128, 256}


def test_a_setting_stops_where_a_launch_took_longer_than_predicted(tmp_path: Path) -> None:
    points = [square("gpu.naive", n, tile=tile) for n in (128, 256) for tile in (8, 16)]
    runner = FakeRunner(FakeClock(), lambda point, _run: 2500.0 if point.parameters["tile"] == 8 else 1.0)
    journal = recorded(points, runner, tmp_path / "j.jsonl")
    results = [journal.find(point) for point in points]
    assert [result and result.status for result in results] == [Status.SINGLE, Status.MEASURED, None, Status.MEASURED]


def test_libraries_are_given_longer() -> None:
    stops, slow = Stops(protocol_for), square("gpu.cublas", 40000)
    assert protocol_for(slow).budget_s > 10 > protocol_for(square("gpu.naive", 40000)).budget_s
    stops.learn(slow, 2500.0, recorded_result(slow, 2500.0))
    assert not stops.hold(slow)
    naive = square("gpu.naive", 128)
    stops.learn(naive, 2500.0, recorded_result(naive, 1.0))
    assert stops.hold(square("gpu.naive", 256))
    assert not stops.hold(square("gpu.naive", 256, tile=8))


def recorded_result(point: Case, time_ms: float) -> Result:
    runner = FakeRunner(FakeClock(), lambda _point, _run: time_ms)
    small = replace(point, problem=Problem.square(point.problem.operation, 16))
    return replace(measure_point(small, bench(runner), never, Unobserved()), point=point)


def test_what_was_recorded_is_not_run_again(tmp_path: Path) -> None:
    path, points = tmp_path / "j.jsonl", [square("gpu.naive", n) for n in (64, 128)]
    recorded(points[:1], FakeRunner(FakeClock()), path)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"created": "cut o')
    again = FakeRunner(FakeClock())
    recorded(points, again, path)
    assert {point.problem.n for point in again.prepared} == {128}
    assert [result.point.problem.n for result in journals(tmp_path, "j")] == []
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_a_gpu_that_takes_nothing_more_ends_the_run_after_the_point_that_broke_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_inputs: object, _output: object) -> None:
        raise RuntimeError("an illegal memory access was encountered")

    monkeypatch.setattr(script, "usable", lambda: False)
    journal = Journal(tmp_path / "j.jsonl", io.StringIO())
    points = [square("gpu.naive", n) for n in (16, 32)]
    assert not script.record(points, bench(FakeRunner(FakeClock(), compute=breaks)), protocol_for, journal)
    assert [result and result.status for result in map(journal.find, points)] == [Status.FAILED, None]
    assert script.record(points, bench(FakeRunner(FakeClock())), protocol_for, journal)


def test_parts_are_merged_and_what_is_missing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [variant for variant in variants() if variant.id in ("gpu.cublas", "gpu.work-per-thread")]
    monkeypatch.setattr(script, "variants", lambda: both)
    options = argparse.Namespace(folder=tmp_path, name="fake", largest=256, out=tmp_path / "out")
    for part, variant in enumerate(both):
        for kind, points, protocol_of in (
            ("sweep", sweep_points([variant], 256), protocol_for), ("odd", odd_points([variant]), odd_protocol),
        ):  # fmt: skip
            recorded(points, FakeRunner(FakeClock(), per_flop(10)), tmp_path / f"fake.{kind}.{part}of2.jsonl", protocol_of)
    assert script.merge(options) == 0
    results = load_recorded(tmp_path / "out" / "fake.json")
    assert [result.point for result in results] == sweep_points(both, 256)
    assert all(result.conditions["gpu"] == "Fake" for result in results)
    assert [result.point for result in load_recorded(tmp_path / "out" / "odd_sizes" / "fake.json")] == odd_points(both)
    (tmp_path / "fake.sweep.1of2.jsonl").unlink()
    assert script.merge(options) == 0, "what was recorded earlier stays"
    (tmp_path / "out" / "fake.json").unlink()
    assert script.merge(options) == 1
    assert "missing: Case(variant_id='gpu.cublas'" in capsys.readouterr().out
