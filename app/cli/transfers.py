"""`tilescope transfers`: where the time of one use of the GPU goes, and from which size on it pays."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace

from app import __version__
from app.cli.base.console import Console
from app.cli.base.errors import FAILED_VERIFICATION, INTERRUPTED, Refused, accept, require
from app.cli.base.history import history
from app.cli.base.options import SIZES, VARIANT, parameter_options
from app.cli.base.parser import Group
from app.cli.base.request import chosen_parameters, device_refusal, out_file, probe, variant_named
from app.core.base.files.atomic_write import write_whole
from app.core.base.parsing import LARGEST_SIZE, number_list
from app.core.results.gpu_uses import (
    COUNTED,
    TITLES,
    BestCpu,
    UseScope,
    best_cpu,
    crossover,
    crossover_text,
    ms_of,
    recorded_cpu,
    recorded_uses,
)
from app.core.tuning.sentences import settings_text
from kernels.base.arrays import never
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.machine_conditions import machine_conditions, processor_name
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.gpu.process import measure_use
from kernels.measure.gpu_use_times import EACH_TIME, UsePart, UseTimes, use_object, uses_csv, uses_text
from kernels.measure.runner import RunFailed

FORMATS: dict[str, Callable[[Sequence[UseTimes]], str]] = {".csv": uses_csv, ".json": uses_text}


def add_options(group: Group) -> None:
    """Add one use of the GPU, over sizes."""
    group.option("variant", "VARIANT", VARIANT)
    group.option("--n", "SIZES", SIZES, required=True)
    parameter_options(group)
    group.option("--out", "FILE", message("the table's file, .csv or .json"))
    group.switch("--pinned", message("the host's matrices in pinned memory, which is copied faster but takes longer to allocate"))


@dataclass(frozen=True, slots=True)
class TransferReport:
    """Uses by size, and the processor's best times beside them."""

    uses: tuple[UseTimes, ...]
    cpu: dict[Problem, BestCpu]
    recorded: bool


def perform(options: argparse.Namespace, console: Console) -> int:
    """Measure the parts at each size, or without a GPU show what was recorded, and write them."""
    variant = variant_named(options.variant)
    if variant.device is not Device.GPU or variant.operation is Operation.HELLO:
        raise Refused(message("{variant} moves nothing to a GPU and back.", variant=variant.id))
    sizes = accept(number_list("--n", options.n, 1, LARGEST_SIZE))
    parameters = chosen_parameters(variant, options)
    points = [Case(variant.id, Problem.square(variant.operation, n), parameters) for n in sizes]
    status = probe(Device.GPU)
    for point in points:
        require(refuse(variant, point.problem, parameters, status.limits))
    out = None if options.out is None else out_file(options.out, FORMATS)
    try:
        report = _measured(points, status, console, pinned=options.pinned) if status.ready else _recorded(points, status, console, options)
    except KeyboardInterrupt:
        return INTERRUPTED
    if report.uses:
        (_print_json if options.json else _print)(report, console)
    if out is not None and report.uses:
        path, write = out
        require(write_whole(path, write(report.uses)))
    return 0 if len(report.uses) == len(points) or report.recorded else FAILED_VERIFICATION


def _measured(points: Sequence[Case], status: DeviceStatus, console: Console, *, pinned: bool) -> TransferReport:
    """Measure each size in a process of its own; what fails is told, and the others go on."""
    uses, machine = [], machine_conditions(__version__)
    with history(console) as store:
        for point in points:
            try:
                use = measure_use(status, point, never, pinned=pinned)
            except RunFailed as failed:
                console.tell(console.text(message("n = {n}: {reason}", n=point.problem.n, reason=failed.reason)))
                continue
            uses.append(replace(use, conditions={**machine, **use.conditions}))
            store.append_use(uses[-1])
        cpu = best_cpu(store.results(points[0].problem.operation, processor_name()))
    return TransferReport(tuple(uses), cpu, recorded=False)


