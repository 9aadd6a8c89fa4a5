"""The page of examples from the window: offered in the menu, the palette and the export panel, and written by a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.core.export.choice import What
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.export.examples_writer import ExamplesWriter
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
    assert exporting.panel.isHidden()
    assert asked == ["示例页面的文件夹"] * 2


def test_the_players_and_the_page_are_written_and_it_is_said_how_far_it_is(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    told: list[str] = []
    look = feature(desktop, Exporting)._host.look()
    desktop.workbench.activity.subscribe(lambda said: told.append(look.text(said) if said else ""))
    writer = ExamplesWriter(feature(desktop, Exporting)._host, ("threads", "program"))
    writer.write(tmp_path / "site")
    writer.write(tmp_path / "other")
    qtbot.waitUntil(lambda: not writer.writing, timeout=120_000)
    page = tmp_path / "site" / "examples.html"
    assert told[-1] == f"已写入：{page}"
    assert f"示例页面正在写入：{page}" in told
    assert "示例页面：已写入 1 / 2 个播放器" in told
    assert {each.name for each in page.parent.iterdir()} == {"examples.html", "threads.html", "program.html"}
    assert 'lang="zh-CN"' in page.read_text(encoding="utf-8")


def test_what_cannot_be_written_says_why_and_what_is_cancelled_ends(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    writer = ExamplesWriter(feature(desktop, Exporting)._host, ("threads",))
    writer.write(taken / "site")
    qtbot.waitUntil(lambda: not writer.writing, timeout=60_000)
    said = desktop.workbench.activity.value
    assert said is not None
    assert str(taken) in str(said)
    writer.write(tmp_path / "site")
    writer.cancel()
    assert not writer.writing
