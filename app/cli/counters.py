"""`tilescope counters`: what a launch should count, beside what Nsight Compute counted."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from app.cli import predict
from app.cli.base.console import Console
from app.cli.base.errors import accept
from app.cli.base.parser import Group
from app.core.predictions.counters import Measured
from app.core.predictions.ncu_csv import imported_counters
from app.core.predictions.predicted_and_measured import compare
from app.core.predictions.prediction import Prediction
from app.core.predictions.question import Compared, tidy
from app.core.predictions.recorded_counters import recorded_counters
from kernels.analysis.trust import trust_object
from kernels.base.messages import Message, message
from kernels.catalogue.case import Case
from kernels.measure.export import point_object


def add_options(group: Group) -> None:
    """Add a launch of the catalogue on a GPU, and what Nsight Compute wrote of it."""
    predict.add_options(group)
    group.option("--ncu", "FILE.csv", message("what {command} has written, instead of what was recorded", command="ncu --csv --page raw"))


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write the table: predicted as written and as compiled, measured, and why they differ."""
    prediction = predict.prediction_of(options)
    values, source = _measured(options, prediction)
    rows = compare(prediction, values)
    if options.json:
        console.print_json(_entry(prediction, rows, source, console))
        return 0
    console.print_rows(_table(rows, console))
    for remark in (*_remarks(prediction), source):
        console.print(console.text(remark))
    return 0


def _measured(options: argparse.Namespace, prediction: Prediction) -> tuple[Measured, Message]:
    """The measured counters and where they are from: the user's file, else the recording, else none."""
    if options.ncu is not None:
        return _imported(options.ncu, prediction), message("Measured: {path}", path=options.ncu)
    device = prediction.profile
    recording = recorded_counters(device.id)
    if recording is None:
        return {}, message("Nothing was measured: no counters are recorded for {device}, and --ncu was not given.", device=device.name)
    found = recording.find(prediction.variant.id, prediction.problem, prediction.parameters)
    if found is None:
        return {}, _elsewhere(prediction.variant.id, recording.sizes(prediction.variant.id))
    return found, message("Measured: recorded on {gpu}", gpu=str(recording.conditions["gpu"]))


def _elsewhere(variant: str, sizes: Sequence[int]) -> Message:
    """Name what was recorded of a variant in place of what was asked for."""
    if not sizes:
        return message("Nothing was measured: no counters of {variant} are recorded.", variant=variant)
    return message("Nothing was measured at this size and setting; n recorded for {variant}: {sizes}.",
                   variant=variant, sizes=", ".join(map(str, sizes)))  # fmt: skip


def _imported(path: str, prediction: Prediction) -> Measured:
    """The counters that a file of the user has for the launches."""
    return accept(imported_counters(Path(path), [launch.entry for launch in prediction.launches]))


def _table(rows: Sequence[Compared], console: Console) -> list[list[str]]:
    titles = (message("Counter"), message("as written"), message("as compiled"), message("measured"), message("difference"))
    lines = [[console.text(title) for title in titles]]
    for row in rows:
        numbers = (_number(value, console) for value in (row.written, row.compiled, row.measured))
        lines.append([console.text(row.title), *numbers, _difference(row, console)])
    return lines


def _difference(row: Compared, console: Console) -> str:
    if row.reason is None:
        return "" if row.measured is None or row.written is None else "="
    return console.text(row.reason)


def _number(value: float | None, console: Console) -> str:
    return "" if value is None else console.translator.number(tidy(value))


def _remarks(prediction: Prediction) -> list[Message]:
    found = [each.machine for each in prediction.launches if isinstance(each.machine, Message)]
    if not prediction.exact:
        found.append(message("Predicted from one block of each kind, for all blocks of the grid."))
    return [*found, *map(predict.trust_line, prediction.launches)]


def _entry(prediction: Prediction, rows: Sequence[Compared], source: Message, console: Console) -> dict[str, object]:
    point = Case(prediction.variant.id, prediction.problem, prediction.parameters)
    return {
        **point_object(point),
        "gpu_profile": prediction.profile.id,
        "exact": prediction.exact,
        "trust": [trust_object(launch.counted.trust, console.text) for launch in prediction.launches],
        "source": console.text(source),
        "counters": [
            {
                "id": row.id, "as_written": row.written, "as_compiled": row.predicted, "measured": row.measured,
                "explained": row.explained, "reason": None if row.reason is None else console.text(row.reason),
            }
            for row in rows
        ],
    }  # fmt: skip
