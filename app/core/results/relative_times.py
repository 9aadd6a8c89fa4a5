"""Times compared with each other: what each is told as in a chart, a table or a file, or why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields

from app.core.results.curves import CurvePoint, Provenance, Series, SeriesKey
from app.core.results.known_results import Results, in_order
from app.core.results.quantities import (  # fmt: skip
    Baseline,
    Quantity,
    Smallest,
    efficiency_percent,
    expected_growth,
    growth,
    percent_of_library,
    share_of_library,
    speed_up,
    workers_of,
)
from app.core.session.session import SIZE_AXIS
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.rows import AnyResult, Row, Setting, is_square, items_of, row_of

Compared = float | Message | None
"""A number, the reason why there is none, or None where the question does not arise."""
Peak = Callable[[Case], float | None]
"""The most GFLOP/s that the machine has for a point, None where it is not known."""

MOST_KEPT = 400
"""Lines that are kept for the next picture."""
_OF_ITSELF = (Quantity.TIME, Quantity.RATE, Quantity.PERCENT)
"""What depends on no other result but a library's."""


class Medians:
    """Medians that a verified time is compared with: times of the same provenance and computer, a library's of the same machine.

    Rows that are asked about are `timed`. It is made for one chart or table: what it has found once it does not look for again.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self._smallest: dict[object, tuple[int, float]] = {}

    def library(self, provenance: Provenance, row: Row) -> float | Message:
        """The fastest library of the same device of the same machine on the same problem, in the same precision."""
        found = self.results.library(provenance, row)
        return message("No library was timed at n = {n}.", n=row.problem.n) if found is None else ms_of(found)

    def baseline(self, provenance: Provenance, row: Row, baseline: Baseline) -> float | Message:
        """Return the milliseconds that a speed-up is over, or why there are none."""
        if isinstance(baseline, Smallest):
            return self.smallest(provenance, row, baseline.axis)[1]
        wanted, host = set(baseline.parameters), self._host(provenance, row)
        times = (
            ms_of(other)
            for other in self.results.of(provenance, baseline.variant_id).at(row.problem)
            if other.timed and wanted <= set(other.setting) and self._host(provenance, other) == host
        )
        variant = find(baseline.variant_id)
        name = baseline.variant_id if variant is None else variant.title
        return _least(times) or message("The baseline, {variant}, was not timed at n = {n}.", variant=name, n=row.problem.n)

    def alone(self, provenance: Provenance, row: Row) -> tuple[int, float] | Message:
        """How many compute at once, and the time that one of them takes alone."""
        workers = workers_of(dict(row.setting))
        if isinstance(workers, Message):
            return workers
        name, count = workers
        one, machine = items_of({**dict(row.setting), name: 1}), self._machine(provenance, row)
        along = self.results.of(provenance, row.variant_id).along(one)
        times = (
            ms_of(other) for other in along if other.timed and other.problem == row.problem and self._machine(provenance, other) == machine
        )
        ms = _least(times)
        return message("Not timed with {name} = 1 at n = {n}.", name=name, n=row.problem.n) if ms is None else (count, ms)

    def smallest(self, provenance: Provenance, row: Row, axis: str) -> tuple[int, float]:
        """The smallest value along `axis` with its time, all else being the same: at the least the one that is asked about."""
        machine, known = self._machine(provenance, row), self.results.of(provenance, row.variant_id)
        rest = without(row.setting, axis)
        key = (provenance, machine, row.variant_id, rest, None if axis == SIZE_AXIS else row.problem, axis)
        if key not in self._smallest:
            others = known.along(row.setting) if axis == SIZE_AXIS else [each for each in known.at(row.problem)
                                                                         if without(each.setting, axis) == rest]  # fmt: skip
            along = [
                (place, ms_of(other))
                for other in others
                if other.timed and (place := place_of(other, axis)) is not None and self._machine(provenance, other) == machine
            ]
            self._smallest[key] = min(along, default=(place_of(row, axis) or 0, ms_of(row)))
        return self._smallest[key]

    def base(self, quantity: Quantity, provenance: Provenance, row: Row, baseline: Baseline) -> float | Message:
        """What a time is divided by where more is slower, and what is divided by the time where more is faster; or why there is none."""
        match quantity:
            case Quantity.TIME:
                return 1.0
            case Quantity.RATE:
                return (row.rate or 0.0) * ms_of(row)
            case Quantity.PERCENT:
                library = self.library(provenance, row)
                return library if isinstance(library, Message) else 100 * library
            case Quantity.SPEED_UP:
                return self.baseline(provenance, row, baseline)
            case Quantity.EFFICIENCY:
                alone = self.alone(provenance, row)
                return alone if isinstance(alone, Message) else 100 * alone[1] / alone[0]
            case Quantity.GROWTH:
                return self.smallest(provenance, row, SIZE_AXIS)[1]

    def _machine(self, provenance: Provenance, row: Row) -> str:
        return self.results.machine(provenance, row)

    def _host(self, provenance: Provenance, row: Row) -> str:
        return row.host or self._machine(provenance, row)


class Lines:
    """The lines of a chart, kept from one picture to the next: a line is made anew only where its part has another result, and of its
    points only those that are new."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[Sequence[Row], object, tuple[Series, ...]]] = {}

    def series(
        self, parts: Mapping[Provenance, Iterable[Sequence[Row]]], axis: str, quantity: Quantity, known: Results, baseline: Baseline
    ) -> tuple[Series, ...]:
        """Return the series as `series_of` does, of parts that are each of one variant.

        Parts that have not changed are not worked out again.
        """
        medians, found = Medians(known), list[Series]()
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        for provenance, own in parts.items():
            stamp = (known.machines(provenance), known.library_revision if quantity in _OF_ITSELF else known.revision)
            for part in own:
                key = (
                    provenance,
                    part[0].variant_id,
                    part[0].setting if axis == SIZE_AXIS else None,
                    part[0].machine,
                    axis,
                    quantity,
                    baseline,
                )
                before = self._known.get(key)
                if before is None or before[0] is not part or before[1] != stamp:
                    earlier = before[2] if before is not None and before[1] == stamp else ()
                    points = {id(point.result): point for line in earlier for point in line.points}
                    self._known[key] = part, stamp, _lines(part, provenance, axis, quantity, medians, baseline, points)
                found += self._known[key][2]
        places = {variant_id: place for place, variant_id in enumerate(in_order(line.key.variant_id for line in found))}
        order = list(Provenance)
        return tuple(sorted(found, key=lambda line: (places[line.key.variant_id], order.index(line.key.provenance), line.key.machine)))


