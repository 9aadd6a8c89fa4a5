"""Table of all known results: the newest of each point on each machine, found by variant, setting and problem.

A new result takes the same few steps however many there are. Threads may ask while one thread adds: what they are given are copies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from threading import Lock
from typing import NamedTuple

from app.core.results.curves import Provenance
from kernels.base.spec import Device, Precision, Problem
from kernels.catalogue.catalogue import VARIANTS, find
from kernels.measure.estimate import Estimator
from kernels.measure.results import Status
from kernels.measure.rows import AnyResult, Row, Setting, is_square, row_of

REMEMBERED = 1000
"""How many of the last changes can be asked for."""
Place = Problem | tuple[Problem, str]
"""A problem on a machine. The first machine of a device needs no name: what was refused before it ran names none, and belongs to it."""


class OfVariant:
    """Results of a variant from one provenance. What it returns is the same object as long as nothing of it has changed."""

    def __init__(self) -> None:
        self._by_setting: dict[Setting, dict[Place, Row]] = {}
        self._by_problem: dict[Problem, dict[object, Row]] = {}
        self._answers: dict[Setting | Problem, tuple[Row, ...]] = {}
        self._values: dict[str, dict[int, set[int]]] = {}
        self._told: dict[str, Mapping[int, frozenset[int]]] = {}
        self._squares: set[int] = set()
        self._lock = Lock()

    def take(self, row: Row, machine: str) -> tuple[bool, Row | None]:
        """Take a row in, and say whether it is the newest of its point, and which was before. `machine` is empty for the device's first."""
        with self._lock:
            return self._take(row, machine)

    def _take(self, row: Row, machine: str) -> tuple[bool, Row | None]:
        at, key = self._by_problem.setdefault(row.problem, {}), (row.setting, machine) if machine else row.setting
        earlier = at.get(key)
        if earlier is not None and (row.created < earlier.created or _only_refused(row, earlier)):
            return False, earlier
        at[key] = row
        self._answers.pop(row.problem, None)
        if is_square(row.problem):
            self._by_setting.setdefault(row.setting, {})[(row.problem, machine) if machine else row.problem] = row
            self._answers.pop(row.setting, None)
            self._squares.add(row.problem.n)
            for name, value in row.setting:
                known = self._values.setdefault(name, {}).setdefault(row.problem.n, set())
                if value not in known:
                    known.add(value)
                    self._told.pop(name, None)
        return True, earlier

    def __len__(self) -> int:
        return sum(map(len, list(self._by_problem.values())))

    def has(self, row: Row) -> bool:
        """Whether a row is the newest of its point."""
        at = self._by_problem.get(row.problem, {})
        return at.get(row.setting) is row or at.get((row.setting, row.machine)) is row

    @property
    def rows(self) -> list[Row]:
        """All rows, those of a problem together."""
        return [row for at in list(self._by_problem.values()) for row in list(at.values())]

    @property
    def settings(self) -> list[Setting]:
        """Settings of the results of square problems, in the order in which they first came."""
        return list(self._by_setting)

    @property
    def sizes(self) -> list[int]:
        """The n of its square problems, the largest first."""
        return sorted(self._squares, reverse=True)

    @property
    def timed_sizes(self) -> list[int]:
        """The n at which it has a verified time on square matrices."""
        return [
            problem.n
            for problem, rows in list(self._by_problem.items())
            if is_square(problem) and any(row.verified for row in list(rows.values()))
        ]

    @property
    def timed(self) -> bool:
        """Whether it has a verified time on square matrices."""
        known = list(self._by_problem.items())
        return any(row.verified for problem, rows in known if is_square(problem) for row in list(rows.values()))

    @property
    def is_square(self) -> bool:
        """Whether a result on square matrices is known."""
        return bool(self._squares)

    def along(self, setting: Setting) -> tuple[Row, ...]:
        """Return the rows of one setting, over all square problems."""
        return self._answer(setting, self._by_setting.get(setting))

    def at(self, problem: Problem) -> tuple[Row, ...]:
        """Return the rows of one problem, with all settings."""
        return self._answer(problem, self._by_problem.get(problem))

    def values(self, name: str) -> Mapping[int, frozenset[int]]:
        """The values of a parameter that are known on square matrices, by n."""
        with self._lock:
            if name not in self._told:
                self._told[name] = {n: frozenset(values) for n, values in self._values.get(name, {}).items()}
            return self._told[name]

    def _answer(self, key: Setting | Problem, known: Mapping[object, Row] | Mapping[Place, Row] | None) -> tuple[Row, ...]:
        if known is None:
            return ()
        with self._lock:
            if key not in self._answers:
                self._answers[key] = tuple(known.values())
            return self._answers[key]


def _only_refused(row: Row, earlier: Row) -> bool:
    """Whether a point that once ran was merely refused later: what is known of it stays."""
    return row.status is Status.SKIPPED and earlier.status is not Status.SKIPPED


NOTHING = OfVariant()


class Change(NamedTuple):
    """A row that was added, and the one of its point that it replaces."""

    provenance: Provenance
    row: Row
    earlier: Row | None


