"""`tilescope sweep`: variants over sizes and parameters, as a table in a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from app.cli.base.console import Console
from app.cli.base.errors import FAILED_VERIFICATION, INTERRUPTED, Refused, require
from app.cli.base.measurement import Statuses, measure, probe_all
from app.cli.base.options import SIZES, VARIANTS_MEANT, measuring_options
from app.cli.base.parser import Group
from app.cli.base.request import out_file, probe, protocol_of, refuse_point, require_device, settings_of, sweep_points, variant_named
from app.cli.base.selection import selection_of, without_missing
from app.cli.base.sentences import progress_text
from app.core.base.files.atomic_write import write_whole
from app.core.base.parsing import shown
from app.core.results.measuring import Progress
from app.core.results.quantities import Baseline, Rung, Smallest
from app.core.results.relative_times import Derived, Peak, derive
from app.core.session.session import SIZE_AXIS
from app.core.tuning.sentences import settings_text
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.disturbance_sentences import disturbance, scatter
from kernels.measure.export import csv_text, json_text, result_object
from kernels.measure.results import Result

T = TypeVar("T")
Format = Callable[[Sequence[Result], Callable[[Message], str], Sequence[Mapping[str, object]]], str]
FORMATS: dict[str, Format] = {".csv": csv_text, ".json": json_text}
OPTION = "--baseline"
_NAMED = 6
"""Variants that a refusal names at most."""
_PEAK = "kernels.jit.peak"
_TITLES = {
    "percent_of_library": message("% of library"),
    "percent_of_peak": message("% of peak"),
    "speed_up": message("Speed-up"),
    "efficiency_percent": message("Efficiency %"),
    "growth": message("Growth"),
    "expected_growth": message("Expected"),
}


def add_options(group: Group) -> None:
    """Add variants over sizes or parameters."""
    group.option("variants", "VARIANT", VARIANTS_MEANT, nargs="+")
    group.option("--n", "SIZES", SIZES, required=True)
    group.option("--out", "FILE", message("the table's file, .csv or .json"), required=True)
    group.option("--baseline", "BASELINE", message(
        "what speed-ups are over: a variant of the sweep, such as {variant}, or a parameter, for its smallest value",
        variant="cpu.numpy,threads=1",
    ))  # fmt: skip
    measuring_options(group, lists=True)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Measure all points and write the file. When interrupted, the file has the points that were finished, if there are any."""
    path, write = out_file(options.out, FORMATS)
    selection = selection_of(options.variants)
    variants, left_out = without_missing(selection, probe)
    points = sweep_points(options, variants)
    baseline = baseline_of(options.baseline, points)
    protocol = protocol_of(options)
    statuses = probe_all(points, console)
    _require_possible(points, statuses)
    for notice in left_out:
        console.tell(console.text(notice))
    outcome = measure(points, statuses, protocol, console, _Reporter(len(points), console))
    if outcome.results:
        derived = derive(outcome.results, baseline, peaks())
        compared = [as_object(each, console) for each in derived]
        require(write_whole(path, write(outcome.results, console.text, compared)))
        if options.json:
            pairs = zip(outcome.results, compared, strict=True)
            console.print_json([result_object(result, console.text) | each for result, each in pairs])
        else:
            _print(outcome.results, derived, console)
    if outcome.interrupted:
        kept = len(outcome.results)
        console.tell(console.text(message("Cancelled. {kept} of {total} points are kept.", kept=kept, total=len(points))))
        return INTERRUPTED
    return FAILED_VERIFICATION if outcome.failed else 0


class _Reporter:
    """A report of each finished point on standard error."""

    def __init__(self, total: int, console: Console) -> None:
        self._total = total
        self._console = console
        self._done = 0

    def __call__(self, results: Sequence[Result], progress: Progress) -> None:
        for result in results:
            self._done += 1
            self._console.tell(self._console.text(progress_text(result, self._done, self._total, progress.seconds_left)))


