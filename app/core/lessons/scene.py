"""The state that a step of a lesson sets."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session import StageChoice
from app.core.state.snapshot import Snapshot
from app.core.timeline import Unit


@dataclass(frozen=True, slots=True)
class Scene:
    """A snapshot, and how the stage comes to the moment that is meant.

    `line` is a piece of text: the stage goes to the `occurrence`-th step (from 0 on) on a line that holds it. `play` sets it moving.
    """

    snapshot: Snapshot
    line: str = ""
    occurrence: int = 0
    play: bool = False
    unit: Unit = Unit.STEP
    beside: StageChoice | None = None
    """What is pinned on the left to compare with."""
    before: bool = True
    """While a number or a choice is asked for, the stage stands before the step on `line`, and in place of a page of times or of a real
    run: it does not tell the answer."""
    kernel: str = ""
    """The lesson's own text that the stage shows; "": a variant."""
