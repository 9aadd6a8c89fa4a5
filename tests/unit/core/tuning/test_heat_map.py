"""The picture of a tuning as a value, and the model that makes it from choices and results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace

import pytest

from app.core.base.job_queues import Job, JobQueue, JobState
from app.core.results.curves import Provenance
from app.core.results.measuring import Lent
from app.core.session.session import Session, Workspace
from app.core.timing.model import TimingModel
from app.core.timing.tuner import MeasuringSetup, Tuner, Wish
from app.core.tuning.heat_map import CellKind, heat_map, library_result
from app.core.tuning.model import TuningModel, TuningPicture
from app.core.tuning.sentences import best_table, verdict
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.messages import message
from kernels.base.spec import Device, Problem
from kernels.catalogue.catalogue import by_id
from kernels.measure.cores import HostCores
from kernels.measure.results import Result
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from kernels.measure.tuning import LOOK, TuningPlan, plan_tuning
from tests.devices.fake_runner import FakeClock, FakeRunner
from tests.measured.idle_tuner import IdleTuner, idle_tuning
from tests.measured.timing_results import disturbed, measured, refused, wholes
from tests.waiting import until

N = 512


def plan_of(variant_id: str, *over: str, n: int = N) -> TuningPlan:
    variant = by_id(variant_id)
    return plan_tuning(variant, Problem.square(variant.operation, n), over, variant.defaults, Limits())


def test_each_cell_has_the_best_of_the_others_and_the_fastest_is_marked() -> None:
    plan = plan_of("gpu.outer-product", "tile", "results", "depth")
    results = [
        measured("gpu.outer-product", N, 2.0, tile=64, results=8, depth=8),
        measured("gpu.outer-product", N, 1.0, tile=64, results=8, depth=16),
        measured("gpu.outer-product", N, 4.0, tile=32, results=4, depth=8),
        measured("gpu.outer-product", 2 * N, 0.1, tile=32, results=4, depth=8),
    ]
    picture = heat_map(plan, results)
    assert picture.best == (64, 8)
    assert picture.cells[64, 8].result == results[1]
    assert picture.cells[32, 4].result == results[2]
    assert picture.cells[128, 8].kind is CellKind.UNTRIED
    assert picture.range == (results[2].rate, results[1].rate)
    assert len(picture.cells) == len(picture.columns) * len(picture.rows)


@pytest.mark.parametrize(("looked_ms", "first"), [(0.95, 16), (0.5, 32)])
def test_a_look_wins_only_where_luck_cannot_explain_it(looked_ms: float, first: int) -> None:
    """Of a tuning that was cancelled the one confirmed setting had the star, beside cells that were ten times as fast."""
    plan = plan_of("cpu.blocked", "tile")
    look = measured("cpu.blocked", N, looked_ms, tile=32)
    look = replace(look, conditions={**look.conditions, "min_samples": 3})
    picture = heat_map(plan, [measured("cpu.blocked", N, 1.0, tile=16), look])
    assert picture.best == (first, 0)
    assert ("Not confirmed" in str(verdict(plan, picture, None))) == (first == 32)


def test_a_cell_of_which_nothing_can_work_says_why() -> None:
    plan = plan_of("gpu.naive", "tile", "rows")
    wrong = refused("gpu.naive", N, message("The run failed: there is not enough memory."), tile=4, rows=0)
    picture = heat_map(plan, [wrong])
    cell = picture.cells[64, 32]
    assert cell.kind is CellKind.REFUSED
    assert "threads a block" in str(cell.reason)
    assert picture.cells[4, 0].reason == wrong.reason
    assert picture.winner is None
    assert picture.range is None


def test_settings_that_launch_the_same_have_one_time_and_one_place_in_the_ranking() -> None:
    plan = plan_of("gpu.naive", "tile", "rows")
    result = measured("gpu.naive", N, 1.0, tile=8, rows=8)
    picture = heat_map(plan, [result])
    assert [picture.cells[8, rows].rate for rows in (0, 8)] == [result.rate] * 2
    assert [picture.cells[8, rows].point.parameters["rows"] for rows in (0, 8)] == [0, 8]
    assert picture.cells[8, 4].kind is CellKind.UNTRIED
    assert len(picture.standings) == 1


def test_where_nothing_was_measured_here_recorded_times_fill_the_map_at_the_size_that_has_most() -> None:
    session, timing = Session("gpu.tiled"), TimingModel()
    tuning = idle_tuning(session, timing)
    recorded = [measured("gpu.tiled", n, 1.0 + tile / n, tile=tile) for n, tiles in ((256, (8,)), (1024, (8, 16, 32))) for tile in tiles]
    timing.add(Provenance.RECORDED, [*recorded, measured("gpu.cublas", 1024, 0.5)])
    picture = tuning.picture()
    assert picture is not None
    assert tuning.n() == 1024
    assert picture.map.provenance is Provenance.RECORDED
    assert picture.map.best == (8, 0)
    assert picture.library is not None
    assert picture.library.median_ms == 0.5
    timing.add(Provenance.MEASURED, [measured("gpu.tiled", 1024, 9.0, tile=16)])
    picture = tuning.picture()
    assert picture is not None
    assert picture.map.provenance is Provenance.MEASURED
    assert picture.map.best == (16, 0)


def test_a_library_that_was_only_looked_at_is_no_100_percent_line() -> None:
    plan = plan_of("gpu.tiled", "tile")
    looked = replace(measured("gpu.cublas", N, 90.0), conditions={"min_samples": LOOK.min_samples})
    confirmed = measured("gpu.cublas", N, 0.5)
    assert library_result(plan, [looked]) is None
    assert library_result(plan, [looked, confirmed]) is confirmed
    assert library_result(plan, [confirmed, looked]) is confirmed


def test_a_library_timed_with_other_settings_is_the_100_percent_line_as_well() -> None:
    """A recording has it with one count of threads, and the shares stood empty beside a ladder that told them."""
    plan = plan_of("cpu.blocked", "tile")
    slow, fast = (measured("cpu.numpy", N, ms, threads=threads) for ms, threads in ((2.0, 3), (0.5, 7)))
    assert library_result(plan, [fast, slow]) is fast


def test_a_rate_from_a_disturbed_time_is_about_so_much() -> None:
    plan = plan_of("cpu.blocked", "tile")
    calm, other = measured("cpu.blocked", N, 2.0, tile=64), disturbed(measured("cpu.blocked", N, 1.0, tile=32))
    picture = TuningPicture(plan, heat_map(plan, [calm, other]), ("tile",), None, (), 0, "", "")
    assert [str(row[1]).startswith("≈ ") for row in best_table(picture).rows] == [True, False]
    assert "with ≈ " in told(calm, other)
    assert "≈" not in told(calm)


def told(*results: Result, library: Result | None = None) -> str:
    plan = plan_of("cpu.blocked", "tile")
    return str(verdict(plan, heat_map(plan, results), library))


def test_one_setting_alone_is_not_called_the_fastest() -> None:
    one, other = measured("cpu.blocked", N, 2.0, tile=64), measured("cpu.blocked", N, 1.0, tile=32)
    assert told(one).startswith("One setting alone has a time: tile = 64, with ")
    assert told(one, other).startswith("Fastest: tile = 32, with ")
    plan = plan_of("cpu.blocked", "tile")
    assert [heat_map(plan, results).marked for results in ([one], [one, other])] == [None, (32, 0)]


def test_a_share_of_a_library_that_was_disturbed_is_not_told() -> None:
    one, other = measured("cpu.blocked", N, 2.0, tile=64), measured("cpu.blocked", N, 1.0, tile=32)
    library = measured("cpu.numpy", N, 0.5, threads=1)
    assert "That is 50 % of the library." in told(one, other, library=library)
    refused = told(one, other, library=disturbed(library))
    assert "of the library" not in refused
    assert "disturbed by other programs (firefox)" in refused
    unsure = told(one, disturbed(other), library=library)
    assert "of the library" not in unsure
    assert "another one may be faster" in unsure


def test_axes_change_places_and_the_choice_follows_the_rung() -> None:
    session = Session("gpu.outer-product")
    tuning = idle_tuning(session, TimingModel())
    assert over(tuning) == ("tile", "results", "depth")
    tuning.choose_axis(0, "results")
    assert tuning.choice.value.axes == ("results", "tile")
    tuning.choose_axis(1, "depth")
    assert over(tuning) == ("results", "depth")
    tuning.vary("tile", varies=True)
    assert over(tuning) == ("results", "depth", "tile")
    session.choose_variant(by_id("gpu.cublas"))
    assert tuning.plan() is None
    assert "has no parameters" in str(tuning.refusal())


def test_settings_are_taken_over_to_the_stage_all_at_once() -> None:
    session = Session("gpu.register-tiled-k8")
    tuning = idle_tuning(session, TimingModel())
    plan = tuning.plan()
    assert plan is not None
    wanted = next(point for point in plan.points if point.parameters["tile"] == 64 and point.parameters["tile_rows"] == 128)
    assert tuning.take_over(wanted) is None
    assert session.stage.value.parameters == wanted.parameters
    assert session.workspace.value is Workspace.STAGE


def test_the_tuner_is_asked_for_the_plan_within_the_budget() -> None:
    tuner = IdleTuner()
    tuning = idle_tuning(Session("cpu.blocked"), timing := TimingModel(), tuner)
    tuning.budget_s.value = 15.0
    tuning.start()
    assert [(wish.plan, wish.budget_s) for wish in tuner.wishes] == [(tuning.plan(), 15.0)]
    tuner.found = (measured("cpu.blocked", N, 1.0),)
    tuning.tick()
    assert wholes(timing.results.rows(Provenance.MEASURED)) == (measured("cpu.blocked", N, 1.0),)


def over(tuning: TuningModel) -> tuple[str, ...]:
    return tuning.choice.value.over


@pytest.fixture
def queue() -> Iterator[JobQueue]:
    queue = JobQueue("test")
    yield queue
    queue.close()
    queue.join(2)


def tuner_in(queue: JobQueue, runner: FakeRunner, store: ResultStore) -> Tuner:
    def lend(_device: Device, work: Callable[..., None]) -> Job:
        lent = Lent(Sampler(runner, clock=runner.clock), HostCores(), lambda _check: nullcontext())
        return queue.submit(lambda check: work(lent, check))

    ready = DeviceStatus(Device.CPU, Availability.READY, "P")
    return Tuner(MeasuringSetup(lend, lambda _device: ready, lambda: {"processor": "P"}, store))


def ended(tuner: Tuner) -> bool:
    progress = tuner.progress()
    return progress is not None and progress.state.ended


def test_a_tuning_in_its_lane_tells_progress_and_results(queue: JobQueue) -> None:
    store = ResultStore.in_memory()
    tuner = tuner_in(queue, FakeRunner(FakeClock()), store)
    assert tuner.progress() is None
    tuner.start(Wish(plan_of("cpu.transpose-blocked", "tile", n=16)))
    until(lambda: ended(tuner))
    progress = tuner.progress()
    assert progress is not None
    assert progress.state is JobState.DONE
    assert progress.done == progress.total > 0
    assert len(tuner.drain()) == len(store.results())
    assert tuner.drain() == ()
    store.close()


def test_a_cancelled_tuning_ends_and_keeps_what_it_has(queue: JobQueue) -> None:
    store = ResultStore.in_memory()

    def slow(_point: object, _run: int) -> float:
        time.sleep(0.01)
        return 1.0

    tuner = tuner_in(queue, FakeRunner(FakeClock(), slow), store)
    tuner.start(Wish(plan_of("cpu.transpose-blocked", "tile", n=16)))
    until(lambda: bool(store.results()))
    tuner.cancel()
    until(lambda: ended(tuner))
    progress = tuner.progress()
    assert progress is not None
    assert progress.state is JobState.CANCELLED
    assert 0 < len(store.results()) == len(tuner.drain())
    store.close()