def _require_possible(points: Sequence[Case], statuses: Statuses) -> None:
    """A point that cannot work is part of the result, with its reason; only a sweep of nothing else is refused."""
    reasons = [refuse_point(point, statuses[point.variant.device]) for point in points]
    if all(reasons):
        require(reasons[0])
    for point in points:
        require_device(point.variant, statuses[point.variant.device])


def _print(results: Sequence[Result], derived: Sequence[Derived], console: Console) -> None:
    """A line for each result, with its comparisons; then why some could not be made."""
    rate = message("GFLOP/s") if results[0].point.problem.operation is Operation.MATMUL else message("GB/s")
    compared, numbers = as_columns(derived, console)
    titles = [console.text(title) for title in (message("Variant"), message("Parameters"), message("n"), message("ms"), rate)]
    rows = [[*titles, *compared, ""]]
    for result, comparisons in zip(results, numbers, strict=True):
        notes = (result.reason, disturbance(result.conditions), scatter(result.conditions))
        said = "; ".join(console.text(note) for note in notes if note is not None)
        rows.append([*_cells(result, console), *comparisons, said])
    console.print_rows(rows)
    for reason in reasons_of(derived):
        console.print(console.text(reason))


def _cells(result: Result, console: Console) -> list[str]:
    number, timed = console.translator.number, result.verified
    times = [number(value) if timed and value is not None else "" for value in (result.median_ms, result.rate)]
    return [result.point.variant_id, settings_text(result.point), number(result.point.problem.n), *times]


def baseline_of(text: str | None, points: Sequence[Case]) -> Baseline | None:
    """Understand what `--baseline` names: a parameter's smallest value, `n`, or a variant with values such as `cpu.numpy,threads=1`."""
    if text is None:
        return None
    name, *settings = [term.strip() for term in text.split(",")]
    known = {SIZE_AXIS, *(parameter for point in points for parameter in point.parameters)}
    if name in known and not settings:
        return Smallest(name)
    if find(name) is None and "." not in name:  # what looks like an id has a closest one
        raise Refused(_no_baseline(name, points, sorted(known)))
    variant = variant_named(name)
    if not any(point.variant_id == variant.id for point in points):
        raise Refused(message("{name}: {variant} is not among what is measured.", name=OPTION, variant=variant.id))
    return Rung(variant.id, settings_of(OPTION, variant, settings))


def _no_baseline(text: str, points: Sequence[Case], parameters: Sequence[str]) -> Message:
    ids = list(dict.fromkeys(point.variant_id for point in points))
    variants = ", ".join(ids[:_NAMED]) + (", …" if len(ids) > _NAMED else "")
    return message(
        "{name}: '{text}' is neither a variant of the sweep ({variants}) nor what varies in it ({parameters}).",
        name=OPTION, text=shown(text), variants=variants, parameters=", ".join(parameters),
    )  # fmt: skip


def peaks() -> Peak:
    """The most GFLOP/s that the processor has for as many threads as a point uses, measured once for each number of them."""
    measure = cache(_measured_peak)
    return lambda point: measure(point.parameters.get("threads", 1)) if point.variant.device is Device.CPU else None


def _measured_peak(threads: int) -> float | None:
    if find_spec(_PEAK) is None:
        return None
    return float(import_module(_PEAK).peak_gflops(threads).gflops)


def as_columns(derived: Sequence[Derived], console: Console) -> tuple[list[str], list[list[str]]]:
    """The titles of the comparisons that some result has, and each result's numbers."""
    used = [name for name in _TITLES if any(each.numbers[name] is not None for each in derived)]
    number = console.translator.number
    rows = [["" if (value := each.numbers[name]) is None else number(value) for name in used] for each in derived]
    return [console.text(_TITLES[name]) for name in used], rows


def as_object(derived: Derived, console: Console) -> dict[str, object]:
    """List all comparisons by name, with the reasons of those that were asked for in vain."""
    reasons = {name: console.text(reason) for name, reason in derived.reasons.items()}
    return {**derived.numbers, "not_compared": reasons}


def reasons_of(derived: Sequence[Derived]) -> list[Message]:
    """List each reason once."""
    return list(dict.fromkeys(reason for each in derived for reason in each.reasons.values()))
