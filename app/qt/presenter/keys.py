"""The presenter's keys, those of a clicker among them, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.core.staging import TRACE_AGAIN
from app.core.timeline import Timeline, Unit
from app.qt.commands import Command, Hint
from kernels.messages import message


@dataclass(frozen=True, slots=True)
class PresenterActions:
    """What the keys call."""

    forward: Callable[[], object]
    back: Callable[[], object]
    black: Callable[[], object]
    leave: Callable[[], object]
    spotlight: Callable[[], object]
    zoom: Callable[[int], object]
    full: Callable[[int], object]
    first: Callable[[], object]
    theme: Callable[[], object]
    notes: Callable[[], object]
    again: Callable[[], object]


def presenter_commands(do: PresenterActions, timeline: Timeline) -> tuple[Command, ...]:
    """All of them. A clicker has PageDown, PageUp, B or the full stop, and often F5 and Esc."""
    views = (Command(message("View {number} large", number=number), (str(number),), partial(do.full, number)) for number in range(1, 5))
    return (
        Command(message("Next: reveal, complete, or go on"), ("PgDown",), do.forward),
        Command(message("Take that back"), ("PgUp",), do.back),
        Command(message("Black screen"), ("B", "."), do.black),
        Command(message("Leave"), ("Esc",), do.leave),
        Command(message("Play or pause"), ("Space",), timeline.toggle),
        Command(message("Forward"), ("Right",), timeline.forward),
        Command(message("Back"), ("Left",), timeline.back),
        Command(message("Next tile step"), ("Ctrl+Right",), lambda: timeline.next(Unit.TILE)),
        Command(message("Previous tile step"), ("Ctrl+Left",), lambda: timeline.previous(Unit.TILE)),
        Command(message("Slower"), ("[",), timeline.slower),
        Command(message("Faster"), ("]",), timeline.faster),
        Command(message("Spotlight"), ("L",), do.spotlight),
        Command(message("Nearer"), ("+", "="), partial(do.zoom, 1)),
        Command(message("Farther"), ("-",), partial(do.zoom, -1)),
        *views,
        Command(message("Whole slide"), ("0",), partial(do.full, 0)),
        Command(message("First lesson step"), ("Home",), do.first),
        Command(message("Light or dark"), ("T",), do.theme),
        Command(message("Notes"), ("N",), do.notes),
        Command(TRACE_AGAIN, ("R",), do.again),
    )


def presenter_hints() -> tuple[Hint, ...]:
    """The same for the map of the keyboard: what the keys do while something is presented."""

    def nothing(_number: int = 0) -> None:
        """Nothing is presented."""

    idle = PresenterActions(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    return tuple(Hint(each.title, each.keys) for each in presenter_commands(idle, Timeline()))


def called_by(event: QKeyEvent, commands: Sequence[Command]) -> Command | None:
    """The command that a key press is for. Shift is part of a sign on some keyboards: + is Shift and = on many."""
    held = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
    pressed = QKeySequence(event.key() | held.value)
    return next((each for each in commands for keys in each.keys if QKeySequence(keys) == pressed), None)
