"""Parts of the program that bring their own commands and panels. The window knows them by this interface alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from PySide6.QtWidgets import QMainWindow, QWidget

from app.core.base.observable import Field
from app.core.workbench.workbench import Workbench
from app.qt.base.commands import Command, Place
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Host:
    """Window as a feature sees it. The functions tell what is there now: all panels are built anew for another look."""

    window: QMainWindow
    workbench: Workbench
    look: Callable[[], Look]
    rebuild: Callable[[], object]
    """Build all panels anew: after the feature has changed what `side` says."""
    settings: Settings
    """What is remembered between two starts."""
    side: Field[Feature | None] = field(default_factory=lambda: Field(None))
    """Whose panel is at the left: there is room for one."""

    def put_side(self, feature: Feature | None) -> None:
        """Show the panel of a feature in place of another's; None: no panel."""
        self.side.value = feature
        self.rebuild()


class Feature:
    """Lives as long as the window. Subclasses bring what they have."""

    def commands(self) -> tuple[Command, ...]:
        """Rows of the menu."""
        return ()

    def places(self) -> tuple[Place, ...]:
        """What the command palette finds besides the commands."""
        return ()

    def bar(self) -> tuple[tuple[str, Command], ...]:
        """Buttons of the command bar: the name of an icon, and what it calls."""
        return ()

    def timing(self) -> tuple[tuple[str, Command], ...]:
        """Buttons of the page of times, beside what is made of its points: the name of an icon, and what it calls."""
        return ()

    def side(self) -> QWidget | None:
        """A panel for the left of the window, beside or in place of the ladder; None: there is nothing to be said."""
        return None

    def line(self) -> QWidget | None:
        """Something to be said below the command bar, hidden while there is nothing."""
        return None

    def leave(self) -> bool:
        """Close what Escape closes where it has no other use; False: nothing."""
        return False

    def build(self, over: QWidget) -> None:
        """Make what lies over the window; `over` is what it lies over, and is gone with the look."""

    def close(self) -> None:
        """The window is closing: end what has windows, timers or threads of its own."""


FeatureMaker = Callable[[Host], Feature]
