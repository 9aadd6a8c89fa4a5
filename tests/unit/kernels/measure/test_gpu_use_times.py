"""The phases of one use of the GPU: in what order they are timed, what is refused, how they are written down and compared."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from kernels.base.arrays import Matrix
from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.gpu import gpu_use
from kernels.gpu.gpu_use import multiplied_right, use_here
from kernels.gpu.process import GpuProcess, measure_use
from kernels.measure.gpu_use_times import UsePart, UseTimes, load_uses, uses_text
from kernels.measure.runner import RunFailed
from tests.devices.gpu_toy import READY, ToyService

MULTIPLICATION = Case("gpu.tiled", Problem.of(Operation.MATMUL, 24, 20, 28), {"tile": 16})
TRANSPOSITION = Case("gpu.transpose-global", Problem.of(Operation.TRANSPOSE, 24, 20, 0), {"tile": 16, "rows": 0})
LIBRARY = Case("gpu.cublas", Problem.square(Operation.MATMUL, 20), {})
Kernel = Callable[[dict[str, Matrix]], None]


def multiply(arrays: dict[str, Matrix]) -> None:
    np.matmul(arrays["A"], arrays["B"], out=arrays["C"])


def transpose(arrays: dict[str, Matrix]) -> None:
    arrays["C"][...] = arrays["A"].T


class OnHost:
    """What CuPy's array is to the phases: memory with an address."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.matrix = np.full(shape, np.nan, np.float32)
        self.data = SimpleNamespace(ptr=self.matrix.ctypes.data)


class ToyExecution:
    def __init__(self, launch: Callable[[object], None], arrays: dict[str, OnHost], *_: object) -> None:
        self.launch, self.arrays = launch, arrays

    def poison(self) -> None:
        self.arrays["C"].matrix.fill(np.nan)

    def sample(self) -> float:
        return 0.5

    def conditions(self) -> dict[str, str | int | float]:
        return {"launches_per_sample": 2}


