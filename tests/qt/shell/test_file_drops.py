"""A file of CUDA C or a state that is dropped on the window is opened, wherever on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.core.state.written import text_of
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.inspector.panel import InspectorPanel
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from tests.qt.open_window import while_open

TEXT = "__global__ void first(int* p) { p[threadIdx.x] = 1; }\n"


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(None)), qtbot)


def dropped(part: QWidget, *files: Path) -> bool:
    """Drop files in the middle of a part, as a file manager does that offers their names as text too; whether they are taken."""
    data, button, none = QMimeData(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    data.setText(" ".join(map(str, files)))
    place, system = part.mapTo(part.window(), part.rect().center()), part.window().windowHandle()
    entering = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, button, none)
    QApplication.sendEvent(system, entering)
    if entering.isAccepted():
        QApplication.sendEvent(system, QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, button, none))
    return entering.isAccepted()


def test_a_dropped_file_is_opened_over_a_text_that_is_edited_too(desktop: Desktop, tmp_path: Path) -> None:
    editor, panel = desktop.session.draft_editor, desktop.window.findChild(SourcePanel)
    first, second = tmp_path / "first.cu", tmp_path / "second.cu"
    for file in (first, second):
        file.write_text(TEXT, encoding="utf-8")
    assert panel is not None
    for part, file in ((desktop.window, first), (panel.view.viewport(), second)):
        assert dropped(part, file)
        assert editor.shown is not None
        assert (editor.shown.path, editor.shown.text, panel.view.text) == (file, TEXT, TEXT)


def test_a_field_does_not_take_the_name_of_a_dropped_file_for_words(desktop: Desktop, tmp_path: Path) -> None:
    editor, panel = desktop.session.draft_editor, desktop.window.findChild(SourcePanel)
    assert panel is not None
    panel.find_words()
    desktop.window.findChildren(InspectorPanel)[0].show()
    fields = [each for each in desktop.window.findChildren(QLineEdit) if each.isVisible()]
    assert len(fields) > 2, "a search, the size, the parameters"
    for number, field in enumerate(fields):
        file, words = tmp_path / f"{number}.cu", field.text()
        file.write_text(TEXT, encoding="utf-8")
        assert dropped(field, file)
        assert editor.shown is not None
        assert editor.shown.path == file
        assert field.text() == words
        editor.set_aside()


def test_a_dropped_state_is_shown(desktop: Desktop, tmp_path: Path) -> None:
    session, file, wrong = desktop.session, tmp_path / "one.tilescope", tmp_path / "two.tilescope"
    file.write_text(text_of(desktop.workbench.states.now()), encoding="utf-8")
    wrong.write_text("nothing", encoding="utf-8")
    shown = session.stage.value
    session.set_stage_parameter("tile", 8)
    assert dropped(desktop.window, wrong)
    assert "two.tilescope" in str(desktop.workbench.activity.value)
    assert session.stage.value != shown
    assert dropped(desktop.window, file)
    assert session.stage.value == shown


def test_what_is_no_file_to_be_opened_is_not_taken(desktop: Desktop, tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    assert not dropped(desktop.window, tmp_path / "one.png")
    assert not dropped(desktop.window, tmp_path / "a.cu", tmp_path / "b.cu")
    assert dropped(desktop.window, tmp_path / "gone.cu")
    assert desktop.session.draft_editor.shown is None
    assert "There is no file" in str(desktop.workbench.activity.value)
