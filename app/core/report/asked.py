"""What a report is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from app.core.curves import Provenance
from app.core.results import Results
from app.core.selection import chart_n, select
from app.core.session import SIZE_AXIS, TimingChoice
from kernels.measure.results import Result
from kernels.spec import Variant


@dataclass(frozen=True)
class Asked:
    """The ticked variants of a choice, with what is known of them from one provenance: `name` signs the report."""

    choice: TimingChoice
    provenance: Provenance
    results: Results
    name: str = ""

    @staticmethod
    def of_choice(choice: TimingChoice, results: Results, name: str) -> Asked:
        """About what was measured here of the ticked variants, or else about what was recorded of them."""
        measured = not choice.ticked.isdisjoint(results.variants(Provenance.MEASURED))
        return Asked(choice, Provenance.MEASURED if measured else Provenance.RECORDED, results, name)

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The ticked variants that have results, in teaching order."""
        timed = {result.point.variant_id for result in self.along(SIZE_AXIS)}
        return tuple(variant for variant in self.choice.variants if variant.id in timed)

    def along(self, axis: str) -> tuple[Result, ...]:
        """The results along n, or along a parameter at `n_of`."""
        if axis not in self._selected:
            self._selected[axis] = self._select(axis)
        return self._selected[axis]

    @cached_property
    def _selected(self) -> dict[str, tuple[Result, ...]]:
        """What was asked for already, by axis: going through all results takes long."""
        return {}

    def _select(self, axis: str) -> tuple[Result, ...]:
        shown = frozenset((self.provenance,))
        ticked = self.choice.ticked
        found = select(self.results, self.choice, axis, shown)[self.provenance]
        return tuple(row.whole for row in found if row.variant_id in ticked)

    def n_of(self, axis: str) -> int:
        """The n of the table along a parameter."""
        return chart_n(self.results, self.choice, axis, (self.provenance,))
