"""Which moments of a timeline a clip shows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernels.messages import Message, message

TRAVELS_BELOW = 5.0
"""Steps a second from which on nothing travels: the pictures go from step to step."""
SLOWEST, FASTEST = 0.1, 10_000.0
"""Steps a second."""


@dataclass(frozen=True, slots=True)
class Range:
    """The steps from `first` to `last`, which is the last picture. `rate` pictures and `speed` steps pass in a second."""

    first: int
    last: int
    rate: int
    speed: float

    @property
    def frames(self) -> int:
        """How many pictures that are."""
        return math.ceil((self.last - self.first) * self.rate / self.speed) + 1

    def moment(self, frame: int) -> float:
        """The time of a picture, in steps: `first` is that of the first one, `last` that of the last."""
        time = self.first + frame * self.speed / self.rate
        if time >= self.last:
            return float(self.last)
        return math.floor(time) if self.speed >= TRAVELS_BELOW else time


def refuse_range(chosen: Range, steps: int) -> Message | None:
    """Why the trace of so many steps has no such range, or None."""
    if not steps:
        return message("There is nothing to animate.")
    if chosen.last > steps:
        return message("The range ends at step {last}; the trace has {steps} steps.", last=chosen.last, steps=steps)
    if chosen.first >= chosen.last:
        return message("The range must end after it begins: from step {first} to {last} there is nothing.",
                       first=chosen.first, last=chosen.last)  # fmt: skip
    return None
