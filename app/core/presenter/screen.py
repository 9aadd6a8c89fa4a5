"""Screen of a presentation: where slides and notes go, the zoomed part of the picture, when the pointer hides, the clock.

Time is given, never read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from app.core.base.observable import Field
from kernels.base.values import dataclass

AS_USUAL = 1280
"""Pixels of the screen's width up to which what lies beside or over the slide has the size of the program's texts."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Arrangement on the screens. `slides` is the place of a screen in the list. `beside`: the window stays in sight on another one, with
    the notes."""

    slides: int
    beside: bool


def arrange(screens: Sequence[str], window: str, chosen: str | None) -> Arrangement:
    """Choose a screen by name: the one chosen last, if it is there; else the first that the window is not on; else the only one."""
    other = next((name for name in screens if name != window), window)
    wanted = chosen if chosen in screens else other
    return Arrangement(screens.index(wanted) if wanted in screens else 0, len(screens) > 1)


def next_screen(screens: Sequence[str], now: str) -> str:
    """Return the screen after the present one, in turn."""
    place = screens.index(now) if now in screens else -1
    return screens[(place + 1) % len(screens)]


class Clock:
    """Clock of a lecture. `seconds` never goes back; `today` is the time of day."""

    def __init__(self, seconds: Callable[[], float], today: Callable[[], datetime]) -> None:
        self._seconds, self._today = seconds, today
        self._began = seconds()

    def begin(self) -> None:
        """Count from now on."""
        self._began = self._seconds()

    @property
    def day(self) -> str:
        """The time of day, such as 09:05."""
        return self._today().strftime("%H:%M")

    @property
    def elapsed(self) -> str:
        """Minutes and seconds since the beginning; with hours from the first on."""
        minutes, seconds = divmod(max(0, int(self._seconds() - self._began)), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


REST_S = 2.0
"""How long the pointer is seen after it moved."""


class PointerIdle:
    """Time is given: `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seen = Field(value=False)
        self._clock = clock
        self._moved_at = 0.0

    def move(self) -> None:
        """Note that the pointer moved."""
        self._moved_at = self._clock()
        self.seen.value = True

    def tick(self, *, held: bool = False) -> None:
        """See whether it has rested long enough; `held` while it is on something that it may press."""
        if held:
            self._moved_at = self._clock()
        elif self._clock() - self._moved_at >= REST_S:
            self.seen.value = False


FACTORS = (1.0, 2.0, 3.0, 4.0, 6.0)
"""Whole ones: cells of whole pixels stay so."""


@dataclass(frozen=True, slots=True)
class Zoom:
    """Zoom of the drawing. `x` and `y` are the corner of what is seen, in shares of the picture."""

    factor: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def closer(self, steps: int, x: float, y: float) -> Zoom:
        """Nearer by so many steps, or farther. What is at (x, y), in shares of what is seen, stays where it is."""
        place = min(max(FACTORS.index(self.factor) + steps, 0), len(FACTORS) - 1)
        factor = FACTORS[place]
        shift = 1 / self.factor - 1 / factor
        return Zoom(factor, _kept(self.x + x * shift, factor), _kept(self.y + y * shift, factor))

    def moved(self, across: float, down: float) -> Zoom:
        """Along by so many shares of what is seen, as far as the picture goes."""
        return Zoom(self.factor, _kept(self.x + across / self.factor, self.factor), _kept(self.y + down / self.factor, self.factor))


def _kept(corner: float, factor: float) -> float:
    return min(max(corner, 0.0), 1 - 1 / factor)
