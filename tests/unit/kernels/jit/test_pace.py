"""How fast cores are just now, and that a core on which another machine works is told in the samples taken on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kernels.jit import pace as module
from kernels.jit.pace import Pace, pace
from kernels.measure.disturbance import Cause
from kernels.measure.watch import UNEVEN, Watch

affinity = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system has no way to keep a thread on a core")


@affinity
def test_the_pace_is_that_of_twice_as_many_products_in_twice_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = Pace()
    once = min(looked(1) for _ in range(20))
    monkeypatch.setattr(module, "ROUNDS", 2 * module.ROUNDS)
    assert 1.5 < min(looked(1) for _ in range(20)) / once < 2.5


@affinity
def test_who_looks_at_several_cores_may_afterwards_run_where_it_could() -> None:
    before = os.sched_getaffinity(0)
    assert Pace()(len(before)) > 0
    assert os.sched_getaffinity(0) == before


@affinity
@pytest.mark.parametrize(("flags", "told"), [("fpu hypervisor lahf_lm", True), ("fpu lahf_lm", False)])
def test_only_the_cores_of_a_virtual_machine_are_looked_at(flags: str, told: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text(f"flags\t\t: {flags}\n", encoding="utf-8")
    monkeypatch.setattr(module, "PROCESSORS", tmp_path / "cpuinfo")
    assert (pace() is not None) is told
    monkeypatch.setattr(module, "PROCESSORS", tmp_path / "none")
    assert pace() is None


def watching(*paces: float) -> Callable[[], frozenset[Cause]]:
    """Two looks each time, at these paces."""
    left = list(paces)
    watch = Watch(cores=64, pace=lambda _threads: left.pop(0))
    return lambda: watch.causes(watch.look(2), watch.look(2), 2)


@pytest.mark.parametrize("place", [0, 1])
def test_a_core_that_is_slower_than_the_fastest_was_is_taken_by_the_host(place: int) -> None:
    slow = [1.0, 1.0]
    slow[place] = 1.01 * UNEVEN
    causes = watching(1.0, 0.99 * UNEVEN, *slow, 1.0, 1.0)
    assert Cause.STEAL not in causes()
    assert Cause.STEAL in causes()
    assert Cause.STEAL not in causes()


def test_without_a_pace_nobody_is_suspected() -> None:
    watch = Watch(cores=64)
    assert Cause.STEAL not in watch.causes(watch.look(1), watch.look(1), 1)
