"""The page of examples from the window: offered in the menu, the palette and the export panel, and written by a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.core.export.choice import What
from app.core.export.examples import EXAMPLES
from app.core.workbench.window_arguments import WindowArguments
from app.core.workbench.workbench import Workbench
from app.qt.base.settings import Settings
from app.qt.export.controller import ExportController
from app.qt.export.examples_writer import WAITS
from app.qt.export.feature import Exporting
from app.qt.shell.application import Desktop
from tests.qt.open_window import while_open
from tests.screens.features import feature


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments("zh_CN", "light", "gpu.tiled", (1280, 720)), None, Settings(tmp_path / "settings.ini")), qtbot
    )


def test_menu_and_panel_ask_for_the_folder(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def cancelled(_parent: object, title: str, _folder: str) -> str:
        asked.append(title)
        return ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", cancelled)
    (action,) = (action for action in desktop.window.findChildren(QAction) if action.text() == "导出示例页面…")
    action.trigger()
    exporting = feature(desktop, Exporting)
    for what in (What.CLIP, What.PLAYER):
        exporting.open(what)
        exporting.panel.draw()
        assert exporting.panel.examples.isVisible() is (what is What.PLAYER)
    exporting.panel.examples.click()
    assert asked == ["示例页面的文件夹"] * 2


@pytest.fixture
def few(desktop: Desktop) -> ExportController:
    """Two examples alone, one of them quick."""
    controller = feature(desktop, Exporting).controller
    controller.examples._examples = tuple(example for example in EXAMPLES if example.name in ("threads", "program"))
    return controller


def test_the_players_and_the_page_are_written_and_it_is_said_how_far_it_is(
    desktop: Desktop, few: ExportController, qtbot: QtBot, tmp_path: Path
) -> None:
    told: list[str] = []
    look = feature(desktop, Exporting)._host.look()
    desktop.workbench.activity.subscribe(lambda said: told.append(look.text(said) if said else ""))
    few.examples.write(tmp_path / "site")
    few.ask_for_examples()
    qtbot.waitUntil(lambda: not few.examples.writing, timeout=300_000)
    page = tmp_path / "site" / "examples.html"
    assert told[-1] == f"已写入：{page}"
    assert "正在写入别的内容。请等待，或在“导出”中取消。" in told
    assert "示例页面：已写入 1 / 2 个播放器" in told
    assert {each.name for each in page.parent.iterdir()} == {"examples.html", "threads.html", "program.html"}
    assert 'lang="zh-CN"' in page.read_text(encoding="utf-8")


def test_what_cannot_be_written_says_why(desktop: Desktop, few: ExportController, qtbot: QtBot, tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    few.examples.write(taken / "site")
    assert str(taken) in str(desktop.workbench.activity.value)
    (tmp_path / "site" / "threads.html").mkdir(parents=True)
    few.examples.write(tmp_path / "site")
    qtbot.waitUntil(lambda: not few.examples.writing, timeout=300_000)
    assert "threads.html" in str(desktop.workbench.activity.value)
    assert few.progress.value is None
    assert not (tmp_path / "site" / "examples.html").exists()


def test_the_panel_shows_how_far_it_is_and_cancels_it(
    desktop: Desktop, few: ExportController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporting = feature(desktop, Exporting)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "site"))
    exporting._ask_for_examples()
    panel = exporting.panel
    assert panel.isVisible()
    assert panel.cancel.isVisible()
    assert not panel.save.isVisible()
    assert panel.count.text() == "示例页面：已写入 0 / 2 个播放器"
    qtbot.waitUntil(lambda: panel.bar.value() == 1, timeout=300_000)
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not few.examples.writing
    page = tmp_path / "site" / "examples.html"
    assert panel.told.text() == f"已取消。页面中有 1 个播放器：{page}"
    assert panel.save.isVisible()
    qtbot.waitUntil(lambda: {each.name for each in page.parent.iterdir()} == {"threads.html", page.name})
    assert page.read_text(encoding="utf-8").count("<iframe") == 1
    before = page.read_bytes()
    few.examples.write(page.parent)
    few.cancel()
    assert panel.told.text() == "已取消，没有写入页面。已完成的播放器：0 个。"
    assert page.read_bytes() == before


def test_nothing_is_written_while_something_is_measured(
    desktop: Desktop, few: ExportController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring = True
    monkeypatch.setattr(Workbench, "measuring", property(lambda _: measuring))
    few.examples.write(tmp_path / "site")
    assert few.examples._process is None
    assert few.progress.value is not None
    assert str(few.progress.value.said) == str(WAITS)
    measuring = False
    qtbot.waitUntil(lambda: few.examples._process is not None)
    measuring = True
    qtbot.waitUntil(lambda: few.examples._process is None)
    assert str(desktop.workbench.activity.value) == str(WAITS)
    measuring = False
    qtbot.waitUntil(lambda: not few.examples.writing, timeout=300_000)
    assert (tmp_path / "site" / "examples.html").is_file()
