"""Percentages of the library: how near each variant comes to the best library of its device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from app.core.results.curves import Provenance, Series, SeriesKey
from app.core.results.known_results import Results
from app.core.results.quantities import Quantity, Share, share_of_library
from app.core.results.query import select
from app.core.results.relative_times import series_of
from app.core.session.session import SIZE_AXIS, TimingChoice
from kernels.base.spec import Operation, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import VARIANTS, of


@dataclass(frozen=True, slots=True)
class LibraryPercent:
    """A variant's speed as a share of its library's."""

    key: SeriesKey
    share: Share


@dataclass(frozen=True, slots=True)
class PercentGroup:
    """The variants that have one library in common, with their shares at `n`; all of one provenance and one machine."""

    library: Variant
    n: int
    provenance: Provenance
    machine: str
    shares: tuple[LibraryPercent, ...]
    uneven: bool = False
    """Whether the library's own time was disturbed or scatters."""


def shares_of(
    results: Results, choice: TimingChoice, staged: str = "", shown: frozenset[Provenance] = frozenset(Provenance)
) -> tuple[PercentGroup, ...]:
    """A group for each library in the order of the catalogue, at the largest n where most of its lines have a share: of what was measured,
    else of what was recorded, as far as it is shown."""
    found: dict[Variant, list[PercentGroup]] = {}
    for provenance in [each for each in (Provenance.MEASURED, Provenance.RECORDED) if each in shown]:
        selected = select(results, choice, SIZE_AXIS, frozenset((provenance,)), staged)
        lines: dict[tuple[Variant, str], list[Series]] = {}
        for line in series_of(selected, SIZE_AXIS, Quantity.PERCENT, results):
            library = library_of(line.key.variant)
            if library is not None:
                lines.setdefault((library, line.key.machine), []).append(line)
        earlier = set(found)
        for (library, machine), series in lines.items():
            n = _largest_of_most(series)
            if n is not None and library not in earlier:
                uneven = _uneven(results, provenance, series, n)
                found.setdefault(library, []).append(PercentGroup(library, n, provenance, machine, _at(series, n), uneven))
    return tuple(group for library in VARIANTS for group in found.get(library, ()))


def library_of(variant: Variant) -> Variant | None:
    """The 100 % line of a variant: the library of its device in its precision; None where there is none."""
    same = (each for each in of(variant.operation) if each.library and (each.device, each.precision) == (variant.device, variant.precision))
    return next(same, None)


def library_shares(results: Results, operation: Operation) -> Mapping[str, Share]:
    """The speed of each variant as a share of its device's best library, at its own largest n where both were timed: a slow one
    is not timed as far as a fast one.

    Measured results come first; a device that nothing was measured on shows what was recorded elsewhere. Of several parameters
    the fastest counts.
    """
    shares = ((variant.id, _best_share(results, provenance, variant))
              for provenance in (Provenance.RECORDED, Provenance.MEASURED) for variant in of(operation))  # fmt: skip
    return {variant_id: share for variant_id, share in shares if share is not None}


def _best_share(results: Results, provenance: Provenance, variant: Variant) -> Share | None:
    known = results.of(provenance, variant.id)
    for n in known.sizes:
        rows = known.at(Problem.square(variant.operation, n))
        pairs = [(row, library) for row in rows if row.timed and (library := results.library(provenance, row)) is not None]
        if pairs:
            return max((share_of_library(row, library) for row, library in pairs), key=lambda share: share.percent)
    return None


def _largest_of_most(series: Sequence[Series]) -> int | None:
    """The largest n at which at least half of the lines that have a share have one: at the very end a library may stand alone."""
    lines = [{point.x for point in line.drawn if point.share is not None} for line in series]
    often = Counter(x for xs in lines for x in xs)
    return max((x for x, count in often.items() if 2 * count >= sum(map(bool, lines))), default=None)


def _at(series: Sequence[Series], n: int) -> tuple[LibraryPercent, ...]:
    return tuple(
        LibraryPercent(line.key, point.share) for line in series for point in line.drawn if point.x == n and point.share is not None
    )


def _uneven(results: Results, provenance: Provenance, series: Sequence[Series], n: int) -> bool:
    libraries = (results.library(provenance, point.result) for line in series for point in line.drawn if point.x == n)
    return any(library is not None and library.uneven for library in libraries)
