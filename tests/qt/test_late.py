"""What is made when it is first asked for."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.late import Late
from app.qt.settings import Settings
from app.qt.widgets.overlay import Overlay


def test_it_is_made_once() -> None:
    made = list[object]()

    def make() -> object:
        made.append(object())
        return made[-1]

    late = Late(make)
    assert late.made is None
    assert late() is late()
    assert made == [late.made]


def test_the_first_window_makes_nothing_that_lies_over_it(qtbot: object) -> None:
    desktop = Desktop(WindowArguments("en", "light"), None, Settings(None))
    overlays: list[QWidget] = desktop.window.findChildren(Overlay)
    assert overlays == []
    desktop.window.toggle_help()
    assert len(desktop.window.findChildren(Overlay)) == 1
    desktop.window.close()
    desktop.window.deleteLater()
