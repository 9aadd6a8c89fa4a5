"""Results as rows: what curves, tables and comparisons ask of them, without samples and conditions, of which the history has many."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Parameters, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id, find
from kernels.measure import result_json
from kernels.measure.disturbance_sentences import disturbance, is_disturbed, modes_ms, scatter
from kernels.measure.results import Result, Status, rate_of

Setting = tuple[tuple[str, int], ...]
"""Parameters in the order of their names, as a value that can be a key."""
Times = tuple[float, float, float, float, float]
"""Least, lower quartile, median, upper quartile and largest of the samples, milliseconds."""
MACHINE_CONDITION = {Device.CPU: "processor", Device.MPI: "processor", Device.GPU: "gpu"}
"""The condition that names the processor of a result, by the device of its variant."""


class Row(NamedTuple):
    """One result. What it has no column for is looked up when it is asked for: `whole` is the result with all of it."""

    variant_id: str
    problem: Problem
    setting: Setting
    status: Status
    created: str
    machine: str
    """The GPU or processor that it names; empty for a point that was refused before it ran."""
    host: str
    """The processor of its computer, where it names one, else its machine."""
    times: Times | None
    relative_error: float | None
    reason: Message | None
    disturbed: bool
    bimodal: bool
    kept: Result | int
    """The result, or its place in the history, where `find` finds it."""
    find: Callable[[int], Result | None] | None = None

    @property
    def whole(self) -> Result:
        """Return the result with samples and conditions; without them where the history cannot be read any more."""
        if not isinstance(self.kept, int):
            return self.kept
        found = None if self.find is None else self.find(self.kept)
        times = () if self.times is None else (self.times[2],)
        return found or Result(self.point, self.status, self.created, times, self.relative_error, reason=self.reason)

    @property
    def variant(self) -> Variant:
        return by_id(self.variant_id)

    @property
    def point(self) -> Case:
        return Case(self.variant_id, self.problem, dict(self.setting))

    @property
    def square(self) -> bool:
        return is_square(self.problem)

    @property
    def verified(self) -> bool:
        return self.status.verified

    @property
    def timed(self) -> bool:
        """Whether it has a verified time above 0."""
        return self.times is not None and self.times[2] > 0 and self.verified

    @property
    def uneven(self) -> bool:
        """Whether its time is only about right: samples were disturbed, or they fall into two groups."""
        return self.disturbed or self.bimodal

    @property
    def median_ms(self) -> float | None:
        return None if self.times is None else self.times[2]

    @property
    def spread_ms(self) -> float | None:
        """Interquartile range of the samples; 0 for a single sample."""
        return None if self.times is None else self.times[3] - self.times[1]

    @property
    def rate(self) -> float | None:
        """Rate of the row, as `Result.rate`."""
        return rate_of(self.problem, self.median_ms)

    @property
    def times_ms(self) -> tuple[float, ...]:
        return self.whole.times_ms

    @property
    def allowed_error(self) -> float | None:
        return self.whole.allowed_error

    @property
    def conditions(self) -> Mapping[str, str | int | float]:
        return self.whole.conditions


AnyResult = Result | Row


def row_of(result: AnyResult) -> Row:
    """The row of a result."""
    if isinstance(result, Row):
        return result
    point, conditions = result.point, result.conditions
    machine = named_machine(point.variant_id, conditions)
    return Row(
        point.variant_id, point.problem, items_of(point.parameters), result.status, result.created, machine,
        str(conditions.get("processor", machine)), times_of(result.times_ms), result.relative_error, result.reason, result.disturbed,
        modes_ms(conditions) is not None, result,
    )  # fmt: skip


def times_of(samples: Sequence[float]) -> Times | None:
    """The five numbers of some samples; None where there are none."""
    known, last = sorted(samples), len(samples) - 1
    if last < 0:
        return None

    def quartile(number: int) -> float:
        place, rest = divmod(number * last, 4)
        return known[place] if not rest else (known[place] * (4 - rest) + known[place + 1] * rest) / 4

    middle = (known[last // 2] + known[(last + 1) // 2]) / 2
    return known[0], quartile(1), middle, quartile(3), known[last]


def items_of(parameters: Parameters) -> Setting:
    """Parameters as a value that can be a key."""
    return tuple(sorted(parameters.items()))


def is_square(problem: Problem) -> bool:
    """Whether all matrices are n x n, so that n alone says the size."""
    return problem.m == problem.n and problem.k == (problem.n if problem.operation is Operation.MATMUL else 0)


def named_machine(variant_id: str, conditions: Mapping[str, str | int | float]) -> str:
    """The processor or GPU that conditions name, empty where they name none."""
    variant = find(variant_id)
    return "" if variant is None else str(conditions.get(MACHINE_CONDITION[variant.device], ""))


def named_machines(results: Iterable[AnyResult]) -> tuple[str, ...]:
    """All processors that the results name, in the order of their first results; GPUs come first, their hosts are not named beside."""
    rows = map(row_of, results)
    names = dict.fromkeys((row.variant.device is not Device.GPU, row.machine) for row in rows)
    return tuple(dict.fromkeys(name for _, name in sorted(names, key=lambda each: each[0]) if name))


def unevenness(row: Row) -> Message | None:
    """Who disturbed its samples, or that they fall into two groups, as a phrase; None where neither is known."""
    if not row.uneven:
        return None
    said = [phrase for phrase in (disturbance(row.conditions), scatter(row.conditions)) if phrase is not None]
    return said[0] if len(said) == 1 else message("{first}; {rest}", first=said[0], rest=said[1]) if said else None


COLUMNS = (
    "id", "created", "variant", "operation", "m", "n", "k", "parameters", "status", "times_ms", "relative_error", "reason", "conditions",
)  # fmt: skip


MOST_CONDITIONS = 1000


class _Conditions(NamedTuple):
    """What a row says of a result's conditions."""

    machine: str
    host: str
    disturbed: bool
    bimodal: bool