def series_of(
    selected: Mapping[Provenance, Iterable[Row]], axis: str, quantity: Quantity, known: Results, baseline: Baseline | None = None
) -> tuple[Series, ...]:
    """Lines of the selected results in catalogue order, measured before recorded. Only square problems have a place on these axes.

    What a time is compared with is taken from `known`, so that a library need not be drawn to be the 100 % line. Without a
    baseline the smallest value of the axis is it.
    """
    parts: dict[Provenance, list[list[Row]]] = {}
    for provenance, rows in selected.items():
        by_variant: dict[str, list[Row]] = {}
        for row in rows:
            by_variant.setdefault(row.variant_id, []).append(row)
        parts[provenance] = list(by_variant.values())
    return Lines().series(parts, axis, quantity, known, baseline or Smallest(axis))


def _lines(
    part: Iterable[Row], provenance: Provenance, axis: str, quantity: Quantity, medians: Medians, baseline: Baseline,
    earlier: Mapping[int, CurvePoint],
) -> tuple[Series, ...]:  # fmt: skip
    """`earlier` are points that were made of rows of the same part before, by the identity of the row."""
    lines: dict[tuple[str, str, Setting], list[CurvePoint]] = {}
    for row in part:
        x = place_of(row, axis)
        if x is not None and row.square:
            key = row.variant_id, medians.results.machine(provenance, row), row.setting if axis == SIZE_AXIS else without(row.setting, axis)
            point = earlier.get(id(row)) or _curve_point(x, row, provenance, quantity, medians, baseline)
            lines.setdefault(key, []).append(point)
    return tuple(
        Series(SeriesKey(variant_id, provenance, machine, rest), tuple(sorted(points, key=lambda point: point.x)))
        for (variant_id, machine, rest), points in lines.items()
    )


def _curve_point(x: int, row: Row, provenance: Provenance, quantity: Quantity, medians: Medians, baseline: Baseline) -> CurvePoint:
    if not row.timed or row.times is None or row.times[0] <= 0:
        return CurvePoint(x, row, None)
    library = medians.results.library(provenance, row)
    share = None if library is None else share_of_library(row, library)
    base = medians.base(quantity, provenance, row, baseline)
    if isinstance(base, Message):
        return CurvePoint(x, row, share, reason=base)
    low, high = sorted((told(quantity, row.times[0], base), told(quantity, row.times[-1], base)))
    return CurvePoint(x, row, share, told(quantity, ms_of(row), base), low, high)