class Results:
    """Results, all of them, by where they come from. `revision` grows with each change."""

    def __init__(self, given: Mapping[Provenance, Iterable[AnyResult]] | None = None) -> None:
        self._known: dict[Provenance, dict[str, OfVariant]] = {}
        self._machines: dict[Provenance, dict[tuple[Device, str], None]] = {}
        self._days: dict[Provenance, tuple[str, str]] = {}
        self._libraries: dict[tuple[Provenance, Problem, str, Device, Precision | None], dict[tuple[str, Setting], Row | None]] = {}
        self._arrived: dict[Provenance, list[Row]] = {}
        """In their order; some of them have been replaced since."""
        self._recent: deque[Change] = deque(maxlen=REMEMBERED)
        self.revision = 0
        self.library_revision = 0
        """Grows where a library's time has changed."""
        self.estimator = Estimator()
        """Expects times by what was measured here."""
        for provenance, results in (given or {}).items():
            self.add(provenance, results)

    def add(self, provenance: Provenance, results: Iterable[AnyResult]) -> bool:
        """Take results in; False where all were known, or older than what is known of their points."""
        before = self.revision
        for row in map(row_of, results):
            change = self._take(provenance, row)
            if change is not None:
                self._recent.append(change)
                self.revision += 1
        return self.revision > before

    def since(self, revision: int) -> list[Change] | None:
        """What has been added since the table had a revision; None where that is too much to remember."""
        missed = self.revision - revision
        return list(self._recent)[len(self._recent) - missed :] if missed <= len(self._recent) else None

    def of(self, provenance: Provenance, variant_id: str) -> OfVariant:
        """Return the results of a variant from a provenance."""
        return self._known.get(provenance, {}).get(variant_id, NOTHING)

    def variants(self, provenance: Provenance) -> list[str]:
        """The ids of the variants of which something is known."""
        return list(self._known.get(provenance, {}))

    def rows(self, provenance: Provenance) -> Iterator[Row]:
        """All rows of a provenance: in the order of the variants, not in that in which they came."""
        return chain.from_iterable(each.rows for each in list(self._known.get(provenance, {}).values()))

    def in_time(self, provenance: Provenance) -> list[Row]:
        """All rows of a provenance in the order in which they came."""
        return [row for row in self._arrived.get(provenance, ()) if self.of(provenance, row.variant_id).has(row)]

    def knows(self, provenance: Provenance) -> bool:
        """Whether there are any."""
        return bool(self._known.get(provenance))

    def machine(self, provenance: Provenance, row: Row) -> str:
        """The processor that a row belongs to: the one it names, else the first of its device; empty where none is known."""
        return row.machine or self._first(provenance, row.variant.device)

    def machines(self, provenance: Provenance) -> tuple[str, ...]:
        """All processors that are named, GPUs first."""
        known = sorted(self._machines.get(provenance, ()), key=lambda each: each[0] is not Device.GPU)
        return tuple(dict.fromkeys(name for _, name in known))

    def days(self, provenance: Provenance) -> tuple[str, str]:
        """The first and the last day, ISO 8601; empty where none is told."""
        return self._days.get(provenance, ("", ""))

    def library(self, provenance: Provenance, row: Row) -> Row | None:
        """The result of the fastest library of the row's device and machine on its problem, in its precision."""
        variant = row.variant
        key = (provenance, row.problem, self.machine(provenance, row), variant.device, variant.precision)
        timed = [each for each in list(self._libraries.get(key, {}).values()) if each is not None]
        return min(timed, key=lambda each: each.median_ms or 0.0, default=None)

    def _take(self, provenance: Provenance, row: Row) -> Change | None:
        variant = find(row.variant_id)
        if variant is None:
            return None
        if row.machine:
            self._machines.setdefault(provenance, {}).setdefault((variant.device, row.machine))
        first = self._first(provenance, variant.device)
        known = self._known.setdefault(provenance, {})
        newest, earlier = known.setdefault(row.variant_id, OfVariant()).take(row, "" if row.machine in ("", first) else row.machine)
        if not newest:
            return None
        self._note(provenance, row)
        if provenance is Provenance.MEASURED:
            self.estimator.learn(row)
        if day := row.created[:10]:
            early, late = self._days.get(provenance, (day, day))
            self._days[provenance] = min(early, day), max(late, day)
        if variant.library:
            key = (provenance, row.problem, row.machine or first, variant.device, variant.precision)
            self._libraries.setdefault(key, {})[row.variant_id, row.setting] = row if row.timed else None
            self.library_revision += 1
        return Change(provenance, row, earlier)

    def _note(self, provenance: Provenance, row: Row) -> None:
        arrived = self._arrived.setdefault(provenance, [])
        arrived.append(row)
        if len(arrived) % REMEMBERED == 0 and len(arrived) > 2 * sum(len(each) for each in self._known[provenance].values()):
            self._arrived[provenance] = self.in_time(provenance)

    def _first(self, provenance: Provenance, device: Device) -> str:
        return next((name for own, name in list(self._machines.get(provenance, ())) if own is device), "")


def in_order(variant_ids: Iterable[str]) -> list[str]:
    """Ids of variants in the order of the catalogue."""
    wanted = set(variant_ids)
    return [variant.id for variant in VARIANTS if variant.id in wanted]
