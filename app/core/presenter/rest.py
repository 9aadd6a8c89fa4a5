"""When the pointer is hidden, and with it the bar that its motion brings."""

from __future__ import annotations

from collections.abc import Callable

from app.core.observable import Field

REST_S = 2.0
"""How long the pointer is seen after it moved."""


class PointerRest:
    """Time is given: `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seen = Field(value=False)
        self._clock = clock
        self._moved_at = 0.0

    def move(self) -> None:
        """The pointer moved."""
        self._moved_at = self._clock()
        self.seen.value = True

    def tick(self, *, held: bool = False) -> None:
        """See whether it has rested long enough; `held` while it is on something that it may press."""
        if held:
            self._moved_at = self._clock()
        elif self._clock() - self._moved_at >= REST_S:
            self.seen.value = False
