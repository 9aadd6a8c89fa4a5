"""Labels of results in charts, tables and sentences: lines, quantities, axes, baselines, and how far measuring is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from app.core.base.job_queues import JobState
from app.core.base.value_labels import value_text
from app.core.results.curves import Provenance, SeriesKey
from app.core.results.measuring import Progress, QueueProgress
from app.core.results.quantities import Baseline, Quantity, Smallest
from app.core.session.session import SIZE_AXIS, TimingChoice
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Parameters, Variant
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.cpu_parameters import SWITCH

_ALWAYS = ("tile", "threads", "ranks")
_TERMS = ("mc", "kc", "nc", "mr", "nr")
"""Parameters whose identifiers are what the field calls them."""


def parameter_text(variant: Variant, name: str, value: int) -> Message:
    """A parameter with its value: "tile 32", others by their titles: "Stages 3"; a value with a name speaks for itself: "kij", but
    not "on"."""
    parameter = variant.parameter(name)
    match name:
        case "tile":
            return message("tile {value}", value=value)
        case "threads":
            return message("threads {value}", value=value)
        case "rows":
            return message("block height {value}", value=value)
        case "padding":
            return message("padding {value}", value=value)
        case "edited":
            return message("edited copy")
        case "results":
            return message("{value} × {value} results", value=value)
        case "ranks":
            return message("ranks {value}", value=value)
        case "chunk":
            return message("chunk {value}", value=value)
        case _ if parameter is not None and parameter.names and parameter.names != SWITCH:
            return value_text(parameter, value)
        case _:
            said = value if parameter is None else value_text(parameter, value)
            called = name if parameter is None or name in _TERMS else parameter.title
            return message("{parameter} {value}", parameter=called, value=said)


def settings_of(key: SeriesKey) -> Message | None:
    """What tells lines of one variant on one machine apart."""
    return _joined(_said(key.variant, key.parameters))


def detail_of(key: SeriesKey) -> Message | None:
    """What tells lines of one variant apart: parameters, and where it was not measured here, the machine."""
    parts = _said(key.variant, key.parameters)
    if key.provenance is not Provenance.MEASURED and key.machine:
        parts.append(message("{machine}", machine=key.machine))
    return _joined(parts)


def name_of(variant: Variant, parameters: Parameters) -> Message:
    """The variant with its parameters: "Blocked, tile 64"."""
    return _joined([variant.title, *_said(variant, sorted(parameters.items()))]) or variant.title


def _said(variant: Variant, parameters: Iterable[tuple[str, int]]) -> list[Message]:
    """Tiles, threads, ranks and what has a name always, any other parameter where it is not at its default."""
    return [
        parameter_text(variant, name, value)
        for name, value in parameters
        if name in _ALWAYS or value != variant.defaults.get(name) or variant.written(name, value) != str(value)
    ]


def _joined(parts: list[Message]) -> Message | None:
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), parts) if parts else None


DEVICES = {Device.GPU: message("GPU"), Device.CPU: message("CPU"), Device.MPI: message("MPI")}


GFLOPS = message("GFLOP/s")
_GBYTES = message("GB/s")


def quantity_text(quantity: Quantity, operation: Operation) -> Message:
    """The quantity in a list to choose from."""
    match quantity:
        case Quantity.RATE:
            return GFLOPS if operation is Operation.MATMUL else _GBYTES
        case Quantity.TIME:
            return message("ms")
        case Quantity.PERCENT:
            return message("% of copy") if operation is Operation.TRANSPOSE else message("% of library")
        case Quantity.SPEED_UP:
            return message("speed-up")
        case Quantity.EFFICIENCY:
            return message("efficiency %")
        case Quantity.GROWTH:
            return message("growth")


def unit_of(choice: TimingChoice, quantity: Quantity, baseline: Baseline) -> Message:
    """What stands above the vertical axis."""
    match quantity:
        case Quantity.PERCENT:
            copied = choice.operation is Operation.TRANSPOSE
            return message("% of the copy") if copied else message("% of the best library of the same device")
        case Quantity.SPEED_UP:
            return message("speed-up, {baseline}", baseline=baseline_text(choice, baseline))
        case Quantity.EFFICIENCY:
            return message("parallel efficiency, % of the number of threads or ranks")
        case Quantity.GROWTH:
            return message("time over the time at the smallest n")
        case _:
            return quantity_text(quantity, choice.operation)


def baseline_text(choice: TimingChoice, baseline: Baseline) -> Message:
    """What a speed-up is over."""
    if isinstance(baseline, Smallest):
        return message("over the smallest value")
    variant = by_id(baseline.variant_id)
    return message("over {variant}", variant=name_of(variant, choice.parameters[variant.id]))


def axis_text(choice: TimingChoice, axis: str) -> Message:
    """What runs along an axis, in a list to choose from."""
    parameter = choice.parameter(axis)
    if axis == SIZE_AXIS or parameter is None:
        return message("over n")
    return message("over {parameter}", parameter=parameter.title)


def latest_queues(progress: Progress | None) -> tuple[QueueProgress, ...]:
    """The queues of the request that is running, or of the last one; and any other that still runs."""
    queues = progress.queues if progress is not None else ()
    active = [queue for queue in queues if not queue.state.ended]
    request = max((queue.request for queue in active or queues), default=None)
    return tuple(queue for queue in queues if queue.request == request or queue in active)


def points_done(queues: tuple[QueueProgress, ...]) -> Message:
    """How many points have ended, and once all queues have ended, how it came out."""
    done, total = sum(queue.done for queue in queues), sum(queue.total for queue in queues)
    if any(not queue.state.ended for queue in queues):
        return message("{done} of {total} points", done=done, total=total)
    if any(queue.state is JobState.CANCELLED for queue in queues):
        return message("Cancelled. {done} of {total} points are kept.", done=done, total=total)
    return message("Done: {done} of {total} points.", done=done, total=total)


def measuring_sentence(progress: Progress | None) -> Message | None:
    """What a user who looks elsewhere is told; None before the first measurement."""
    queues = latest_queues(progress)
    if not queues:
        return None
    running = any(not queue.state.ended for queue in queues)
    return message("Measuring: {points}", points=points_done(queues)) if running else points_done(queues)
