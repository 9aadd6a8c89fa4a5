"""Lesson metrics that are looked up: recorded times, counters and orders of printed lines, and times of published reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from app.core.lesson_metrics.metric import Metric, Value
from app.core.predictions.recorded_counters import recorded_counters
from app.core.results.gpu_uses import UseScope, best_cpu, crossover, ms_of, recorded_cpu, recorded_uses
from app.core.results.published import SOURCE, TABLE, load_published, recorded_files
from app.core.session.session import DEFAULT_PROFILE
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.measure.gpu_use_times import UsePart, UseTimes
from kernels.measure.print_orders import OrderProperties, Shape, properties_of, recorded
from kernels.measure.recording_file import load_recorded
from kernels.measure.results import Result

COUNTERS: Mapping[str, str] = {
    "counted_registers": "registers",
    "counted_occupancy": "occupancy",
    "counted_occupancy_limit": "occupancy_limit",
    "counted_load_requests": "global_load_requests",
    "counted_load_sectors": "global_load_sectors",
    "counted_l2_read_sectors": "l2_read_sectors",
    "counted_dram_read_bytes": "dram_read_bytes",
    "counted_shared_requests": "shared_load_requests",
    "counted_shared_wavefronts": "shared_load_wavefronts",
}
"""Counts by the names that the recording has for them; the occupancies are shares."""
SHARES = ("counted_occupancy", "counted_occupancy_limit")


def count_of_profiler(metric: Metric) -> Value | Message:
    """Return a lesson metric about a launch that was profiled: with its defaults, at the sizes that were recorded."""
    known, setting = recorded_counters(metric.text("profile", DEFAULT_PROFILE)), metric.of
    found = None if known is None else known.find(setting.variant.id, setting.problem, setting.parameters)
    value = None if found is None else found.get(COUNTERS[metric.count])
    if value is None:
        return message("No counters of {variant} at n = {n} were recorded.", variant=setting.variant.id, n=setting.problem.n)
    return float(value) / 100 if metric.count in SHARES else float(value)


HOLDS: Mapping[str, Callable[[OrderProperties], bool]] = {
    "runs": lambda order: order.complete,
    "runs_host_first": lambda order: order.host_first,
    "runs_warps_together": lambda order: order.warps_together,
    "runs_warps_in_order": lambda order: order.warps_in_order,
    "runs_blocks_together": lambda order: order.blocks_together,
    "runs_blocks_in_order": lambda order: order.blocks_in_order,
}
"""What may hold of a run; "runs" counts those in which every thread has its line."""


def count_orders(metric: Metric) -> Value | Message:
    """Return the number of recorded runs of which something holds."""
    known = recorded()
    runs = (
        () if known is None or metric.of.variant.operation is not Operation.HELLO else known.orders.get(Shape.of(metric.of.parameters), ())
    )
    if not runs:
        return message("No order of {variant} was recorded with these parameters.", variant=metric.of.variant.id)
    shape = Shape.of(metric.of.parameters)
    return float(sum(HOLDS[metric.count](properties_of(order, shape)) for order in runs))


Count = Callable[[Result], Value | Message]


def count_recorded(metric: Metric) -> Value | Message:
    """Return a lesson metric about a recording of this variant, problem and parameters."""
    setting = metric.of
    if metric.count in HOLDS:
        return count_orders(metric)
    if metric.count in COUNTERS:
        return count_of_profiler(metric)
    if metric.count == BEST_CPU:
        return _best_cpu(metric)
    if metric.count in USES or metric.count in CROSSOVERS:
        return _of_use(metric)
    found = next((r for r in _recorded() if r.point.problem == setting.problem and _is_of(r, metric)), None)
    if found is None:
        return message(
            "Nothing was recorded of {variant} at n = {n} with these parameters.", variant=setting.variant.id, n=setting.problem.n
        )
    return COUNTS[metric.count](found)


def count_published(metric: Metric) -> Value | Message:
    """Return a lesson metric about a published time: `report` names whose, `table` which of its tables."""
    report, table, setting = metric.text("report"), metric.text("table"), metric.of
    found = next(
        (
            result
            for result in load_published()
            if result.point.variant_id == setting.variant.id
            and result.point.problem == setting.problem
            and report in ("", result.conditions[SOURCE])
            and table in ("", str(result.conditions[TABLE]))
            and all(setting.parameters.get(name) == value for name, value in result.point.parameters.items())
        ),
        None,
    )
    if found is None:
        return message("No published time of {variant} at n = {n} is known.", variant=setting.variant.id, n=setting.problem.n)
    return COUNTS[metric.count](found)


def _time(result: Result) -> Value | Message:
    return result.median_ms if result.median_ms is not None else _without(result)


def _rate(result: Result) -> Value | Message:
    return result.rate if result.rate is not None else _without(result)


def _error(result: Result) -> Value | Message:
    return result.relative_error if result.relative_error is not None else _without(result)


def _allowed(result: Result) -> Value | Message:
    return result.allowed_error if result.allowed_error is not None else _without(result)


def _refused(result: Result) -> Value | Message:
    return float(not result.verified)


COUNTS: Mapping[str, Count] = {"ms": _time, "rate": _rate, "error": _error, "allowed_error": _allowed, "without_time": _refused}
USES: Mapping[str, Callable[[UseTimes], float]] = {
    "kernel_ms": lambda use: ms_of(use, UseScope.KERNEL),
    "each_use_ms": lambda use: ms_of(use, UseScope.EACH_TIME),
    "first_use_ms": lambda use: ms_of(use, UseScope.FIRST_USE),
    "context_ms": lambda use: use.first_ms(UsePart.CONTEXT),
    "compile_ms": lambda use: use.first_ms(UsePart.COMPILE),
    "allocate_ms": lambda use: use.later_ms(UsePart.ALLOCATE),
    "to_device_ms": lambda use: use.later_ms(UsePart.TO_DEVICE),
    "to_host_ms": lambda use: use.later_ms(UsePart.TO_HOST),
    "library_ms": lambda use: use.first_ms(UsePart.LIBRARY),
}
"""Of one use of the GPU, from pageable memory, or from pinned memory where `memory` is "pinned"."""
BEST_CPU = "best_cpu_ms"
CROSSOVERS = {
    "wins_from_each_use": UseScope.EACH_TIME,
    "wins_from_first_use": UseScope.FIRST_USE,
    "wins_from_kernel": UseScope.KERNEL,
}
"""The n from which on the GPU is faster than the processor beside it, counting each of these."""


def _best_cpu(metric: Metric) -> Value | Message:
    """The best time of the processor beside the GPU, of all its rungs."""
    best = best_cpu(recorded_cpu()).get(metric.of.problem)
    return message("Nothing was recorded of the processor at n = {n}.", n=metric.of.problem.n) if best is None else best.ms


def _of_use(metric: Metric) -> Value | Message:
    setting = metric.of
    pinned = metric.text("memory") == "pinned"
    uses = [use for use in recorded_uses() if use.point.variant_id == setting.variant.id and use.pinned is pinned]
    if metric.count in CROSSOVERS:
        found = crossover(uses, best_cpu(recorded_cpu()), CROSSOVERS[metric.count])
        if found is not None and found.wins_at is not None:
            return float(found.wins_at)
    of_size = next((use for use in uses if use.point.problem == setting.problem), None)
    if of_size is None or metric.count not in USES:
        return message("No use of {variant} at n = {n} was recorded.", variant=setting.variant.id, n=setting.problem.n)
    return USES[metric.count](of_size)


def _without(result: Result) -> Message:
    return result.reason or message("{variant} has no time at n = {n}.", variant=result.point.variant_id, n=result.point.problem.n)


def _is_of(result: Result, metric: Metric) -> bool:
    return result.point.variant_id == metric.of.variant.id and dict(result.point.parameters) == metric.of.parameters


@cache
def _recorded() -> tuple[Result, ...]:
    return tuple(_results())


def _results() -> Iterable[Result]:
    for path in recorded_files():
        yield from load_recorded(path)
