"""The measured points of some variants as a list: what cannot run once for each reason, then times, the newest first."""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from operator import attrgetter

from app.core.results.curves import Provenance
from app.core.results.known_results import Change, Results, in_order
from app.core.results.labels import DEVICES, name_of
from app.core.session.session import TimingChoice
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.measure.rows import Row

_NO_TIME = message("No time.")
_created = attrgetter("created")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Points without a time, all for one reason."""

    rows: tuple[Row, ...]

    @property
    def name(self) -> Message:
        """The variant, with its parameters where it is one point; of several variants their device."""
        first, variants = self.rows[0], {row.variant_id for row in self.rows}
        if len(variants) > 1:
            return message("{device}: {count} rungs", device=DEVICES[first.variant.device], count=len(variants))
        return first.variant.title if len({row.setting for row in self.rows}) > 1 else name_of(first.variant, dict(first.setting))

    @property
    def sizes(self) -> str:
        """The n of the refused points as text, or the smallest and the largest with a dash between."""
        sizes = sorted({row.problem.n for row in self.rows})
        return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"

    @property
    def reason(self) -> Message:
        """Why there is no time; of which points it is told where there are several."""
        reason = self.rows[0].reason or _NO_TIME
        if len(self.rows) == 1:
            return reason
        return message("{reason} ({count} points, n = {sizes})", reason=reason, count=len(self.rows), sizes=self.sizes)


class PointList:
    """Follows a table of results: a point that was added takes its place without the others being looked at."""

    def __init__(self, results: Results, choice: TimingChoice) -> None:
        self._results, self._choice, self._revision = results, choice, results.revision
        self._refused: dict[tuple[str, str], dict[object, Row]] = {}
        rows = sorted(chain.from_iterable(results.of(Provenance.MEASURED, each).rows for each in in_order(choice.ticked)), key=_created)
        self._timed = [row for row in rows if row.verified]
        for row in rows if len(self._timed) < len(rows) else ():
            if not row.verified:
                self._refused.setdefault(_kind(row), {})[row.setting, row.problem] = row
        self.refusals = self._grouped()

    def __len__(self) -> int:
        """How many have a time."""
        return len(self._timed)

    def follows(self, results: Results, choice: TimingChoice) -> bool:
        """Whether this is the list of those variants of a table, and what it has missed can still be told."""
        return results is self._results and choice.ticked == self._choice.ticked and results.since(self._revision) is not None

    def missed(self) -> list[Change]:
        """What was added to the table since it was last asked, of the variants in the list."""
        changes = self._results.since(self._revision) or []
        self._revision = self._results.revision
        return [each for each in changes if each.provenance is Provenance.MEASURED and each.row.variant_id in self._choice.ticked]

    def place_of(self, row: Row) -> int | None:
        """Where a row with a time stands, 0 being the newest; None where it is not in the list."""
        place = bisect_left(self._timed, row.created, key=_created)
        while place < len(self._timed) and self._timed[place].created == row.created:
            if self._timed[place] is row:
                return len(self._timed) - 1 - place
            place += 1
        return None

    def timed(self, place: int) -> Row:
        """Return a row with a time, by its place; 0 is the newest."""
        return self._timed[-1 - place]

    def remove(self, place: int) -> None:
        """Take a row with a time out."""
        del self._timed[-1 - place]

    def place_for(self, row: Row) -> int:
        """Where a new row with a time will stand."""
        place = len(self._timed)
        while place and self._timed[place - 1].created > row.created:
            place -= 1
        return len(self._timed) - place

    def insert(self, row: Row) -> None:
        """Take a new row with a time in."""
        self._timed.insert(len(self._timed) - self.place_for(row), row)

    def refuse(self, row: Row, *, refused: bool) -> None:
        """Take a row without a time in, or out."""
        group = self._refused.setdefault(_kind(row), {})
        if refused:
            group[row.setting, row.problem] = row
        else:
            group.pop((row.setting, row.problem), None)
        self.refusals = self._grouped()

    def _grouped(self) -> tuple[Refusal, ...]:
        """What is said of several variants of a device in the same words is told once."""
        groups: dict[object, list[Row]] = {}
        for kind, group in self._refused.items():
            if not group:
                continue
            reasons = {row.reason for row in group.values()}
            rows = sorted(group.values(), key=lambda row: row.problem.n)
            alike: object = (rows[0].variant.device, rows[0].reason) if len(reasons) == 1 and rows[0].reason is not None else kind
            groups.setdefault(alike, []).extend(rows)
        return tuple(Refusal(tuple(rows)) for rows in groups.values())


def _kind(row: Row) -> tuple[str, str]:
    """A variant and a kind of reason, whatever numbers are in it."""
    return row.variant_id, "" if row.reason is None else row.reason.template
