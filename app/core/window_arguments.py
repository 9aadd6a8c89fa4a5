"""What the command line hands to the window and to the screenshot: checked values, no text to parse."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

THEMES = ("light", "dark")
VIEWS = ("stage", "timing")

SMALLEST_WINDOW = (1120, 640)
LARGEST_WINDOW = (7680, 4320)
"""Width and height in pixels."""


@dataclass(frozen=True, slots=True)
class WindowArguments:
    """How the window opens. None leaves the choice to the saved settings or the system."""

    language: str | None = None
    theme: str | None = None
    variant_id: str | None = None
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ScreenshotArguments:
    """Which picture is taken. `step`, `n` and `tile` None leave what the stage opens with."""

    path: Path
    language: str
    size: tuple[int, int] = (1920, 1080)
    theme: str = "light"
    variant_id: str | None = None
    view: str = "stage"
    step: int | None = None
    n: int | None = None
    tile: int | None = None
