"""`tilescope tune`: tries the settings of a variant, and shows which are the fastest."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial

from app import __version__
from app.cli.console import Console
from app.cli.history import history
from app.cli.measurement import LONGEST_STOP_S, POLL_S, measuring_service, probe_all
from app.cli.refusal import FAILED_VERIFICATION, INTERRUPTED, Refused, require
from app.cli.request import as_typed, protocol_of, require_device, run_point
from app.cli.sweep import FORMATS, out_file
from app.cli.tune_progress import ProgressLine
from app.cli.tune_report import report
from app.core.base.files.atomic_write import write_whole
from app.core.timing.tuner import Surroundings, Tuner, Wish
from kernels.base.devices import DeviceStatus
from kernels.base.machine import machine_conditions
from kernels.base.messages import Message, message
from kernels.base.spec import Variant
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.store import ResultStore
from kernels.measure.tuning import combinations, key_of, plan_tuning, refuse_tuning


def tune(options: argparse.Namespace, console: Console) -> int:
    """Try the settings within the budget and report. When interrupted, what was measured is reported and kept."""
    out = None if options.out is None else out_file(options.out, FORMATS)
    start = run_point(options)
    over = _over(options, start.variant)
    require(as_typed(refuse_tuning(start.variant, over), start.variant))
    budget_s = protocol_of(options).budget_s
    status = probe_all((start,), console)[start.variant.device]
    plan = plan_tuning(start.variant, start.problem, over, start.parameters, status.limits)
    require_device(start.variant, status)
    if not plan.points:
        require(as_typed(plan.refused[0].reason, start.variant))
    wish = Wish(plan, budget_s, afresh=options.again)
    results, interrupted, failure = _perform(wish, status, console)
    if failure is not None:
        console.tell(console.text(failure))
    report(plan, results, console, as_json=options.json)
    if out is not None:
        path, write = out
        require(write_whole(path, write(results, console.text, ())))
    if interrupted:
        return INTERRUPTED
    bad = failure is not None or any(result.status in (Status.WRONG, Status.FAILED) for result in results)
    return FAILED_VERIFICATION if bad else 0


def _over(options: argparse.Namespace, variant: Variant) -> tuple[str, ...]:
    """The parameters that are named, else all to which no option gives a value."""
    if options.over is not None:
        named = tuple(name.strip().removeprefix("--").replace("-", "_") for name in options.over.split(",") if name.strip())
        known = ", ".join(parameter.name for parameter in variant.parameters)
        if known and not named:
            raise Refused(message("--over names no parameter; {variant} has {names}.", variant=variant.id, names=known))
        return named
    free = [parameter.name for parameter in variant.parameters if getattr(options, parameter.name) is None]
    return tuple(name for name in free if combinations(variant, (name,)) > 1)


def _perform(wish: Wish, status: DeviceStatus, console: Console) -> tuple[Sequence[Result], bool, Message | None]:
    """The last result of each point, whether the user stopped, and why the tuning failed."""
    with history(console) as store:
        return _tune(store, wish, status, console)


def _tune(store: ResultStore, wish: Wish, status: DeviceStatus, console: Console) -> tuple[Sequence[Result], bool, Message | None]:
    service = measuring_service(store, {wish.plan.variant.device: status}, console.places, Protocol().budget_s)
    tuner = Tuner(Surroundings(service.lend, lambda _device: status, partial(machine_conditions, __version__), store))
    line = ProgressLine(wish.plan, console)
    found: dict[object, Result] = {}

    def collect() -> bool:
        new = tuner.drain()
        found.update({key_of(result.point): result for result in new})
        progress = tuner.progress()
        assert progress is not None
        line.show(progress, new)
        return not progress.state.ended

    try:
        tuner.start(wish)
        interrupted = _wait(tuner, collect)
        collect()
        progress = tuner.progress()
        return tuple(found.values()), interrupted, None if progress is None else progress.failure
    finally:
        line.end()
        for stuck in service.shutdown(LONGEST_STOP_S):
            console.tell(console.text(stuck))


def _wait(tuner: Tuner, collect: Callable[[], bool]) -> bool:
    """Until all is done; True if the user interrupted."""
    try:
        while collect():
            time.sleep(POLL_S)
    except KeyboardInterrupt:
        tuner.cancel()
        end = time.monotonic() + LONGEST_STOP_S
        while collect() and time.monotonic() < end:
            time.sleep(POLL_S)
        return True
    return False
