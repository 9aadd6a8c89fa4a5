"""Arguments that the command line hands to the window and to the screenshot: checked values, no text to parse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from kernels.base.values import dataclass

if TYPE_CHECKING:
    from app.core.challenges.challenge import Attempt, Challenge
    from app.core.lessons.lesson import Lesson
    from app.core.results.curves import Provenance
    from app.core.stage.pointing import Pointed
    from app.core.state.snapshot import Snapshot

THEMES = ("light", "dark", "contrast-light", "contrast-dark")
TIMING, TUNING, LADDER = "timing", "tuning", "ladder"
PRESENTER, NOTES = "presenter", "notes"
HELP, EXPORT = "help", "export"
VIEWS = ("stage", TIMING, TUNING, LADDER, PRESENTER, NOTES, HELP, EXPORT)
"""What is in front. Tuning and ladder are pages of the timing workspace, presenter and notes windows of their own; help and the export's
panel lie over the stage."""

SMALLEST_WINDOW = (960, 600)
LARGEST_WINDOW = (7680, 4320)
"""Width and height in pixels."""
SMALLEST_ZOOM, LARGEST_ZOOM = 80, 200
"""In percent."""


@dataclass(frozen=True, slots=True)
class LessonPosition:
    """A step of a lesson by its number, from 0 on. `revealed`: with its answer."""

    lesson: Lesson
    number: int = 0
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Presented:
    """Presentation that begins with the window.

    `place` None: what the stage shows. `resumed`: from where the lesson was left. `theme` is the slides'.
    """

    place: LessonPosition | None = None
    resumed: bool = False
    theme: str | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """A challenge, with an attempt at it; without one with the text as it is given."""

    challenge: Challenge
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class WindowArguments:
    """Arguments of the window: how it opens. None leaves the choice to the saved settings or the system."""

    language: str | None = None
    theme: str | None = None
    variant_id: str | None = None
    size: tuple[int, int] | None = None
    zoom: int | None = None
    """In percent."""
    presented: Presented | None = None
    opened: Snapshot | Tried | LessonPosition | Path | None = None
    """What a file says that the window opens with; a path is that of a text in CUDA C."""


@dataclass(frozen=True, slots=True)
class ScreenshotArguments:
    """Arguments of a screenshot: which picture is taken.

    `step` and `n` None leave what the stage opens with, as do parameters that are not named.
    """

    path: Path
    language: str
    size: tuple[int, int] = (1920, 1080)
    theme: str = "light"
    variant_id: str | None = None
    view: str = "stage"
    step: int | None = None
    n: int | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    alone: int = 0
    """The number of the view that is shown alone; 0: all."""
    source: Path | None = None
    """A CUDA C file to open in the playground."""
    beside: str | None = None
    """The variant that is compared with."""
    run: int | None = None
    """Show a real run with matrices of this size; None: the animation, or the usual size where there is none."""
    shown: frozenset[Provenance] | None = None
    """Which times the charts show."""
    zoom: int = 100
    """In percent."""
    lesson: LessonPosition | None = None
    """The step of a lesson that is shown; what it sets goes before variant, step and view."""
    tried: Tried | None = None
    """The challenge that is tried; its text goes before variant, step and view."""
    pointed: Pointed | None = None
    """What the views of a launch point at."""
