"""How fast cores are just now, and that a core on which another machine works is told in the samples taken on it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kernels.jit import pace as module
from kernels.jit.pace import Pace, pace
from kernels.measure.disturbance_sentences import Cause
from kernels.measure.disturbance_watch import UNEVEN, Reading, Watch
from kernels.measure.protocol import Protocol, Rule
from kernels.measure.samples import SHARED_S, Samples

affinity = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system has no way to keep a thread on a core")


@affinity
def test_a_look_at_several_cores_tells_the_slowest_and_each_stays_on_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looked = Pace(tmp_path)
    where: dict[int, list[tuple[int, set[int]]]] = {}
    monkeypatch.setattr(module, "FIRST_S", 0.0)
    cores = sorted(os.sched_getaffinity(0)) * 2
    took = {1: [5.0], 2: [3.0, 7.0]}

    def work(_rounds: int, _turns: int, _tries: int, arrived: int, threads: int, _meetings: int) -> float:
        where.setdefault(threads, []).append((arrived, os.sched_getaffinity(0)))
        return took[threads].pop() * 1e9

    monkeypatch.setattr(looked, "_work", work)
    monkeypatch.setattr(looked, "_cores", cores[:2])
    assert looked(1) == 5.0
    assert looked(2) == 7.0
    looked._others.shutdown()
    assert len({arrived for arrived, _ in where[2]}) == 1, "they wait for each other at one word"
    assert sorted(map(sorted, (on for _, on in where[2]))) == sorted([[core] for core in cores[:2]])
    assert (looked.fastest(1), looked.fastest(2)) == (5.0, 7.0)


@affinity
def test_threads_begin_together_and_none_waits_for_one_that_does_not_come() -> None:
    looked = Pace()
    arrived = np.zeros(1, np.int64)
    assert 0 < looked._part(arrived, 3) < 60
    assert arrived[0] == module.TRIES * (1 + module.MEETINGS // 3), "each try is begun anew, and lets nobody wait for what it leaves out"


@affinity
def test_threads_wait_for_each_other_as_often_as_they_are_told() -> None:
    """What such a wait costs is in the time: of threads on one core each lasts until the system changes them, or until patience ends."""
    looked, arrived = Pace(), np.zeros(1, np.int64)
    with ThreadPoolExecutor(2) as threads:
        for each in [threads.submit(looked._part, arrived, 2) for _ in range(2)]:
            assert 0 < each.result() < 60
    assert arrived[0] == module.TRIES * 2 * (1 + module.MEETINGS // 2)
    alone = looked._work(1, 1, 1, np.zeros(1, np.int64).ctypes.data, 1, 0)
    began = np.ones(1, np.int64)  # by another one, which comes to no meeting
    waited = looked._work(1, 1, 1, began.ctypes.data, 2, 4)
    assert waited > 10 * alone, "who comes to the beginning alone is waited for at each meeting"


def test_a_look_stores_into_each_line_and_multiplies_as_often_as_it_is_told() -> None:
    """Read from the text that runs: a round is one store into each line, however many a turn of the loop does."""
    text = module._text()
    stores = text.count("store volatile i32 1")
    assert f"mul i64 %rounds, {module.LINES}" in text
    assert f"add i64 %i, {stores}" in text
    assert text.count("fmul") == text.count("fadd") == module.SUMS * module.TERMS


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


class Told:
    """A pace that is told: these one after the other, then the last again and again."""

    def __init__(self, *paces: float) -> None:
        self._left, self._fastest = list(paces), float("inf")

    def __call__(self, threads: int) -> float:
        pace = self._left.pop(0) if len(self._left) > 1 else self._left[0]
        self._fastest = min(self._fastest, pace)
        return pace

    def fastest(self, threads: int) -> float:
        return self._fastest


class Quiet(Watch):
    """A watch of a machine on which nobody else works."""

    def look(self) -> Reading:
        return Reading(0.0, 0.0, 0.0, 0.0)

    def waits(self) -> dict[str, float]:
        return {}


@affinity
def test_the_fastest_look_is_known_to_later_processes_for_some_days(tmp_path: Path) -> None:
    first = Pace(tmp_path)
    assert first.fastest(1) == float("inf")
    first(1)
    assert module.FASTER * Pace(tmp_path).fastest(1) <= first.fastest(1) <= Pace(tmp_path).fastest(1) < 1.0
    (kept,) = tmp_path.glob("*/fastest-1")
    kept.write_text("1e-9", encoding="utf-8")
    later = Pace(tmp_path)
    assert Watch(pace=later).is_shared(later(1), 1)
    old = kept.stat().st_mtime - 1.01 * module.KEPT_S
    os.utime(kept, (old, old))
    assert Pace(tmp_path).fastest(1) == float("inf")
    kept.write_text("none", encoding="utf-8")
    assert Pace(tmp_path).fastest(1) == float("inf")


@pytest.mark.parametrize("place", [0, 1])
def test_a_sample_beside_a_look_that_is_slower_than_the_fastest_was_taken_by_the_host(place: int) -> None:
    paces = [0.99 * UNEVEN] * 6
    paces[place] = 1.01 * UNEVEN
    watch = Quiet(cores=64, pace=Told(*paces, 1.0))
    samples = Samples(Protocol(min_samples=4), watch, 2)
    samples.begin()
    for ms in (9.0, 8.0, 7.0, 6.0, 5.0):
        samples.add(lambda ms=ms: ms, lambda: 0.0)  # type: ignore[misc]
    assert samples.taken == 5, "no look was of a core that nobody else uses"
    samples.add(lambda: 4.0, lambda: 1.0)
    kept = (9.0, 8.0, 7.0, 6.0, 5.0, 4.0)[1 + place :]
    assert samples.times_ms == kept
    assert samples.conditions()["retaken_samples"] == 1 + place


def test_where_cores_stay_slow_the_host_is_named() -> None:
    samples = Samples(Protocol(), Quiet(cores=64, pace=Told(1.0, 1.5)), 1)
    samples.begin()
    for _ in range(10):
        samples.add(lambda: 1.0, lambda: 0.99 * SHARED_S)
    rules = [samples.rule]
    samples.add(lambda: 1.0, lambda: SHARED_S)
    assert [*rules, samples.rule] == [None, Rule.SPREAD], "it may go; it will hardly go"
    assert Cause.STEAL in str(samples.conditions()["disturbed_by"]).split(",")


def test_without_a_pace_nobody_is_suspected() -> None:
    watch = Watch(cores=64)
    assert watch.slowest(1) == 0.0
    assert not watch.is_shared(watch.slowest(1), 1)
