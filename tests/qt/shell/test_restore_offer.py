"""The line below the command bar after a start that follows an end without closing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.core.base.files.locations import Locations
from app.core.state.last_session import FORMAT
from app.core.state.written import fields_of
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from tests.unit.core.state.test_state import tiled

Start = Callable[[], Desktop]


@pytest.fixture
def start(tmp_path: Path, qtbot: QtBot) -> Iterator[Start]:
    """Starts the program; an earlier one of the same user was killed while it showed a tiled kernel."""
    places = Locations(tmp_path / "data", tmp_path / "settings", tmp_path / "cache")
    places.sessions.mkdir(parents=True)
    session = {"format": FORMAT, "edited": False, "state": fields_of(tiled(32))}
    (places.sessions / "999999999.json").write_text(json.dumps(session), encoding="utf-8")
    opened: list[Desktop] = []

    def made() -> Desktop:
        opened.append(Desktop(WindowArguments("en", "light", None, (1280, 720)), places, Settings(None)))
        opened[-1].start()
        opened[-1].welcome()
        qtbot.waitUntil(lambda: opened[-1].workbench.last_session._started, timeout=20_000)
        return opened[-1]

    yield made
    for each in opened:
        each.window.close()
        each.window.deleteLater()


def offers(desktop: Desktop) -> dict[str, QToolButton]:
    buttons = desktop.window.findChildren(QToolButton)
    return {button.text(): button for button in buttons if button.text() in ("Go on there", "No, thanks") and button.isVisible()}


def test_going_on_shows_what_was_shown(start: Start, qtbot: QtBot) -> None:
    desktop = start()
    said = [label.text() for label in desktop.window.findChildren(QLabel) if label.isVisible()]
    assert "Tilescope was not closed last time. Nothing that was measured is lost; shown was Shared-memory tiled, tile 16, n = 32." in said
    assert desktop.session.stage.value.variant.id != "gpu.tiled"
    qtbot.mouseClick(offers(desktop)["Go on there"], Qt.MouseButton.LeftButton)
    shown = desktop.session.stage.value
    assert (shown.variant.id, shown.problem.n) == ("gpu.tiled", 32)
    assert not offers(desktop)
    desktop.window.close()
    assert not offers(start())


def test_declining_leaves_all_as_it_is_and_asks_no_more(start: Start, qtbot: QtBot) -> None:
    desktop = start()
    before = desktop.session.stage.value
    desktop.choose_theme("dark")  # all panels are built anew
    qtbot.waitUntil(lambda: bool(offers(desktop)))
    qtbot.mouseClick(offers(desktop)["No, thanks"], Qt.MouseButton.LeftButton)
    assert desktop.session.stage.value is before
    assert not offers(desktop)
    desktop.window.close()
    assert not offers(start())


def test_what_was_shown_when_the_display_went_away_is_offered(start: Start) -> None:
    desktop = start()
    desktop.workbench.last_session.dismiss()
    desktop.session.set_stage_parameter("tile", 3)
    shown = desktop.session.stage.value
    QTimer.singleShot(0, lambda: QCoreApplication.exit(1))  # what Qt does when the X server has died
    assert desktop.run() == 1
    again = start()
    assert offers(again)
    again.workbench.last_session.restore()
    assert again.session.stage.value == shown


def test_a_sweep_that_was_closed_in_the_middle_is_offered_again(start: Start) -> None:
    desktop = start()
    desktop.workbench.last_session.dismiss()
    session = desktop.session
    session.timing.value = chosen = replace(session.timing.value, ticked=frozenset({"cpu.naive"}), sizes=(2048,))
    desktop.workbench.measure()
    desktop.window.close()
    again = start()
    (said,) = [label.text() for label in again.window.findChildren(QLabel) if label.isVisible() and "closed" in label.text()]
    assert said.startswith("Tilescope was closed while it measured. What was finished is kept; shown was ")
    again.workbench.last_session.restore()
    assert again.session.timing.value == chosen
    again.window.close()
    assert not offers(start())


def test_a_sweep_that_was_cancelled_is_not_offered_however_long_its_end_takes(start: Start, qtbot: QtBot) -> None:
    desktop = start()
    desktop.workbench.last_session.dismiss()
    desktop.session.timing.value = replace(desktop.session.timing.value, ticked=frozenset({"cpu.naive"}), sizes=(2048,))
    desktop.workbench.measure()
    qtbot.waitUntil(lambda: any(queue.phase is not None for queue in desktop.workbench._workers.measuring.progress().queues))
    desktop.workbench.cancel()
    desktop.window.close()
    assert not offers(start())
