"""`tilescope run gpu.hello`: in which order the lines come on the GPU, beside the interpreter's."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from app.cli.console import Console, aligned
from app.cli.refusal import Refused, require
from app.cli.request import as_typed, probe
from app.core.gpu_view.prints import OrderRow, differing, order_rows
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.gpu.process import GpuProcess
from kernels.measure.print_orders import HOST, Order, Shape, order_of, recorded
from kernels.measure.results import Point
from kernels.measure.runner import RunFailed
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.run.variant_launch import traceable
from kernels.simt.run.worker import Tracer
from kernels.simt.trace.job import NotTraced, TraceJob

RUNS = 3
MOST_LINES = 100


@dataclass(frozen=True, slots=True)
class Observed:
    """Orders of runs on a GPU, and whose they are."""

    source: Message
    runs: tuple[Order, ...]


def hello(point: Point, options: argparse.Namespace, console: Console) -> int:
    """Print both orders and what holds of them."""
    for name in ("n", "m", "k"):
        if getattr(options, name) is not None:
            raise Refused(message("{name} is a size of matrices; {variant} has none.", name=f"--{name}", variant=point.variant_id))
    status = probe(Device.GPU)
    require(as_typed(refuse(point.variant, point.problem, point.parameters, status.limits), point.variant))
    shape = Shape.of(point.parameters)
    interpreter, observed = interpreted(point, shape), _observed(point, shape, status)
    if options.json:
        console.print_json(_object(interpreter, observed, shape, console))
        return 0
    if isinstance(observed, Message):
        console.tell(console.text(observed))
    _print(interpreter, () if isinstance(observed, Message) else observed.runs, shape, console)
    if isinstance(observed, Observed):
        console.print("")
        console.print(console.text(message("GPU: {source}", source=observed.source)))
    return 0


def interpreted(point: Point, shape: Shape) -> Order:
    """The interpreter's order; the host's line comes first, as it does on a GPU."""
    taken = traceable(point.variant, point.problem, point.parameters)
    tracer = Tracer()
    try:
        outcome = tracer.trace(TraceJob(taken.text, taken.entry, LaunchRequest(taken.grid, taken.block, taken.arguments)))
    finally:
        tracer.close()
    if isinstance(outcome, NotTraced):
        raise Refused(outcome.reason)
    return (HOST, *order_of("".join(each.text for each in outcome.trace.printed), shape))


def _observed(point: Point, shape: Shape, status: DeviceStatus) -> Observed | Message:
    """What this machine's GPU does; where there is none, what was recorded; where that is not there either, why."""
    if status.ready:
        process = GpuProcess()
        try:
            process.start()
            runs = process.ask(lambda: None, "greet", status, dict(point.parameters), RUNS)
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


def _print(interpreter: Order, runs: tuple[Order, ...], shape: Shape, console: Console) -> None:
    columns = [interpreter, *runs[:1]]
    heads = [message("Interpreter"), message("GPU")][: len(columns)]
    lines = [[shape.line(number) for number in column[:MOST_LINES]] for column in columns]
    length = max(map(len, lines))
    padded = [column + [""] * (length - len(column)) for column in lines]
    for row in aligned([[console.text(head) for head in heads], *map(list, zip(*padded, strict=True))]):
        console.print(row)
    if len(interpreter) > MOST_LINES:
        console.print(console.text(message("{count} more lines; --json has all", count=len(interpreter) - MOST_LINES)))
    console.print("")
    for row in aligned([_heads(runs, console), *(_cells(row, console) for row in order_rows(interpreter, runs, shape))]):
        console.print(row)
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


def _object(interpreter: Order, observed: Observed | Message, shape: Shape, console: Console) -> dict[str, object]:
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
