"""A file that was opened once is found again at the next start: in the menu, by its name in the palette, and where dialogs begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES
from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.export.feature import Exporting
from app.qt.shell.application import Desktop
from tests.screens.features import feature

TEXT = "__global__ void first(int* p) { p[threadIdx.x] = 1; }\n"
Start = Callable[[], Desktop]


@pytest.fixture
def language() -> str:
    return "en"


@pytest.fixture
def start(qtbot: QtBot, look_restored: None, tmp_path: Path, language: str) -> Iterator[Start]:
    """Starts the program, as often as asked, each time with the settings that were kept."""
    running: list[Desktop] = []

    def end() -> None:
        for desktop in running:
            desktop.window.close()
            desktop.window.deleteLater()
        running.clear()

    def started() -> Desktop:
        end()
        running.append(Desktop(WindowArguments(language, "light", "gpu.tiled", (1366, 768)), None, Settings(tmp_path / "settings.ini")))
        running[0].start()
        qtbot.waitUntil(lambda: running[0].workbench.stage_ready)
        return running[0]

    yield started
    end()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A text in a folder of its own."""
    (tmp_path / "course").mkdir()
    made = tmp_path / "course" / "a&b.cu"
    made.write_text(TEXT, encoding="utf-8")
    return made


def listed(desktop: Desktop, title: str) -> list[QAction]:
    """The rows of the menu of recent files, once it is opened."""
    central = desktop.window.centralWidget()
    assert central is not None
    menu = next(each for each in central.findChildren(QMenu) if each.title() == title)
    menu.aboutToShow.emit()
    return menu.actions()


@pytest.mark.parametrize(("language", "title"), [*zip(LANGUAGES, ("Recent files", "最近打开的文件"), strict=True)])
def test_the_menu_lists_what_was_opened_before_this_start(start: Start, file: Path, title: str) -> None:
    first = start()
    assert [each.isEnabled() for each in listed(first, title)] == [False], "which says that there is none"
    assert first.session.draft_editor.open_file(file) is None
    second = start()
    assert second.session.draft.value is None
    (row,) = listed(second, title)
    assert row.text().startswith(f"a&&b.cu — {str(file.parent)[:40]}"), "of a long path the beginning"
    second.session.show_workspace(Workspace.TIMING)
    row.trigger()
    draft = second.session.draft_editor.shown
    assert draft is not None
    assert (draft.path, draft.text) == (file, TEXT)
    assert second.session.workspace.value is Workspace.STAGE


@pytest.mark.parametrize("typed", ["a&b.cu", "course"])
def test_the_palette_finds_it_by_its_name_and_by_its_folder(start: Start, file: Path, typed: str) -> None:
    start().session.draft_editor.open_file(file)
    desktop = start()
    palette = desktop.window._over.palette()
    palette.toggle()
    palette.field.setText(typed)
    assert "a&b.cu" in palette.shown
    palette.list.setCurrentRow(palette.shown.index("a&b.cu"))
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    draft = desktop.session.draft_editor.shown
    assert draft is not None
    assert draft.path == file


def test_a_file_that_is_gone_says_so(start: Start, file: Path) -> None:
    start().session.draft_editor.open_file(file)
    desktop = start()
    file.unlink()
    listed(desktop, "Recent files")[0].trigger()
    reason = desktop.window._stage.source._reason
    assert reason.isVisible()
    assert "There is no file" in reason.text()


def test_dialogs_begin_where_the_last_file_lies(start: Start, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def asked(_owner: object, _title: str, place: str, *_more: str) -> tuple[str, str]:
        begun.append(place)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", asked)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", asked)
    start().session.draft_editor.open_file(file)
    desktop = start()
    window, folder = desktop.window, file.parent
    for title in (
        "Open…",
        "Save this state…",
        "Open a state…",
        "Import a recording…",
        "Export the measurements as a recording…",
        "Lab report…",
    ):
        next(each for each in window.findChildren(QAction) if each.text() == title).trigger()
    window._stage.inspector.content.predictions.imports.click()
    window._choices.choose_path("csv")
    assert begun == [
        str(folder), str(folder / "tilescope.tilescope"), str(folder), str(folder), str(folder / "recording.json"),
        str(folder / "report.html"), str(folder), str(folder / "tilescope.csv"),
    ]  # fmt: skip
    assert feature(desktop, Exporting).controller.suggestion().parent == folder


def test_dialogs_begin_among_the_documents_and_then_where_a_file_was_saved(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop, begun = start(), list[str]()
    documents = desktop.session.draft_editor.begin
    saved = tmp_path / "elsewhere" / "here.tilescope"
    saved.parent.mkdir()

    def chosen(_owner: object, _title: str, place: str, *_more: str) -> tuple[str, str]:
        begun.append(place)
        return str(saved), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", chosen)
    for _ in range(2):
        next(each for each in desktop.window.findChildren(QAction) if each.text() == "Save this state…").trigger()
    assert begun == [str(Path(documents, "tilescope.tilescope")), str(saved.parent / "tilescope.tilescope")]
    again = start()
    assert again.session.draft_editor.folder.value == str(saved.parent)
    assert feature(again, Exporting).controller.suggestion().parent == saved.parent


def test_a_text_of_no_file_is_saved_beside_the_last_one(start: Start, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def chosen(_owner: object, _title: str, place: str, _kinds: str) -> tuple[str, str]:
        asked.append(place)
        return place, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", chosen)
    start().session.draft_editor.open_file(file)
    desktop = start()
    files, editor = desktop.window._stage.source.files, desktop.session.draft_editor
    assert editor.edit_copy() is None
    files.save()
    assert asked == [str(file.parent / "matmul_tiled.cu")]
    assert str(desktop.workbench.activity.value) == f"Written: {asked[0]}"
