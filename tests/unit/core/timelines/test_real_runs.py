"""Real runs for the stage: verified, the median one kept, one request at a time, stale ones dropped, nothing done unseen."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from app.core.base.job_queues import JobState
from app.core.results.measuring import MeasuringService
from app.core.session.session import Session, Workspace
from app.core.timelines.model import KEPT, QUIET_S, ExecutionTimelines
from app.core.timelines.recorder import Recorder
from kernels.base.arrays import Cancelled, never
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.machine_conditions import usable_cores
from kernels.base.messages import message
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.real_run import RunProgress, RunState, record
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import Sampler
from kernels.measure.store import ResultStore
from tests.devices.fake_runner import FakeClock
from tests.devices.team_runs import FakeTeamRunner
from tests.waiting import until

PATIENCE_S = 10.0
RUNGS = {variant.id: variant for variant in catalogue.VARIANTS}
PARALLEL = RUNGS["cpu.parallel"]
POINT = Case(PARALLEL.id, Problem.square(Operation.MATMUL, 16), PARALLEL.defaults | {"threads": 3})


def nobody(_progress: RunProgress) -> None:
    """Nobody is told."""


class Bench:
    """A session and its real runs, on a runner that runs nothing and a clock that only moves when it is moved."""

    def __init__(self, runner: FakeTeamRunner, status: DeviceStatus | None = None) -> None:
        ready = DeviceStatus(Device.CPU, Availability.READY, "Fake")
        measurers = {Device.CPU: lambda: Sampler(runner)}
        self.service = MeasuringService(ResultStore.in_memory(), measurers, lambda _device: status or ready, dict)
        self.session = Session("cpu.parallel")
        self.recorder = Recorder(self.service.lend)
        self.clock = FakeClock()
        self.runs = ExecutionTimelines(self.session, self.recorder, self.clock)
        self.runs.n.value = 16

    def rest(self) -> None:
        """Let the choice rest for so long that what follows from it is asked for."""
        self.runs.tick()
        self.clock.advance(2 * QUIET_S)
        self.runs.tick()

    def finish(self) -> None:
        """Let the run be made and taken over."""

        def settled() -> bool:
            self.runs.tick()
            return self.runs.settled

        until(settled)

    def run(self) -> None:
        self.rest()
        self.finish()


@pytest.fixture
def runner() -> FakeTeamRunner:
    return FakeTeamRunner()


@pytest.fixture
def bench(runner: FakeTeamRunner) -> Iterator[Bench]:
    made = Bench(runner)
    yield made
    runner.gate.set()
    made.service.shutdown(PATIENCE_S)


def test_the_median_run_is_kept_with_the_times_of_all() -> None:
    runner = FakeTeamRunner((99.0, 98.0, 5.0, 9.0, 1.0, 7.0, 3.0))  # the first is verified, the second warms up
    told: list[RunProgress] = []
    recording = record(POINT, runner, ReferenceCache(0), never, told.append)
    assert recording.times_ms == (5.0, 9.0, 1.0, 7.0, 3.0)
    assert recording.elapsed_ms == 5.0
    assert recording.conditions == {"threads": 3, "cores": usable_cores()}
    assert [each.phase for each in told[:2]] == [RunState.PREPARING, RunState.VERIFYING]
    assert [each.taken for each in told[2:]] == [0, 1, 2, 3, 4]


def test_a_long_run_is_recorded_less_often() -> None:
    assert len(record(POINT, FakeTeamRunner((1600.0,)), ReferenceCache(0), never, nobody).times_ms) == 2


def test_a_wrong_run_is_not_recorded() -> None:
    with pytest.raises(RunFailed) as failed:
        record(POINT, FakeTeamRunner(right=False), ReferenceCache(0), never, nobody)
    assert "Wrong result" in str(failed.value.reason)


def test_a_recording_can_be_cancelled() -> None:
    def at_once() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        record(POINT, FakeTeamRunner(), ReferenceCache(0), at_once, nobody)


def test_nothing_runs_where_nobody_looks(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.rest()
    assert (bench.runs.status.value, runner.prepared, bench.runs.settled) == (None, [], True)


def test_who_looks_away_ends_the_run_and_who_comes_back_begins_it_anew(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.runs.chosen.value = True
    runner.gate.clear()
    bench.rest()
    assert runner.reached.wait(PATIENCE_S)
    bench.runs.chosen.value = False
    bench.runs.tick()
    until(lambda: bench.recorder.progress().state is JobState.CANCELLED)  # type: ignore[union-attr]
    runner.gate.set()
    bench.runs.chosen.value = True
    bench.run()
    assert len(bench.runs.kept.value) == 1


def test_what_is_watched_is_run_when_the_choice_rests(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.runs.chosen.value = True
    bench.run()
    assert [each.point.problem.n for each in bench.runs.kept.value] == [16]
    assert bench.runs.status.value is not None
    assert bench.runs.status.value.state is JobState.DONE
    bench.run()
    assert len(runner.prepared) == 1, "the same is not run again by itself"


def test_how_the_work_is_shared_out_comes_from_the_stage_and_block_sizes_from_timing(bench: Bench) -> None:
    for name, value in (("threads", 3), ("schedule", 2), ("mc", 24)):
        assert bench.session.set_stage_parameter(name, value) is None
    wanted = bench.runs.wanted
    assert wanted is not None
    assert (wanted.parameters["threads"], wanted.parameters["schedule"]) == (3, 2)
    assert wanted.parameters["mc"] == PARALLEL.defaults["mc"] != 24


def test_another_choice_gives_up_the_run_that_is_under_way(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.runs.chosen.value = True
    runner.gate.clear()
    bench.rest()
    assert runner.reached.wait(PATIENCE_S)
    bench.session.set_stage_parameter("chunk", 4)
    bench.runs.tick()
    until(lambda: bench.recorder.progress() is not None and bench.recorder.progress().state is JobState.CANCELLED)  # type: ignore[union-attr]
    assert not bench.runs.kept.value
    runner.gate.set()
    bench.run()
    assert [each.point.parameters["chunk"] for each in bench.runs.kept.value] == [4]


def test_a_stale_recording_is_dropped(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.recorder.ask(POINT)
    until(lambda: bench.recorder.progress().state is JobState.DONE)  # type: ignore[union-attr]
    bench.recorder.ask(Case(POINT.variant_id, POINT.problem, {**POINT.parameters, "chunk": 7}))
    until(lambda: bench.recorder.progress().state is JobState.DONE)  # type: ignore[union-attr]
    recording = bench.recorder.poll()
    assert recording is not None
    assert recording.point.parameters["chunk"] == 7
    assert bench.recorder.poll() is None


def test_the_last_few_settings_are_kept_once_each_newest_first(bench: Bench) -> None:
    bench.runs.chosen.value = True
    for chunk in (1, 2, 1, 3, 4, 5):
        bench.session.set_stage_parameter("chunk", chunk)
        bench.run()
    chunks = [each.point.parameters["chunk"] for each in bench.runs.kept.value]
    assert chunks == [5, 4, 3, 1]
    assert len(bench.runs.kept.value) == KEPT
    bench.runs.forget_earlier()
    assert [each.point.parameters["chunk"] for each in bench.runs.comparable] == [5]
    bench.session.choose_variant(catalogue.of(Operation.TRANSPOSE)[0])
    assert bench.runs.comparable == ()


def test_the_same_is_run_again_when_asked(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.runs.chosen.value = True
    bench.run()
    bench.runs.again()
    bench.finish()
    assert len(runner.prepared) == 2
    assert len(bench.runs.kept.value) == 1


def test_states_are_told(bench: Bench, runner: FakeTeamRunner) -> None:
    bench.runs.chosen.value = True
    blocked = threading.Event()
    queued = bench.service.lend(Device.CPU, lambda _lent, _check: (blocked.wait(PATIENCE_S), None)[1])
    until(lambda: queued.state is JobState.RUNNING)
    runner.gate.clear()
    seen: list[JobState] = []
    bench.runs.status.subscribe(lambda status: seen.append(status.state) if status is not None else None)
    bench.runs.again()
    bench.runs.tick()
    blocked.set()
    assert runner.reached.wait(PATIENCE_S)
    bench.runs.tick()
    bench.runs.cancel()
    bench.runs.tick()
    until(lambda: bench.recorder.progress().state.ended)  # type: ignore[union-attr]
    bench.runs.tick()
    told = list(dict.fromkeys(seen))
    assert told[:2] == [JobState.QUEUED, JobState.RUNNING]
    assert told[-1] is JobState.CANCELLED


def test_a_size_that_cannot_be_is_refused_and_changes_nothing(bench: Bench) -> None:
    reason = bench.runs.choose_size(1 << 19)
    assert reason is not None
    assert "GiB" in str(reason)
    assert bench.runs.n.value == 16
    assert bench.runs.choose_size(32) is None
    assert bench.runs.n.value == 32


def test_each_device_has_a_size_of_its_own(bench: Bench) -> None:
    bench.runs.choose_size(96)
    bench.session.choose_variant(RUNGS["mpi.rows"])
    assert bench.runs.n.value == 512
    bench.session.choose_variant(PARALLEL)
    assert bench.runs.n.value == 96


def test_ranks_are_watched_at_once_and_threads_when_that_is_chosen(bench: Bench) -> None:
    assert (bench.runs.available, bench.runs.watched.value) == (True, False)
    bench.session.choose_variant(RUNGS["mpi.rows"])
    assert bool(bench.runs.watched.value) is True
    bench.session.show_workspace(Workspace.TIMING)
    assert not bench.runs.watched.value
    bench.session.show_workspace(Workspace.STAGE)
    bench.runs.chosen.value = True
    bench.session.choose_variant(PARALLEL)
    assert bool(bench.runs.watched.value) is True
    bench.session.choose_variant(RUNGS["cpu.naive"])
    assert (bench.runs.available, bench.runs.watched.value) == (False, False)


def test_why_a_device_cannot_be_used_is_told() -> None:
    missing = DeviceStatus(Device.CPU, Availability.FAILED, "", message("It is not there."), message("Buy one."))
    bench = Bench(FakeTeamRunner(), missing)
    bench.runs.chosen.value = True
    bench.run()
    status = bench.runs.status.value
    assert status is not None
    assert (status.state, str(status.failure)) == (JobState.FAILED, "It is not there. Buy one.")
    bench.service.shutdown(PATIENCE_S)


def test_closing_in_the_middle_ends_the_run(runner: FakeTeamRunner) -> None:
    bench = Bench(runner)
    bench.runs.chosen.value = True
    runner.gate.clear()
    bench.rest()
    assert runner.reached.wait(PATIENCE_S)
    assert bench.service.shutdown(PATIENCE_S) == ()
    assert bench.recorder.progress().state is JobState.CANCELLED  # type: ignore[union-attr]
