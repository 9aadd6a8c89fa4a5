"""What stands beside a line of source: its costs, whatever kind of kernel it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kernels.messages import Message


@dataclass(frozen=True, slots=True)
class Chip:
    """One number. `times` says how many times the best it costs, `step` where it is worst."""

    text: str
    times: float
    step: int


class LineCost(Protocol):
    """The costs of one line. A line may have costs of several kinds: None stands in place of one that it has not."""

    @property
    def line(self) -> int: ...

    @property
    def heat(self) -> float:
        """The line's share of all that there is of such costs."""

    @property
    def chips(self) -> Sequence[Chip | None]: ...

    @property
    def words(self) -> Message:
        """All that is known of the line."""
