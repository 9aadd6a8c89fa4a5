"""What a tuning found: the ten best, a heat map over two parameters, what was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.cli.console import Console, aligned
from app.cli.request import as_typed
from app.cli.sentences import size_text
from app.core.results.library_percent import percent_text
from app.core.tuning.heat_map import Cell, CellKind, HeatMap, heat_map, library_ms
from app.core.tuning.words import settings_words, twin_words, verdict
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.measure.export import parameters_object, point_object, rate_name, result_object
from kernels.measure.results import Result
from kernels.measure.tuning import Refusal, Standing, TuningPlan, Twin, untried

BEST = 10
_SHADES = "·░▒▓█"
"""From the slowest to the fastest, in steps of a fifth of the range."""
_REFUSED, _UNTRIED, _WINNER = "✕", "–", "★"


def report(plan: TuningPlan, results: Sequence[Result], console: Console, *, as_json: bool) -> None:
    """Write what was found."""
    picture, library = heat_map(plan, results), library_ms(plan, results)
    left = sum(1 for _ in untried(plan, results))
    if as_json:
        console.print_json(_object(plan, results, picture, library, left, console))
        return
    console.print(console.text(_heading(plan)))
    for line in aligned(_table(plan, picture, library, console)) if picture.standings else ():
        console.print(line)
    console.print("")
    for line in text_map(picture, console):
        console.print(line)
    console.print("")
    console.print(console.text(verdict(plan, picture, library)))
    if left:
        console.print(console.text(message("{count} combinations were not tried: the time was over.", count=left)))
    if plan.twins:
        console.print(console.text(twin_words(plan)))
    if plan.refused:
        told = message(
            "{count} combinations cannot work; {option} lists them with their reasons.", count=len(plan.refused), option="--json"
        )
        console.print(console.text(told))


def _heading(plan: TuningPlan) -> Message:
    """What is tuned, and what stays as it is."""
    heading = message("{variant}, {size}", variant=plan.variant.id, size=size_text(plan.problem))
    fixed = settings_words(plan.points[0], [name for name in plan.points[0].parameters if name not in plan.over])
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
    return f"{shade} {console.translator.number(cell.rate)}{f' {_WINNER}' if place == picture.best else ''}"


def _table(plan: TuningPlan, picture: HeatMap, library: float | None, console: Console) -> list[list[str]]:
    rate = message("GFLOP/s") if picture.problem.operation is Operation.MATMUL else message("GB/s")
    titles = (message("Place"), message("Parameters"), message("ms"), rate, message("% of library"), message("Samples"))
    rows = [list(map(console.text, titles))]
    number = console.translator.number
    for place, standing in enumerate(picture.standings[:BEST], 1):
        result = standing.result
        assert result.median_ms is not None
        assert result.rate is not None
        share = "" if library is None else percent_text(100 * library / result.median_ms)
        samples = str(len(result.times_ms)) if standing.confirmed else console.text(message("{count}, a look", count=len(result.times_ms)))
        rows.append([str(place), settings_words(result.point, plan.over), number(result.median_ms), number(result.rate), share, samples])
    return rows


def _object(
    plan: TuningPlan, results: Sequence[Result], picture: HeatMap, library: float | None, left: int, console: Console
) -> dict[str, Any]:
    return {
        **point_object(plan.points[0]),
        "over": list(plan.over),
        "combinations": plan.combinations,
        "not_tried": left,
        "library_ms": library,
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


def _standing(standing: Standing, library: float | None, console: Console) -> dict[str, Any]:
    result = standing.result
    share = None if library is None or not result.median_ms else 100 * library / result.median_ms
    return {**result_object(result, console.text), "confirmed": standing.confirmed, "percent_of_library": share}


def _cell_object(plan: TuningPlan, cell: Cell) -> dict[str, Any]:
    rate = None if cell.rate is None else cell.rate
    return {**parameters_object(plan.variant, cell.point.parameters), "kind": cell.kind.value, rate_name(plan.problem.operation): rate}
