"""Counts of a whole program that was run: its launches, copies, allocations, findings, its output and its exit status."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import prod

from app.core.lesson_metrics.metric import Metric, Value
from kernels.base.messages import Message, message
from kernels.simt.host.result import Allocated, EventKind, HostFinding, Launched, ProgramRun

Count = Callable[[ProgramRun, Metric], Value | Message]
COPY_SHARE = "copy_share"
"""The count that needs the launches executed once more: the copies' share of the time of copies and launches."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def count_of_run(run: ProgramRun, metric: Metric) -> Value | Message:
    """Return a lesson metric about a program. `memory` ("host", "device") chooses allocations, `name` a kind of findings,
    `operation` a kind of events.
    """
    return COUNTS[metric.count](run, metric)


def _ran(run: ProgramRun) -> Iterable[Launched]:
    return (each for each in run.launches if each.refused is None)


def _sum(what: Callable[[Launched], int]) -> Count:
    """Sums over the launches that ran."""
    return lambda run, _fact: float(sum(map(what, _ran(run))))


def _copied(direction: str, *, times: bool = False) -> Count:
    """Bytes that are copied in a direction, or how often."""
    return lambda run, _fact: float(sum(1 if times else each.bytes for each in run.copies if each.direction == direction))


def _allocations(run: ProgramRun, metric: Metric) -> list[Allocated]:
    home = metric.text("memory")
    return [each for each in run.allocations if home in ("", each.home)]


def _bytes(*, leaked: bool) -> Count:
    """Bytes that were allocated, or that are never freed."""
    return lambda run, metric: float(sum(each.bytes for each in _allocations(run, metric) if not leaked or each.freed is None))


def _findings(run: ProgramRun, metric: Metric) -> list[HostFinding]:
    kind = metric.text("name")
    return [each for each in run.findings if kind in ("", each.wrong.value)]


def _finding_line(run: ProgramRun, metric: Metric) -> Value | Message:
    """Return the line of the text that the first of the findings is about."""
    found = next(iter(_findings(run, metric)), None)
    return message("Nothing of this kind was found.") if found is None else float(found.location.line)


def _first_wait(run: ProgramRun, _fact: Metric) -> Value | Message:
    """Return the line of the first call after a launch that returns only when the device is done."""
    launched = False
    for event in run.events:
        launched = launched or event.kind is EventKind.LAUNCH
        copied = run.copies[event.number].function if event.kind is EventKind.COPY else ""
        if launched and (event.kind is EventKind.WAIT or (copied and "Async" not in copied)):
            return float(event.location.line)
    return message("Nothing waits for a launch.")


def _event_line(run: ProgramRun, metric: Metric) -> Value | Message:
    """Return the line of the last event of a kind, which `operation` names: "launch", "copy", "print" and the like."""
    lines = [each.location.line for each in run.events if each.kind.value == metric.text("operation")]
    return float(lines[-1]) if lines else message("The program does nothing of this kind.")


def _printed_value(run: ProgramRun, _fact: Metric) -> Value | Message:
    """Return the last number of the standard output."""
    numbers = _NUMBER.findall(run.stdout)
    return float(numbers[-1]) if numbers else message("The program prints no number.")


COUNTS: Mapping[str, Count] = {
    "launches": lambda run, _fact: float(len(run.launches)),
    "failed_launches": lambda run, _fact: float(sum(each.refused is not None for each in run.launches)),
    "launched_blocks": _sum(lambda launched: prod(launched.grid)),
    "launched_threads": _sum(lambda launched: prod(launched.grid) * prod(launched.block)),
    "largest_block": lambda run, _fact: float(max((prod(each.block) for each in run.launches), default=0)),
    "launch_accesses": _sum(lambda launched: launched.accesses),
    "launch_flops": _sum(lambda launched: launched.flops),
    "bytes_copied_to_device": _copied("HostToDevice"),
    "bytes_copied_to_host": _copied("DeviceToHost"),
    "copies_to_device": _copied("HostToDevice", times=True),
    "copies_to_host": _copied("DeviceToHost", times=True),
    "allocations": lambda run, metric: float(len(_allocations(run, metric))),
    "allocated_bytes": _bytes(leaked=False),
    "leaks": lambda run, metric: float(sum(each.freed is None for each in _allocations(run, metric))),
    "leaked_bytes": _bytes(leaked=True),
    "findings": lambda run, metric: float(len(_findings(run, metric))),
    "finding_line": _finding_line,
    "event_line": _event_line,
    "first_wait_line": _first_wait,
    "printed_lines": lambda run, _fact: float(len(run.stdout.splitlines())),
    "printed_value": _printed_value,
    "status": lambda run, _fact: float(run.status),
}
