"""Commands of the keyboard as rows of one table: the menu, the key presses and the map of the keyboard are made of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.core.base.i18n import Translator
from app.core.base.timeline import Timeline, Unit
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

_ARROWS = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓"}


@dataclass(frozen=True, slots=True)
class Command:
    """Command of the menu and of the palette. `keys` are written as QKeySequence reads them; the menu shows the first.

    `also` are other words by which the palette finds it.
    """

    title: Message
    keys: tuple[str, ...]
    run: Callable[[], object]
    also: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Place that the command palette finds by its title in any language, and by `also`: an id, or other words for it."""

    kind: Message
    title: Callable[[Translator], str]
    go: Callable[[], object]
    keys: str = ""
    also: str = ""
    behind: float = 0.0
    """Of a rank: how far it stands behind what answers as well."""


def titled(kind: Message, title: Message, go: Callable[[], object], keys: str = "", also: str = "") -> Place:
    """A place whose title is a message."""
    return Place(kind, lambda translator: translator.text(title), go, keys, also)


@dataclass(frozen=True, slots=True)
class Hint:
    """A key that only the widget with the focus knows."""

    title: Message
    keys: tuple[str, ...]


HINTS = (
    Hint(message("In a view: pin the first thing of the step"), ("Return",)),
    Hint(message("In a view: go from the pinned thing to its neighbour"), ("Left", "Right", "Up", "Down")),
    Hint(message("In a view: let go of what is pinned"), ("Esc",)),
    Hint(message("On the page of a program: the event before, the one after"), ("Left", "Right")),
    Hint(message("On the page of a program: show the launch on the stage"), ("Return",)),
    Hint(message("On the overview of a launch: begin the part that is repeated, then end it"), ("Return",)),
    Hint(message("On the overview of a launch: repeat all again"), ("Backspace",)),
    Hint(
        message("In the ladder: the rung above, the one below; a page up, a page down; the first, the last"),
        ("Up", "Down", "PgUp", "PgDown", "Home", "End"),
    ),
    Hint(message("In the ladder of times: to the box of the rung, which Space ticks"), ("Shift+Tab",)),
    Hint(message("On a slider: the value above, the one below"), ("Up", "Down")),
    Hint(message("In a table of counters: what the one above counts, the one below"), ("Up", "Down")),
    Hint(message("To the next control, or to the one before"), ("Tab", "Shift+Tab")),
    Hint(message("In a table: copy what is selected, or else all"), ("Ctrl+C",)),
)


DIGITS = 9
"""Views that have a key: a digit, of which 0 stands for all."""


_SPEED = "speed of playing 速度"


def timeline_commands(timeline: Timeline, smaller: Callable[[], object], larger: Callable[[], object]) -> tuple[Command, ...]:
    """What moves the timeline. Fields and buttons have their own use for these keys; the window gets them otherwise."""
    return (
        Command(message("Play or pause"), ("Space",), timeline.toggle),
        Command(message("Forward"), ("Right",), timeline.forward),
        Command(message("Back"), ("Left",), timeline.back),
        Command(message("Next barrier"), ("Shift+Right",), lambda: timeline.next(Unit.BARRIER)),
        Command(message("Previous barrier"), ("Shift+Left",), lambda: timeline.previous(Unit.BARRIER)),
        Command(message("Next tile step"), ("Ctrl+Right",), lambda: timeline.next(Unit.TILE)),
        Command(message("Previous tile step"), ("Ctrl+Left",), lambda: timeline.previous(Unit.TILE)),
        Command(message("Next block"), ("PgDown",), lambda: timeline.next(Unit.BLOCK)),
        Command(message("Previous block"), ("PgUp",), lambda: timeline.previous(Unit.BLOCK)),
        Command(message("To the start"), ("Home",), timeline.to_start),
        Command(message("To the end"), ("End",), timeline.to_end),
        Command(message("Slower"), ("[",), timeline.slower, _SPEED),
        Command(message("Faster"), ("]",), timeline.faster, _SPEED),
        Command(message("Smaller tile"), ("Alt+Left",), smaller),
        Command(message("Larger tile"), ("Alt+Right",), larger),
    )


def view_commands(titles: Sequence[Message], toggle: Callable[[int], object], show_all: Callable[[], object]) -> tuple[Command, ...]:
    """Which views of a launch are in sight; `titles` are theirs, in the order of their numbers."""

    def alone(number: int) -> Callable[[], object]:
        return lambda: toggle(number)

    numbered = (
        Command(message("{title} alone, or with the others", title=title), (str(number),), alone(number))
        for number, title in enumerate(titles[:DIGITS], start=1)
    )
    return (*numbered, Command(message("All views"), ("0", "Esc"), show_all))


def shown_keys(keys: str) -> str:
    """Keys as they stand on the keyboard: "Ctrl+→"."""
    if sys.platform == "darwin":
        return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    *held, last = keys.split("+")
    return "+".join((*held, _ARROWS.get(last, last)))


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands of the window: those of the menu by what they are about, and those whose keys reach the window only where nothing else
    wants them.
    """

    menu: Mapping[Message, tuple[Command, ...]]
    timeline: tuple[Command, ...]
    views: tuple[Command, ...]

    @property
    def every(self) -> tuple[Command, ...]:
        """All of them."""
        return (*(command for group in self.menu.values() for command in group), *self.timeline, *self.views)

    @property
    def groups(self) -> Mapping[Message, Sequence[Command | Hint]]:
        """All keys there are, by what they are for."""
        return {
            message("Time"): self.timeline,
            message("Views"): (*self.views, *HINTS),
            **self.menu,
        }

    def called_by(self, event: QKeyEvent) -> Command | None:
        """The command that a key press is for, of those that are no shortcuts of the menu."""
        pressed = QKeySequence(event.key() | (event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier).value)
        return next((each for each in (*self.timeline, *self.views) for keys in each.keys if QKeySequence(keys) == pressed), None)
