"""What a view thinks of a step: a sentence, and how many times the best it costs."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.messages import Message

STEPS = (1, 2, 4, 8, 16, 32)
"""The ramp: a cost of n times the best has the shade of the greatest entry that is not above n."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`times` is 1 where it could not be better."""

    text: Message
    times: float

    @property
    def good(self) -> bool:
        return self.times <= 1

    @property
    def severe(self) -> bool:
        """Shown filled, with a triangle."""
        return self.times >= 8
