"""What a benchmark gives: named figures, each with its unit and the conditions that it was taken under."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Figure(NamedTuple):
    """One number. Two are comparable where name, unit and conditions are the same: what was run, and how often."""

    name: str
    value: float
    unit: str
    conditions: str

    def __str__(self) -> str:
        return f"{self.name}: {shown(self.value)} {self.unit} ({self.conditions})"


def shown(value: float) -> str:
    """A number with three digits, or all of those before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def p99(times: Sequence[float]) -> float:
    """The 99th percentile; never more than the most."""
    return statistics.quantiles(times, n=100, method="inclusive")[98]


def slowest(times: Mapping[str, Sequence[Sequence[float]]], conditions: str) -> list[Figure]:
    """Median and 99th percentile, in milliseconds, of the series that is the slowest in that, for each name with its series."""
    found = []
    for name, series in times.items():
        found.append(Figure(f"{name}, median", max(map(statistics.median, series)), "ms", conditions))
        found.append(Figure(f"{name}, 99th percentile", max(map(p99, series)), "ms", conditions))
    return found
