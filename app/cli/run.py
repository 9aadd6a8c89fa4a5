"""`tilescope run`: one variant at one size, measured and verified."""

from __future__ import annotations

import argparse

from app.cli.console import Console, aligned
from app.cli.hello import hello
from app.cli.measurement import measure, probe_all
from app.cli.refusal import FAILED_VERIFICATION, INTERRUPTED, WRONG_INPUT, require
from app.cli.request import protocol_of, refuse_point, require_device, run_point
from app.cli.sentences import error_text, parameters_text, rate_text, size_text
from app.core.timing.recordings import verified_part
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.catalogue import strassen_costs
from kernels.measure.disturbance import CALLS, disturbance, scatter
from kernels.measure.export import result_object
from kernels.measure.results import Result, Status
from kernels.mpi.conditions import remark


def run(options: argparse.Namespace, console: Console) -> int:
    """Measure the point and write the result; the reason goes to standard error where there is no time."""
    point = run_point(options)
    if point.variant.operation is Operation.HELLO:
        return hello(point, options, console)
    protocol = protocol_of(options)
    statuses = probe_all([point], console)
    status = statuses[point.variant.device]
    require(refuse_point(point, status))
    require_device(point.variant, status)
    outcome = measure([point], statuses, protocol, console, lambda _results, _progress: None)
    if not outcome.results:
        return INTERRUPTED if outcome.interrupted else FAILED_VERIFICATION
    result = outcome.results[0]
    if options.json:
        console.print_json(result_object(result, console.text))
    else:
        _print(result, console)
    if not result.verified and result.reason is not None:
        console.tell(console.text(result.reason))
    return _exit_status(result)


def _exit_status(result: Result) -> int:
    if result.verified:
        return 0
    return WRONG_INPUT if result.status is Status.SKIPPED else FAILED_VERIFICATION


def _print(result: Result, console: Console) -> None:
    if not result.verified:
        return
    rows = [(console.text(name), value if isinstance(value, str) else console.text(value)) for name, value in result_lines(result)]
    for line in aligned(rows):
        console.print(line)


def result_lines(result: Result) -> list[tuple[Message, Message | str]]:
    """What is said of a verified result, each with its name."""
    point = result.point
    lines: list[tuple[Message, Message | str]] = [
        (message("Variant"), message("{variant}: {title}", variant=point.variant_id, title=point.variant.title)),
        (message("Size"), size_text(point.problem)),
    ]
    if point.parameters:
        lines.append((message("Parameters"), parameters_text(point)))
    assert result.median_ms is not None
    assert result.spread_ms is not None
    samples, calls = len(result.times_ms), result.conditions.get(CALLS, 1)
    batch = message("{samples} of {calls} calls each", samples=samples, calls=calls) if calls != 1 else samples
    lines += [
        (message("Median time"), message("{time} ms", time=result.median_ms)),
        (message("Spread"), message("{spread} ms, interquartile range; samples: {samples}", spread=result.spread_ms, samples=batch)),
        (message("Rate"), rate_text(result)),
        (message("Verified"), error_text(result)),
    ]
    conditions = result.conditions
    notes = (
        result.reason, disturbance(conditions), scatter(conditions), verified_part(result), remark(conditions),
        strassen_costs.remark(conditions, point.problem),
    )  # fmt: skip
    return lines + [(message("Note"), note) for note in notes if note is not None]
