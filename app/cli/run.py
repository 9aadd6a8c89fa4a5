"""`tilescope run`: one variant at one size, measured and verified; of `gpu.hello` in which order the lines come on a GPU."""

from __future__ import annotations

import argparse

from app.cli.base.console import Console
from app.cli.base.errors import FAILED_VERIFICATION, INTERRUPTED, WRONG_INPUT, Refused, require
from app.cli.base.measurement import measure, probe_all
from app.cli.base.options import measuring_options, problem_sizes
from app.cli.base.parser import Group
from app.cli.base.request import as_typed, probe, protocol_of, refuse_point, require_device, run_point
from app.cli.base.sentences import error_text, rate_text, size_text
from app.core.gpu_view.prints import OrderRow, differing, order_rows
from app.core.timing.recordings import verified_part
from app.core.tuning.sentences import settings_text
from kernels.base.arrays import never
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.base.values import dataclass
from kernels.catalogue import strassen_costs
from kernels.catalogue.case import Case
from kernels.gpu.process import GpuProcess
from kernels.measure.disturbance_sentences import CALLS, disturbance, scatter
from kernels.measure.export import result_object
from kernels.measure.print_orders import HOST, Order, Shape, order_of, recorded
from kernels.measure.results import Result, Status
from kernels.measure.runner import RunFailed
from kernels.mpi.conditions import remark
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.run.worker import Tracer
from kernels.simt.trace.launch_spec import NotTraced

RUNS = 3
MOST_LINES = 100


def add_options(group: Group) -> None:
    """Add one variant at one size."""
    problem_sizes(group, needed=False)  # gpu.hello has none
    measuring_options(group)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Measure the point and write the result; the reason goes to standard error where there is no time."""
    point = run_point(options)
    if point.variant.operation is Operation.HELLO:
        return _hello(point, options, console)
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
    console.print_rows(rows)


def result_lines(result: Result) -> list[tuple[Message, Message | str]]:
    """List what is said of a verified result, each with its name."""
    point = result.point
    lines: list[tuple[Message, Message | str]] = [
        (message("Variant"), message("{variant}: {title}", variant=point.variant_id, title=point.variant.title)),
        (message("Size"), size_text(point.problem)),
    ]
    if point.parameters:
        lines.append((message("Parameters"), settings_text(point)))
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


@dataclass(frozen=True, slots=True)
class Observed:
    """Orders of runs on a GPU, and whose they are."""

    source: Message
    runs: tuple[Order, ...]


def _hello(point: Case, options: argparse.Namespace, console: Console) -> int:
    """Print both orders and what holds of them."""
    for name in ("n", "m", "k"):
        if getattr(options, name) is not None:
            raise Refused(message("{name} is a size of matrices; {variant} has none.", name=f"--{name}", variant=point.variant_id))
    status = probe(Device.GPU)
    require(as_typed(refuse(point.variant, point.problem, point.parameters, status.limits), point.variant))
    shape = Shape.of(point.parameters)
    interpreter, observed = _interpreted(point, shape), _observed(point, shape, status)
    if options.json:
        console.print_json(_orders_object(interpreter, observed, shape, console))
        return 0
    if isinstance(observed, Message):
        console.tell(console.text(observed))
    _print_orders(interpreter, () if isinstance(observed, Message) else observed.runs, shape, console)
    if isinstance(observed, Observed):
        console.print("")
        console.print(console.text(message("GPU: {source}", source=observed.source)))
    return 0


def _interpreted(point: Case, shape: Shape) -> Order:
    """The interpreter's order; the host's line comes first, as it does on a GPU."""
    with Tracer() as tracer:
        outcome = tracer.trace(launch_spec(point.variant, point.problem, point.parameters))
    if isinstance(outcome, NotTraced):
        raise Refused(outcome.reason)
    return (HOST, *order_of("".join(each.text for each in outcome.trace.printed), shape))


def _observed(point: Case, shape: Shape, status: DeviceStatus) -> Observed | Message:
    """Ask what this machine's GPU does; where there is none, what was recorded; where that is not there either, why."""
    if status.ready:
        process = GpuProcess()
        try:
            process.start()
            runs = process.ask(never, "greet", status, dict(point.parameters), RUNS)
        except RunFailed as failed:
            return failed.reason
        finally:
            process.close()
        return Observed(message("{gpu}, just now", gpu=status.name), runs)
    known = recorded()
    if known is None or shape not in known.orders:
        return message("No order on a GPU is known for this launch: {reason}", reason=status.reason or message("the device is not ready."))
    source = message("{gpu}, recorded {date}", gpu=known.conditions["gpu"], date=known.conditions["recorded"])
    return Observed(source, known.orders[shape])


def _print_orders(interpreter: Order, runs: tuple[Order, ...], shape: Shape, console: Console) -> None:
    columns = [interpreter, *runs[:1]]
    heads = [message("Interpreter"), message("GPU")][: len(columns)]
    lines = [[shape.line(number) for number in column[:MOST_LINES]] for column in columns]
    length = max(map(len, lines))
    padded = [column + [""] * (length - len(column)) for column in lines]
    console.print_rows([[console.text(head) for head in heads], *map(list, zip(*padded, strict=True))])
    if len(interpreter) > MOST_LINES:
        console.print(console.text(message("{count} more lines; --json has all", count=len(interpreter) - MOST_LINES)))
    console.print("")
    console.print_rows([_heads(runs, console), *(_cells(row, console) for row in order_rows(interpreter, runs, shape))])
    if runs:
        differ = differing(interpreter, runs[0])
        console.print("")
        console.print(console.text(message("Places where another line stands: {count} of {total}", count=differ, total=len(interpreter))))


def _heads(runs: tuple[Order, ...], console: Console) -> list[str]:
    heads = [message("What holds"), message("Promised"), message("Interpreter")]
    return [console.text(head) for head in (*heads, *([message("GPU, of {runs} runs", runs=len(runs))] if runs else []))]


def _cells(row: OrderRow, console: Console) -> list[str]:
    yes, no = console.text(message("yes")), console.text(message("no"))
    cells = [console.text(row.title), yes if row.promised else no, yes if row.interpreter else no]
    return cells + ([str(row.gpu)] if row.runs else [])


def _orders_object(interpreter: Order, observed: Observed | Message, shape: Shape, console: Console) -> dict[str, object]:
    runs = () if isinstance(observed, Message) else observed.runs
    return {
        "interpreter": [shape.line(number) for number in interpreter],
        "gpu": [[shape.line(number) for number in order] for order in runs],
        "gpu_source": console.text(observed if isinstance(observed, Message) else observed.source),
        "properties": [
            {"property": console.text(row.title), "promised": row.promised, "interpreter": row.interpreter, "gpu_runs": row.gpu}
            for row in order_rows(interpreter, runs, shape)
        ],
    }  # fmt: skip
