"""A counter, predicted beside measured, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.messages import Message


@dataclass(frozen=True, slots=True)
class Compared:
    """One counter. `compiled` is None where it equals `written`; `reason` None: they agree, or nothing was measured."""

    id: str
    title: Message
    written: float | None
    compiled: float | None
    measured: float | None
    reason: Message | None = None
    explained: bool = True

    @property
    def predicted(self) -> float | None:
        """The best prediction."""
        return self.written if self.compiled is None else self.compiled


def tidy(value: float) -> int | float:
    """A count as it is written: whole where it is, or as good as."""
    return round(value) if value >= 100 or value == round(value) else value
