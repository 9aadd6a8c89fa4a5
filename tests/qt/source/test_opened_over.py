"""Nothing that is typed is lost when another text is opened over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.core.base.files.locations import find_places
from app.core.challenges.challenge import Challenge
from app.core.challenges.library import challenge_of
from app.core.state.written import text_of
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from kernels.catalogue.catalogue import by_id
from tests.qt.open_window import while_open

MINE = "__global__ void first(int* p) { p[threadIdx.x] = 1; }\n"
THEIRS = "__global__ void second(int* p) { p[threadIdx.x] = 2; }\n"
Open = Callable[[str], None]


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    places = find_places({"TILESCOPE_HOME": str(tmp_path)}, "linux", tmp_path)
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), places, Settings(None)), qtbot)


@pytest.fixture
def press_open(desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    (tmp_path / "a.cu").write_text(MINE, encoding="utf-8")
    (tmp_path / "b.cu").write_text(THEIRS, encoding="utf-8")

    def press(name: str) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / name), ""))
        qtbot.keyClick(desktop.window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)

    return press


def source(desktop: Desktop) -> SourcePanel:
    central = desktop.window.centralWidget()  # another panel may be about to go
    panel = None if central is None else central.findChild(SourcePanel)
    assert isinstance(panel, SourcePanel)
    return panel


def view_typed_in(desktop: Desktop, press_open: Open, qtbot: QtBot) -> SourcePanel:
    """The panel after a file was opened and a comment typed, an instant ago."""
    press_open("a.cu")
    panel = source(desktop)
    panel.view.setFocus()
    qtbot.keyClicks(panel.view, "// mine ")
    return panel


def test_a_file_that_another_was_opened_over_is_as_it_was_left(desktop: Desktop, press_open: Open, qtbot: QtBot) -> None:
    panel = view_typed_in(desktop, press_open, qtbot)
    press_open("b.cu")
    assert panel.view.text == THEIRS
    press_open("a.cu")
    assert panel.view.text == "// mine " + MINE
    draft = desktop.session.draft_editor.shown
    assert draft is not None
    assert draft.changed


def test_a_file_left_for_a_challenge_is_kept_and_the_attempt_is_not(desktop: Desktop, press_open: Open, qtbot: QtBot) -> None:
    panel = view_typed_in(desktop, press_open, qtbot)
    challenge = challenge_of("out-of-bounds")
    assert isinstance(challenge, Challenge)
    practice, editor = desktop.workbench.practice, desktop.session.draft_editor
    panel.flush()
    practice.open(challenge)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    assert [draft.text for draft in editor.kept] == ["// mine " + MINE]  # also if the program ends now
    panel = source(desktop)
    panel.view.setFocus()
    qtbot.keyClicks(panel.view, "// attempt ")
    press_open("b.cu")
    assert [draft.text for draft in editor.kept] == ["// mine " + MINE]
    assert practice.progress.of(challenge.id).attempt is not None
    press_open("a.cu")
    assert panel.view.text == "// mine " + MINE


def test_a_state_among_the_files_is_shown_and_not_edited(desktop: Desktop, press_open: Open, tmp_path: Path, qtbot: QtBot) -> None:
    """It was edited as CUDA C: "There is no kernel in this text"."""
    (tmp_path / "scene.tilescope").write_text(text_of(desktop.workbench.states.now()), encoding="utf-8")
    desktop.session.choose_variant(by_id("gpu.naive"))
    press_open("scene.tilescope")
    assert desktop.session.draft_editor.draft.value is None
    qtbot.waitUntil(lambda: desktop.session.stage.value.variant.id == "gpu.tiled", timeout=5_000)
