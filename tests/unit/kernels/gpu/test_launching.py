"""Launches: one after the other, or one that waits by itself for what runs before it."""

from __future__ import annotations

import ctypes
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.gpu import launching


class Driver:
    """Remembers what the driver's library and CuPy's binding were called with; `status` is what the library answers."""

    def __init__(self, status: int = 0) -> None:
        self.status = status
        self.plain: list[tuple[int, ...]] = []
        self.early: list[tuple[Any, ...]] = []

    def launchKernel(self, *arguments: int) -> None:
        self.plain.append(arguments)

    def cuLaunchKernelEx(self, configuration: Any, function: Any, arguments: Any, extra: None) -> int:
        taken = configuration._obj
        attribute = taken.attributes.contents
        sizes = tuple(getattr(taken, name) for name, _ in taken._fields_[:8])
        self.early.append((function.value, sizes, (attribute.id, attribute.value[0], taken.count), arguments.value, extra))
        return self.status


class Refused(Exception):
    """The driver's error."""


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    made = Driver()
    cuda, cupy = ModuleType("cupy.cuda"), ModuleType("cupy")
    cuda.driver = SimpleNamespace(launchKernel=made.launchKernel, CUDADriverError=Refused)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setitem(sys.modules, "cupy.cuda", cuda)
    monkeypatch.setattr(launching, "_driver", lambda: made)
    return made


def test_a_launch_takes_its_turn_in_the_stream(driver: Driver) -> None:
    launching.enqueue(7, (3, 2), (32, 1), 1024, 5, 99, early=False)
    assert driver.plain == [(7, 3, 2, 1, 32, 1, 1, 1024, 5, 99, 0)]
    assert not driver.early


def test_one_that_waits_by_itself_is_launched_while_the_kernel_before_runs(driver: Driver) -> None:
    launching.enqueue(7, (3, 2), (32, 1), 1024, 5, 99, early=True)
    assert driver.early == [(7, (3, 2, 1, 32, 1, 1, 1024, 5), (6, 1, 1), 99, None)]
    assert not driver.plain


def test_what_the_driver_refuses_is_raised(driver: Driver) -> None:
    driver.status = 1
    with pytest.raises(Refused):
        launching.enqueue(7, (1, 1), (32, 1), 0, 5, 99, early=True)


def test_the_configuration_lies_as_the_driver_has_it() -> None:
    """Sizes and offsets of CUlaunchConfig and CUlaunchAttribute on a machine of 64 bits, by cuda.h."""
    assert ctypes.sizeof(launching._Attribute) == 72
    assert ctypes.sizeof(launching._Configuration) == 56
    assert launching._Configuration.stream.offset == 32


WAIT = 'asm volatile("griddepcontrol.wait;" ::: "memory");'


def test_a_kernel_waits_by_an_instruction_of_its_own_and_not_by_a_comment() -> None:
    text = f"__global__ void one(int* x) {{ {WAIT} }}\ntemplate <int N> __global__ void two(int* x) {{ x[0] = N; }}\n"
    assert launching.waits(text, "one")
    assert not launching.waits(text, "two<3>")
    assert launching.waits(text.replace("x[0] = N;", WAIT), "two<3>")
    assert not launching.waits(text.replace(WAIT, f"// {WAIT}\n/* griddepcontrol.wait\n */ int y;"), "one")


def test_rungs_that_wait_have_a_kernel_before_that_lets_them_begin() -> None:
    """The text of split k is that of the fitted tile, and waits for whatever comes before."""
    waiting = [each for each in VARIANTS if each.source.endswith(".cu") and launching.waits(each.source_text, each.entry)]
    assert {variant.id for variant in waiting} == {"gpu.split-k", "gpu.fitted", "gpu.wgmma-clusters-bf16"}
    assert launching.waits(by_id("gpu.fitted").source_text, "set_up")
    for variant in (each for each in waiting if each.id != "gpu.split-k"):
        code = launching._COMMENT.sub("", variant.source_text)
        assert code.index("griddepcontrol.launch_dependents") < code.index("griddepcontrol.wait")
        assert variant.launch is not None
        assert variant.launch(Problem.square(Operation.MATMUL, 4096), variant.defaults).before is not None
