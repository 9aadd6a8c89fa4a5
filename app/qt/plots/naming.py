"""Which lines of a chart are named at its edge: so few that a hall can read them, those that say most."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.curves import Provenance, Series
from app.qt.plots.content import ChartContent
from app.qt.plots.scales import Scale

MOST_NAMES = 6
_MOST_GUIDES = 2


def named_guides(content: ChartContent) -> int:
    """How many of the guides are named: the first ones."""
    return min(len(content.guides), _MOST_GUIDES)


def named_series(content: ChartContent) -> tuple[Series, ...]:
    """What was measured here comes before what was not, which has one name at least. Of each: the rung on the stage, the libraries, the
    fastest, then those whose ends lie farthest from the names that there are. In the order of the content."""
    room = MOST_NAMES - named_guides(content)
    drawn = [series for series in content.series if series.drawn and not content.quiet(series.key)]
    if len(drawn) <= room:
        return tuple(drawn)
    here = [series for series in drawn if series.key.provenance is Provenance.MEASURED]
    others = [series for series in drawn if series.key.provenance is not Provenance.MEASURED]
    named = _say_most(here, content, room - bool(others), [])
    named = _say_most(others, content, room, named)
    return tuple(series for series in drawn if series in named)


def _say_most(some: Sequence[Series], content: ChartContent, room: int, named: list[Series]) -> list[Series]:
    """`named` with so many of `some` as there is room for."""
    left, scale, kept = list(some), content.y_scale, list(named)
    first = [series for series in left if series.key.variant_id == content.staged]
    first += [series for series in left if series.key.variant.library and series.key.variant.precision is None]
    first += [max(left, key=lambda series: _end(series, scale))] if left else []
    for series in first:
        if series not in kept and len(kept) < room:
            kept.append(series)
    left = [series for series in left if series not in kept]
    while left and len(kept) < room:
        farthest = max(left, key=lambda series: min((abs(_end(series, scale) - _end(other, scale)) for other in kept), default=0.0))
        kept.append(farthest)
        left.remove(farthest)
    return kept


def _end(series: Series, scale: Scale) -> float:
    """How high a line ends, from 0 to 1."""
    return scale.share(series.drawn[-1].value or scale.low)