class ToyGpu:
    """Puts NumPy in the place of everything that touches a GPU, and notes the first calls in their order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> None:
        self.calls: list[str] = []
        runtime = ModuleType("cupy.cuda.runtime")
        values = {
            "deviceSynchronize": lambda: None, "getDeviceCount": lambda: self.note("driver"), "free": lambda _at: self.note("context"),
            "memcpyHostToDevice": 1, "memcpyDeviceToHost": 2, "memcpy": self.memcpy,
        }  # fmt: skip
        cuda = ModuleType("cupy.cuda")
        for name, value in values.items():
            setattr(runtime, name, value)
        cuda.runtime, cuda.alloc_pinned_memory = runtime, self.pin  # type: ignore[attr-defined]
        for name, module in {"cupy": ModuleType("cupy"), "cupy.cuda": cuda, "cupy.cuda.runtime": runtime}.items():
            monkeypatch.setitem(sys.modules, name, module)

        def launch(arrays: dict[str, OnHost]) -> None:
            self.note("launch")
            kernel({name: array.matrix for name, array in arrays.items()})

        def launcher(_executor: object, _point: Case) -> tuple[object, dict[str, str]]:
            self.note("compile")
            return launch, {}

        def allocate(point: Case, arrays: dict[str, OnHost]) -> None:
            self.note("allocate")
            arrays.update({name: OnHost(shape) for name, shape in point.problem.shapes.items()})

        monkeypatch.setattr("kernels.gpu.execution.Executor.launcher", launcher)
        monkeypatch.setattr(gpu_use, "allocate", allocate)
        monkeypatch.setattr(gpu_use, "require_room", lambda _point: None)
        monkeypatch.setattr(gpu_use, "Execution", ToyExecution)

    def note(self, call: str) -> int:
        if call not in self.calls:
            self.calls.append(call)
        return 1

    def memcpy(self, to: int, source: int, size: int, kind: int) -> None:
        self.note({1: "send", 2: "fetch"}[kind])
        ctypes.memmove(to, source, size)

    def pin(self, size: int) -> bytearray:
        self.note("pin")
        return bytearray(size)


@pytest.mark.parametrize(
    ("point", "kernel", "compiled"),
    [
        (MULTIPLICATION, multiply, UsePart.COMPILE),
        (TRANSPOSITION, transpose, UsePart.COMPILE),
        (LIBRARY, multiply, UsePart.LIBRARY),
    ],
)
@pytest.mark.parametrize("pinned", [False, True])
def test_each_phase_is_timed_in_the_order_in_which_a_program_meets_it(
    monkeypatch: pytest.MonkeyPatch, point: Case, kernel: Kernel, compiled: UsePart, pinned: bool
) -> None:
    gpu = ToyGpu(monkeypatch, kernel)
    found = use_here(READY, point, pinned=pinned)
    pin = ["pin"] if pinned else []
    assert gpu.calls == ["driver", "context", "compile", *pin, "allocate", "send", "launch", "fetch"]
    wanted = set(UsePart) - {UsePart.LIBRARY, UsePart.COMPILE, UsePart.PIN} | {compiled} | ({UsePart.PIN} if pinned else set())
    assert set(found.times_ms) == wanted
    assert {phase for phase, times in found.times_ms.items() if len(times) > 1} == {
        UsePart.ALLOCATE, UsePart.TO_DEVICE, UsePart.KERNEL, UsePart.TO_HOST,
    }  # fmt: skip
    assert all(ms >= 0 for times in found.times_ms.values() for ms in times)
    assert (found.point, found.pinned, found.conditions["gpu"]) == (point, pinned, "Toy GPU")


def test_a_wrong_output_has_no_phases(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets(arrays: dict[str, Matrix]) -> None:
        multiply(arrays)
        arrays["C"][3, 4] = np.nan

    ToyGpu(monkeypatch, forgets)
    with pytest.raises(RunFailed, match="Wrong result"):
        use_here(READY, MULTIPLICATION, pinned=False)
    ToyGpu(monkeypatch, lambda _arrays: None)
    with pytest.raises(RunFailed, match="Wrong result"):
        use_here(READY, TRANSPOSITION, pinned=False)


@pytest.mark.parametrize("shape", [(1, 1, 1), (70, 33, 129), (5, 7, 0), (300, 2000, 40)])
def test_a_product_is_judged_by_a_test_vector(monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int, int]) -> None:
    monkeypatch.setattr(gpu_use, "ROWS", 64)
    point = replace(MULTIPLICATION, problem=Problem.of(Operation.MATMUL, *shape))
    host = random_inputs(point.problem, 1)
    host["C"] = host["A"] @ host["B"]
    assert multiplied_right(point, host).reason is None
    host["C"][-1, -1] += 0.01 * max(1, shape[2])
    assert multiplied_right(point, host).reason is not None


def times(n: int, **ms: tuple[float, ...]) -> UseTimes:
    point = Case("gpu.tiled", Problem.square(Operation.MATMUL, n), {"tile": 16})
    return UseTimes(
        point,
        pinned=False,
        created="2026-11-21T00:00:00+00:00",
        times_ms={UsePart(name): each for name, each in ms.items()},
        conditions={"gpu": "Toy GPU"},
    )


def test_the_first_time_and_the_later_ones_are_told_apart() -> None:
    one = times(64, context=(200.0,), allocate=(9.0, 1.0, 3.0, 2.0), to_device=(5.0, 4.0), kernel=(0.5, 0.25, 0.25), to_host=(3.0,))
    assert one.first_ms(UsePart.ALLOCATE) == 9.0
    assert one.later_ms(UsePart.ALLOCATE) == 2.0
    assert one.later_ms(UsePart.PIN) == 0.0
    assert one.kernel_ms == 0.25
    assert one.each_time_ms == 2.0 + 4.0 + 0.25 + 3.0
    assert one.first_use_ms == 200.0 + 9.0 + 5.0 + 0.5 + 3.0


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    all_of_them = (times(64, context=(200.0,), kernel=(0.5, 0.25)), times(128, kernel=(1.0,)))
    path = tmp_path / "phases.json"
    path.write_text(uses_text(all_of_them), encoding="utf-8")
    assert load_uses(path) == all_of_them


class ToyPhases(ToyService):
    """Answers with phases that tell which process took them."""

    def use(self, _status: object, point: Case, pinned: bool) -> UseTimes:
        import os

        if point.problem.n == 13:
            os._exit(139)
        return replace(times(point.problem.n, context=(float(os.getpid()),)), pinned=pinned)


def test_each_use_has_a_process_of_its_own_and_a_fault_is_told() -> None:
    def process() -> GpuProcess:
        return GpuProcess(answer=ToyPhases())

    found = [measure_use(READY, MULTIPLICATION, lambda: None, pinned=pinned, process=process) for pinned in (False, True)]
    assert [each.pinned for each in found] == [False, True]
    assert len({each.first_ms(UsePart.CONTEXT) for each in found}) == 2
    with pytest.raises(RunFailed, match="ended unexpectedly"):
        measure_use(READY, times(13).point, lambda: None, process=process)
