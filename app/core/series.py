"""From results to the lines of a chart, in the quantity that it shows."""

from __future__ import annotations

from collections import defaultdict

from app.core.curves import CurvePoint, Provenance, Results, Series, SeriesKey, is_square, items_of, machine_of, machines_of
from app.core.medians import Medians, Timed, place_of, timed_of
from app.core.quantities import Baseline, Quantity, Smallest, percent_of_library
from app.core.session import SIZE_AXIS
from kernels.catalog import VARIANTS
from kernels.measure.results import Result
from kernels.messages import Message


def series_of(results: Results, axis: str, quantity: Quantity, known: Results, baseline: Baseline | None = None) -> tuple[Series, ...]:
    """Lines of `results` in catalogue order, measured before recorded. Only square problems have a place on these axes.

    What a time is compared with is taken from `known`, so that a library need not be drawn to be the 100 % line. Without a
    baseline the smallest value of the axis is it.
    """
    medians = Medians(known)
    lines: defaultdict[SeriesKey, list[CurvePoint]] = defaultdict(list)
    for provenance, group in results.items():
        machines = machines_of(group)
        for result in group:
            x = place_of(result.point, axis)
            if x is None or not is_square(result.point.problem):
                continue
            parameters = items_of({name: value for name, value in result.point.parameters.items() if name != axis})
            key = SeriesKey(result.point.variant_id, provenance, machine_of(result, machines), parameters)
            timed = timed_of(result, provenance, machines)
            lines[key].append(_curve_point(x, result, timed, quantity, medians, baseline or Smallest(axis)))
    ordered = sorted(lines, key=lambda key: (VARIANTS.index(key.variant), list(Provenance).index(key.provenance), key.machine))
    return tuple(Series(key, tuple(sorted(lines[key], key=lambda point: point.x))) for key in ordered)


def _curve_point(
    x: int, result: Result, timed: Timed | None, quantity: Quantity, medians: Medians, baseline: Baseline
) -> CurvePoint:  # fmt: skip
    if timed is None or min(result.times_ms) <= 0:
        return CurvePoint(x, result, None)
    library = medians.library(timed)
    percent = None if isinstance(library, Message) else percent_of_library(timed.ms, library)
    fastest, slowest = min(result.times_ms), max(result.times_ms)
    base = base_of(quantity, result, timed, medians, baseline)
    if isinstance(base, Message):
        return CurvePoint(x, result, percent, reason=base)
    low, high = sorted((told(quantity, fastest, base), told(quantity, slowest, base)))
    return CurvePoint(x, result, percent, told(quantity, timed.ms, base), low, high)


def told(quantity: Quantity, ms: float, base: float) -> float:
    """A time in a quantity, given its base (`base_of`)."""
    return ms / base if quantity in (Quantity.TIME, Quantity.GROWTH) else base / ms


def base_of(quantity: Quantity, result: Result, timed: Timed, medians: Medians, baseline: Baseline) -> float | Message:
    """What a time is divided by where more is slower, and what is divided by the time where more is faster; or why there is none."""
    match quantity:
        case Quantity.TIME:
            return 1.0
        case Quantity.RATE:
            return (result.rate or 0.0) * timed.ms
        case Quantity.PERCENT:
            library = medians.library(timed)
            return library if isinstance(library, Message) else 100 * library
        case Quantity.SPEED_UP:
            return medians.baseline(timed, baseline)
        case Quantity.EFFICIENCY:
            alone = medians.alone(timed)
            return alone if isinstance(alone, Message) else 100 * alone[1] / alone[0]
        case Quantity.GROWTH:
            return medians.smallest(timed, SIZE_AXIS)[1]
