"""What is printed of figures: how they stand beside their limits and the last time, and their course."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.perf.benchmarks import Benchmark, Limit
from tests.perf.figures import Figure, shown
from tests.perf.history import Entry, Machine, newest

MISSED = "missed"


def rows(benchmark: Benchmark, figures: Sequence[Figure], entries: Sequence[Entry], machine: Machine) -> Iterator[str]:
    """A line for each figure: its name, value, limit, whether that is missed, the ratio to the last time, and the conditions."""
    names, units = (max(map(len, column)) for column in ([each.name for each in figures], [each.unit for each in figures]))
    for figure in figures:
        limit, before = benchmark.limit(figure), newest(entries, machine, benchmark.name, figure)
        ratio = "first time" if before is None else _ratio(figure.value, *before)
        held = f"{'' if limit is None else str(limit):>7} {_mark(limit, figure.value):6}"
        yield f"  {figure.name:{names}} {shown(figure.value):>8} {figure.unit:{units}} {held}  {ratio:<26}  {figure.conditions}"


def course(benchmark: Benchmark, entries: Sequence[Entry]) -> Iterator[str]:
    """Each figure with all that was kept of it, oldest first, whatever the machine."""
    kept = [(entry, figure) for entry in entries for figure in entry.figures.get(benchmark.name, ())]
    yield f"{benchmark.name}: {benchmark.measures}" + ("" if kept else "; nothing is kept of it yet")
    for name, unit, conditions in dict.fromkeys((figure.name, figure.unit, figure.conditions) for _, figure in kept):
        limit = benchmark.limit(Figure(name, 0.0, unit, conditions))
        yield f"{name}, {unit}{f' {limit}' if limit else ''} ({conditions})"
        for entry, figure in kept:
            if (figure.name, figure.unit, figure.conditions) == (name, unit, conditions):
                load = "unknown" if entry.load is None else f"{entry.load:.1f}"
                where = f"{entry.machine.processor}, {entry.machine.cores} cores, load {load}"
                yield f"  {entry.date[:10]} {entry.commit:10} {shown(figure.value):>8} {_mark(limit, figure.value):6}  {where}"


def _mark(limit: Limit | None, value: float) -> str:
    return MISSED if limit is not None and not limit.kept(value) else ""


def _ratio(value: float, entry: Entry, before: Figure) -> str:
    """What a value is of the one before; where that was nought there is no ratio."""
    of = f"{value / before.value:.2f} of" if before.value else f"{shown(before.value)} on"
    return f"{of} {entry.date[:10]} {entry.commit}"
