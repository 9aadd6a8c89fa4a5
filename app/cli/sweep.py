"""`tilescope sweep`: variants over sizes and parameters, as a table in a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from app.cli.comparison import as_columns, as_object, baseline_of, peaks, reasons_of
from app.cli.console import Console, aligned
from app.cli.measurement import Statuses, measure, probe_all
from app.cli.refusal import FAILED_VERIFICATION, INTERRUPTED, accept, require
from app.cli.request import probe, protocol_of, refuse_point, require_device, sweep_points
from app.cli.selection import selection_of, without_missing
from app.cli.sentences import parameters_text, progress_text
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import shown
from app.core.results.comparisons import Derived, derive
from app.core.results.measuring import Progress
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.measure.disturbance import disturbance, scatter
from kernels.measure.export import csv_text, json_text, result_object
from kernels.measure.results import Point, Result

T = TypeVar("T")
Format = Callable[[Sequence[Result], Callable[[Message], str], Sequence[Mapping[str, object]]], str]
FORMATS: dict[str, Format] = {".csv": csv_text, ".json": json_text}


def sweep(options: argparse.Namespace, console: Console) -> int:
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
    """Tells each finished point on standard error."""

    def __init__(self, total: int, console: Console) -> None:
        self._total = total
        self._console = console
        self._done = 0

    def __call__(self, results: Sequence[Result], progress: Progress) -> None:
        for result in results:
            self._done += 1
            self._console.tell(self._console.text(progress_text(result, self._done, self._total, progress.seconds_left)))


def out_file(text: str, formats: Mapping[str, T]) -> tuple[Path, T]:
    """Checked before the long work: where the table goes, and how it is written, which its ending says."""
    return accept(_out_file(text, formats))


def _out_file(text: str, formats: Mapping[str, T]) -> tuple[Path, T] | Message:
    path = Path(text).absolute()
    write = formats.get(path.suffix.lower())
    if write is None:
        return message("{name}: '{text}' must end in {endings}.", name="--out", text=shown(text), endings=" / ".join(formats))
    reason = refuse_file(path)
    return (path, write) if reason is None else message("{name}: {reason}", name="--out", reason=reason)


def _require_possible(points: Sequence[Point], statuses: Statuses) -> None:
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
    for line in aligned(rows):
        console.print(line)
    for reason in reasons_of(derived):
        console.print(console.text(reason))


def _cells(result: Result, console: Console) -> list[str]:
    number, timed = console.translator.number, result.verified
    times = [number(value) if timed and value is not None else "" for value in (result.median_ms, result.rate)]
    return [result.point.variant_id, parameters_text(result.point), number(result.point.problem.n), *times]
