"""Results as a measurement would give them, for the tests of curves, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from app.core.results.curves import Provenance
from kernels.base.messages import Message
from kernels.base.spec import Device, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.disturbance_sentences import DISTURBED_BY, DISTURBED_NAMES, DISTURBED_SHARE
from kernels.measure.results import Result, Status
from kernels.measure.rows import Row, row_of

CPU = "Test CPU"
GPU = "Test GPU"
EARLY, LATE = "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"
SPREAD = (0.8, 1.0, 1.5)
"""The samples of a result, as parts of its median."""


def measured(variant_id: str, n: int, ms: float, *, created: str = EARLY, machine: str = "", **parameters: int) -> Result:
    """A verified result on n x n matrices with median `ms`."""
    times = tuple(ms * part for part in SPREAD)
    return Result(_point(variant_id, n, parameters), Status.MEASURED, created, times, 3e-7, 1e-5, None, _conditions(variant_id, machine))


def disturbed(result: Result) -> Result:
    """The result with half of its samples disturbed by another program."""
    by: dict[str, str | int | float] = {DISTURBED_SHARE: 0.5, DISTURBED_BY: "programs", DISTURBED_NAMES: "firefox"}
    return replace(result, conditions={**result.conditions, **by})


def refused(
    variant_id: str,
    n: int,
    reason: Message,
    *,
    status: Status = Status.SKIPPED,
    created: str = LATE,
    **parameters: int,
) -> Result:
    """A result without a time. It names the processor, but no GPU, since it never ran."""
    return Result(_point(variant_id, n, parameters), status, created, reason=reason, conditions={"processor": CPU})


def wholes(rows: Iterable[Row]) -> tuple[Result, ...]:
    """The results of rows."""
    return tuple(row.whole for row in rows)


def selected(given: Mapping[Provenance, Iterable[Result]]) -> dict[Provenance, list[Row]]:
    """Results as what a chart shows."""
    return {provenance: [row_of(result) for result in results] for provenance, results in given.items()}


def _point(variant_id: str, n: int, parameters: dict[str, int]) -> Case:
    variant = by_id(variant_id)
    return Case(variant_id, Problem.square(variant.operation, n), {**variant.defaults, **parameters})


def _conditions(variant_id: str, machine: str) -> dict[str, str | int | float]:
    variant = by_id(variant_id)
    if variant.device is Device.GPU:
        return {"processor": CPU, "gpu": machine or GPU}
    return {"processor": machine or CPU}