def _recorded(points: Sequence[Case], status: DeviceStatus, console: Console, options: argparse.Namespace) -> TransferReport:
    """Show what was recorded elsewhere; where nothing was, the refusal says why nothing can be measured, and what was recorded."""
    known = [use for use in recorded_uses() if use.pinned is options.pinned]
    uses = tuple(use for use in known if use.point in points)
    if not uses:
        refusal = device_refusal(points[0].variant, status)
        raise Refused(message("{recorded} {refusal}", recorded=_known_text(known, points[0]), refusal=refusal))
    if status.reason is not None:
        console.tell(console.text(status.reason))
    console.tell(console.text(message("Recorded on {gpu}, {created}.", gpu=str(uses[0].conditions["gpu"]), created=uses[0].created[:10])))
    missing = [str(point.problem.n) for point in points if not any(use.point == point for use in uses)]
    if missing:
        console.tell(console.text(message("Not recorded at n = {sizes}.", sizes=", ".join(missing))))
    return TransferReport(uses, best_cpu(recorded_cpu()), recorded=True)


def _known_text(known: Sequence[UseTimes], wanted: Case) -> Message:
    """Say what was recorded of a variant, or of which others."""
    variant = wanted.variant_id
    own = [use.point for use in known if use.point.variant_id == variant]
    if not own:
        others = dict.fromkeys(use.point.variant_id for use in known)
        return message("No use of {variant} was recorded; those of {others} were.", variant=variant, others=", ".join(others))
    sizes = sorted({point.problem.n for point in own if point.parameters == wanted.parameters})
    if not sizes:
        return message("{variant} was recorded with {parameters} only.", variant=variant, parameters=settings_text(own[0]))
    return message("{variant} was recorded at n = {sizes} only.", variant=variant, sizes=", ".join(map(str, sizes)))


def _print_json(report: TransferReport, console: Console) -> None:
    crossings = [found for counted in UseScope if (found := crossover(report.uses, report.cpu, counted)) is not None]
    console.print_json(
        {
            "recorded": report.recorded,
            "uses": [use_object(use) for use in report.uses],
            "cpu": [
                {"n": problem.n, "id": best.result.point.variant_id, "parameters": dict(best.result.point.parameters), "ms": best.ms}
                for problem, best in sorted(report.cpu.items(), key=lambda item: item[0].n)
                if any(use.point.problem == problem for use in report.uses)
            ],
            "crossovers": [
                {"counted": found.counted.value, "loses_at": found.loses_at, "wins_at": found.wins_at, "about": found.about}
                for found in crossings
            ],
        }
    )


def _print(report: TransferReport, console: Console) -> None:
    """A column for each size: the parts of the first use, those of a later one, and the processor's best."""
    uses, number = report.uses, console.translator.number
    rows = [[console.text(message("ms")), *(f"n = {number(use.point.problem.n)}" for use in uses)]]
    met = [part for part in UsePart if any(use.first_ms(part) for use in uses)]
    rows += [[console.text(TITLES[part]), *(_first(part, use, console) for use in uses)] for part in met]
    rows.append([console.text(COUNTED[UseScope.FIRST_USE]), *(number(ms_of(use, UseScope.FIRST_USE)) for use in uses)])
    rows.append([""] * (len(uses) + 1))
    rows += [[console.text(TITLES[part]), *(number(use.later_ms(part)) for use in uses)] for part in EACH_TIME]
    rows.append([console.text(COUNTED[UseScope.EACH_TIME]), *(number(ms_of(use, UseScope.EACH_TIME)) for use in uses)])
    rows.append([console.text(message("Best of the processor")), *(_best(report, use, console) for use in uses)])
    console.print_rows(rows)
    found = [each for counted in UseScope if (each := crossover(uses, report.cpu, counted)) is not None]
    for each in found:
        console.print(console.text(crossover_text(each)))
    if not found:
        command = "tilescope sweep 'cpu.*' --n 128:2048:x2 --out times.csv"
        console.tell(console.text(message("No time of the processor at these sizes; {command} measures some.", command=command)))


def _first(part: UsePart, use: UseTimes, console: Console) -> str:
    """A dash where the part did not arise, or took no time that could be told."""
    first_ms = use.first_ms(part)
    return console.translator.number(first_ms) if first_ms else "–"


def _best(report: TransferReport, use: UseTimes, console: Console) -> str:
    best = report.cpu.get(use.point.problem)
    return "" if best is None else f"{console.translator.number(best.ms)} ({best.result.point.variant_id})"
