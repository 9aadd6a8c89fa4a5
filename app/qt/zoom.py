"""How large everything is: steps of zoom, and the commands that go through them."""

from __future__ import annotations

from collections.abc import Callable

from app.core.inputs import whole_number
from app.core.window_arguments import LARGEST_ZOOM, SMALLEST_ZOOM
from app.qt.commands import Command
from app.qt.feature import Feature, Host
from kernels.messages import message

STEPS = (SMALLEST_ZOOM, 90, 100, 110, 125, 150, 175, LARGEST_ZOOM)
"""In percent."""


class Zooming(Feature):
    """`choose` is called with a zoom in percent."""

    def __init__(self, host: Host, choose: Callable[[int], object]) -> None:
        self._host = host
        self._choose = choose

    def commands(self) -> tuple[Command, ...]:
        return (
            Command(message("Larger"), ("Ctrl++", "Ctrl+="), lambda: self._step(1)),
            Command(message("Smaller"), ("Ctrl+-",), lambda: self._step(-1)),
            Command(message("As large as at first"), ("Ctrl+0",), lambda: self._choose(100)),
        )

    @property
    def percent(self) -> int:
        """The zoom now."""
        return round(100 * self._host.look().theme.scale)

    def _step(self, direction: int) -> None:
        beyond = [step for step in STEPS if (step - self.percent) * direction > 0]
        if beyond:
            self._choose(min(beyond, key=lambda step: abs(step - self.percent)))


def read_zoom(text: str | None) -> int:
    """A saved zoom; 100 where there is none that can be."""
    zoom = whole_number("", text or "", SMALLEST_ZOOM, LARGEST_ZOOM)
    return zoom if isinstance(zoom, int) else 100
