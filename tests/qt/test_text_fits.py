"""At every zoom, in both languages, no text is cut that is not meant to be shortened."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtWidgets import QAbstractScrollArea, QCheckBox, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.i18n import CHINESE, ENGLISH
from app.core.session import Workspace
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.settings import Settings
from app.qt.widgets.elided_label import ElidedLabel
from app.qt.widgets.steady_label import SteadyLabel

SHORTENED = (ElidedLabel, SteadyLabel)
"""These say the whole where they show a part: in a tooltip, or to readers of the screen."""
SLACK = 2


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", (1920, 1080)), None, Settings(tmp_path / "settings.ini"))
    made.start()
    qtbot.waitUntil(lambda: made.workbench.stage_ready, timeout=60_000)
    yield made
    made.choose_zoom(100)
    made.window.close()
    made.window.deleteLater()


def scrolls(widget: QWidget) -> bool:
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QAbstractScrollArea):
        around = around.parentWidget()
    return around is not None


def seen(widget: QWidget) -> bool:
    """Whether all of it is in sight, as far as its surroundings do not scroll."""
    return scrolls(widget) or widget.visibleRegion().boundingRect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(widget.rect())


def needs(widget: QWidget) -> tuple[int, int]:
    """The width and height that its text needs."""
    if isinstance(widget, QLabel):
        if widget.wordWrap():
            return 0, widget.heightForWidth(widget.width())
        size = widget.fontMetrics().boundingRect(QRect(0, 0, 1 << 16, 1 << 16), 0, widget.text())
        return size.width(), size.height()
    return widget.sizeHint().width(), widget.sizeHint().height()


def cut(window: QWidget) -> list[str]:
    """The texts that have too little room."""
    found = []
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, QLabel | QToolButton | QPushButton | QCheckBox) or isinstance(widget, SHORTENED):
            continue
        if not widget.isVisible() or not widget.text():
            continue
        width, height = needs(widget)
        if width > widget.width() + SLACK or height > widget.height() + SLACK or not seen(widget):
            found.append(f"{widget.text()[:40]!r}: needs {width} x {height}, has {widget.width()} x {widget.height()}")
    return found


@pytest.mark.parametrize("zoom", [100, 150, 200])
def test_no_text_is_cut(desktop: Desktop, zoom: int) -> None:
    found = {}
    desktop.choose_zoom(zoom)
    for size, language in product(((1280, 720), (1920, 1080)), (ENGLISH, CHINESE)):
        desktop.window.resize(*size)
        desktop.choose_language(language)
        for workspace in Workspace:
            desktop.session.show_workspace(workspace)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # the panels of the look before
            for _ in range(3):
                desktop.process_events()
            found[size, language, workspace.value] = cut(desktop.window)
    assert {place: texts for place, texts in found.items() if texts} == {}


def test_a_text_that_is_cut_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("a text that is long", window)
    label.setFixedWidth(30)
    button = QToolButton(window)
    button.setText("beyond the edge")
    button.move(window.width() - 10, 0)
    window.show()
    assert len(cut(window)) == 2
