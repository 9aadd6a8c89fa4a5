"""Query of the results that a choice asks for along an axis: a chart's, a table's, those that sentences are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain

from app.core.results.curves import Provenance
from app.core.results.known_results import OfVariant, Results, in_order
from app.core.session.session import SIZE_AXIS, TimingChoice
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.catalogue.catalogue import find
from kernels.catalogue.catalogue import of as variants_of
from kernels.measure.results import EDITED
from kernels.measure.rows import Row, Setting, items_of

Selected = Mapping[Provenance, Sequence[Row]]
STAND_INS = 5
"""Recorded rungs of a device, besides its library, that a chart shows where nobody ticked any."""


def select(
    results: Results, choice: TimingChoice, axis: str, shown: frozenset[Provenance], staged: str = ""
) -> dict[Provenance, tuple[Row, ...]]:
    """The results that the choice asks for along one axis: its ticked variants with their parameters, on square matrices.

    Over sizes a variant is shown with the chosen parameters; where nothing was recorded or published with them, with the parameters
    that this was done with at most sizes. Over a parameter it is shown at `chart_n`. A few others that were recorded stand in where
    there is nothing yet (`stand_ins`), and what is published of those; that of the stage, `staged`, is among them.
    """
    parts = select_parts(results, choice, axis, shown, staged, None if axis == SIZE_AXIS else chart_n(results, choice, axis))
    return {provenance: tuple(chain.from_iterable(each)) for provenance, each in parts.items()}


def select_parts(
    results: Results, choice: TimingChoice, axis: str, shown: frozenset[Provenance], staged: str, n: int | None
) -> dict[Provenance, list[Sequence[Row]]]:
    """Return the selected rows in parts, each of one variant. `n` is that of a chart over a parameter.

    Over sizes a part of which nothing has changed is the same object as before.
    """
    few = stand_ins(results, choice, staged) if Provenance.RECORDED in shown and not _swept(results, choice, shown) else frozenset()
    problem = None if n is None else Problem.square(choice.operation, n)
    selected: dict[Provenance, list[Sequence[Row]]] = {}
    for provenance in [each for each in Provenance if each in shown]:
        wanted = choice.ticked if provenance is Provenance.MEASURED else choice.ticked | few
        parts: list[Sequence[Row]] = []
        for variant_id in in_order(each for each in wanted if _computes(each, choice.operation)):
            known, chosen = results.of(provenance, variant_id), choice.parameters[variant_id]
            if problem is None:
                parts += _along_sizes(known, chosen, provenance)
            else:
                parts.append([row for row in known.at(problem) if _is_along(row, chosen, axis, provenance)])
        selected[provenance] = [part for part in parts if part]
    return selected


def chart_n(results: Results, choice: TimingChoice, axis: str, among: Iterable[Provenance] = tuple(Provenance)) -> int:
    """The n of the chart over a parameter: the largest chosen size where it is what is measured, else where most values are known.

    Of sizes with as many values, one with more measured values comes first, then the largest.
    """
    if choice.axis == axis:
        return choice.sizes[-1]
    known = _values(results, choice, axis, among)
    most = max(map(len, known.values()), default=0)
    largest = [n for n, values in known.items() if len(values) == most]
    if len(largest) < 2:
        return largest[0] if largest else choice.sizes[-1]
    here = _values(results, choice, axis, (Provenance.MEASURED,) if Provenance.MEASURED in among else ())
    return max(largest, key=lambda n: (len(here.get(n, ())), n))


def _values(results: Results, choice: TimingChoice, axis: str, among: Iterable[Provenance]) -> Mapping[int, Set[int]]:
    """The values of a parameter by n, of all ticked variants."""
    merged: dict[int, Set[int]] = {}
    for each in among:
        for variant_id in choice.ticked:
            for n, values in results.of(each, variant_id).values(axis).items():
                merged[n] = merged[n] | values if n in merged else values
    return merged


def stand_ins(results: Results, choice: TimingChoice, staged: str) -> frozenset[str]:
    """The ids of a few recorded variants, where of the ticked ones none was recorded; else of devices without a ticked one on which
    nothing was measured here. The one on the stage, `staged`, is among them. At most `STAND_INS`, libraries not counted."""
    known = _squarely(results, Provenance.RECORDED, choice.operation)
    if any(variant.id in choice.ticked for variant in known):
        told = {variant.device for variant in (*choice.variants, *_squarely(results, Provenance.MEASURED, choice.operation))}
        known = [variant for variant in known if variant.device not in told]
    own = [variant for variant in known if not variant.library]
    libraries = {variant.id for variant in known if variant.library and (variant.precision is None or variant.id == staged)}
    return _spread(own, staged, STAND_INS) | libraries


def _swept(results: Results, choice: TimingChoice, shown: frozenset[Provenance]) -> bool:
    """Whether a parameter is swept of which the ticked variants have times: others are not asked for then."""
    return choice.axis != SIZE_AXIS and any(
        results.of(each, variant_id).values(choice.axis) for each in shown for variant_id in choice.ticked
    )


def _squarely(results: Results, provenance: Provenance, operation: Operation) -> list[Variant]:
    """The variants of which results on square matrices are known, in teaching order."""
    return [variant for variant in variants_of(operation) if results.of(provenance, variant.id).is_square]


def _computes(variant_id: str, operation: Operation) -> bool:
    variant = find(variant_id)
    return variant is not None and variant.operation is operation


def _spread(own: Sequence[Variant], staged: str, most: int) -> frozenset[str]:
    """Return at most `most` variants in float32, spread from the first to the last.

    One on the stage that is not among them takes its neighbour's place.
    """
    usual = [place for place, variant in enumerate(own) if variant.precision is None]
    if len(usual) > most:
        usual = [usual[round(i * (len(usual) - 1) / (most - 1))] for i in range(most)]
    wanted = next((place for place, variant in enumerate(own) if variant.id == staged), None)
    if wanted is not None and wanted not in usual:
        if len(usual) == most:
            usual.remove(min(usual[1:-1], key=lambda place: abs(place - wanted)))
        usual.append(wanted)
    return frozenset(own[place].id for place in usual)


def _along_sizes(known: OfVariant, chosen: Parameters, provenance: Provenance) -> list[Sequence[Row]]:
    """What is published of a variant has a machine for each report, and is chosen for each."""
    wanted = items_of(chosen)
    parts: list[Sequence[Row]] = [known.along(wanted)]
    if provenance is Provenance.RECORDED and not parts[0]:
        parts = [_most(wanted, [known.along(each) for each in known.settings])]
    elif provenance is Provenance.PUBLISHED:
        reports = dict.fromkeys(row.machine for row in known.rows)
        parts = [_most(wanted, [_of_report(known.along(each), report) for each in known.settings]) for report in reports]
    return [*parts, known.along(items_of({**chosen, EDITED: 1}))]


def _most(wanted: Setting, groups: Iterable[Sequence[Row]]) -> Sequence[Row]:
    """The wanted setting, else one that says the same of fewer parameters, else that with most sizes. Rows of a group have one setting."""

    def order(rows: Sequence[Row]) -> tuple[bool, bool, int]:
        return rows[0].setting == wanted, set(rows[0].setting) <= set(wanted), len(rows)

    return max((rows for rows in groups if rows), key=order, default=())


def _of_report(rows: Iterable[Row], report: str) -> list[Row]:
    return [row for row in rows if row.machine == report]


def _is_along(row: Row, chosen: Parameters, axis: str, provenance: Provenance) -> bool:
    """Whether only the parameter of the axis may differ from what is chosen. What is published says little of its parameters."""
    own = {name: value for name, value in row.setting if name not in (axis, EDITED)}
    others = {name: value for name, value in chosen.items() if name != axis}
    if not any(name == axis for name, _ in row.setting):
        return False
    return own.items() <= others.items() if provenance is Provenance.PUBLISHED else own == others