class RowReader:
    """Makes rows of the columns of a history. What many rows have in common is kept once."""

    def __init__(self, find: Callable[[int], Result | None]) -> None:
        self._find = find
        self._shared: dict[object, Any] = {}
        self._told: dict[tuple[Device | None, str], _Conditions] = {}

    def row(self, values: Sequence[Any]) -> Row | None:
        """None for a variant that this version does not have. Raises one of `result_json.UNFIT` for what nobody wrote so."""
        number, created, variant_id, operation, m, n, k, parameters, status, times_ms, error, reason, conditions = values
        variant = find(result_json.text(variant_id))
        problem = self._once(("problem", operation, m, n, k), lambda: _problem(operation, m, n, k))
        setting = self._once((variant_id, parameters), lambda: _setting(variant, parameters))
        times = times_of(result_json.times(json.loads(times_ms)))
        state = Status(status)
        told = None if reason is None else self._once(("reason", reason), lambda: result_json.sentence(json.loads(reason)))
        about = self._conditions(variant, conditions)
        if variant is None:
            return None
        if variant.operation is not problem.operation or (times is None and state.verified):
            raise ValueError(variant_id)
        return Row(
            variant.id, problem, setting, state, result_json.text(created), about.machine, about.host, times,
            result_json.error(error), told, about.disturbed, about.bimodal, number, self._find,
        )  # fmt: skip

    def _conditions(self, variant: Variant | None, text: str) -> _Conditions:
        """What a row says of these conditions. Results of one day mostly have them in common, those of years do not: few are kept."""
        device = None if variant is None else variant.device
        found = self._told.get((device, text))
        if found is None:
            if len(self._told) >= MOST_CONDITIONS:
                self._told.clear()
            known = result_json.conditions(json.loads(text))
            machine = "" if device is None else str(known.get(MACHINE_CONDITION[device], ""))
            host = str(known.get("processor", machine))
            machine, host = (self._once(("machine", name), partial(str, name)) for name in (machine, host))
            found = self._told[device, text] = _Conditions(machine, host, is_disturbed(known), modes_ms(known) is not None)
        return found

    def _once(self, key: object, make: Callable[[], Any]) -> Any:
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]


def _problem(operation: Any, m: Any, n: Any, k: Any) -> Problem:
    problem = Problem(Operation(operation), *(result_json.whole(each) for each in (m, n, k)))
    if problem.operation is Operation.HELLO:
        raise ValueError(operation)
    return problem


def _setting(variant: Variant | None, parameters: str) -> Setting:
    """A parameter that the variant did not have when this was measured then means its default."""
    return items_of({**({} if variant is None else variant.defaults), **result_json.parameters(json.loads(parameters))})
