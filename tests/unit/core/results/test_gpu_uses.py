"""The model of one use of the GPU: its bars, and where it becomes faster than the processor."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.results.gpu_uses import BestCpu, Crossover, UseScope, bar, best_cpu, crossover, crossover_text, ms_of
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.gpu_use_times import UsePart, UseTimes
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.measure.store import ResultStore
from tests.command_line import CommandLine

SIZES = (128, 256, 512, 1024)
READY = DeviceStatus(Device.GPU, Availability.READY, "Toy GPU")
ABSENT = DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", message("No NVIDIA GPU found."))


def use(n: int, kernel_ms: float = 0.25, *, pinned: bool = False) -> UseTimes:
    times = {
        UsePart.CONTEXT: (200.0,), UsePart.COMPILE: (50.0,), UsePart.ALLOCATE: (4.0, 1.0, 1.0), UsePart.TO_DEVICE: (3.0, 2.0),
        UsePart.FIRST_LAUNCH: (0.0,), UsePart.KERNEL: (0.5, kernel_ms), UsePart.TO_HOST: (2.0, 1.0),
    }  # fmt: skip
    return UseTimes(
        Case("gpu.tiled", Problem.square(Operation.MATMUL, n), {"tile": 16}), pinned, "2026-11-21T00:00:00+00:00", times,
        {"gpu": "Toy GPU"},
    )  # fmt: skip


def cpu(n: int, ms: float, variant: str = "cpu.naive", status: Status = Status.MEASURED) -> Result:
    return Result(Case(variant, Problem.square(Operation.MATMUL, n), {}), status, "2026", (ms,) if status is Status.MEASURED else ())


def test_a_bar_has_its_phases_one_after_the_other_without_gaps() -> None:
    first, later, kernel = (bar(use(64), counted) for counted in UseScope)
    assert [segment.part for segment in first.segments] == [
        UsePart.CONTEXT, UsePart.COMPILE, UsePart.ALLOCATE, UsePart.TO_DEVICE, UsePart.KERNEL, UsePart.TO_HOST,
    ]  # fmt: skip
    assert [segment.ms for segment in later.segments] == [1.0, 2.0, 0.25, 1.0]
    assert [segment.start_ms for segment in later.segments] == [0.0, 1.0, 3.0, 3.25]
    assert [each.ms for each in (first, later, kernel)] == [259.5, 4.25, 0.25]
    assert [ms_of(use(64), counted) for counted in UseScope] == [259.5, 4.25, 0.25]


def test_the_best_of_the_processor_is_verified_of_the_processor_and_in_float32() -> None:
    results = [cpu(64, 5.0), cpu(64, 3.0, "cpu.numpy"), cpu(64, 0.1, status=Status.WRONG), cpu(64, 0.2, "gpu.tiled"), cpu(32, 9.0)]
    best = best_cpu([*results, cpu(64, 0.3, "cpu.amx")])
    assert {problem.n: (each.result.point.variant_id, each.ms) for problem, each in best.items()} == {
        64: ("cpu.numpy", 3.0),
        32: ("cpu.naive", 9.0),
    }


def best(*ms: float) -> dict[Problem, BestCpu]:
    return best_cpu([cpu(n, each) for n, each in zip(SIZES, ms, strict=True)])


@pytest.mark.parametrize(
    ("ms", "found"),
    [
        ((0.25 / 4, 1.0, 4.0, 16.0), Crossover(UseScope.KERNEL, 128, 256, 181)),
        ((0.25, 1.0, 4.0, 16.0), Crossover(UseScope.KERNEL, 128, 256, 128)),
        ((1.0, 0.1, 4.0, 16.0), Crossover(UseScope.KERNEL, 256, 512, 304)),
        ((1.0, 1.0, 4.0, 16.0), Crossover(UseScope.KERNEL, None, 128, None)),
        ((1.0, 1.0, 4.0, 0.1), Crossover(UseScope.KERNEL, 1024, None, None)),
    ],
)
def test_the_gpu_wins_from_where_it_wins_at_every_larger_size(ms: tuple[float, ...], found: Crossover) -> None:
    assert crossover([use(n) for n in reversed(SIZES)], best(*ms), UseScope.KERNEL) == found


def test_what_is_not_timed_on_both_has_no_part_in_it() -> None:
    few = {problem: each for problem, each in best(0.1, 1.0, 4.0, 16.0).items() if problem.n != 256}
    assert crossover([use(n) for n in SIZES], few, UseScope.KERNEL) == Crossover(UseScope.KERNEL, 128, 512, 181)
    assert crossover([use(n) for n in SIZES], {}, UseScope.KERNEL) is None


def test_each_outcome_has_its_sentence() -> None:
    texts = [str(crossover_text(Crossover(UseScope.KERNEL, *each))) for each in ((128, 256, 181), (None, 128, None), (1024, None, None))]
    assert texts == [
        "Kernel alone: the GPU is faster from about n = 181 on, between 128 and 256.",
        "Kernel alone: the GPU is faster at every size, from n = 128 on.",
        "Kernel alone: the GPU is slower up to n = 1024.",
    ]


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("kernels.gpu.process.probe_gpu", lambda: READY)
    monkeypatch.setattr("app.cli.transfers.machine_conditions", lambda _version: {"processor": "P"})
    monkeypatch.setattr("app.cli.transfers.processor_name", lambda: "P")
    monkeypatch.setattr("app.cli.transfers.recorded_uses", lambda: tuple(use(n) for n in SIZES))
    monkeypatch.setattr("app.cli.transfers.recorded_cpu", lambda: [cpu(n, 1.0) for n in SIZES])

    def measured(_status: DeviceStatus, point: Case, _check: object, *, pinned: bool) -> UseTimes:
        if point.problem.n == 200:
            raise RunFailed(message("The GPU was not done."))
        return use(point.problem.n, pinned=pinned)

    monkeypatch.setattr("app.cli.transfers.measure_use", measured)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def kept(line: CommandLine) -> ResultStore:
    return ResultStore.open(next(line.home.rglob("*.sqlite*"), line.home / "none"))


def test_measured_phases_are_shown_kept_and_compared_with_what_the_store_has(tilescope: CommandLine) -> None:
    assert tilescope("transfers", "gpu.tiled", "--n", "128,256", "--pinned").status == 0
    store = kept(tilescope)
    assert [(each.point.problem.n, each.pinned, each.conditions["processor"]) for each in store.uses()] == [
        (128, True, "P"),
        (256, True, "P"),
    ]
    for n, ms in ((128, 0.1), (256, 300.0)):
        store.append(replace(cpu(n, ms), conditions={"processor": "P"}))
    store.close()
    answer = tilescope("transfers", "gpu.tiled", "--n", "128,256", "--json")
    assert [each["n"] for each in answer.json["uses"]] == [128, 256]
    assert answer.json["recorded"] is False
    assert {each["counted"]: (each["loses_at"], each["wins_at"]) for each in answer.json["crossovers"]} == {
        "first_use": (128, 256), "each_time": (128, 256), "kernel": (128, 256),
    }  # fmt: skip
    table = tilescope("transfers", "gpu.tiled", "--n", "128,256").out
    assert "Create the context" in table
    assert "300 (cpu.naive)" in table
    assert "Kernel alone: the GPU is faster from about" in table


def test_a_phase_that_did_not_arise_is_a_dash_beside_one_that_did_and_else_left_out(
    tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "First launch" not in tilescope("transfers", "gpu.tiled", "--n", "128,256").out

    def longer(_status: DeviceStatus, point: Case, _check: object, *, pinned: bool) -> UseTimes:
        found, first_ms = use(point.problem.n, pinned=pinned), 0.5 if point.problem.n == 128 else 0.0
        return replace(found, times_ms={**found.times_ms, UsePart.FIRST_LAUNCH: (first_ms,)})

    monkeypatch.setattr("app.cli.transfers.measure_use", longer)
    lines = tilescope("transfers", "gpu.tiled", "--n", "128,256").out.splitlines()
    assert next(line for line in lines if line.startswith("First launch")).split()[-2:] == ["0.500", "–"]


@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_uses_can_be_written_to_a_file(tilescope: CommandLine, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"uses{ending}"
    assert tilescope("transfers", "gpu.tiled", "--n", "128,256", "--out", str(file)).status == 0
    text = file.read_text(encoding="utf-8")
    rows = json.loads(text) if ending == ".json" else list(csv.DictReader(text.splitlines()))
    assert [int(row["n"]) for row in rows] == [128, 256]
    assert [float(row["each_time_ms"]) for row in rows] == [4.25, 4.25]
    assert "must end in .csv / .json" in tilescope.refused("transfers", "gpu.tiled", "--n", "128", "--out", "uses.txt")


def test_a_history_that_was_begun_before_takes_uses_and_never_changes_them(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    ResultStore.open(path).close()
    with closing(sqlite3.connect(path)) as earlier:
        earlier.execute("DROP TABLE phases")
    store = ResultStore.open(path)
    assert store.notice is None
    store.append_use(use(64))
    store.close()
    with closing(sqlite3.connect(path)) as other:
        for change in ("UPDATE phases SET record = ''", "DELETE FROM phases"):
            with pytest.raises(sqlite3.IntegrityError, match="results are never"):
                other.execute(change)
    again = ResultStore.open(path)
    assert again.uses() == [use(64)]
    again.close()


def test_a_size_that_fails_is_told_and_the_others_go_on(tilescope: CommandLine) -> None:
    answer = tilescope("transfers", "gpu.tiled", "--n", "128,200,256", "--json")
    assert (answer.status, answer.err) == (1, "n = 200: The GPU was not done.\n")
    assert [each["n"] for each in answer.json["uses"]] == [128, 256]


def test_without_a_gpu_what_was_recorded_is_shown(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.gpu.process.probe_gpu", lambda: ABSENT)
    answer = tilescope("transfers", "gpu.tiled", "--n", "128,300", "--json")
    assert answer.status == 0
    assert answer.err.splitlines() == ["No NVIDIA GPU found.", "Recorded on Toy GPU, 2026-11-21.", "Not recorded at n = 300."]
    assert answer.json["recorded"] is True
    assert json.dumps(answer.json["cpu"]) == '[{"n": 128, "id": "cpu.naive", "parameters": {}, "ms": 1.0}]'


@pytest.mark.parametrize(("asked", "told"), [
    (("gpu.tiled",), "gpu.tiled was recorded at n = 128, 256, 512, 1024 only."),
    (("gpu.tiled", "--tile", "8"), "gpu.tiled was recorded with tile = 16 only."),
    (("gpu.naive",), "No use of gpu.naive was recorded; those of gpu.tiled were."),
])  # fmt: skip
def test_without_a_gpu_the_refusal_says_what_was_recorded(
    tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], told: str
) -> None:
    monkeypatch.setattr("kernels.gpu.process.probe_gpu", lambda: ABSENT)
    refusal = tilescope.refused("transfers", *asked, "--n", "300")
    assert told in refusal
    assert "No NVIDIA GPU found." in refusal


@pytest.mark.parametrize("variant", ["cpu.naive", "gpu.hello", "mpi.rows"])
def test_what_moves_nothing_to_a_gpu_is_refused(tilescope: CommandLine, variant: str) -> None:
    assert "moves nothing to a GPU" in tilescope.refused("transfers", variant, "--n", "64")
