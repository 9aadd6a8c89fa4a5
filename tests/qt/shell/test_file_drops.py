"""A file of CUDA C that is dropped on the window is opened, wherever on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel

TEXT = "__global__ void first(int* p) { p[threadIdx.x] = 1; }\n"


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(None))
    made.start()
    qtbot.waitUntil(lambda: made.workbench.stage_ready)
    yield made
    made.window.close()
    made.window.deleteLater()


def dropped(part: QWidget, *files: Path) -> bool:
    """Drop files on a part; whether it takes them."""
    data, button, none = QMimeData(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    entering = QDragEnterEvent(part.rect().center(), Qt.DropAction.CopyAction, data, button, none)
    QApplication.sendEvent(part, entering)
    if entering.isAccepted():
        QApplication.sendEvent(part, QDropEvent(QPointF(part.rect().center()), Qt.DropAction.CopyAction, data, button, none))
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


def test_what_is_no_text_of_cuda_c_is_not_taken(desktop: Desktop, tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    assert not dropped(desktop.window, tmp_path / "one.png")
    assert not dropped(desktop.window, tmp_path / "a.cu", tmp_path / "b.cu")
    assert dropped(desktop.window, tmp_path / "gone.cu")
    assert desktop.session.draft_editor.shown is None
    assert "There is no file" in str(desktop.workbench.activity.value)
