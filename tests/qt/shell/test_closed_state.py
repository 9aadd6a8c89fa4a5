"""What was shown when the window was closed is shown again at the next start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.files.locations import Locations
from app.core.base.timeline import Unit
from app.core.state.closed_state import ClosedState
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.lazy import FirstPaint
from app.qt.base.settings import Settings
from app.qt.shell.application import CLOSED, Desktop

TEXT = "__global__ void mine(float* a) { a[threadIdx.x] = a[threadIdx.x] + 1.0f; }\n"
Start = Callable[..., Desktop]


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    return tmp_path / "settings.ini"


@pytest.fixture
def start(qtbot: QtBot, look_restored: None, tmp_path: Path, settings_file: Path) -> Iterator[Start]:
    """Starts the program after the one before was closed, each time with what was kept."""
    running: list[Desktop] = []
    places = Locations(tmp_path / "data", tmp_path / "settings", tmp_path / "cache")

    def end() -> None:
        for desktop in running:
            desktop.window.close()
            desktop.window.deleteLater()
        running.clear()

    def started(variant: str | None = None) -> Desktop:
        end()
        running.append(Desktop(WindowArguments("en", "light", variant, (1366, 768)), places, Settings(settings_file)))
        running[0].start()
        running[0].welcome()
        qtbot.waitUntil(lambda: running[0].workbench.stage_ready)
        return running[0]

    yield started
    end()


def arrived(desktop: Desktop, step: float) -> bool:
    return desktop.workbench.stage_ready and desktop.workbench.stage.timeline.position.value.time == step


def own_file(folder: Path) -> Path:
    file = folder / "mine.cu"
    file.write_text(TEXT, encoding="utf-8")
    return file


def test_rung_step_view_sizes_and_settings_come_back(start: Start, qtbot: QtBot) -> None:
    first = start("gpu.tiled")
    session, stage = first.session, first.workbench.stage
    session.set_stage_parameter("tile", 8)
    session.timing.value = replace(session.timing.value, sizes=(256, 512), axis="tile", swept={"tile": (16, 64)})
    qtbot.waitUntil(lambda: first.workbench.stage_ready)
    stage.timeline.pause()
    stage.timeline.unit.value = Unit.TILE
    stage.timeline.scrub(11)
    stage.alone.value = 4
    first.window._stage.settings.click()
    assert first.window._stage.settings.isChecked()
    again = start()
    qtbot.waitUntil(lambda: arrived(again, 11))
    shown, timing = again.session.stage.value, again.session.timing.value
    assert (shown.variant.id, shown.parameters["tile"]) == ("gpu.tiled", 8)
    assert (timing.sizes, timing.axis, timing.values("tile")) == ((256, 512), "tile", (16, 64))
    assert (again.workbench.stage.alone.value, again.workbench.stage.timeline.unit.value) == (4, Unit.TILE)
    assert again.window._stage.settings.isChecked()


def test_the_file_that_was_open_comes_back_as_it_is_now(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    first, file = start("gpu.tiled"), own_file(tmp_path)
    assert first.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: first.workbench.stage_ready)
    first.workbench.stage.timeline.scrub(2)
    file.write_text(TEXT.replace("1.0f", "2.0f"), encoding="utf-8")
    again = start()
    qtbot.waitUntil(lambda: again.session.draft_editor.on_stage.value and arrived(again, 2))
    draft = again.session.draft_editor.shown
    assert draft is not None
    assert (draft.path, "2.0f" in draft.text, draft.changed) == (file, True, False)


def test_a_file_that_is_gone_leaves_the_rung_and_one_sentence(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    first, file = start("gpu.tiled"), own_file(tmp_path)
    assert first.session.draft_editor.open_file(file) is None
    qtbot.waitUntil(lambda: first.workbench.stage_ready)
    first.window.close()
    file.unlink()
    again = start()
    qtbot.waitUntil(lambda: again.workbench.activity.value is not None)
    assert str(file) in str(again.workbench.activity.value)
    assert (again.session.stage.value.variant.id, again.session.draft_editor.draft.value) == ("gpu.tiled", None)


@pytest.mark.parametrize("kept", ["{", '{"format": "tilescope closed 2"}', '{"format": "tilescope closed 1", "state": {"variant": "x"}}'])
def test_what_cannot_be_read_is_said_and_the_rest_is_there(start: Start, settings_file: Path, kept: str) -> None:
    start("gpu.tiled").window.close()
    settings = Settings(settings_file)
    settings.save_text(CLOSED, kept)
    settings.save()
    again = start()
    assert str(again.workbench.activity.value).startswith("What was shown last cannot be shown again: ")
    assert again.session.stage.value.variant.id == "gpu.tiled"


def test_an_edited_text_is_offered_and_no_file_is_opened_over_it(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    first, file = start("gpu.tiled"), own_file(tmp_path)
    editor = first.session.draft_editor
    assert editor.edit_copy() is None
    editor.change_text("// edited\n" + (editor.draft.value.text if editor.draft.value else ""))
    assert editor.open_file(file) is None
    qtbot.waitUntil(lambda: first.workbench.stage_ready)
    again = start()
    qtbot.waitUntil(lambda: again.workbench.draft_backup.offered.value is not None and again.workbench.closed_state._read is None)
    offered = again.workbench.draft_backup.offered.value
    assert offered is not None
    assert offered.text.startswith("// edited")
    assert again.session.draft_editor.draft.value is None


def test_what_the_command_line_asks_for_comes_first(start: Start) -> None:
    start("gpu.tiled")
    again = start("cpu.naive")
    assert again.session.stage.value.variant.id == "cpu.naive"


def test_nothing_is_put_back_before_the_window_is_painted(start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start("gpu.tiled")
    first.workbench.stage.timeline.scrub(3)
    order: list[str] = []
    monkeypatch.setattr(ClosedState, "show", lambda *_: order.append("put back"))
    leave = FirstPaint._leave

    def painted(first_paint: FirstPaint) -> None:
        order.append("painted")
        leave(first_paint)

    monkeypatch.setattr(FirstPaint, "_leave", painted)
    again = start()
    qtbot.waitUntil(lambda: "put back" in order)
    assert order[0] == "painted"
    assert again.workbench.stage_ready