def told(quantity: Quantity, ms: float, base: float) -> float:
    """A time in a quantity, given its base (`Medians.base`)."""
    return ms / base if quantity in (Quantity.TIME, Quantity.GROWTH) else base / ms


def told_of(medians: Medians, quantity: Quantity, baseline: Baseline, row: Row) -> float | Message | None:
    """A measured result in a quantity, or why it has no value; None without a time."""
    if not row.timed:
        return None
    base = medians.base(quantity, Provenance.MEASURED, row, baseline)
    return base if isinstance(base, Message) else told(quantity, ms_of(row), base)


def ms_of(row: Row) -> float:
    """The median of a row that has one."""
    return row.median_ms or 0.0


def place_of(row: Row, axis: str) -> int | None:
    """Where a result lies along an axis: its n, or its value of a parameter; None where it has none."""
    if axis == SIZE_AXIS:
        return row.problem.n if row.square else None
    return next((value for name, value in row.setting if name == axis), None)


def without(setting: Setting, axis: str) -> Setting:
    """What points along an axis have in common of their parameters."""
    return tuple(item for item in setting if item[0] != axis)


@dataclass(frozen=True, slots=True)
class Derived:
    """Comparisons of one result. Ratios and percentages; `expected_growth` is what `growth` would be if time grew as the work does."""

    percent_of_library: Compared = None
    percent_of_peak: Compared = None
    speed_up: Compared = None
    efficiency_percent: Compared = None
    growth: Compared = None
    expected_growth: Compared = None

    @property
    def numbers(self) -> dict[str, float | None]:
        """All comparisons by name; None where there is no number."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value if isinstance(value, float) else None for name, value in values.items()}

    @property
    def reasons(self) -> dict[str, Message]:
        """Why a comparison that was asked for has no number."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, Message)}


@dataclass(frozen=True, slots=True)
class _Question:
    """Choice of what is asked of every result."""

    medians: Medians
    baseline: Baseline | None
    peak: Peak
    library: bool
    workers: bool
    sizes: bool


def derive(results: Sequence[AnyResult], baseline: Baseline | None = None, peak: Peak = lambda _point: None) -> tuple[Derived, ...]:
    """The comparisons of each result with the others, which were all measured on this machine. Without a baseline no speed-ups.

    An efficiency is asked for where the number of workers varies, a growth where n does, a share where there is a library.
    """
    rows = [row_of(result) for result in results]
    question = _Question(
        Medians(Results({Provenance.MEASURED: rows})), baseline, peak,
        library=any(row.variant.library for row in rows),
        workers=_varies([workers_of(dict(row.setting)) for row in rows]),
        sizes=_varies([row.problem.n for row in rows]),
    )  # fmt: skip
    return tuple(_compare(row, question) if row.timed else Derived() for row in rows)


def _compare(row: Row, asked: _Question) -> Derived:
    ms, here, medians = ms_of(row), Provenance.MEASURED, asked.medians
    peak, grown = asked.peak(row.point), None
    if asked.sizes and is_square(row.problem):
        smallest, least = medians.smallest(here, row, SIZE_AXIS)
        grown = growth(ms, least), expected_growth(row.problem.operation, row.problem.n, smallest)
    return Derived(
        _with(medians.library(here, row) if asked.library else None, lambda library: percent_of_library(ms, library)),
        None if peak is None or row.rate is None or not row.problem.flops else 100 * row.rate / peak,
        _with(None if asked.baseline is None else medians.baseline(here, row, asked.baseline), lambda base: speed_up(ms, base)),
        _efficiency(row, medians) if asked.workers else None,
        None if grown is None else grown[0],
        None if grown is None else grown[1],
    )


def _efficiency(row: Row, medians: Medians) -> Compared:
    if isinstance(workers_of(dict(row.setting)), Message):
        return None
    alone = medians.alone(Provenance.MEASURED, row)
    return alone if isinstance(alone, Message) else efficiency_percent(ms_of(row), alone[1], alone[0])


def _with(base: float | Message | None, compare: Callable[[float], float]) -> Compared:
    return compare(base) if isinstance(base, float) else base


def _varies(values: Sequence[object]) -> bool:
    return len({value for value in values if not isinstance(value, Message)}) > 1


def _least(times: Iterable[float]) -> float | None:
    return min(times, default=None)
