"""`tilescope ladder`: all rungs of a device at one n, each with its gain over the rung that it improves on."""

from __future__ import annotations

import argparse

from app.cli.base.console import Console
from app.cli.base.errors import Refused, accept
from app.cli.base.history import measured_here
from app.cli.base.parser import Group
from app.core.base.parsing import LARGEST_SIZE, one_of, whole_number
from app.core.ladder.model import expectations_of
from app.core.ladder.picture import Ladder, Rung, ladders, sizes_of
from app.core.ladder.sentences import base_text, gain_text, title_of, untimed
from app.core.predictions.recorded_counters import recorded_devices, recorded_results
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session, TimingChoice
from app.core.timing.recordings import kept_recordings
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.measure.export import parameters_object, rate_name

OPERATIONS = tuple(str(each) for each in Operation if each is not Operation.HELLO)


def add_options(group: Group) -> None:
    """Add an operation, a size and a device."""
    group.option("operation", "OPERATION", message("the operation: {choices}", choices="matmul, transpose"))
    group.option("--n", "N", message("the size of the square matrices"), required=True)
    group.option("--device", "DEVICE", message("whose rungs: {choices}", choices="gpu, cpu, mpi"), default="gpu")


def perform(options: argparse.Namespace, console: Console) -> int:
    """Write a table for what was measured here and for each recording, with the reasons below it."""
    operation = Operation(accept(one_of("OPERATION", options.operation, OPERATIONS)))
    device = Device(accept(one_of("--device", options.device, tuple(map(str, Device)))))
    n = accept(whole_number("--n", options.n, 1, LARGEST_SIZE))
    session = Session()
    session.choose_operation(operation)
    results = _known(console)
    found = ladders(results, session.timing.value, device, n)
    if not found:
        raise Refused(untimed(n, sizes_of(results, operation, device)))
    if options.json:
        console.print_json([_object(each, results, session.timing.value, console) for each in found])
        return 0
    for ladder in found:
        _print(ladder, results, session.timing.value, console)
    return 0


def _known(console: Console) -> Results:
    """Read what was measured here, what comes with the program, and what was imported."""
    measured = measured_here(console)
    folder = console.places.recordings
    imported = () if folder is None else kept_recordings(folder)[0]
    recorded = (*(each for device in recorded_devices() for each in recorded_results(device)), *imported)
    return Results({Provenance.MEASURED: measured, Provenance.RECORDED: recorded})


def _print(ladder: Ladder, results: Results, choice: TimingChoice, console: Console) -> None:
    text = console.text
    console.print(text(title_of(ladder)))
    titles = (
        message("Rung"), message("ms"), message("GFLOP/s") if ladder.operation is Operation.MATMUL else message("GB/s"),
        message("% of library"), message("% of peak"), message("Gain"), message("Error"),
    )  # fmt: skip
    rows = [["", *map(text, titles)], *(_cells(rung, console) for rung in ladder.rungs)]
    console.print_rows(rows)
    for variant_id, sentences in expectations_of(ladder, results, choice).items():
        number = next(rung.variant.rung for rung in ladder.rungs if rung.variant.id == variant_id)
        for sentence in sentences:
            console.print(text(message("{number}: {sentence}", number=number, sentence=sentence)))
    console.print("")


def _cells(rung: Rung, console: Console) -> list[str]:
    number, head = console.translator.number, [str(rung.variant.rung), rung.variant.id]
    if rung.ms is None or rung.result is None:
        return [*head, "", "", "", "", "", "" if rung.reason is None else console.text(rung.reason)]
    over, error = base_text(rung), rung.result.relative_error
    return [
        *head, number(rung.ms), number(rung.result.rate or 0.0),
        *("" if share is None else share.text for share in (rung.share, rung.peak_share)),
        gain_text(rung) + ("" if over is None else f" {console.text(over)}"),
        "" if error is None else f"{error:.1e} ✓" if error else console.text(message("exact ✓")),
    ]  # fmt: skip


def _object(ladder: Ladder, results: Results, choice: TimingChoice, console: Console) -> dict[str, object]:
    said = expectations_of(ladder, results, choice)
    return {
        "operation": str(ladder.operation), "device": str(ladder.device), "n": ladder.n, "provenance": str(ladder.provenance),
        "machine": ladder.machine, "day": ladder.day,
        "rungs": [_rung_object(rung, ladder, said.get(rung.variant.id, ()), console) for rung in ladder.rungs],
    }  # fmt: skip


def _rung_object(rung: Rung, ladder: Ladder, sentences: tuple[Message, ...], console: Console) -> dict[str, object]:
    result = rung.result
    return {
        "number": rung.variant.rung, "id": rung.variant.id,
        **parameters_object(rung.variant, {} if result is None else result.point.parameters),
        "median_ms": rung.ms, rate_name(ladder.operation): None if rung.ms is None or result is None else result.rate,
        "percent_of_library": None if rung.share is None else rung.share.percent,
        "percent_of_peak": None if rung.peak_share is None else rung.peak_share.percent,
        "over": None if rung.base is None else rung.base.id, "gain": rung.gain,
        "relative_error": None if result is None else result.relative_error,
        "allowed_error": None if result is None else result.allowed_error,
        "reason": None if rung.reason is None else console.text(rung.reason),
        "sentences": [console.text(sentence) for sentence in sentences],
    }  # fmt: skip
