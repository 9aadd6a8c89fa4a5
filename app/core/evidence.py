"""The verified results behind the sentences that explain a chart, sorted by machine, variant and n or tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.core.curves import Provenance, Results, is_square, machine_of, machines_of
from app.core.series_names import name_of
from app.core.session import SIZE_AXIS, TimingChoice
from app.core.timing import select
from kernels.measure.results import EDITED, Result
from kernels.messages import Message
from kernels.spec import Device, Variant

STEADY = 0.5
"""The most that the interquartile range may be of the median."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Verified results of one device of one machine: by variant and n with the chosen parameters, over tiles at one n, and all."""

    provenance: Provenance
    machine: str
    by_size: Mapping[Variant, Mapping[int, Result]]
    by_tile: Mapping[Variant, Mapping[int, Result]]
    known: Mapping[Variant, Sequence[Result]]
    """With whatever parameters."""

    def variant(self, variant_id: str) -> Mapping[int, Result]:
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
        return name_of(variant, self.by_size[variant][n].point.parameters)


def gather(results: Results, choice: TimingChoice, staged: str = "") -> list[Evidence]:
    """What is known of the choice, by machine: measured before recorded. `staged` is the variant on the stage."""
    shown = frozenset((Provenance.MEASURED, Provenance.RECORDED))
    by_size, by_tile = (select(results, choice, axis, shown, staged) for axis in (SIZE_AXIS, "tile"))
    gathered: list[Evidence] = []
    for provenance in by_size:
        sizes, tiles = _by_machine(by_size[provenance], SIZE_AXIS), _by_machine(by_tile[provenance], "tile")
        known = _all_by_machine(tuple(r for r in results.get(provenance, ()) if r.point.variant_id in choice.ticked))
        gathered += [
            Evidence(provenance, place[1], sizes.get(place, {}), tiles.get(place, {}), known.get(place, {}))
            for place in sizes | tiles | known
        ]
    return gathered


def milliseconds(result: Result) -> float:
    """The median of a result that has one."""
    return result.median_ms or 0.0


def is_steady(result: Result) -> bool:
    """Whether a median says enough of its samples to build a sentence on it: a disturbed measurement does not."""
    median, spread = result.median_ms, result.spread_ms
    return bool(median) and spread is not None and spread <= STEADY * (median or 0.0)


def _by_machine(results: Sequence[Result], axis: str) -> dict[tuple[Device, str], dict[Variant, dict[int, Result]]]:
    machines = machines_of(results)
    grouped: dict[tuple[Device, str], dict[Variant, dict[int, Result]]] = {}
    for result in results:
        point = result.point
        if not _supports_a_sentence(result):
            continue
        x = point.problem.n if axis == SIZE_AXIS else point.parameters["tile"]
        by_variant = grouped.setdefault((point.variant.device, machine_of(result, machines)), {})
        by_variant.setdefault(point.variant, {})[x] = result
    return grouped


def _all_by_machine(results: Sequence[Result]) -> dict[tuple[Device, str], dict[Variant, list[Result]]]:
    machines = machines_of(results)
    grouped: dict[tuple[Device, str], dict[Variant, list[Result]]] = {}
    for result in filter(_supports_a_sentence, results):
        by_variant = grouped.setdefault((result.point.variant.device, machine_of(result, machines)), {})
        by_variant.setdefault(result.point.variant, []).append(result)
    return grouped


def _supports_a_sentence(result: Result) -> bool:
    """Verified, undisturbed, of square matrices and of the variant's own text."""
    return result.verified and is_steady(result) and is_square(result.point.problem) and EDITED not in result.point.parameters
