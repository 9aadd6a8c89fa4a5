"""Presenting in the window: the clicker's keys, the mouse, the live view, the end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.timeline import Unit
from app.core.compare.comparison import Comparison
from app.core.compare.sentences import Report
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.library import shipped
from app.core.presenter.screen import REST_S, Zoom
from app.core.results.known_results import Results
from app.core.session.session import Workspace, profile_named
from app.core.workbench.window_arguments import LessonPosition, Presented, WindowArguments
from app.qt.base.settings import Settings
from app.qt.help.panel import HelpPanel
from app.qt.lessons.step_page import StepPage
from app.qt.presenter.notes import NotesView, NotesWindow
from app.qt.presenter.window import PresenterWindow
from app.qt.shell.application import Desktop
from kernels.base.messages import message
from kernels.catalogue.catalogue import by_id

LESSON = next(each for each in shipped() if each.id == "bank-conflicts")
COLUMNS = [step.name for step in LESSON.steps].index("columns")
Key = Qt.Key


class FakeScreen:
    """A screen of a list that a test makes up."""

    def __init__(self, name: str, left: int) -> None:
        self._name, self._left = name, left

    def name(self) -> str:
        return self._name

    def geometry(self) -> QRect:
        return QRect(self._left, 0, 1280, 720)


class Room:
    """A program with a presenter whose clock and screens are the test's."""

    def __init__(self, settings: Path) -> None:
        self.now = 50.0
        self.settings = Settings(settings)
        self.desktop = Desktop(WindowArguments("en", "light", "gpu.transpose-shared", (1280, 720)), None, self.settings)
        self.screens = [FakeScreen("one", 0)]
        self.presenting = self.desktop.presenting
        self.presenting.__init__(  # type: ignore[misc]  # the same part, with what the test gives it
            self.presenting._host, lambda: self.screens, lambda: self.now, lambda: datetime(2031, 3, 4, 9, 5, tzinfo=UTC)
        )
        self.player = self.desktop.workbench.lesson_controller.player
        self.desktop.start()

    def present(self, number: int = COLUMNS) -> PresenterWindow:
        self.presenting.begin(Presented(LessonPosition(LESSON, number)))
        self.settle()
        return self.window

    def settle(self) -> None:
        bench, end = self.desktop.workbench, time.monotonic() + 120
        self.desktop.process_events()
        while bench.stage.failed.value or not (bench.stage_ready and not bench.states.arrival.pending and self.player.settled):
            assert time.monotonic() < end, "the scene did not come"
            bench.stage.try_again()  # a busy machine may need longer than tracing is given
            self.desktop.process_events()
            time.sleep(0.005)  # for the process that works on it
        self.window.tick()

    @property
    def window(self) -> PresenterWindow:
        assert self.presenting.window is not None
        return self.presenting.window

    @property
    def playing(self) -> LessonMoment:
        now = self.player.playing.value
        assert now is not None
        return now

    def press(self, *keys: Key) -> None:
        for key in keys:
            QTest.keyClick(self.window, key)

    def move(self, widget: QWidget, x: int, y: int, held: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
        at = QPointF(x, y)
        event = QMouseEvent(
            QEvent.Type.MouseMove, at, widget.mapToGlobal(at), Qt.MouseButton.NoButton, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(widget, event)


@pytest.fixture
def room(qapp: QApplication, tmp_path: Path) -> Iterator[Room]:
    opened = Room(tmp_path / "settings.ini")
    yield opened
    opened.desktop.window.close()
    opened.desktop.window.deleteLater()


def test_a_clicker_reveals_goes_on_and_takes_back_and_lifts_the_black_screen(room: Room) -> None:
    window = room.present()
    assert (room.playing.step.name, window.surface.sheet.slide.asks is not None) == ("columns", True)
    room.press(Key.Key_PageDown)
    assert window.surface.sheet.slide.hero == "32"
    room.settle()
    room.press(Key.Key_PageDown)
    assert window.surface.sheet.slide.number == COLUMNS + 2
    room.settle()
    room.press(Key.Key_PageUp)
    assert (window.surface.sheet.slide.number, window.surface.sheet.slide.hero) == (COLUMNS + 1, "32")
    room.settle()
    room.press(Key.Key_PageUp)
    assert room.playing.state is StepState.ASKING
    room.settle()

    curtain = room.present().surface.curtain
    for key in (Key.Key_B, Key.Key_Period):
        room.press(key)
        assert curtain.isVisible()
        room.press(key)
        assert not curtain.isVisible()
    room.press(Key.Key_B, Key.Key_PageDown)
    assert not curtain.isVisible()
    room.settle()


def test_answers_are_chosen_typed_and_clicked_in_the_drawing(room: Room) -> None:
    sheet = room.present().surface.sheet
    button = next(each for each in sheet.buttons if each.text() == "16")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [(each.text, str(each.mark)) for each in sheet.slide.choices][2:] == [("16", "wrong"), ("32", "right")]
    room.settle()

    number = [step.name for step in LESSON.steps].index("how-much")
    sheet = room.present(number).surface.sheet
    assert sheet.field.isVisible()
    room.press(Key.Key_2, Key.Key_3, Key.Key_Backspace)
    assert (room.window.surface.full, sheet.field.text()) == (0, "2")
    room.press(Key.Key_Return)
    assert (sheet.slide.hero, sheet.field.isVisible()) == ("2", False)
    room.settle()

    window = room.present([step.name for step in LESSON.steps].index("which-lanes"))
    drawing = window.surface.sheet.drawing
    for across in range(2, drawing.width(), 3):  # the tokens stand in one line above the banks
        for down in range(60, 140, 6):
            if room.playing.state is StepState.ASKING:
                QTest.mouseClick(drawing, Qt.MouseButton.LeftButton, pos=QPoint(across, down))
    assert room.playing.state is StepState.TOLD
    room.settle()


def test_a_view_is_live_enlarged_and_brought_nearer_and_escape_takes_one_thing_away_after_the_other(room: Room) -> None:
    window = room.present(COLUMNS + 1)
    timeline = room.desktop.workbench.stage.timeline
    before = window.surface.sheet.drawing.grab().toImage()
    timeline.scrub(timeline.position.value.step + 0.9)
    assert window.surface.sheet.drawing.grab().toImage() != before
    timeline.scrub(timeline.position.value.step)
    assert window.surface.sheet.drawing.grab().toImage() == before

    window = room.present()
    drawing = window.surface.sheet.drawing
    small = drawing.size()
    room.press(Key.Key_4)
    assert drawing.width() > 1.5 * small.width()
    room.press(Key.Key_Plus, Key.Key_Plus)
    assert drawing.zoom.factor == 3
    near = window.grab().toImage()
    room.press(Key.Key_0)
    assert (drawing.zoom, window.surface.full) == (Zoom(), 4)
    assert window.grab().toImage() != near
    room.press(Key.Key_0)
    assert (window.surface.full, drawing.size()) == (0, small)

    window = room.present()
    surface = window.surface
    room.press(Key.Key_4, Key.Key_L, Key.Key_B)
    assert (surface.full, surface.spotlight.isVisible(), surface.curtain.isVisible()) == (4, True, True)
    room.press(Key.Key_Escape)
    assert (surface.full, surface.spotlight.isVisible(), surface.curtain.isVisible()) == (4, True, False)
    room.press(Key.Key_Escape)
    assert (surface.full, surface.spotlight.isVisible()) == (4, False)
    room.press(Key.Key_Escape)
    assert surface.full == 0
    assert window.isVisible()
    room.press(Key.Key_Escape)
    assert room.presenting.window is None


def test_the_pointer_leaves_after_two_seconds_and_a_held_button_is_a_spotlight(room: Room, qtbot: QtBot) -> None:
    window = room.present()
    surface = window.surface
    assert surface.cursor().shape() is Qt.CursorShape.BlankCursor
    assert not surface.bar.isVisible()
    QCursor.setPos(surface.mapToGlobal(QPoint(300, 300)))
    room.move(surface, 300, 300)
    assert surface.cursor().shape() is Qt.CursorShape.ArrowCursor
    assert (surface.bar.isVisible(), surface.bar.height(), surface.bar.step.text()) == (True, 56, "Lesson step 2 of 7")
    room.now += REST_S + 0.1
    window.tick()
    assert surface.cursor().shape() is Qt.CursorShape.BlankCursor
    assert not surface.bar.isVisible()

    surface = room.present().surface
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(surface.spotlight.isVisible, timeout=3000)
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not surface.spotlight.isVisible()
    drawing = surface.sheet.drawing
    drawing.show_zoom(Zoom().closer(1, 0.5, 0.5))
    before = drawing.zoom
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=QPoint(200, 5))
    room.move(surface, 150, 5, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, pos=QPoint(150, 5))
    assert drawing.zoom.x > before.x


def test_slides_have_a_theme_of_their_own_and_the_language_of_the_program(room: Room) -> None:
    room.present()
    assert room.presenting.look.theme.name == "light"
    room.press(Key.Key_T)
    assert room.presenting.look.theme.name == "dark"
    assert room.settings.text("presenter/theme") == "dark"
    assert room.settings.text("look/theme") != "dark"

    window = room.present()
    room.press(Key.Key_N)
    room.desktop.choose_language("zh_CN")
    assert window.surface.sheet.slide.headline == LESSON.step_text(COLUMNS, "zh_CN").question[0].text
    assert room.presenting.notes is not None


def test_without_a_lesson_the_stage_is_presented(room: Room) -> None:
    room.presenting.present()
    room.settle()
    slide, picture = room.window.surface.sheet.slide, room.desktop.workbench.stage.picture.value
    assert picture is not None
    assert (slide.count, slide.band) == (0, str(picture.description.sentence))
    before = room.desktop.workbench.stage.timeline.position.value
    room.press(Key.Key_Right, Key.Key_PageDown)
    assert slide.band != room.window.surface.sheet.slide.band
    room.press(Key.Key_PageUp, Key.Key_Left)
    assert room.desktop.workbench.stage.timeline.position.value == before


def test_matrices_alone_have_the_room_of_the_line_that_would_say_what_they_are(room: Room) -> None:
    room.presenting.present()
    room.settle()
    drawing = room.window.surface.sheet.drawing
    (part,) = drawing.parts
    assert part.verdict is None
    assert part.widget.height() * drawing.magnified > drawing.height() - drawing.magnified
    room.press(Key.Key_3)
    (part,) = drawing.parts
    assert part.captioned
    assert part.widget.height() * drawing.magnified < drawing.height() - 30


def test_the_matrices_of_a_product_stand_beside_the_headline_and_all_else_below_it(room: Room) -> None:
    for name, alone, beside in (("gpu.tiled", 0, True), ("gpu.tiled", 4, False), ("gpu.transpose-shared", 1, False)):
        variant = by_id(name)
        room.desktop.session.choose_variant(variant)
        room.desktop.workbench.stage.alone.value = alone
        room.presenting.present()
        room.settle()
        room.window.resize(1024, 768)
        room.window.refresh()
        layout = room.window.surface.sheet.layout_now
        assert layout is not None
        assert (layout.drawing.top() < layout.texts[1].place.top()) == beside, name


def test_a_conflict_is_reached_from_the_slide_by_barriers_and_by_steps(room: Room) -> None:
    room.presenting.present()
    room.settle()
    timeline, bar = room.desktop.workbench.stage.timeline, room.window.surface.bar
    timeline.unit.value = Unit.TILE
    barrier = timeline.extent.value.bounds[Unit.BARRIER][1]
    QTest.keyClick(room.window, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert (timeline.position.value.step, bar.unit.text()) == (barrier, "Tile")
    room.press(Key.Key_U, Key.Key_U, Key.Key_Right)
    assert (timeline.position.value.step, bar.unit.text()) == (barrier + 1, "Step")
    QTest.keyClick(room.window, Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert timeline.position.value.step == barrier


def test_a_ladder_of_transpositions_is_called_a_share_of_the_copy(room: Room) -> None:
    """There is no library of it: the page itself said "Copy = 100 %"."""
    surface = room.present(len(LESSON.steps) - 1).surface
    while room.desktop.session.workspace.value is not Workspace.TIMING or surface.sheet.slide.asks is not None:
        room.press(Key.Key_PageDown)
        room.settle()
    (part,) = surface.sheet.drawing.parts
    assert str(part.name) == "Share of the copy"


def test_two_launches_are_presented_below_what_differs_between_them(room: Room) -> None:
    room.presenting.present()
    room.settle()
    assert room.desktop.workbench.comparison.toggle() is None
    assert room.window.surface.sheet.slide.headline == "Block (0, 0) of 2 × 2", "they are still the same"
    padded = by_id("gpu.transpose-padded")
    room.desktop.session.choose_variant(padded)
    room.settle()
    slide = room.window.surface.sheet.slide
    assert (slide.headline, slide.title) == ("16.5 times fewer shared wavefronts on the right", "Block (0, 0) of 2 × 2")


def test_what_differs_follows_what_becomes_known_of_the_launches(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(comparison: Comparison, _results: Results) -> Report | None:
        live = comparison.live
        return None if live.profile.value is None else Report((), (), message(f"{live.registers.value} on {live.profile.value.id}"), ())

    monkeypatch.setattr("app.qt.presenter.window.report_of", told)
    room.presenting.present()
    room.settle()
    assert room.desktop.workbench.comparison.toggle() is None
    padded = by_id("gpu.transpose-padded")
    room.desktop.session.choose_variant(padded)
    room.settle()
    room.desktop.workbench.comparison.live.registers.value = 77
    assert room.window.surface.sheet.slide.headline == "77 on h200"
    room.desktop.session.profile.value = profile_named("t4")
    assert room.window.surface.sheet.slide.headline.endswith(" on t4")


def test_a_picture_that_takes_long_is_said_to_be_computed(room: Room, qtbot: QtBot) -> None:
    room.presenting.present()
    room.settle()
    drawing, stage = room.window.surface.sheet.drawing, room.desktop.workbench.stage
    middle, ground = drawing.rect().center(), drawing._look.theme.bg3
    fresh = drawing.grab().toImage()
    stage.outdated.value = True
    qtbot.waitUntil(lambda: stage.late.value)
    drawn = drawing.grab().toImage()
    around = [drawn.pixelColor(middle.x() + across, middle.y() + down) for across in range(-60, 60) for down in range(-8, 8)]
    assert around.count(ground) > len(around) // 3, "words on a ground of their own, over the dimmed picture"
    stage.outdated.value = False
    assert drawing.grab().toImage() == fresh


def test_the_focus_of_the_window_goes_on_with_the_lesson_that_is_presented(room: Room) -> None:
    number = [step.name for step in LESSON.steps].index("how-much")
    room.present(number)
    page = room.desktop.window.findChild(StepPage)
    assert page is not None
    page.take_focus()
    room.press(Key.Key_PageDown)
    room.settle()
    focused = room.desktop.window.focusWidget()
    assert focused is not None
    assert page.isAncestorOf(focused)


def test_a_lesson_that_is_over_is_presented_from_its_beginning(room: Room) -> None:
    room.player.open(LESSON, len(LESSON.steps) - 1)
    room.player.reveal()
    room.presenting.present_again()
    assert room.playing.number == 0
    room.settle()
    room.press(Key.Key_Escape)
    room.player.open(LESSON, 3)
    room.presenting.present_again()
    assert room.playing.number == 3
    room.settle()


def test_with_a_second_screen_the_window_stays_there_with_the_notes(room: Room) -> None:
    room.screens = [FakeScreen("lectern", 0), FakeScreen("hall", 1280)]
    room.present()
    notes = room.desktop.window.findChild(NotesView)
    assert notes is not None
    assert notes.isVisible()
    assert (notes.day.text(), notes.elapsed.text()) == ("09:05", "0:00")
    room.now += 65
    notes.tick()
    assert notes.elapsed.text() == "1:05"
    assert "32 times" in notes.notes.text()
    other = room.window.surface.bar.other
    assert (room.presenting.screen, other is not None) == ("lectern", True)
    room.presenting.next_screen()
    assert (room.presenting.screen, room.settings.text("presenter/screen")) == ("hall", "hall")
    room.screens = room.screens[1:]
    room.window.screens_changed.emit()
    assert room.presenting.screen == "hall"
    assert not shiboken6.isValid(notes) or not notes.isVisible()


def test_the_window_of_the_notes_leaves_the_keys_to_the_slide_and_takes_them_too(room: Room) -> None:
    room.screens = [FakeScreen("hall", 0), FakeScreen("lectern", 1280)]
    room.present()
    other = next(screen for screen in room.screens if screen.name() != room.presenting.screen)
    room.press(Key.Key_N)
    notes = room.presenting.notes
    assert isinstance(notes, NotesWindow)
    room.desktop.process_events()
    assert notes.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert other.geometry().contains(notes.pos()), "it lies on the screen without the slides"
    QTest.mouseClick(notes.view.area.viewport(), Qt.MouseButton.LeftButton)
    before = room.playing.state
    QTest.keyClick(notes.focusWidget() or notes, Key.Key_PageDown)
    assert (before, room.playing.state) == (StepState.ASKING, StepState.TOLD)
    notes.move(other.geometry().topLeft() + QPoint(300, 200))
    place = notes.pos()
    notes.activateWindow()
    QTest.keyClick(notes, Key.Key_T)
    assert room.presenting.look.theme.name == "dark"
    assert room.presenting.notes is notes, "its theme is that of the program"
    assert (notes.pos(), notes.isVisible(), notes.isActiveWindow()) == (place, True, True)
    QTest.keyClick(notes, Key.Key_N)
    assert not room.presenting.notes
    room.desktop.process_events()
    assert room.window.isActiveWindow()


def test_with_one_screen_the_notes_come_when_asked_for_and_closing_the_window_closes_all(room: Room) -> None:
    room.present()
    assert room.desktop.window.findChild(NotesView) is None
    slide = room.window.surface.sheet
    whole = slide.geometry()
    room.press(Key.Key_N)
    beside = room.presenting.notes
    assert isinstance(beside, NotesView)
    assert beside.isVisible()
    assert "32 times" in beside.notes.text()
    assert not beside.geometry().intersects(room.window.surface.geometry()), "notes beside the slide cover nothing of it"
    assert room.window.geometry().contains(beside.geometry().translated(room.window.pos()))
    assert room.window.surface.width() / room.window.surface.height() == pytest.approx(whole.width() / whole.height(), rel=0.01)
    QTest.mouseClick(beside.area.viewport(), Qt.MouseButton.LeftButton)
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Key.Key_PageDown)
    assert room.playing.state is StepState.TOLD, "the keys are the slide's"
    room.press(Key.Key_T)
    assert isinstance(room.presenting.notes, NotesView)
    assert room.presenting.notes.isVisible()
    room.press(Key.Key_N)
    assert not room.presenting.notes
    assert room.window.surface.sheet.geometry() == whole
    window = room.present()
    room.press(Key.Key_N)
    notes = room.presenting.notes
    assert notes is not None
    room.desktop.window.close()
    assert not window.isVisible()
    assert not notes.isVisible()
    assert not room.presenting.window
    assert not room.presenting.notes


@pytest.mark.parametrize("closes", [Key.Key_Escape, Key.Key_F1])
def test_the_help_lies_over_the_slide_and_goes_first(room: Room, closes: Key) -> None:
    window = room.present()
    window.activateWindow()
    before = window.surface.grab().toImage()
    room.press(Key.Key_F1)
    (panel,) = window.findChildren(HelpPanel)
    assert panel.isVisible()
    assert window.rect().contains(panel.geometry())
    assert any(each.text() == "Black screen" for each in panel.keyboard.findChildren(QLabel))
    QTest.keyClick(panel.list, Key.Key_PageDown)
    QTest.keyClick(panel.list, Key.Key_Home)
    assert (room.playing.number, room.playing.state) == (COLUMNS, StepState.ASKING)
    QTest.keyClick(panel.list, closes)
    assert not panel.isVisible()
    assert room.window is window
    assert window.surface.grab().toImage() == before
    room.press(Key.Key_F1, Key.Key_Escape)  # pressed in the window of the notes it comes to the slide's
    assert not any(each.isVisible() for each in window.findChildren(HelpPanel))
    room.press(Key.Key_PageDown)
    assert room.playing.state is StepState.TOLD
    room.press(Key.Key_Escape)
    assert room.presenting.window is None


def test_digits_and_return_answer_a_choice_of_numbers(room: Room) -> None:
    window = room.present()
    sheet = window.surface.sheet

    def focused() -> str:
        return next((each.text() for each in sheet.buttons if each.hasFocus()), "")

    assert [each.text() for each in sheet.buttons] == ["1", "2", "16", "32"]
    for key, went_to in ((Key.Key_1, "1"), (Key.Key_1, "16"), (Key.Key_1, "1"), (Key.Key_3, "32")):
        room.press(key)
        assert (focused(), window.surface.full) == (went_to, 0)

    def states() -> list[StepState]:
        return [room.playing.state]

    assert states() == [StepState.ASKING]  # a digit alone is no answer
    QTest.keyClick(next(each for each in sheet.buttons if each.hasFocus()), Key.Key_Return)
    assert states() == [StepState.TOLD]
    assert [(each.text, str(each.mark)) for each in sheet.slide.choices][3:] == [("32", "right")]
    room.press(Key.Key_1)
    assert window.surface.full == 1  # it is a view's again
    room.settle()
