"""The verified results behind the sentences that explain a chart, sorted by machine, variant and n or tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.core.results.curves import Provenance
from app.core.results.known_results import Results, in_order
from app.core.results.labels import name_of
from app.core.results.query import select
from app.core.session.session import SIZE_AXIS, TimingChoice
from kernels.base.messages import Message
from kernels.base.spec import Device, Variant
from kernels.base.values import dataclass
from kernels.measure.results import EDITED
from kernels.measure.rows import Row

STEADY = 0.5
"""The most that the interquartile range may be of the median."""
Place = tuple[Device, str]
"""One device of one machine."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Verified results of one device of one machine: by variant and n with the chosen parameters, over tiles at one n, along the axis
    that was chosen, and all.

    Those that sentences are built on are undisturbed; `uneven` has the others too.
    """

    provenance: Provenance
    machine: str
    by_size: Mapping[Variant, Mapping[int, Row]]
    by_tile: Mapping[Variant, Mapping[int, Row]]
    along: Sequence[Row]
    known: Mapping[Variant, Sequence[Row]]
    """With whatever parameters."""
    uneven: Evidence | None = None

    def variant(self, variant_id: str) -> Mapping[int, Row]:
        """The results of one variant by n, empty where there are none."""
        return next((by_n for variant, by_n in self.by_size.items() if variant.id == variant_id), {})

    @property
    def own(self) -> list[Variant]:
        """The variants that are not a library's, in teaching order."""
        return [variant for variant in self.by_size if not variant.library]

    def rate(self, variant: Variant, n: int) -> float:
        """GFLOP/s or GB/s of a variant at an n that it has."""
        return self.by_size[variant][n].rate or 0.0

    def name(self, variant: Variant, n: int) -> Message:
        """The variant with the parameters it had at this n."""
        return name_of(variant, dict(self.by_size[variant][n].setting))


TOLD = frozenset((Provenance.MEASURED, Provenance.RECORDED))
"""Whose times sentences and shares are about; what is published says too little of its conditions."""


def gather(results: Results, choice: TimingChoice, staged: str = "", shown: frozenset[Provenance] = TOLD) -> list[Evidence]:
    """What is known of the choice, by machine: measured before recorded. `staged` is the variant on the stage."""
    by_size, by_tile, along = (select(results, choice, axis, shown, staged) for axis in (SIZE_AXIS, "tile", choice.axis))
    gathered: list[Evidence] = []
    for provenance in by_size:
        known = [row for each in in_order(choice.ticked) for row in results.of(provenance, each).rows]
        groups = [list(filter(is_comparable, rows)) for rows in (by_size[provenance], by_tile[provenance], along[provenance], known)]
        places = dict.fromkeys(_place(results, provenance, row) for rows in groups for row in rows)
        for place in places:
            own = [[row for row in rows if _place(results, provenance, row) == place] for rows in groups]
            uneven = _evidence(provenance, place, own)
            gathered.append(_evidence(provenance, place, [list(filter(supports_a_sentence, rows)) for rows in own], uneven))
    return gathered


def milliseconds(row: Row) -> float:
    """The median of a result that has one."""
    return row.median_ms or 0.0


def apart(fast: Row, slow: Row) -> bool:
    """Whether the middle halves of the samples do not overlap."""
    return fast.times is not None and slow.times is not None and fast.times[3] < slow.times[1]


def is_comparable(row: Row) -> bool:
    """Verified, of square matrices and of the variant's own text."""
    return row.timed and row.square and not any(name == EDITED for name, _ in row.setting)


def supports_a_sentence(row: Row) -> bool:
    """Whether a median says enough of its samples to build a sentence on it: nobody disturbed them, and they lie together."""
    steady = (row.spread_ms or 0.0) <= STEADY * milliseconds(row)
    return is_comparable(row) and steady and not row.disturbed and not row.bimodal


def _place(results: Results, provenance: Provenance, row: Row) -> Place:
    return row.variant.device, results.machine(provenance, row)


def _evidence(provenance: Provenance, place: Place, groups: Sequence[Sequence[Row]], uneven: Evidence | None = None) -> Evidence:
    sizes: dict[Variant, dict[int, Row]] = {}
    tiles: dict[Variant, dict[int, Row]] = {}
    known: dict[Variant, list[Row]] = {}
    for row in groups[0]:
        sizes.setdefault(row.variant, {})[row.problem.n] = row
    for row in groups[1]:
        tiles.setdefault(row.variant, {})[dict(row.setting)["tile"]] = row
    for row in groups[3]:
        known.setdefault(row.variant, []).append(row)
    return Evidence(provenance, place[1], sizes, tiles, groups[2], known, uneven)
