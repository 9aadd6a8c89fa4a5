"""The export panel: opened by its key, it shows the picture as it will be, says what cannot be, and writes while the window lives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.core.export.choice import LEAD, USUAL_STEPS, ExportChoice, Of, What, with_habits
from app.core.export.clips.encoding import CANCELLED
from app.core.export.kinds import PictureSize
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.results.curves import Provenance
from app.core.session.session import Workspace
from app.core.timing.model import TimingPage
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.export.controller import ExportController
from app.qt.export.export_view import ExportedStage
from app.qt.export.feature import Exporting
from app.qt.export.panel import ExportPanel
from app.qt.shell.application import Desktop
from kernels.base.messages import Message, message
from kernels.catalogue import catalogue
from tests.measured.timing_results import measured
from tests.qt.open_window import while_open
from tests.screens.features import feature

SMALL = PictureSize(640, 400)


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(tmp_path / "settings.ini")), qtbot
    )


@pytest.fixture
def panel(desktop: Desktop, qtbot: QtBot) -> ExportPanel:
    """Open, with its first preview."""
    (action,) = (action for action in desktop.window.findChildren(QAction) if action.text() == "Export…")
    assert action.shortcut().toString() == "Ctrl+Shift+E"
    action.trigger()
    found = desktop.window.findChild(ExportPanel)
    assert isinstance(found, ExportPanel)
    assert found.isVisible()
    qtbot.waitUntil(lambda: found.preview.image is not None, timeout=10_000)
    return found


def choose(panel: ExportPanel, **chosen: object) -> ExportChoice:
    panel.controller.choice.value = replace(panel.controller.choice.value, **chosen)  # type: ignore[arg-type]
    return panel.controller.choice.value


def test_the_preview_is_the_picture_that_is_written(desktop: Desktop, panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    choose(panel, size=SMALL, figure=".png")
    panel.draw()
    image, path = panel.preview.image, tmp_path / "figure.png"
    assert image is not None
    panel.controller.save(path)
    with Image.open(path) as file:
        assert file.size == (image.width(), image.height()) == (640, 400)
    assert panel.told.text() == f"Written: {path}"
    assert str(desktop.workbench.activity.value) == f"Written: {path}"


def test_the_preview_follows_the_step_and_the_options(desktop: Desktop, panel: ExportPanel, qtbot: QtBot) -> None:
    first = panel.preview.image
    desktop.workbench.stage.timeline.scrub(200)
    qtbot.waitUntil(lambda: panel.preview.image not in (None, first), timeout=10_000)
    second = panel.preview.image
    choose(panel, colours="dark")
    qtbot.waitUntil(lambda: panel.preview.image not in (None, second), timeout=10_000)
    assert desktop.workbench.stage.timeline.position.value.step == 200


def test_views_for_which_a_picture_has_no_room_are_named(panel: ExportPanel) -> None:
    said = "Left out: Threads. A size 1000 wide or more, before it is scaled, has room for all views."
    for what, width, view, left_out in (
        (What.CLIP, 960, 0, True), (What.PLAYER, 960, 0, True), (What.CLIP, 1280, 0, False), (What.CLIP, 960, 1, False),
        (What.CURVES, 960, 0, False),
    ):  # fmt: skip
        choose(panel, what=what, size=PictureSize(width, 540), view=view)
        panel.draw()
        assert (panel.left_out.isVisible(), panel.left_out.text()) == (left_out, said if left_out else ""), (what, width, view)
        assert panel.reason.isHidden() or what is What.CURVES, "it is no refusal"
    choose(panel, what=What.CLIP, size=PictureSize(960, 540), view=0)
    panel.draw()
    assert panel.save.isEnabled()


def test_of_a_figure_the_view_is_named_too_that_other_steps_show(desktop: Desktop, panel: ExportPanel) -> None:
    choose(panel, what=What.FIGURE, of=Of.STAGE, size=PictureSize(960, 540), view=0)
    left_out = {}
    for step in (0, 130):
        desktop.workbench.stage.timeline.scrub(step)
        left_out[step] = str(panel.controller.left_out).partition(".")[0]
    assert left_out == {0: "Left out: Threads, Shared memory", 130: "Left out: Threads, Global memory"}


def test_a_range_without_the_step_shown_says_why(desktop: Desktop, panel: ExportPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    controller, timeline = panel.controller, desktop.workbench.stage.timeline
    assert controller.begins_later is None
    panel.leave()
    monkeypatch.setattr(LaunchIndex, "computes_from", 128)
    timeline.scrub(1)
    panel.toggle()
    timeline.scrub(0)
    controller.prepare()
    choose(panel, what=What.PLAYER)
    assert controller.choice.value.first == 128 - LEAD + 1
    panel.draw()
    assert panel.left_out.text().splitlines()[0] == "Without step 1, which the stage shows: computing begins at step 129."
    choose(panel, first=controller.choice.value.first + 1)
    assert controller.begins_later is None, "a hand has chosen it"
    timeline.scrub(200)
    controller.prepare()
    assert controller.begins_later is None


def test_a_clip_begins_a_little_before_the_step_shown_until_a_hand_chooses(desktop: Desktop, panel: ExportPanel) -> None:
    for step in (200, 300):
        panel.leave()
        desktop.workbench.stage.timeline.scrub(step)
        panel.toggle()
        assert panel.controller.choice.value.first == step + 1 - LEAD
    choose(panel, last=400)
    panel.leave()
    desktop.workbench.stage.timeline.scrub(500)
    panel.toggle()
    assert (panel.controller.choice.value.first, panel.controller.choice.value.last) == (301 - LEAD, 400)


def test_the_preview_of_what_moves_is_its_first_step(desktop: Desktop, panel: ExportPanel, qtbot: QtBot) -> None:
    seen = []
    for first in (1, 130):
        before = panel.preview.image
        choose(panel, what=What.PLAYER, size=SMALL, first=first, last=150)
        qtbot.waitUntil(lambda before=before: panel.preview.image not in (None, before), timeout=10_000)  # type: ignore[misc]
        seen.append(panel.preview.image)
    assert seen[0] != seen[1]
    assert desktop.workbench.stage.timeline.position.value.step == 0
    exported = panel.controller.exported(panel.controller.page)
    assert isinstance(exported, ExportedStage)
    assert exported.model.timeline.position.value.step == 129
    exported.close()


def test_what_is_looped_is_the_range_of_a_clip(desktop: Desktop, panel: ExportPanel) -> None:
    assert panel.controller.choice.value.last - panel.controller.choice.value.first + 1 == USUAL_STEPS
    panel.leave()
    desktop.workbench.stage.timeline.loop_range(10.0, 24.5)
    panel.toggle()
    assert (panel.controller.choice.value.first, panel.controller.choice.value.last) == (11, 25)
    choose(panel, first=12)
    panel.leave()
    panel.toggle()
    assert panel.controller.choice.value.first == 12


def test_a_clip_is_written_while_the_window_lives(desktop: Desktop, panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    choose(panel, what=What.CLIP, view=4, size=SMALL, first=1, last=4, clip=".apng")
    path = tmp_path / "clip.apng"
    panel.controller.save(path)
    assert panel.cancel.isVisible()
    assert not panel.save.isVisible()
    qtbot.waitUntil(lambda: panel.controller.progress.value is None, timeout=30_000)
    assert panel.told.text() == f"Written: {path}"
    assert panel.save.isVisible()
    with Image.open(path) as file:
        assert getattr(file, "n_frames", 1) == 4


def test_cancel_leaves_no_file(panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    choose(panel, what=What.CLIP, view=4, size=SMALL, first=1, last=50)
    folder = tmp_path / "clips"
    folder.mkdir()
    panel.controller.save(folder / "clip.webp")
    qtbot.waitUntil(lambda: panel.controller.progress.value is not None and panel.controller.progress.value.drawn > 1, timeout=10_000)
    panel.cancel.click()
    assert panel.controller.told.value == CANCELLED
    assert list(folder.iterdir()) == []


def test_escape_ends_what_is_written_before_it_closes_the_panel(panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    choose(panel, what=What.CLIP, view=4, size=SMALL, first=1, last=50)
    folder = tmp_path / "clips"
    folder.mkdir()
    panel.controller.save(folder / "clip.webp")
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isVisible()
    assert panel.controller.told.value == CANCELLED
    assert list(folder.iterdir()) == []
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert panel.isHidden()


def test_closing_the_window_stops_what_is_written(desktop: Desktop, panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    choose(panel, what=What.CLIP, view=4, size=SMALL, first=1, last=50)
    folder = tmp_path / "clips"
    folder.mkdir()
    panel.controller.save(folder / "clip.webp")
    qtbot.wait(50)
    desktop.window.close()
    assert list(folder.iterdir()) == []


def test_what_cannot_be_is_said_before_it_is_tried(panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    choose(panel, what=What.CLIP, first=6, last=5)
    qtbot.waitUntil(lambda: "must end after it begins" in panel.reason.text(), timeout=10_000)
    assert not panel.save.isEnabled()
    choose(panel, what=What.FIGURE, of=Of.STAGE)
    qtbot.waitUntil(lambda: panel.save.isEnabled(), timeout=10_000)
    panel.controller.save(tmp_path / "none" / "a.png")
    assert "There is no folder" in panel.told.text()


def test_both_ends_of_a_range_are_typed_one_after_the_other(desktop: Desktop, panel: ExportPanel, qtbot: QtBot) -> None:
    """Each was refused beside the other of before, and a range far from it was out of reach."""
    steps = panel.controller.steps
    choose(panel, what=What.CLIP, first=steps - 3, last=steps)
    first, last = panel.options.times["first"], panel.options.times["last"]
    QTest.keyClicks(cleared(last.edit), "4")
    qtbot.waitUntil(lambda: "must end after it begins" in panel.reason.text(), timeout=10_000)
    assert not panel.save.isEnabled()
    QTest.keyClicks(cleared(first.edit), "2")
    qtbot.waitUntil(lambda: panel.save.isEnabled(), timeout=10_000)
    assert (panel.controller.choice.value.first, panel.controller.choice.value.last) == (2, 4)
    QTest.keyClicks(cleared(last.edit), str(steps + 1))
    assert "The range ends at step" in last._reason.text()
    panel.options._choose_what(What.PLAYER)
    assert last._reason.isHidden()


def cleared(edit: QLineEdit) -> QLineEdit:
    edit.setFocus()
    edit.selectAll()
    return edit


def test_a_library_has_no_picture_and_the_panel_says_so(desktop: Desktop, panel: ExportPanel, qtbot: QtBot) -> None:
    variant = catalogue.by_id("gpu.cublas")
    desktop.session.choose_variant(variant)
    qtbot.waitUntil(lambda: panel.preview.image is None, timeout=10_000)
    assert "nothing to animate" in panel.reason.text()
    assert not panel.save.isEnabled()


def test_curves_and_measurements_are_tables(desktop: Desktop, panel: ExportPanel, tmp_path: Path) -> None:
    results = [measured("cpu.naive", n, n / 10) for n in (64, 128)]
    desktop.workbench.timing.add(Provenance.MEASURED, results)
    timing = desktop.session.timing
    timing.value = replace(timing.value, ticked=frozenset(("cpu.naive",)), sizes=(64, 128))
    for what in (What.CURVES, What.MEASUREMENTS):
        choose(panel, what=what, table=".json")
        path = tmp_path / f"{what}.json"
        panel.controller.save(path)
        rows = json.loads(path.read_text(encoding="utf-8"))
        assert [row["n"] for row in rows if row["id"] == "cpu.naive" and row["created"] == results[0].created] == [64, 128]
    choose(panel, what=What.FIGURE, of=Of.CURVES, size=SMALL, figure=".png")
    panel.controller.save(tmp_path / "chart.png")
    with Image.open(tmp_path / "chart.png") as file:
        assert len(file.convert("RGB").getcolors(1 << 24) or ()) > 20


def test_a_figure_is_of_what_is_in_front(desktop: Desktop, panel: ExportPanel) -> None:
    exporting, bench = feature(desktop, Exporting), desktop.workbench
    for workspace, page, of in (
        (Workspace.TIMING, TimingPage.CURVES, Of.CURVES), (Workspace.TIMING, TimingPage.LADDER, Of.LADDER),
        (Workspace.STAGE, TimingPage.LADDER, Of.STAGE),
    ):  # fmt: skip
        if not panel.isHidden():
            exporting.toggle()
        bench.session.show_workspace(workspace)
        bench.timing.page.value = page
        exporting.toggle()
        assert panel.controller.choice.value.of is of


def test_what_is_compared_is_what_is_exported(desktop: Desktop, panel: ExportPanel, qtbot: QtBot, tmp_path: Path) -> None:
    assert len(panel.controller.views) == len(View) + 1
    alone = panel.preview.image
    other = catalogue.by_id("gpu.naive")
    assert desktop.workbench.comparison.toggle() is None
    desktop.session.choose_variant(other)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and panel.preview.image is not alone, timeout=30_000)
    assert str(panel.controller.views[0]) == "The view shown"
    choose(panel, size=SMALL, figure=".svg")
    panel.controller.save(tmp_path / "pair.svg")
    text = (tmp_path / "pair.svg").read_text(encoding="utf-8")
    assert "gpu.tiled, step" in text
    assert "gpu.naive, step" in text
    choose(panel, what=What.CLIP, first=1, last=2, clip=".apng")
    panel.controller.save(tmp_path / "pair.apng")
    qtbot.waitUntil(lambda: panel.controller.progress.value is None, timeout=30_000)
    with Image.open(tmp_path / "pair.apng") as file:
        assert getattr(file, "n_frames", 1) == 2


def test_the_lab_report_is_one_of_the_exports(desktop: Desktop, panel: ExportPanel, tmp_path: Path) -> None:
    choose(panel, what=What.REPORT, report=".md")
    desktop.session.timing.value = replace(desktop.session.timing.value, ticked=frozenset(("mpi.rows",)))  # of which nothing is recorded
    panel.draw()
    assert not panel.save.isEnabled()
    desktop.workbench.timing.add(Provenance.MEASURED, [measured("cpu.naive", n, n / 10) for n in (64, 128)])
    desktop.session.timing.value = replace(desktop.session.timing.value, ticked=frozenset(("cpu.naive",)))
    assert panel.controller.sign(" Ada ") is None
    panel.draw()
    page = panel.preview.image
    assert page is not None
    assert page.height() > page.width()
    assert panel.save.isEnabled()
    panel.controller.save(tmp_path / "mine.md")
    assert (tmp_path / "mine.md").read_text(encoding="utf-8").splitlines()[2].startswith("Ada · ")
    assert desktop.settings.text("report/name") == "Ada"


def test_the_page_of_times_has_a_button_for_the_report(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.workbench.timing.add(Provenance.MEASURED, [measured("cpu.naive", n, n / 10) for n in (64, 128)])
    desktop.session.timing.value = replace(desktop.session.timing.value, ticked=frozenset(("cpu.naive",)))
    desktop.session.show_workspace(Workspace.TIMING)
    (button,) = (each for each in desktop.window.findChildren(QPushButton) if each.text() == "Lab report")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "report"), ""))
    for said in ("Written: ", "choose it by its whole name to replace it"):
        button.click()
        assert said in str(desktop.workbench.activity.value)
    assert [each.name for each in tmp_path.glob("report*")] == ["report.html"]


def test_folder_and_habits_are_remembered(desktop: Desktop, panel: ExportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(panel, size=PictureSize(960, 540, 1), figure=".svg", colours="print")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "figure"), ""))
    panel.save.click()
    assert (tmp_path / "figure.svg").is_file()
    assert panel.controller.suggestion() == tmp_path / "gpu.tiled.svg"
    again = with_habits(desktop.settings.text("export/habits") or "")
    assert (again.figure, again.colours, again.size) == (".svg", "print", PictureSize(960, 540, 1))


def test_what_is_said_belongs_to_the_kind_that_it_was_said_of(panel: ExportPanel, tmp_path: Path) -> None:
    choose(panel, what=What.CURVES)
    panel.controller.save(tmp_path / "curves.csv")
    assert panel.told.text() == f"Written: {tmp_path / 'curves.csv'}"
    choose(panel, what=What.PLAYER)
    assert (panel.told.text(), panel.told.isHidden()) == ("", True)
    choose(panel, what=What.CURVES)
    assert not panel.told.isHidden()
    choose(panel, what=What.CLIP)
    panel.controller.last = What.PLAYER
    panel.controller._show(26, 51)
    assert panel.count.text() == "Player: 26 of 51 pictures"


def players(done: int) -> Message:
    return message("Page of examples: {done} of {count} players written", done=done, count=14)


def test_players_of_a_page_are_told_once_each(desktop: Desktop, panel: ExportPanel) -> None:
    controller, activity = panel.controller, desktop.workbench.activity
    for done in (0, 1):
        controller._examples_show(done, 14, players(done))
        assert activity.value == players(done)
        assert panel.count.text() == panel.bar.accessibleName() == f"Page of examples: {done} of 14 players written"
        activity.value = other = message("Cancelled")
        controller._examples_show(done, 14, players(done))
        assert activity.value == other, "nothing new is to be told"


def test_the_button_of_the_page_gives_way_to_what_is_written(desktop: Desktop, panel: ExportPanel) -> None:
    controller = panel.controller
    for what in (What.PLAYER, What.FIGURE):
        choose(panel, what=what)
        panel.draw()
        assert panel.examples.isVisible() is (what is What.PLAYER)
        (panel.examples if what is What.PLAYER else panel.save).setFocus()
        controller._examples_show(0, 14, players(0))
        assert (panel.examples.isVisible(), panel.cancel.isVisible()) == (False, True)
        assert desktop.window.focusWidget() is panel.cancel
        controller._examples_end(message("Cancelled"))
        assert panel.examples.isVisible() is (what is What.PLAYER)
    controller._examples_show(0, 14, players(0))
    choose(panel, what=What.PLAYER)
    panel.draw()
    assert not panel.examples.isVisible()
    controller._examples_end(message("Cancelled"))
    assert panel.examples.isVisible()


def test_a_page_that_is_not_begun_leaves_what_was_said_of_a_clip(
    panel: ExportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = panel.controller
    choose(panel, what=What.CLIP, first=6, last=5)
    controller.save(tmp_path / "clip.apng")
    said = panel.told.text()
    assert said
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    controller.ask_for_examples()
    assert (panel.told.text(), controller.last) == (said, What.CLIP)
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "file" / "site"))
    controller.ask_for_examples()
    assert panel.told.isHidden()
    choose(panel, what=What.PLAYER)
    assert str(tmp_path / "file") in panel.told.text()
    controller._examples_show(0, 14, players(0))
    assert panel.told.isHidden(), "another page has begun"


def listed(controller: ExportController) -> list[str]:
    """What is said of each page that ends."""
    said: list[str] = []
    controller.told.subscribe(lambda told: said.append(str(told)) if told is not None else None)
    return said


def test_a_process_that_fails_while_it_starts_ends_the_page(panel: ExportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    controller, said, start = panel.controller, listed(panel.controller), QProcess.start

    def failed(process: QProcess, *_: object) -> None:
        start(process, str(tmp_path / "none"), [])
        process.waitForStarted()

    monkeypatch.setattr(QProcess, "start", failed)
    for pages in (1, 2):
        controller.told.value = None
        controller.examples.write(tmp_path / "site")
        assert (controller.examples.writing, controller.progress.value) == (False, None)
        assert len(said) == pages
        assert said[-1].startswith("Not written: ")


def test_a_page_that_is_cancelled_while_its_process_fails_ends_once(
    panel: ExportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller, said = panel.controller, listed(panel.controller)
    monkeypatch.setattr("sys.executable", str(tmp_path / "none"))
    controller.examples.write(tmp_path / "site")
    controller.cancel()
    assert said == ["Cancelled. No page was written; players that are done: 0."]
    assert (controller.examples.writing, controller.progress.value) == (False, None)


def test_an_ending_that_is_typed_chooses_the_format(panel: ExportPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(panel, size=PictureSize(960, 540, 1), figure=".png")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "fig.svg"), ""))
    panel.save.click()
    assert [each.name for each in tmp_path.glob("fig*")] == ["fig.svg"]
    assert (tmp_path / "fig.svg").read_bytes().startswith(b"<?xml")
    assert panel.controller.choice.value.figure == ".svg"


def test_the_stage_rests_while_something_is_exported(desktop: Desktop, panel: ExportPanel) -> None:
    panel.leave()
    desktop.workbench.stage.timeline.play()
    panel.toggle()
    assert not desktop.workbench.stage.timeline.playing.value


def test_the_focus_stays_in_it_when_an_export_begins_behind_a_file_dialog(desktop: Desktop, panel: ExportPanel, qtbot: QtBot) -> None:
    dialog = QDialog(desktop.window)
    panel.save.setFocus()
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: not panel.save.hasFocus(), timeout=5_000)
    panel.controller._show(1, 60)
    assert desktop.window.focusWidget() is panel.cancel
    panel.controller.progress.value = None
    assert desktop.window.focusWidget() is panel.save
    dialog.close()


def test_escape_closes_it_and_gives_the_focus_back(desktop: Desktop, panel: ExportPanel, qtbot: QtBot) -> None:
    assert panel.save.hasFocus() or not desktop.window.isActiveWindow()
    panel.leave()
    assert panel.isHidden()
    before = panel.preview.image
    choose(panel, colours="dark")
    qtbot.wait(200)
    assert panel.preview.image is before


def test_each_kind_keeps_its_size_while_others_are_looked_at(panel: ExportPanel) -> None:
    controller, options = panel.controller, panel.options
    controller.choice.value = replace(controller.choice.value, what=What.FIGURE, size=SMALL, colours="dark")
    figure, clip, player, *_ = options.what.buttons
    for button, what in ((clip, What.CLIP), (player, What.PLAYER)):
        button.click()
        assert (controller.choice.value.what, controller.choice.value.size != SMALL) == (what, True)
        assert controller.left_out is None, "what is proposed has room for all views that are proposed"
    figure.click()
    assert (controller.choice.value.size, controller.choice.value.colours) == (SMALL, "dark")
