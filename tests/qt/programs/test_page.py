"""The page of a program in the window: its keys, what a press selects, how it leads to the stage, and that all of it fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.export.choice import Range, What
from app.core.export.kinds import PictureSize
from app.core.gpu_view.index import LaunchIndex
from app.core.lesson_metrics.metric import Source
from app.core.programs.frame import AllocationState, Bar, Box, Cell, LaunchTime, ProgramFrame, Side
from app.core.session.session import Session
from app.core.workbench.window_arguments import Presented, WindowArguments
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.export.clip import ClipDrawing
from app.qt.export.export_view import export_theme
from app.qt.export.exported_stage import ExportedProgram
from app.qt.programs.page import FindingList, ProgramCanvas, ProgramPanel, ProgramSwitch
from app.qt.programs.page_geometry import lay_out, wanted_height
from app.qt.programs.page_painter import ABOVE, PagePainter
from app.qt.shell.application import Desktop
from app.qt.shell.headless import Studio
from app.qt.shell.key_answers import FINDINGS_WAIT
from app.qt.source.panel import SourcePanel
from app.qt.stage.panel import StagePanel
from app.qt.stage.step_card import StepCard
from app.qt.stage.table_panel import TablePanel
from app.qt.stage.timeline_bar import TimelineBar
from kernels.simt.base.types import Location
from kernels.simt.host.result import Allocated, Event, EventKind, ProgramRun
from tests.launches.whole_programs import TWO_LAUNCHES


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", (1280, 720)), None, Settings(None))
    made.start()
    path = tmp_path / "own.cu"
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    assert made.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: made.workbench.program_page.shown.value and made.workbench.stage_ready, timeout=60_000)
    yield made
    made.window.close()
    made.window.deleteLater()


def selected(desktop: Desktop) -> int:
    frame = desktop.workbench.program_page.frame.value
    assert frame is not None
    return frame.selected


def test_the_page_is_gone_through_and_leads_to_the_stage_and_back(desktop: Desktop, qtbot: QtBot) -> None:
    window, page = desktop.window, desktop.workbench.program_page
    (panel,), (source,) = window.findChildren(ProgramPanel), window.findChildren(SourcePanel)
    canvas = panel.canvas
    assert panel.isVisible()
    assert (selected(desktop), source.view.line) == (1, 8)
    assert canvas.accessibleName() == "Program, Event 2 of 6 · line 8"
    for part in (TimelineBar, StepCard):
        assert not any(each.isVisible() for each in window.findChildren(part))
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert (selected(desktop), source.view.line, panel.opened.isHidden()) == (2, 9, False)
    QTest.keyClick(canvas, Qt.Key.Key_End)
    assert (selected(desktop), source.view.line, panel.opened.isHidden()) == (5, None, True)
    QTest.keyClick(window, Qt.Key.Key_Left)  # from wherever the focus is
    assert selected(desktop) == 4
    assert panel.output.toPlainText() == "last: 198\n"
    _press(canvas, canvas.placement.cells[2] if canvas.placement else QRectF())
    assert selected(desktop) == 2
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _entry(desktop) == "twice", timeout=60_000)
    assert not panel.isVisible()
    window.findChildren(ProgramSwitch)[0].click()
    assert panel.isVisible()
    assert page.line.value == 9


@pytest.mark.parametrize("way", ["Return in the picture", "Return on the button", "a click"])
def test_space_plays_a_launch_that_was_opened(desktop: Desktop, qtbot: QtBot, way: str) -> None:
    (panel,) = desktop.window.findChildren(ProgramPanel)
    if way == "a click":
        QTest.mouseClick(panel.opened, Qt.MouseButton.LeftButton)
    else:
        part = panel.canvas if way == "Return in the picture" else panel.opened
        part.setFocus()
        QTest.keyClick(part, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _entry(desktop) == "fill" and desktop.workbench.stage_ready)
    focused = QApplication.focusWidget()
    assert isinstance(focused, StagePanel)
    QTest.keyClick(focused, Qt.Key.Key_Space)
    assert desktop.workbench.stage.timeline.playing.value
    assert desktop.workbench.stage.alone.value == 0


def test_a_program_that_takes_the_place_of_the_focus_has_it(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    page, draft_editor = desktop.workbench.program_page, desktop.session.draft_editor
    (panel,), (bar,) = desktop.window.findChildren(ProgramPanel), desktop.window.findChildren(TimelineBar)
    draft_editor.set_aside()
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and bar.isVisible())
    bar.findChildren(QToolButton)[0].setFocus()
    other = tmp_path / "other.cu"
    other.write_text(TWO_LAUNCHES, encoding="utf-8")
    draft_editor.open_file(other)
    qtbot.waitUntil(lambda: page.shown.value)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is panel.canvas)
    (source,) = desktop.window.findChildren(SourcePanel)
    draft_editor.set_aside()
    qtbot.waitUntil(lambda: page.program.outcome.value is None)
    source.view.setFocus()
    draft_editor.open_file(other)
    qtbot.waitUntil(lambda: page.shown.value)
    assert QApplication.focusWidget() is source.view  # who writes goes on writing


def test_another_program_begins_with_its_own_first_launch(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    page, other = desktop.workbench.program_page, tmp_path / "other.cu"
    assert page.open_launch(1)
    assert page.program.launch.value == 1
    other.write_text(TWO_LAUNCHES.replace("fill", "begin"), encoding="utf-8")
    desktop.session.draft_editor.open_file(other)
    qtbot.waitUntil(lambda: page.program.path == other and desktop.workbench.stage_ready)
    (source,) = desktop.window.findChildren(SourcePanel)
    assert source.program.launches.currentText().startswith("1: begin")
    desktop.session.draft_editor.change_text(TWO_LAUNCHES.replace("fill", "begin") + " ")
    page.open_launch(1)
    qtbot.waitUntil(lambda: page.program.text.endswith(" "))
    assert page.program.launch.value == 1  # an edit keeps it


def test_findings_lead_to_their_lines_bars_and_boxes_to_their_events_and_f8_tells_all(desktop: Desktop) -> None:
    window, page = desktop.window, desktop.workbench.program_page
    (panel,), (source,) = window.findChildren(ProgramPanel), window.findChildren(SourcePanel)
    canvas = panel.canvas
    assert panel.findings.count() == 1
    panel.findings.itemClicked.emit(panel.findings.item(0))
    assert (selected(desktop), source.view.line) == (0, 7)
    placement, frame = canvas.placement, desktop.workbench.program_page.frame.value
    assert placement is not None
    assert frame is not None
    copy = frame.bars[2]
    _press(canvas, QRectF(placement.x(copy.began, frame.length) + 4, placement.clock.top() + 8, 4, 4))
    assert selected(desktop) == copy.event == 3
    _press(canvas, next(rect for number, rect in placement.boxes.items() if frame.boxes[number].name == "p"))
    assert selected(desktop) == 0
    tip = canvas.tip_at(next(iter(placement.boxes.values())).center())
    assert str(tip) == "p: 400 B, line 7"
    canvas.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F8)
    (table,) = window.findChildren(TablePanel)
    assert table.table.model().rowCount() == 6
    QTest.keyClick(window, Qt.Key.Key_Escape)
    page.select(1)
    QTest.keyClick(window, Qt.Key.Key_Space)  # nothing plays behind the page
    assert not desktop.workbench.stage.timeline.playing.value
    QTest.keyClick(window, Qt.Key.Key_P)  # a comparison takes its place
    assert (page.shown.value, desktop.workbench.comparison.pair.value is None) == (False, False)
    QTest.keyClick(window, Qt.Key.Key_G)
    assert (page.shown.value, desktop.workbench.comparison.pair.value is None) == (True, True)


def test_an_edit_runs_again_and_the_place_is_kept(desktop: Desktop, qtbot: QtBot) -> None:
    page = desktop.workbench.program_page
    page.select(2)
    desktop.session.draft_editor.change_text(TWO_LAUNCHES.replace("    fill<<<", "\n    fill<<<"))
    qtbot.waitUntil(lambda: page.line.value == 10, timeout=60_000)
    assert (selected(desktop), page.shown.value) == (2, True)


def test_what_a_lesson_asks_cannot_be_read_from_the_page(desktop: Desktop) -> None:
    (panel,), (source,) = desktop.window.findChildren(ProgramPanel), desktop.window.findChildren(SourcePanel)
    assert panel.output.isVisible()
    assert source.program.isVisible()
    shown = panel.canvas.grab().toImage()
    desktop.workbench.stage.asking.value = frozenset({Source.PROGRAM})
    assert not panel.output.isVisible()
    assert not panel.findings.isVisible()
    assert not source.program.isVisible()
    assert panel.canvas.grab().toImage() != shown, "the mark of what is wrong"
    before = selected(desktop)
    QTest.keyClick(desktop.window, Qt.Key.Key_F)
    assert (selected(desktop), desktop.workbench.activity.value) == (before, FINDINGS_WAIT)
    desktop.workbench.stage.asking.value = frozenset()
    assert panel.output.isVisible()
    assert source.program.isVisible()


def test_words_of_a_lesson_stand_in_the_field(desktop: Desktop) -> None:
    (source,) = desktop.window.findChildren(SourcePanel)
    desktop.workbench.program.arguments.value = "300 64"
    assert source.program.arguments.edit.text() == "300 64"


def test_without_a_window_an_event_is_gone_to_once_the_times_of_the_launches_are_known(qapp: object, tmp_path: Path) -> None:
    path, session = tmp_path / "own.cu", Session()
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    assert session.draft_editor.open_file(path) is None
    with Studio(session, None) as studio:
        assert studio.refuse_stage(2) is None
        frame = studio.workbench.program_page.frame.value
        assert frame is not None
        assert (frame.selected, [bar.time is not None for bar in frame.bars]) == (2, [True, True, False])
        assert str(studio.refuse_stage(6)) == "--step must be at most 6, not 7."
        assert studio.refuse_moments(Range(0, 6, 10, 1.0)) is None
        assert studio.refuse_moments(Range(0, 7, 10, 1.0)) is not None


@pytest.mark.parametrize("width", [200, 320, 700])
def test_findings_are_whole_however_narrow_their_list_is(qtbot: QtBot, width: int) -> None:
    found = FindingList()
    qtbot.addWidget(found)
    found.setWordWrap(True)
    found.resize(width, 400)
    found.addItem("▲ line 7: x[i] reaches element 64 of x, which has 64. No __syncthreads() stands between.")
    found.show()
    found.fit_rows()
    row, metrics = found.visualItemRect(found.item(0)), QFontMetrics(found.font())
    written = metrics.boundingRect(QRect(0, 0, row.width() - 6, 0), Qt.TextFlag.TextWordWrap, found.item(0).text())
    assert row.height() >= written.height()


def test_a_short_name_of_a_kernel_stands_in_its_bar(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(PagePainter, "_text", lambda _self, _rect, text, *_rest: written.append(text))
    frame, look = desktop.workbench.program_page.frame.value, desktop.window._made_look
    assert frame is not None
    image = QImage(900, 600, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    PagePainter(painter, look, frame, lay_out(frame, 900, 600), "H200").paint()
    painter.end()
    assert "fill" in written


def test_predicted_times_of_the_launches_come_for_the_chosen_gpu(desktop: Desktop, qtbot: QtBot) -> None:
    page = desktop.workbench.program_page
    qtbot.waitUntil(lambda: page.times.settled, timeout=60_000)
    assert sorted(page.times.times.value) == [0, 1]
    assert page.frame.value is not None
    assert [bar.time is not None for bar in page.frame.value.bars] == [True, True, False]


def _press(canvas: ProgramCanvas, rect: QRectF) -> None:
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(*rect.center().toPoint().toTuple()))


def _entry(desktop: Desktop) -> str | None:
    shown = desktop.workbench.stage.shown.value
    return shown.subject.entry if isinstance(shown, LaunchIndex) else None


def test_launches_that_follow_each_other_are_told_apart_and_named(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, look = desktop.workbench.program_page.frame.value, desktop.window._made_look
    assert frame is not None
    bars = tuple(
        Bar(number + 1, EventKind.LAUNCH, number, began, ended, time=LaunchTime(1.0), refused=False, now=False, done=ended)
        for number, (began, ended) in enumerate(((0.0, 0.9), (0.9, 1.0)))
    )
    launches = tuple(replace(each, entry=name) for each, name in zip(frame.run.launches, ("matmulNaive", "matmulTiled"), strict=True))
    frame = replace(frame, run=replace(frame.run, launches=launches), bars=bars, length=1.0, selected=5)
    written: list[str] = []
    write = PagePainter._text

    def noted(self: PagePainter, rect: QRectF, text: str, *rest: Any) -> None:
        written.append(text)
        write(self, rect, text, *rest)

    monkeypatch.setattr(PagePainter, "_text", noted)
    image = QImage(820, 430, QImage.Format.Format_RGB32)
    image.fill(look.theme.bg2)
    painter = QPainter(image)
    layout = lay_out(frame, 820, 430)
    made = PagePainter(painter, look, frame, layout, "")
    made.paint()
    painter.end()
    edge, middle = round(made.bar_rect(bars[1]).left()), round(layout.clock.top() + 6)
    colours = [image.pixelColor(x, middle).name() for x in range(edge - 8, edge + 9)]
    assert look.theme.bg2.name() in colours  # what is between them
    assert colours[0] == colours[-1] != look.theme.bg2.name()
    assert "matmulNaive" in written
    assert any("…" in each and each.startswith("m") and each.endswith("d") for each in written)


# ------------------------------------------------------------ layout


def frame_of_many(events: int, boxes: int, selected: int) -> ProgramFrame:
    kinds = (EventKind.COPY, EventKind.LAUNCH)
    made = tuple(Event(kinds[number % 2], Location(number + 1, 1), number, number + 1.0, 0) for number in range(events))
    cells = tuple(Cell(number, each.kind, number + 1, number == selected, wrong=False) for number, each in enumerate(made))
    bars = tuple(
        Bar(number, each.kind, 0, each.began, each.ended, time=LaunchTime(1.0), refused=False, now=number == selected)
        for number, each in enumerate(made)
    )
    held = Allocated("device", "d", "cudaMalloc", 4, Location(1, 1), None)
    sides = (Side.HOST, Side.DEVICE)
    placed = tuple(
        Box(sides[number % 2], f"b{number}", held, AllocationState.LIVE, number // 2, number == boxes - 1) for number in range(boxes)
    )
    return ProgramFrame(ProgramRun("", 0, events=made), selected, cells, bars, placed, (), (0.0, 1.0), float(events))


@pytest.mark.parametrize("size", [(480, 330), (820, 430), (1000, 700)])
@pytest.mark.parametrize(("events", "boxes", "selected"), [(1, 0, 0), (6, 2, 5), (5000, 60, 2500)])
def test_all_of_it_lies_within_the_canvas_and_apart(size: tuple[int, int], events: int, boxes: int, selected: int) -> None:
    frame = frame_of_many(events, boxes, selected)
    layout = lay_out(frame, *size)
    whole = QRectF(0, 0, *size)
    rects = [*layout.cells.values(), layout.clock, *layout.boxes.values(), layout.sentence, layout.clock_sentence]
    assert all(whole.contains(rect) for rect in rects)
    rects = [rect.adjusted(0.1, 0.1, -0.1, -0.1) for rect in rects]
    assert not any(one.intersects(other) for number, one in enumerate(rects) for other in rects[:number])
    assert selected in layout.cells
    assert layout.before + len(layout.cells) + layout.after == events
    if layout.before or layout.after:  # how many stands above the lane, clear of the words
        assert layout.lane.top() - ABOVE >= layout.clock_sentence.bottom() + 4
    assert len(layout.boxes) + layout.left_out == boxes
    if boxes and layout.boxes:
        assert boxes - 1 in layout.boxes  # what the event is about is in sight


@pytest.mark.parametrize(("events", "boxes"), [(9, 4), (9, 0), (60, 8), (9, 10), (9, 20)])
@pytest.mark.parametrize("width", [452.0, 764.0])
def test_the_picture_asks_for_no_more_height_than_it_uses(width: float, events: int, boxes: int) -> None:
    """At 1366x768 60 pixels stayed empty above a list of findings of which two had room."""
    frame = frame_of_many(events, boxes, 3)
    wanted = wanted_height(frame, width)
    layout = lay_out(frame, width, wanted)
    assert layout.left_out == 0
    lowest = max((rect.bottom() for rect in layout.boxes.values()), default=layout.middle.top())
    assert 0 < wanted - lowest <= 24


@pytest.mark.parametrize("height", [480.0, 500.0, 520.0, 700.0])
def test_no_array_is_left_out_for_the_room_between_others(height: float) -> None:
    """Rows were as high as where all have room."""
    frame = frame_of_many(9, 8, 3)
    assert height >= wanted_height(frame, 764.0)
    assert lay_out(frame, 764.0, height).left_out == 0


def test_a_program_is_presented_event_by_event_and_its_launch_on_the_stage(desktop: Desktop) -> None:
    desktop.presenting.begin(Presented())
    window = desktop.presenting.window
    assert window is not None
    page = desktop.workbench.program_page
    page.select(0)
    assert window.slide.title == "own.cu: Event 1 of 6 · line 7"
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_PageDown)
    assert selected(desktop) == 3
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert (window.slide.headline, window.slide.band) == ("The program prints.", "Output: last: 198")
    QTest.keyClick(window, Qt.Key.Key_PageUp)
    QTest.keyClick(window, Qt.Key.Key_Left)
    assert selected(desktop) == 2
    QTest.keyClick(window, Qt.Key.Key_Return)
    assert not page.shown.value
    QTest.keyClick(window, Qt.Key.Key_G)
    assert page.shown.value


def test_events_are_read_one_a_second_and_a_launch_is_as_fast_as_chosen_before(desktop: Desktop, qtbot: QtBot) -> None:
    controller, bench = desktop.exporting.controller, desktop.workbench
    controller.choice.value = replace(controller.choice.value, what=What.CLIP, speed=24)
    controller.prepare()
    controller.prepare()
    assert (controller.choice.value.speed, controller.choice.value.last) == (1, 6)
    bench.program_page.leave()
    controller.prepare()
    assert controller.choice.value.speed == 24
    bench.program_page.open_page()
    controller.prepare()
    assert controller.choice.value.speed == 1


def test_a_program_is_exported_event_by_event_with_the_words_of_each(desktop: Desktop, tmp_path: Path) -> None:
    look, path = Look(export_theme("light"), Translator("en")), tmp_path / "own.gif"
    exported = ExportedProgram(look, desktop.workbench)
    chosen = Range(0, 6, 5, 5.0)
    told = []
    for event in range(chosen.frames):
        exported.show(chosen.moment(event))
        words = exported.words
        assert words.aside is not None
        assert words.caption is not None
        told.append((look.text(words.aside), look.text(words.caption)))
    assert told[4] == ("Event 5 of 6 · line 11", "The program prints. Output: last: 198")
    assert len(set(told)) == 6
    drawing = ClipDrawing(path, exported, chosen, PictureSize(640, 360), look)
    while not drawing.done:
        drawing.step()
        drawing.wait()
    assert drawing.reason is None
    with Image.open(path) as clip:
        assert len(list(ImageSequence.Iterator(clip))) == 6


def test_a_file_is_read_when_that_was_allowed_and_the_page_always_says_so(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    panel = desktop.window.findChild(ProgramPanel)
    assert panel is not None
    assert panel.files.isHidden()
    path = tmp_path / "reads.cu"
    path.write_text(
        '#include <cstdio>\nint main() {\n    int n = 0;\n    fscanf(fopen("n.txt", "r"), "%d", &n);\n    printf("%d\\n", n);\n}\n'
    )
    (tmp_path / "n.txt").write_text("42")
    page = desktop.workbench.program_page
    assert desktop.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: page.wanted_files == {"n.txt"}, timeout=30_000)
    assert not panel.files.isHidden()
    assert "In line 4 this program wants to read n.txt" in panel.files.said.text()
    panel.files.choice.click()
    qtbot.waitUntil(lambda: panel.output.toPlainText() == "42\n", timeout=30_000)
    assert panel.files.said.text() == "You allowed this program to read in its folder: n.txt (2 B)."
    panel.files.choice.click()
    qtbot.waitUntil(lambda: page.wanted_files == {"n.txt"}, timeout=30_000)
    assert panel.output.toPlainText() == ""
