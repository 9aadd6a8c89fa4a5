"""What a run comes to: a few numbers, and where the time of each thread or rank went."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.messages import Message


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, and what it is."""

    value: Message
    caption: Message


@dataclass(frozen=True, slots=True)
class Part:
    """What was done, and for which part of the run by each row of the chart. The parts of a row add up to at most 1."""

    title: Message
    of_rows: tuple[float, ...]


def parts_of(times_ms: list[float], elapsed_ms: float) -> tuple[float, ...]:
    """Times as parts of the run's."""
    return tuple(time / elapsed_ms if elapsed_ms > 0 else 0.0 for time in times_ms)
