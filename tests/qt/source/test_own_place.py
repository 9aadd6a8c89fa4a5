"""Where a hand has scrolled the source, it stays: a press puts the cursor into the line that is seen under the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from app.qt.source.view import SourceView
from tests.qt.open_window import while_open


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.tiled", (1366, 768)), None, Settings(None)), qtbot)


@pytest.fixture
def view(desktop: Desktop, qtbot: QtBot) -> SourceView:
    """A copy that is edited, with the focus on the stage."""
    found = desktop.window.findChild(SourcePanel)
    assert isinstance(found, SourcePanel)
    found.edit_copy()
    qtbot.waitUntil(lambda: found.view.editable and desktop.workbench.stage_ready)
    desktop.window._stage.setFocus()
    desktop.process_events()
    assert not found.view.hasFocus()
    return found.view


def wheel(view: SourceView, rows: int) -> None:
    """Turn the wheel over the text, down where `rows` is positive."""
    at = QPointF(view.viewport().rect().center())
    turned, none = QPoint(0, -40 * rows), QPoint()
    held, keys, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, view.viewport().mapToGlobal(at), none, turned, held, keys, phase, False)  # noqa: FBT003 Qt takes no keyword here
    QApplication.sendEvent(view.viewport(), event)


def lines_seen(view: SourceView) -> dict[int, QPoint]:
    """The lines that are seen whole, each with a place in its first row."""
    return {
        number: QPoint(60, round(top + height / 2))
        for number, top, height in view.visible_lines(view.viewport().rect())
        if top >= 0 and top + height <= view.viewport().height()
    }


def scroll_away(desktop: Desktop, view: SourceView, *, back: bool) -> None:
    """Scroll to the other end of the text than where the line of the step is."""
    desktop.workbench.stage.timeline.scrub(3000 if back else 0)
    desktop.process_events()
    for _ in range(8):
        wheel(view, -10 if back else 10)
    QTest.qWait(50)
    assert view.line not in lines_seen(view), "the line of the step was scrolled out of sight"


@pytest.mark.parametrize("back", [True, False])
def test_a_press_puts_the_cursor_into_the_line_that_was_pressed(desktop: Desktop, view: SourceView, qtbot: QtBot, back: bool) -> None:
    scroll_away(desktop, view, back=back)
    seen = lines_seen(view)
    pressed = sorted(seen)[len(seen) // 2]
    for number in (pressed - 1, pressed):
        QTest.mouseMove(view.viewport(), seen[number])
        qtbot.waitUntil(lambda: desktop.workbench.stage.hovered.value.line is not None)
        for _ in range(3):
            desktop.process_events()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=seen[pressed])
    for _ in range(3):
        desktop.process_events()
    assert view.textCursor().blockNumber() + 1 == pressed
    assert min(lines_seen(view)) == min(seen)


def test_another_size_and_a_remark_leave_what_a_hand_has_scrolled_to(desktop: Desktop, view: SourceView) -> None:
    scroll_away(desktop, view, back=True)
    first = view.verticalScrollBar().value()
    view.resize(view.width(), view.height() - 20)
    view.show_underlined([])
    QTest.qWait(50)
    assert view.verticalScrollBar().value() == first
    desktop.workbench.stage.timeline.scrub(0)
    desktop.workbench.stage.timeline.scrub(3000)
    desktop.process_events()
    assert view.line in lines_seen(view), "the line of another step is brought into sight"


def test_a_comment_that_is_folded_by_hand_stays_under_the_hand(desktop: Desktop, view: SourceView) -> None:
    scroll_away(desktop, view, back=True)
    view.folding.toggle_all()
    QTest.qWait(50)
    assert min(lines_seen(view)) == 1
