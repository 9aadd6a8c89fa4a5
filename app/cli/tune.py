"""`tilescope tune`: tries the settings of a variant, and shows which are the fastest."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from app import __version__
from app.cli.base.console import Console, aligned
from app.cli.base.errors import FAILED_VERIFICATION, INTERRUPTED, Refused, require
from app.cli.base.history import history
from app.cli.base.measurement import LONGEST_STOP_S, POLL_S, measuring_service, probe_all
from app.cli.base.options import option_of, parameter_options, problem_sizes
from app.cli.base.parser import Group
from app.cli.base.request import as_typed, out_file, protocol_of, require_device, run_point
from app.cli.base.sentences import outcome_text, rate_text, size_text
from app.cli.sweep import FORMATS
from app.core.base.files.atomic_write import write_whole
from app.core.results.quantities import share_of_library
from app.core.timing.tuner import MeasuringSetup, Tuner, TuningProgress, Wish
from app.core.tuning.heat_map import Cell, CellKind, HeatMap, heat_map, library_result
from app.core.tuning.sentences import plan_zeros, settings_text, twin_text, verdict
from kernels.base.devices import DeviceStatus
from kernels.base.machine_conditions import machine_conditions
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Variant
from kernels.measure.export import parameters_object, point_object, rate_name, result_object
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.store import ResultStore
from kernels.measure.tuning import (
    Refusal,
    Round,
    Standing,
    TuningPlan,
    Twin,
    combinations,
    is_confirmed,
    key_of,
    plan_tuning,
    refuse_tuning,
    untried,
)

_LINE_AFRESH = "\r\x1b[K"
ROUNDS = {Round.LOOK: message("first look"), Round.CONFIRM: message("the best again")}
BEST = 10
_SHADES = "·░▒▓█"
"""Shades from the slowest to the fastest, in steps of a fifth of the range."""
_REFUSED, _UNTRIED, _WINNER = "✕", "–", "★"


def add_options(group: Group) -> None:
    """Add the settings of one variant."""
    problem_sizes(group)
    group.option("--over", "NAMES", message("the parameters that vary, all if not given; the first two are the axes of the heat map"))
    parameter_options(group)
    group.option("--budget", "SECONDS", message("about how long all of it may take"), default="60")
    group.option("--out", "FILE", message("the table's file, .csv or .json"))
    group.switch("--again", message("measure anew what the history has"))


def perform(options: argparse.Namespace, console: Console) -> int:
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
    results, interrupted, failure = _measured(wish, status, console)
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
        fixed = next((name for name in named if getattr(options, name, None) is not None), None)
        if fixed is not None:
            raise Refused(message("{one} and {other} exclude each other.", one=f"--over {fixed}", other=option_of(fixed)))
        return named
    free = [parameter.name for parameter in variant.parameters if getattr(options, parameter.name) is None]
    return tuple(name for name in free if combinations(variant, (name,)) > 1)


def _measured(wish: Wish, status: DeviceStatus, console: Console) -> tuple[Sequence[Result], bool, Message | None]:
    """The last result of each point, whether the user stopped, and why the tuning failed."""
    with history(console) as store:
        return _tune(store, wish, status, console)


def _tune(store: ResultStore, wish: Wish, status: DeviceStatus, console: Console) -> tuple[Sequence[Result], bool, Message | None]:
    service = measuring_service(store, {wish.plan.variant.device: status}, console.places, Protocol().budget_s)
    tuner = Tuner(MeasuringSetup(service.lend, lambda _device: status, partial(machine_conditions, __version__), store))
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
    """Wait until all is done; True if the user interrupted."""
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


class ProgressLine:
    """A line on standard error that tells how far the tuning is: on a terminal it changes, elsewhere each result has one."""

    def __init__(self, plan: TuningPlan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._terminal = console.err.isatty()
        self._best: Result | None = None
        self._shown = ""

    def show(self, progress: TuningProgress, new: Sequence[Result]) -> None:
        """Take in new results, and tell."""
        for result in new:
            self._take(result)
            if not self._terminal:
                self._console.tell(self._console.text(_outcome(result)))
        line = self._console.text(self._line(progress))
        if self._terminal and line != self._shown:
            self._shown = line
            self._console.err.write(f"{_LINE_AFRESH}{line}")
            self._console.err.flush()

    def end(self) -> None:
        """The report begins on a line of its own."""
        if self._terminal and self._shown:
            self._console.err.write(_LINE_AFRESH)
            self._console.err.flush()

    def _take(self, result: Result) -> None:
        best = self._best
        own = result.point.variant_id == self._plan.variant.id and result.verified and result.median_ms
        if own and (best is None or not best.median_ms or (result.median_ms or 0.0) < best.median_ms):
            self._best = result

    def _line(self, progress: TuningProgress) -> Message:
        line = message("{round}: {done} of {total}", round=ROUNDS[progress.part], done=progress.done, total=progress.total)
        if self._best is not None:
            best, settings = rate_text(self._best), settings_text(self._best.point, self._plan.over)
            line = message("{line}, best {rate} with {parameters}", line=line, rate=best, parameters=settings)
        left = progress.seconds_left
        return line if not left else message("{line} (at most {seconds} s left)", line=line, seconds=max(1, round(left)))


def _outcome(result: Result) -> Message:
    part = Round.CONFIRM if is_confirmed(result, Protocol()) else Round.LOOK
    point = result.point
    settings = settings_text(point)
    named = message("{variant} ({parameters})", variant=point.variant_id, parameters=settings) if settings else point.variant_id
    return message("{round}: {variant}: {outcome}", round=ROUNDS[part], variant=named, outcome=outcome_text(result))


def report(plan: TuningPlan, results: Sequence[Result], console: Console, *, as_json: bool) -> None:
    """Write what was found."""
    picture, library = heat_map(plan, results), library_result(plan, results)
    left = sum(1 for _ in untried(plan, results))
    if as_json:
        console.print_json(_object(plan, results, picture, library, left, console))
        return
    console.print(console.text(_heading(plan)))
    if picture.standings:
        console.print_rows(_table(plan, picture, library, console))
    console.print("")
    for line in text_map(picture, console):
        console.print(line)
    if (zeros := plan_zeros(plan)) is not None:
        console.print(console.text(zeros))
    console.print("")
    console.print(console.text(verdict(plan, picture, library)))
    if left:
        console.print(console.text(message("{count} combinations were not tried: the time was over.", count=left)))
    if plan.twins:
        console.print(console.text(twin_text(plan)))
    if plan.refused:
        told = message(
            "{count} combinations cannot work; {option} lists them with their reasons.", count=len(plan.refused), option="--json"
        )
        console.print(console.text(told))


def _heading(plan: TuningPlan) -> Message:
    """Say what is tuned, and what stays as it is."""
    heading = message("{variant}, {size}", variant=plan.variant.id, size=size_text(plan.problem))
    fixed = settings_text(plan.points[0], [name for name in plan.points[0].parameters if name not in plan.over])
    return message("{first}, {rest}", first=heading, rest=fixed) if fixed else heading


def text_map(picture: HeatMap, console: Console) -> list[str]:
    """A line for each value along y, a column for each along x: shade and rate; signs for what was refused or not tried."""
    x, y = picture.x, picture.y
    corner = x.name if y is None else f"{y.name} \\ {x.name}"
    rows = [[corner, *map(x.written, picture.columns)]]
    for row in picture.rows:
        cells = [_cell(picture, (column, row), console) for column in picture.columns]
        rows.append(["" if y is None else y.written(row), *cells])
    unit = message("GFLOP/s") if picture.problem.operation is Operation.MATMUL else message("GB/s")
    key = message(
        "{unit}, from {least} slow to {most} fast; {best} the fastest, {refused} cannot work, {untried} not tried",
        unit=unit, least=_SHADES[0], most=_SHADES[-1], best=_WINNER, refused=_REFUSED, untried=_UNTRIED,
    )  # fmt: skip
    return [*aligned(rows), console.text(key)]


def _cell(picture: HeatMap, place: tuple[int, int], console: Console) -> str:
    cell: Cell = picture.cells[place]
    if cell.kind is not CellKind.TIMED or cell.rate is None or picture.range is None:
        return _REFUSED if cell.kind is CellKind.REFUSED else _UNTRIED
    least, most = picture.range
    share = (cell.rate - least) / (most - least) if most > least else 1.0
    shade = _SHADES[min(len(_SHADES) - 1, int(share * len(_SHADES)))]
    return f"{shade} {console.translator.number(cell.rate)}{f' {_WINNER}' if place == picture.marked else ''}"


def _table(plan: TuningPlan, picture: HeatMap, library: Result | None, console: Console) -> list[list[str]]:
    rate = message("GFLOP/s") if picture.problem.operation is Operation.MATMUL else message("GB/s")
    titles = (message("Place"), message("Parameters"), message("ms"), rate, message("% of library"), message("Samples"))
    rows = [list(map(console.text, titles))]
    number = console.translator.number
    for place, standing in enumerate(picture.standings[:BEST], 1):
        result = standing.result
        assert result.median_ms is not None
        assert result.rate is not None
        share = "" if library is None else share_of_library(result, library).text
        samples = str(len(result.times_ms)) if standing.confirmed else console.text(message("{count}, a look", count=len(result.times_ms)))
        rows.append([str(place), settings_text(result.point, plan.over), number(result.median_ms), number(result.rate), share, samples])
    return rows


def _object(
    plan: TuningPlan, results: Sequence[Result], picture: HeatMap, library: Result | None, left: int, console: Console
) -> dict[str, Any]:
    return {
        **point_object(plan.points[0]),
        "over": list(plan.over),
        "combinations": plan.combinations,
        "not_tried": left,
        "library_ms": None if library is None else library.median_ms,
        "ranking": [_standing(each, library, console) for each in picture.standings],
        "heat_map": [_cell_object(plan, each) for each in picture.cells.values()],
        "not_verified": [result_object(result, console.text) for result in results if not result.verified],
        "equal": [_twin_object(each) for each in plan.twins],
        "refused": [_refusal_object(each, console) for each in plan.refused],
    }


def _twin_object(twin: Twin) -> dict[str, Any]:
    variant = twin.point.variant
    return {**parameters_object(variant, twin.point.parameters), "as": parameters_object(variant, twin.tried.parameters)}


def _refusal_object(refusal: Refusal, console: Console) -> dict[str, Any]:
    variant = refusal.point.variant
    reason = as_typed(refusal.reason, variant) or refusal.reason
    return {**parameters_object(variant, refusal.point.parameters), "reason": console.text(reason)}


def _standing(standing: Standing, library: Result | None, console: Console) -> dict[str, Any]:
    result = standing.result
    share = None if library is None or not result.median_ms else share_of_library(result, library).percent
    return {**result_object(result, console.text), "confirmed": standing.confirmed, "percent_of_library": share}


def _cell_object(plan: TuningPlan, cell: Cell) -> dict[str, Any]:
    rate = None if cell.rate is None else cell.rate
    return {**parameters_object(plan.variant, cell.point.parameters), "kind": cell.kind.value, rate_name(plan.problem.operation): rate}
