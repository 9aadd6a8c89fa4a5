"""Lesson metrics of CPU kernels: counts of a model of the caches, and how the work is shared out to threads.

Threads take turns in the model, and every step takes as long as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.core.lesson_metrics.metric import Metric, Value
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.cachesim.count import Counts, LevelCounts, MissCount, count, refuse_count
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue.case import Case
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.jit.thread_times import imbalance

CacheCount = Callable[[Counts, Metric], Value | Message]


def count_in_caches(metric: Metric) -> Value | Message:
    """Return a lesson metric about caches: `preset`, `level` (the nearest where none is named) and `array` choose what is counted."""
    setting = metric.of
    counts = refuse_count(setting.variant) or count(
        setting.variant, setting.problem, setting.parameters, preset(metric.text("preset", SCALED)), classified=metric.count in KINDS
    )
    return counts if isinstance(counts, Message) else CACHE_COUNTS[metric.count](counts, metric)


def _of_misses(name: str) -> CacheCount:
    def found(counts: Counts, metric: Metric) -> Value | Message:
        level = _level(counts, metric)
        if isinstance(level, Message):
            return level
        array = metric.text("array")
        missed = level.arrays.get(array, MissCount()) if array else level.total
        return float(getattr(missed, name))

    return found


def _of_kind(name: str) -> CacheCount:
    def found(counts: Counts, metric: Metric) -> Value | Message:
        level = _level(counts, metric)
        if isinstance(level, Message):
            return level
        return (
            message("The misses of {level} are not told apart.", level=level.level.name)
            if level.kinds is None
            else float(getattr(level.kinds, name))
        )

    return found


def _of_level(name: str) -> CacheCount:
    """What a level is like, whatever goes through it."""

    def found(counts: Counts, metric: Metric) -> Value | Message:
        level = _level(counts, metric)
        return level if isinstance(level, Message) else float(getattr(level.level, name))

    return found


KINDS: Mapping[str, CacheCount] = {name: _of_kind(name) for name in ("compulsory", "capacity", "conflict")}
CACHE_COUNTS: Mapping[str, CacheCount] = {
    **{name: _of_misses(name) for name in ("accesses", "misses", "reads", "writes", "read_misses", "write_misses")},
    **KINDS,
    "cache_bytes": _of_level("size"),
    "line_bytes": _of_level("line"),
    "sets": _of_level("sets"),
}


def _level(counts: Counts, metric: Metric) -> LevelCounts | Message:
    name = metric.text("level")
    if not name:
        return counts.levels[0]
    found = next((level for level in counts.levels if level.level.name == name), None)
    return found or message("There is no cache {level} here.", level=name)


TeamCount = Callable[[Trace, Metric], Value | Message]
SEED = 0
KEPT = 4


def count_of_team(metric: Metric) -> Value | Message:
    """Return a lesson metric about threads. `thread` chooses one; chunks are those of the last loop that is shared out."""
    setting = metric.of
    threads = setting.parameters.get("threads", 1)
    if setting.variant.device is not Device.CPU or "threads" not in setting.variant.features:
        return message("{variant} does not share its work out to threads.", variant=setting.variant.id)
    if metric.number("thread") >= threads:
        return message("There are {threads} threads, from 0 on.", threads=threads)
    executed = _execution(setting)
    return executed if isinstance(executed, Message) else TEAM_COUNTS[metric.count](executed, metric)


@lru_cache(maxsize=KEPT)
def _execution(setting: Case) -> Trace | Message:
    try:
        return trace(setting.variant, setting.problem, setting.parameters, SEED)
    except TraceTooLarge as refused:
        return refused.reason


def _steps(executed: Trace) -> npt.NDArray[np.int64]:
    """Return the number of steps by thread."""
    return np.bincount(executed.threads, minlength=executed.parameters["threads"])


def _lengths(executed: Trace, metric: Metric) -> npt.NDArray[np.int64]:
    """Iterations of each chunk."""
    thread, loop, first, last = executed.chunks.T
    chosen = (loop == loop.max(initial=0)) & (thread == metric.number("thread", -1) if "thread" in dict(metric.options) else True)
    lengths: npt.NDArray[np.int64] = (last - first)[chosen]
    return lengths


def _share(executed: Trace, metric: Metric) -> Value:
    """Return the share of one thread in all steps."""
    steps = _steps(executed)
    return float(steps[int(metric.number("thread"))] / steps.sum())


TEAM_COUNTS: Mapping[str, TeamCount] = {
    "chunks": lambda executed, metric: float(_lengths(executed, metric).size),
    "iterations": lambda executed, metric: float(_lengths(executed, metric).sum()),
    "largest_chunk": lambda executed, metric: float(_lengths(executed, metric).max(initial=0)),
    "imbalance": lambda executed, _fact: imbalance(_steps(executed).tolist()),
    "share": _share,
}
