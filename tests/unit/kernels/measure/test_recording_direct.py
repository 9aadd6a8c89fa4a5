"""The runner of long recordings: large inputs are pinned once for all kernels, and of a large output only what is verified is fetched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from recording import direct

from kernels.base.arrays import Matrix, never
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.reference import random_inputs, verified_rows
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.gpu.process import usable
from kernels.measure.runner import RunFailed

POINT = Case("gpu.transpose-copy", Problem.square(Operation.TRANSPOSE, 300), {})
STATUS = DeviceStatus(Device.GPU, Availability.READY, "GPU", details={"compute_capability": "9.0"})


class FakeExecution:
    """Matrices in main memory; the kernel copies."""

    def __init__(self, point: Case) -> None:
        self.arrays = {name: np.zeros(shape, np.float32) for name, shape in point.problem.shapes.items()}
        self.fetched: list[tuple[int, int]] = []

    def fill(self, name: str, first: int, rows: Matrix) -> None:
        self.arrays[name][first : first + len(rows)] = rows

    def sample(self) -> float:
        self.arrays["C"][...] = self.arrays["A"]
        return 1.0

    def output(self, first: int, last: int) -> Matrix:
        self.fetched.append((first, last))
        return self.arrays["C"][first:last]


class FakeExecutor:
    def __init__(self, _status: DeviceStatus) -> None:
        self.launched: list[str] = []

    @contextmanager
    def prepare(self, point: Case) -> Iterator[FakeExecution]:
        yield FakeExecution(point)

    def launcher(self, point: Case) -> None:
        self.launched.append(point.variant_id)
        if point.variant_id == "gpu.naive":
            raise RunFailed(message("It does not compile."))


class FakeDriver:
    """What is pinned, by address."""

    class CUDARuntimeError(RuntimeError):
        """As CuPy's."""

    def __init__(self) -> None:
        self.pinned: list[int] = []
        self.broken = False

    def hostRegister(self, address: int, _size: int, _flags: int) -> None:  # CuPy's name
        if self.broken:
            raise self.CUDARuntimeError("not allowed")
        self.pinned.append(address)

    def hostUnregister(self, address: int) -> None:  # CuPy's name
        self.pinned.remove(address)

    def deviceSynchronize(self) -> None:  # CuPy's name
        if self.broken:
            raise self.CUDARuntimeError("an illegal memory access was encountered")


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    cuda = ModuleType("cupy.cuda")
    made = FakeDriver()
    vars(cuda).update(runtime=made, Device=lambda _number: SimpleNamespace(use=lambda: None))
    monkeypatch.setitem(sys.modules, "cupy", ModuleType("cupy"))
    monkeypatch.setitem(sys.modules, "cupy.cuda", cuda)
    monkeypatch.setattr(direct, "Executor", FakeExecutor)
    monkeypatch.setattr(direct, "PINNED_BYTES", 1000)
    return made


def test_inputs_are_pinned_once_and_let_go_when_others_come(driver: FakeDriver) -> None:
    runner = direct.DirectRunner(STATUS, 0)
    first, other = random_inputs(POINT.problem, 0), random_inputs(POINT.problem, 1)
    for inputs in (first, first, other):
        with runner.prepare(POINT, inputs, never):
            assert driver.pinned == [inputs["A"].ctypes.data]


def test_small_inputs_are_not_pinned(driver: FakeDriver) -> None:
    small = Problem.square(Operation.TRANSPOSE, 4)
    with direct.DirectRunner(STATUS, 0).prepare(Case(POINT.variant_id, small, {}), random_inputs(small, 0), never):
        assert driver.pinned == []


@pytest.mark.parametrize("largest", [1 << 26, 1000])
def test_of_a_large_output_the_rows_that_are_verified_are_fetched(
    driver: FakeDriver, monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    monkeypatch.setattr("kernels.base.reference.WHOLE_ELEMENTS", largest)
    inputs, rows = random_inputs(POINT.problem, 0), verified_rows(POINT.problem, 0)
    with direct.DirectRunner(STATUS, 0).prepare(POINT, inputs, never) as run:
        assert run.sample(never) == 1.0
        output = run.output()
        fetched = run.execution.fetched  # type: ignore[attr-defined]
    assert output.shape == (300, 300)
    compared = slice(None) if rows is None else rows
    np.testing.assert_array_equal(output[compared], inputs["A"][compared])
    assert fetched == ([(0, 300)] if rows is None else [(row, row + 1) for row in rows.tolist()])


def test_all_kernels_are_compiled_also_where_one_does_not(driver: FakeDriver) -> None:
    runner = direct.DirectRunner(STATUS, 0)
    names = ["gpu.naive", "gpu.tiled", "gpu.coalesced-bt"]
    runner.compile([Case(name, Problem.square(Operation.MATMUL, 64), {}) for name in names])
    assert sorted(runner._executor.launched) == sorted(names)  # type: ignore[attr-defined]


def test_a_gpu_is_usable_until_the_driver_says_otherwise(driver: FakeDriver) -> None:
    assert usable()
    driver.broken = True
    assert not usable()
