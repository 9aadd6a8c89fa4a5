"""Finders of pairs of results for expectations: two rungs, or one rung with two values of a parameter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from app.core.base.value_labels import value_text
from app.core.insights.evidence import Evidence
from app.core.insights.pairs import Find, Pair
from app.core.results.labels import name_of
from app.core.results.relative_times import place_of, without
from kernels.base.messages import Message, message
from kernels.base.spec import Variant
from kernels.measure.rows import Row, items_of

Accept = Callable[[Pair], bool]
Pick = Callable[[Mapping[int, Row]], tuple[int, int] | None]
"""From the results by value of a parameter to the two values that are compared."""


def rungs(rung: str, base: str, where: Accept = lambda _pair: True) -> Find:
    """Two rungs with their chosen parameters, at the largest n that both have."""

    def find(evidence: Evidence) -> Pair | None:
        new, old = evidence.variant(rung), evidence.variant(base)
        pairs = (Pair(new[n], old[n], named(new[n]), named(old[n])) for n in sorted(new, reverse=True) if n in old)
        return next((pair for pair in pairs if where(pair)), None)

    return find


def settings(variant_id: str, name: str, pick: Pick) -> Find:
    """One rung with two values of a parameter, all others being the same, at the largest n that has both; defaults come first."""

    def find(evidence: Evidence) -> Pair | None:
        for variant, by_value in grouped(evidence, name, variant_id):
            picked = pick(by_value)
            if picked is not None:
                new, old = picked
                return Pair(by_value[new], by_value[old], _with(variant, name, new), _with(variant, name, old))
        return None

    return find


def both(value: int, base: int) -> Pick:
    """Return a pick of these two values."""
    return lambda by_value: (value, base) if value in by_value and base in by_value else None


def doubled(by_value: Mapping[int, Row]) -> tuple[int, int] | None:
    """Pick the largest value and half of it."""
    return next(
        ((value, value // 2) for value in sorted(by_value, reverse=True) if value > 0 and value % 2 == 0 and value // 2 in by_value), None
    )


def crowded(by_value: Mapping[int, Row]) -> tuple[int, int] | None:
    """Return the largest measured number of workers beyond the cores, and the largest that fits on them; None where one is missing."""
    cores = next((cores for result in by_value.values() if (cores := cores_of(result))), 0)
    fitting, more = [v for v in by_value if 1 < v <= cores], [v for v in by_value if v > cores > 0]
    return (max(more), max(fitting)) if more and fitting else None


def grouped(evidence: Evidence, name: str, variant_id: str = "") -> Iterable[tuple[Variant, Mapping[int, Row]]]:
    """Results by value of a parameter, those of a group differing in nothing else: the largest n first, of one n the defaults."""
    groups: defaultdict[tuple[Variant, int, object], dict[int, Row]] = defaultdict(dict)
    for variant, rows in evidence.known.items():
        if variant.parameter(name) is not None and variant_id in ("", variant.id):
            for row in rows:
                value = place_of(row, name)
                if value is not None:
                    groups[variant, row.problem.n, without(row.setting, name)][value] = row

    def order(key: tuple[Variant, int, object]) -> tuple[int, bool]:
        variant, n, others = key
        return -n, others != without(items_of(variant.defaults), name)

    return [(key[0], groups[key]) for key in sorted(groups, key=order)]


def cores_of(result: Row) -> int:
    """The cores that the run could use; 0 where the result does not say."""
    return int(result.conditions.get("rank_cores", result.conditions.get("cores", 0)))


def named(result: Row) -> Message:
    """Return the name of the variant with its parameters."""
    return name_of(result.point.variant, result.point.parameters)


def _with(variant: Variant, name: str, value: int) -> Message:
    """The variant with this parameter alone."""
    parameter = variant.parameter(name)
    assert parameter is not None
    return message("{rung} ({parameter}: {value})", rung=variant.title, parameter=parameter.title, value=value_text(parameter, value))
