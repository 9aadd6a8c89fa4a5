"""Parts of a report as values, and what a report is about. Texts are messages; numbers are written where the report is."""

from __future__ import annotations

from functools import cached_property

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.query import chart_n, select
from app.core.session.session import SIZE_AXIS, TimingChoice
from kernels.base.messages import Message
from kernels.base.spec import Variant
from kernels.base.values import dataclass
from kernels.measure.results import Result

Cell = Message | str | int | float | None
"""None: nothing was measured there."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences, one after the other."""

    sentences: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Sentences of which each stands alone."""

    entries: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Tabular:
    """A table. The first column names its rows; `notes` are told below it."""

    title: Message
    columns: tuple[Message, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """Figure of a report: the curves along an axis, n or a parameter, in a quantity. Who writes the report draws them."""

    title: Message
    axis: str
    quantity: str


@dataclass(frozen=True, slots=True)
class Room:
    """Room for the student's own text."""

    prompt: Message


@dataclass(frozen=True, slots=True)
class Playable:
    """Player in a report: its title and its page, as `tilescope export player` writes it. It plays in HTML; elsewhere its title stands."""

    title: str
    page: str


Part = Sentences | Listing | Tabular | Figure | Room | Playable


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a report: a heading with what stands below it."""

    heading: Message
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Report as a whole. `author` and `day` are as the reader is told them."""

    title: Message
    author: str
    day: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Asked:
    """Subject of a report: the ticked variants of a choice, with what is known of them from one provenance. `name` signs the report.

    `executed` says what was executed for the stage, and how far that can be trusted.
    """

    choice: TimingChoice
    provenance: Provenance
    results: Results
    name: str = ""
    executed: Message | None = None

    @staticmethod
    def of_choice(choice: TimingChoice, results: Results, name: str, executed: Message | None = None) -> Asked:
        """About what was measured here of the ticked variants, or else about what was recorded of them."""
        measured = not choice.ticked.isdisjoint(results.variants(Provenance.MEASURED))
        return Asked(choice, Provenance.MEASURED if measured else Provenance.RECORDED, results, name, executed)

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
