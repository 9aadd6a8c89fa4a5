"""States that are saved, opened, copied and pasted in the window."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.base.observable import Field
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.state.snapshot import Snapshot, title_of
from app.core.state.written import MARK
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.feature import Host
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.base.theme import theme
from app.qt.sharing.feature import RecentPanel, Sharing
from app.qt.shell.application import Desktop
from kernels.base.messages import Message, message
from kernels.catalogue.catalogue import by_id


@pytest.fixture
def desktop(qtbot: QtBot) -> Desktop:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", (1440, 900)), None, Settings(None))
    qtbot.addWidget(made.window)
    return made


@pytest.fixture
def sharing(desktop: Desktop) -> Sharing:
    look = Look(theme("light"), Translator("en"))
    nobody = Host(desktop.window, desktop.workbench, lambda: look, lambda: None, desktop.settings)
    return Sharing(nobody)


def shown(desktop: Desktop) -> tuple[str, int, int]:
    stage = desktop.session.stage.value
    return stage.variant.id, stage.problem.n, stage.parameters["tile"]


def test_a_saved_state_is_opened_again(desktop: Desktop, sharing: Sharing, tmp_path: Path) -> None:
    assert desktop.session.set_stage_parameter("tile", 8) is None
    before, file = shown(desktop), tmp_path / "mine.tilescope"
    assert sharing.save(file) is None
    assert desktop.session.set_stage_parameter("tile", 32) is None
    assert sharing.open(file) is None
    assert shown(desktop) == before
    desktop.shutdown()


def test_a_copied_state_is_pasted_again(desktop: Desktop, sharing: Sharing) -> None:
    assert desktop.session.draft_editor.edit_copy() is None
    desktop.session.draft_editor.change_text("// mine\n")
    sharing.copy()
    assert QApplication.clipboard().text().startswith(MARK)
    desktop.session.draft_editor.close()
    assert sharing.paste() is None
    draft = desktop.session.draft_editor.shown
    assert draft is not None
    assert draft.text == "// mine\n"
    desktop.shutdown()


def compared(desktop: Desktop, qtbot: QtBot) -> None:
    """Rung 12 pinned, 13 with another tile on the right, a view chosen, further on."""
    desktop.start()
    desktop.session.choose_variant(by_id("gpu.transpose-shared"))
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    assert desktop.workbench.comparison.toggle() is None
    desktop.session.choose_variant(by_id("gpu.transpose-padded"))
    assert desktop.session.set_stage_parameter("tile", 16) is None
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    desktop.workbench.comparison.choose(View.GLOBAL_MEMORY)
    desktop.workbench.stage.timeline.scrub(9.5)


def sides(desktop: Desktop) -> tuple[object, ...]:
    comparison, pair = desktop.workbench.comparison, desktop.workbench.comparison.pair.value
    launches = None if pair is None else tuple((each.subject.variant_id, each.trace.block) for each in (pair.left, pair.right))
    return launches, comparison.view.value, desktop.workbench.stage.timeline.position.value


def test_a_comparison_is_part_of_a_state(desktop: Desktop, sharing: Sharing, qtbot: QtBot, tmp_path: Path) -> None:
    compared(desktop, qtbot)
    before, file = sides(desktop), tmp_path / "two.tilescope"
    assert sharing.save(file) is None
    assert str(desktop.workbench.activity.value) == f"Written: {file}"
    desktop.workbench.comparison.leave()
    desktop.session.choose_variant(by_id("gpu.tiled"))
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    assert sharing.open(file) is None
    qtbot.waitUntil(lambda: sides(desktop) == before, timeout=20_000)
    desktop.shutdown()


def test_a_state_without_a_comparison_ends_the_one_there_is(desktop: Desktop, sharing: Sharing, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "one.tilescope"
    assert sharing.save(file) is None
    compared(desktop, qtbot)
    assert sharing.open(file) is None
    assert desktop.workbench.comparison.pair.value is None
    desktop.shutdown()


def test_a_state_of_two_schedules_does_not_promise_the_comparison(desktop: Desktop, sharing: Sharing, qtbot: QtBot, tmp_path: Path) -> None:
    compared(desktop, qtbot)
    comparison, launch = desktop.workbench.comparison, desktop.workbench.comparison.pinned.value
    assert launch is not None
    comparison.pinned.value = LaunchIndex(replace(launch.subject, schedule=message("by hand")), launch.record)
    sharing.copy()
    assert str(desktop.workbench.activity.value) == "The state on the right is in the clipboard, without what it is compared with."
    assert sharing.save(tmp_path / "x.tilescope") is None
    assert str(desktop.workbench.activity.value).startswith("Written, without what it is compared with: ")
    desktop.shutdown()


def test_an_empty_clipboard_is_called_empty(desktop: Desktop, sharing: Sharing) -> None:
    QApplication.clipboard().setText(" \n")
    assert str(sharing.paste()) == "The clipboard is empty: copy a state first."
    assert desktop.workbench.activity.value == sharing.paste()
    desktop.shutdown()


@pytest.mark.parametrize("text", ["", "hello", "tilescope:x", '{"format": "tilescope state 1"}'])
def test_what_is_no_state_changes_nothing_and_is_told(desktop: Desktop, sharing: Sharing, text: str, tmp_path: Path) -> None:
    before, file = desktop.workbench.states.now(), tmp_path / "bad.tilescope"
    file.write_text(text, encoding="utf-8")
    assert isinstance(sharing.open(file), Message)
    assert str(file) in str(desktop.workbench.activity.value)
    QApplication.clipboard().setText(text)
    assert isinstance(sharing.paste(), Message)
    assert desktop.workbench.states.now() == before
    desktop.shutdown()


def test_a_file_that_is_not_there_is_told_once(desktop: Desktop, sharing: Sharing, tmp_path: Path) -> None:
    assert str(sharing.open(tmp_path / "none.tilescope")) == f"There is no file {tmp_path / 'none.tilescope'}."
    assert "could not be written" in str(sharing.save(tmp_path / "none" / "a.tilescope"))
    desktop.shutdown()


@pytest.mark.parametrize("language", LANGUAGES)
def test_recent_states_are_chosen_by_key(qtbot: QtBot, desktop: Desktop, language: str) -> None:
    over, look = QWidget(), Look(theme("light"), Translator(language))
    over.resize(1280, 720)
    qtbot.addWidget(over)
    over.show()
    states: Field[tuple[Snapshot, ...]] = Field(())
    chosen: list[Snapshot] = []
    panel = RecentPanel(look, over, states, chosen.append)
    panel.toggle()
    assert panel._empty.isVisible()
    noon = datetime(2026, 11, 28, 12, 30).astimezone()
    first = replace(desktop.workbench.states.now(), seen=noon.timestamp())
    assert desktop.session.set_stage_parameter("tile", 8) is None
    states.value = (replace(desktop.workbench.states.now(), seen=time.time()), first)
    panel.toggle()
    panel.toggle()
    today, before = (panel._list.item(row).text() for row in range(2))
    assert re.fullmatch(r"\d\d:\d\d   " + re.escape(look.text(title_of(states.value[0]))), today)
    assert before == "2026-11-28 12:30   " + look.text(title_of(first))
    qtbot.keyClick(panel._list, Qt.Key.Key_Down)
    qtbot.keyClick(panel._list, Qt.Key.Key_Return)
    assert chosen == [first]
    assert panel.isHidden()
    desktop.shutdown()
