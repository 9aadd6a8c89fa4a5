"""Results as the tables that courses ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.core.comparisons import Derived, derive
from app.core.curves import unit
from app.core.quantities import Rung
from app.core.report.asked import Asked
from app.core.report.content import Cell, Grid
from app.core.series_names import name_of
from app.core.session import SIZE_AXIS
from app.core.value_names import value_text
from kernels.measure.results import Result, Status
from kernels.messages import Message, message
from kernels.spec import Variant

Number = Callable[[Result, Derived], Cell]
N = message("n")


def by_size(asked: Asked) -> tuple[Grid, ...]:
    """Median time, spread, rate and share of the library, a row for each n."""
    results = asked.along(SIZE_AXIS)
    grids = [
        _grid(asked, results, message("Median time in ms"), lambda result, _: result.median_ms),
        _grid(asked, results, message("Spread: interquartile range in % of the median"), lambda result, _: _spread(result)),
        _grid(asked, results, message("Speed in {unit}", unit=unit(asked.choice.operation)), lambda result, _: result.rate),
        _grid(asked, results, message("Share of the best library in %"), lambda _, derived: _only_number(derived.percent_of_library)),
    ]
    told = [grid for grid in grids if any(cell is not None for row in grid.rows for cell in row[1:])]
    return (replace(told[0], notes=_reasons(results)), *told[1:]) if told else ()


def speed_ups(asked: Asked) -> Grid | None:
    """How many times as fast as the first variant each is, by n; None where there is nothing to compare."""
    results, variants = asked.along(SIZE_AXIS), asked.variants
    if len(variants) < 2:
        return None
    first = variants[0]
    baseline = Rung(first.id)
    title = message("Times as fast as {base}", base=first.title)
    return _grid(asked, results, title, lambda _, derived: _only_number(derived.speed_up), baseline)


def by_parameter(asked: Asked, axis: str) -> Grid | None:
    """Median times by the values of a parameter at one n; None where none of the variants was measured with two of them."""
    results = asked.along(axis)
    values = sorted({result.point.parameters[axis] for result in results if axis in result.point.parameters})
    variants = [variant for variant in asked.choice.variants if any(r.point.variant_id == variant.id for r in results)]
    if len(values) < 2:
        return None
    parameter = asked.choice.parameter(axis)
    assert parameter is not None, axis
    known = {(result.point.variant_id, result.point.parameters.get(axis)): result for result in results}
    rows = [(value_text(parameter, value), *(_ms(known.get((variant.id, value))) for variant in variants)) for value in values]
    title = message("Median time in ms at n = {n}", n=asked.n_of(axis))
    return Grid(title, (parameter.title, *(variant.title for variant in variants)), tuple(rows), _reasons(results))


def verification(asked: Asked) -> Grid:
    """The largest relative error of each variant and the bound that it is held to, with how many points were right."""
    rows: list[tuple[Cell, ...]] = []
    for variant in asked.variants:
        own = [result for result in asked.along(SIZE_AXIS) if result.point.variant_id == variant.id]
        errors = [result.relative_error for result in own if result.relative_error is not None]
        bounds = [result.allowed_error for result in own if result.allowed_error is not None]
        right = sum(result.verified for result in own)
        wrong = sum(result.status is Status.WRONG for result in own)
        rows.append((variant.title, right, wrong, max(errors, default=None), min(bounds, default=None)))
    columns = (
        message("Variant"), message("points verified"), message("wrong"), message("largest relative error"), message("smallest bound"),
    )  # fmt: skip
    return Grid(message("Each result was compared with a float64 reference before its time counted."), columns, tuple(rows))


def _grid(asked: Asked, results: Sequence[Result], title: Message, number: Number, baseline: Rung | None = None) -> Grid:
    derived = derive(results, baseline)
    cells = {
        (result.point.variant_id, result.point.problem.n): (number(result, each) if result.verified else None)
        for result, each in zip(results, derived, strict=True)
    }
    sizes = sorted({result.point.problem.n for result in results})
    rows = [(n, *(cells.get((variant.id, n)) for variant in asked.variants)) for n in sizes]
    return Grid(title, (N, *(_name(variant, results) for variant in asked.variants)), tuple(rows))


def _name(variant: Variant, results: Sequence[Result]) -> Message:
    own = next((result for result in results if result.point.variant_id == variant.id), None)
    return variant.title if own is None else name_of(variant, own.point.parameters)


def _reasons(results: Sequence[Result]) -> tuple[Message, ...]:
    """Why points have no time."""
    return tuple(
        message("{rung}, n = {n}: {reason}", rung=name_of(point.variant, point.parameters), n=point.problem.n, reason=result.reason)
        for result in results
        if (point := result.point) and not result.verified and result.reason is not None
    )


def _ms(result: Result | None) -> Cell:
    return None if result is None or not result.verified else result.median_ms


def _only_number(value: float | Message | None) -> Cell:
    return value if isinstance(value, float) else None


def _spread(result: Result) -> Cell:
    median, spread = result.median_ms, result.spread_ms
    return None if not median or spread is None or len(result.times_ms) < 2 else 100 * spread / median
