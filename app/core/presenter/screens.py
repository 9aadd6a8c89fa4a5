"""On which screen the slides go, and whether there is another one for the notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Arrangement:
    """`slides` is the place of a screen in the list. `beside`: the window stays in sight on another one, with the notes."""

    slides: int
    beside: bool


def arrange(screens: Sequence[str], window: str, chosen: str | None) -> Arrangement:
    """By the names of the screens: the one chosen last, if it is there; else the first that the window is not on; else the only one."""
    other = next((name for name in screens if name != window), window)
    wanted = chosen if chosen in screens else other
    return Arrangement(screens.index(wanted) if wanted in screens else 0, len(screens) > 1)


def next_screen(screens: Sequence[str], now: str) -> str:
    """The one after the present one, in turn."""
    place = screens.index(now) if now in screens else -1
    return screens[(place + 1) % len(screens)]
