"""Lessons in the whole window: from the button to a judged answer, through another look, and back to what was edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.core.base.files.locations import Locations
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.lessons.read import read_lesson
from app.core.session.session import stage_defaults
from app.core.stage.model import FIRST_STEP_ASKED
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.compare.stage import CompareStage
from app.qt.gpu_view.global_view import GlobalView
from app.qt.lessons.panel import LessonsPanel
from app.qt.shell.application import Desktop
from app.qt.source.panel import SourcePanel
from app.qt.source.view import SourceView
from app.qt.stage.panel import StagePanel
from app.qt.stage.step_card import StepCard
from app.qt.stage.timeline_bar import TimelineBar
from kernels.base.messages import Message
from kernels.catalogue import catalogue
from tests.lessons.lesson_files import ENGLISH, STRUCTURE, write_lesson
from tests.qt.open_window import while_open

OWN_TEXT = """
[[step]]
name = "third"
show = { kernel = "mine" }

[[kernel]]
name = "mine"
file = "mine.cu"

[kernel.launch]
grid = [1, 1, 1]
block = [32, 1, 1]
arguments = { a = "32:zeros" }
"""


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    places = Locations(tmp_path / "data", tmp_path / "settings", tmp_path / "cache")
    (tmp_path / "settings").mkdir()
    yield from while_open(
        Desktop(WindowArguments("en", "light", None, (1280, 720)), places, Settings(places.settings_file)), qtbot, active=True
    )


def panel(desktop: Desktop) -> LessonsPanel:
    central = desktop.window.centralWidget()
    found = central.findChild(LessonsPanel) if central is not None else None
    assert found is not None
    return found


def buttons(desktop: Desktop, text: str) -> list[QAbstractButton]:
    central = desktop.window.centralWidget()
    found = [] if central is None else central.findChildren(QAbstractButton)
    return [each for each in found if each.text() == text and each.isVisible()]


def press(desktop: Desktop, qtbot: QtBot, text: str) -> None:
    """Click a button as soon as it is in sight."""
    qtbot.waitUntil(lambda: bool(buttons(desktop, text)), timeout=20_000)
    qtbot.mouseClick(buttons(desktop, text)[0], Qt.MouseButton.LeftButton)


def said(desktop: Desktop) -> list[str]:
    return [label.text() for label in panel(desktop).findChildren(QLabel) if label.isVisible()]


def playing(desktop: Desktop) -> LessonMoment:
    now = desktop.workbench.lesson_controller.player.playing.value
    assert now is not None
    return now


def race_is_played(desktop: Desktop) -> bool:
    """Whether two schedules of a race stand side by side."""
    return desktop.workbench.races.playing and desktop.workbench.comparison.pair.value is not None


def wait_for_the_scene(desktop: Desktop, qtbot: QtBot) -> None:
    bench = desktop.workbench
    qtbot.waitUntil(lambda: bench.stage_ready and not bench.states.arrival.pending, timeout=20_000)


def test_from_the_button_to_a_judged_answer(desktop: Desktop, qtbot: QtBot) -> None:
    bench = desktop.workbench
    press(desktop, qtbot, "Lessons")
    title = "Bank conflicts, padding and swizzling"
    press(desktop, qtbot, title)
    wait_for_the_scene(desktop, qtbot)
    assert desktop.session.stage.value.variant.id == "gpu.transpose-shared"
    press(desktop, qtbot, "Next")
    wait_for_the_scene(desktop, qtbot)
    place = bench.stage.timeline.position.value.step
    source = desktop.window.findChild(SourceView)
    assert source is not None
    marks = source.marks
    assert list(marks.lines) == []
    press(desktop, qtbot, "16")
    qtbot.waitUntil(lambda: "You said 16. It is 32." in said(desktop), timeout=20_000)
    wait_for_the_scene(desktop, qtbot)
    assert bench.stage.timeline.position.value.step == place + 1
    assert list(marks.lines) != []
    desktop.choose_language("zh_CN")
    qtbot.waitUntil(lambda: "读 tile 的一列：需要几个波前？" in said(desktop))
    assert playing(desktop).judged is not None


def test_an_answer_that_is_shown_leaves_no_refusal_of_what_was_typed(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    desktop.workbench.lesson_controller.player.open(lesson, 3)
    wait_for_the_scene(desktop, qtbot)
    press(desktop, qtbot, "Next")
    edit = panel(desktop).findChild(QLineEdit)
    assert edit is not None
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert "✕ Write a number first." in said(desktop)
    press(desktop, qtbot, "Show the answer")
    qtbot.waitUntil(lambda: playing(desktop).state is StepState.TOLD)
    assert "✕ Write a number first." not in said(desktop)


def test_an_answer_is_typed_and_the_way_on_has_the_focus(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    desktop.workbench.lesson_controller.player.open(lesson, 3)
    wait_for_the_scene(desktop, qtbot)
    press(desktop, qtbot, "Next")
    edit = panel(desktop).findChild(QLineEdit)
    assert edit is not None
    assert edit.hasFocus()
    qtbot.keyClicks(edit, "two")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert "✕ 'two' is no number." in said(desktop)
    edit.clear()
    qtbot.keyClicks(edit, "2")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "You said 2. That is right." in said(desktop), timeout=20_000)
    assert buttons(desktop, "Next")[0].hasFocus()


@pytest.mark.parametrize("listed", [False, True], ids=["panel hidden", "list in sight"])
def test_a_lesson_from_the_palette_has_the_focus_and_the_key_leads_to_its_answers(desktop: Desktop, qtbot: QtBot, listed: bool) -> None:
    read = desktop.workbench.lesson_controller.user_lessons
    read.load()
    qtbot.waitUntil(lambda: bool(read.lessons.value.shipped), timeout=20_000)
    if listed:
        press(desktop, qtbot, "Lessons")
        desktop.process_events()
    desktop.window._stage.stage.setFocus()
    qtbot.keyClick(desktop.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = desktop.window._over.palette()
    palette.field.setText("bank-conflicts")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(buttons(desktop, "Next")))
    assert buttons(desktop, "Next")[0].hasFocus()
    wait_for_the_scene(desktop, qtbot)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert playing(desktop).state is StepState.ASKING
    assert buttons(desktop, "1")[0].hasFocus()
    desktop.window._stage.stage.setFocus()
    desktop.choose_theme("dark")
    assert desktop.window._stage.stage.isAncestorOf(QApplication.focusWidget() or desktop.window), (
        "another look leaves the focus where it was"
    )


def test_a_text_of_the_lesson_gives_way_to_what_was_edited_before(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    draft_editor = desktop.session.draft_editor
    variant = catalogue.by_id("gpu.tiled")
    desktop.session.choose_variant(variant)
    assert draft_editor.edit_copy() is None
    draft_editor.change_text("// mine\n")
    text = "__global__ void f(float* a) { a[threadIdx.x] = 1; }\n"
    lesson = read_lesson(write_lesson(tmp_path / "own", STRUCTURE + OWN_TEXT, ENGLISH + "\n## third\nidea\n", mine_cu=text))
    assert not isinstance(lesson, Message), str(lesson)
    player = desktop.workbench.lesson_controller.player
    player.open(lesson, 2)
    wait_for_the_scene(desktop, qtbot)
    assert draft_editor.shown is not None
    assert draft_editor.shown.text == text
    player.close()
    assert draft_editor.draft.value is not None
    assert draft_editor.draft.value.text == "// mine\n"
    assert not draft_editor.on_stage.value


OLD, NEW = (f"__global__ void f(float* a) {{ a[threadIdx.x] = {value}; }}\n" for value in (1, 2))


@pytest.fixture
def own_lesson(tmp_path: Path) -> Lesson:
    """A lesson whose third step has a text of its own."""
    text = "__global__ void g(float* a) { a[threadIdx.x] = 3; }\n"
    lesson = read_lesson(write_lesson(tmp_path / "own", STRUCTURE + OWN_TEXT, ENGLISH + "\n## third\nidea\n", mine_cu=text))
    assert not isinstance(lesson, Message), str(lesson)
    return lesson


@pytest.mark.parametrize("opened_again", [False, True], ids=["left alone", "opened again in the lesson"])
def test_a_file_that_was_saved_elsewhere_while_a_lesson_was_played_comes_back_as_it_is_now(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, own_lesson: Lesson, opened_again: bool
) -> None:
    draft_editor, player, file = desktop.session.draft_editor, desktop.workbench.lesson_controller.player, tmp_path / "own.cu"
    file.write_text(OLD, encoding="utf-8")
    assert draft_editor.open_file(file) is None
    player.open(own_lesson, 2)
    wait_for_the_scene(desktop, qtbot)
    file.write_text(NEW, encoding="utf-8")
    if opened_again:
        assert draft_editor.open_file(file) is None
        wait_for_the_scene(desktop, qtbot)
        qtbot.wait(700)  # the watch has looked at it
    player.close()
    qtbot.waitUntil(lambda: draft_editor.draft.value is not None and draft_editor.draft.value.text == NEW, timeout=5000)
    qtbot.wait(700)
    assert draft_editor.draft.value is not None
    assert (draft_editor.draft.value.path, draft_editor.draft.value.text) == (file, NEW)
    assert draft_editor.on_stage.value is opened_again


def test_what_was_opened_in_a_lesson_stays_when_it_is_left(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, own_lesson: Lesson
) -> None:  # fmt: skip
    draft_editor, player = desktop.session.draft_editor, desktop.workbench.lesson_controller.player
    first, other = tmp_path / "first.cu", tmp_path / "other.cu"
    for file in (first, other):
        file.write_text(OLD, encoding="utf-8")
    assert draft_editor.open_file(first) is None
    player.open(own_lesson, 2)
    wait_for_the_scene(desktop, qtbot)
    assert draft_editor.open_file(other) is None
    draft_editor.change_text("// mine")
    player.close()
    assert draft_editor.shown is not None
    assert (draft_editor.shown.path, draft_editor.shown.text) == (other, "// mine")


def named_button(desktop: Desktop, name: str) -> QAbstractButton:
    return next(each for each in panel(desktop).findChildren(QAbstractButton) if each.accessibleName() == name and each.isVisible())


def test_what_a_lesson_has_set_is_no_choice_for_other_rungs(desktop: Desktop, qtbot: QtBot) -> None:
    session, player = desktop.session, desktop.workbench.lesson_controller.player
    simd, other, lesson = catalogue.by_id("cpu.simd"), catalogue.by_id("cpu.simd-blocked"), named("simd")
    assert isinstance(lesson, Lesson)
    player.open(lesson, 0)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and session.stage.value.variant is simd)
    player.close()
    assert session.stage.value.parameters["lanes"] == 8  # what is seen stays
    session.choose_variant(other)
    assert session.stage.value.parameters["lanes"] == stage_defaults(other)["lanes"]
    assert session.set_stage_parameter("lanes", 8) is None
    session.choose_variant(simd)
    assert session.stage.value.parameters["lanes"] == 8  # what the user has set goes along


def test_the_cross_ends_the_lesson_and_the_list_leads_back_to_its_step(desktop: Desktop, qtbot: QtBot) -> None:
    bench = desktop.workbench
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    player = bench.lesson_controller.player
    player.open(lesson, 1)
    wait_for_the_scene(desktop, qtbot)
    assert bench.stage.asking.value, "what answers the question is not told beside the stage"
    qtbot.mouseClick(named_button(desktop, "Close the lesson. It goes on here another time."), Qt.MouseButton.LeftButton)
    assert player.playing.value is None
    assert not bench.stage.asking.value
    assert not buttons(desktop, "Show the answer"), "its panel is gone"
    press(desktop, qtbot, "Lessons")
    press(desktop, qtbot, lesson.text("en").title)
    assert playing(desktop).number == 1


@pytest.mark.parametrize(("before", "meanwhile", "after"), [(0, None, 0), (3, None, 3), (3, 2, 2), (3, 0, 0)])
def test_the_views_of_before_come_back_unless_others_were_chosen(
    desktop: Desktop, qtbot: QtBot, before: int, meanwhile: int | None, after: int
) -> None:
    lesson = named("coalescing")
    assert not isinstance(lesson, Message)
    alone, player = desktop.workbench.stage.alone, desktop.workbench.lesson_controller.player
    desktop.window.show_view(before)
    player.open(lesson)
    wait_for_the_scene(desktop, qtbot)
    player.go(1)
    wait_for_the_scene(desktop, qtbot)
    assert alone.value == View.GLOBAL_MEMORY
    if meanwhile is not None:
        desktop.window.show_view(meanwhile)
    player.close()
    assert alone.value == after


@pytest.mark.parametrize(("language", "settings"), [("en", False), ("zh_CN", True)])
def test_the_lane_that_is_asked_for_is_clicked_in_a_small_window(desktop: Desktop, qtbot: QtBot, language: str, settings: bool) -> None:
    lesson = named("coalescing")
    assert not isinstance(lesson, Message)
    desktop.choose_language(language)
    desktop.window.resize(1280, 680)  # what a bar of the desktop and a title leave
    desktop.workbench.lesson_controller.player.open(lesson, 1)
    wait_for_the_scene(desktop, qtbot)
    if desktop.window._stage.settings.isChecked() is not settings:
        desktop.window._stage.settings.click()
        desktop.process_events()
    view = next(each for each in desktop.window._stage.findChildren(GlobalView) if each.isVisible())
    assert view.picture is not None
    place = view.lane_places(view.picture)[14].center()
    moved = QMouseEvent(
        QEvent.Type.MouseMove, place, place, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    )
    view.mouseMoveEvent(moved)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place.toPoint())
    qtbot.waitUntil(lambda: playing(desktop).state is StepState.TOLD, timeout=20_000)
    judged = playing(desktop).judged
    assert isinstance(judged, Judged)
    assert judged.correct


def test_the_key_hides_the_lesson_and_brings_it_back(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    desktop.workbench.lesson_controller.player.open(lesson, 1)
    wait_for_the_scene(desktop, qtbot)
    for _ in range(2):
        qtbot.keyClick(desktop.window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
        desktop.process_events()
    qtbot.waitUntil(lambda: bool(buttons(desktop, "Show the answer")))
    assert playing(desktop).number == 1


def test_a_step_waits_until_the_schedule_that_breaks_the_race_is_played(desktop: Desktop, qtbot: QtBot) -> None:
    bench = desktop.workbench
    lesson = named("two-schedules")
    assert not isinstance(lesson, Message)
    player = bench.lesson_controller.player
    player.open(lesson, [step.name for step in lesson.steps].index("play"))
    wait_for_the_scene(desktop, qtbot)
    assert "Waiting for you: play the schedule that breaks the data race (Shift+F)." in said(desktop)
    qtbot.keyClick(desktop.window, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: playing(desktop).state is StepState.TOLD, timeout=20_000)
    assert race_is_played(desktop)
    press(desktop, qtbot, "Next")
    wait_for_the_scene(desktop, qtbot)
    assert playing(desktop).step.name == "mended"
    assert not race_is_played(desktop)
    player.back()
    player.back()
    wait_for_the_scene(desktop, qtbot)
    assert playing(desktop).state is StepState.WAITING
    player.next()
    qtbot.waitUntil(lambda: race_is_played(desktop), timeout=20_000)


@pytest.mark.parametrize("name", ["play", "ahead"])
def test_what_a_step_says_of_schedules_is_what_is_played(desktop: Desktop, qtbot: QtBot, name: str) -> None:
    """The stage executes a text that races once more, warp after warp: the race that it plays must be the one that was counted."""
    bench = desktop.workbench
    lesson = named("two-schedules")
    assert not isinstance(lesson, Message)
    player = bench.lesson_controller.player
    player.open(lesson, [step.name for step in lesson.steps].index(name))
    wait_for_the_scene(desktop, qtbot)
    player.next()
    qtbot.waitUntil(lambda: race_is_played(desktop) and player.settled, timeout=20_000)
    numbers, told = playing(desktop).numbers, bench.races.told.value
    assert told is not None
    said_of = dict(told.sentence.arguments)
    assert [said_of[each] for each in ("tried", "turns", "count")] == [numbers[each] for each in ("tried", "breaking", "wrong")]


def test_a_deadlock_is_not_called_a_race(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("locks")
    assert not isinstance(lesson, Message)
    desktop.workbench.lesson_controller.player.open(lesson, [step.name for step in lesson.steps].index("spinning"))
    wait_for_the_scene(desktop, qtbot)
    shown = desktop.workbench.stage.shown.value
    assert isinstance(shown, LaunchIndex)
    assert [each.kind for each in shown.record.findings] == ["deadlock"]
    assert desktop.workbench.playground.remark.value is None


def test_a_folder_of_ones_own_is_read_remembered_and_its_problems_told(
    desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "own"
    write_lesson(folder / "mine")
    write_lesson(folder / "spoilt", "topic = 3")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    press(desktop, qtbot, "Lessons")
    press(desktop, qtbot, "Open a folder of lessons…")
    problem = "✕ spoilt/lesson.toml: Line 1: topic must be a text, not a whole number."
    qtbot.waitUntil(lambda: problem in said(desktop), timeout=20_000)
    assert len(buttons(desktop, "A lesson")) == 1
    assert desktop.settings.text("lessons/folder") == str(folder)


def test_the_state_that_is_shown_becomes_a_step(desktop: Desktop, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "new"))
    desktop.workbench.stage.timeline.scrub(7)
    press(desktop, qtbot, "Lessons")
    press(desktop, qtbot, "Add this state as a lesson step…")
    lesson = read_lesson(tmp_path / "new")
    assert not isinstance(lesson, Message), str(lesson)
    assert lesson.steps[0].scene is not None
    assert lesson.steps[0].scene.snapshot.stage == desktop.session.stage.value
    assert lesson.steps[0].scene.snapshot.place.time == 7
    told = desktop.workbench.activity.value
    assert str(told).startswith("Added to ")


def test_how_far_a_lesson_was_is_there_at_the_next_start(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    player = desktop.workbench.lesson_controller.player
    player.open(lesson)
    player.next()
    assert playing(desktop).state is StepState.ASKING
    desktop.window.close()
    again = Desktop(WindowArguments("en", "light", None, (1280, 720)), Locations(tmp_path / "data", tmp_path, tmp_path), Settings(None))
    lesson_controller = again.workbench.lesson_controller
    lesson_controller.progress.read_now()
    lesson_controller.resume(lesson)
    assert lesson_controller.player.playing.value is not None
    assert lesson_controller.player.playing.value.step.name == "columns"
    again.window.close()
    again.window.deleteLater()


def test_no_key_calls_two_things(desktop: Desktop) -> None:
    keys = Counter(QKeySequence(keys).toString() for command in desktop.window._commands.every for keys in command.keys)
    assert {key for key, count in keys.items() if count > 1} == set()


def ask_out_of_sight(desktop: Desktop, qtbot: QtBot) -> None:
    """Stand at an open question, and hide the panel."""
    lesson = named("bank-conflicts")
    assert not isinstance(lesson, Message)
    player = desktop.workbench.lesson_controller.player
    player.open(lesson)
    wait_for_the_scene(desktop, qtbot)
    player.next()
    wait_for_the_scene(desktop, qtbot)
    QTest.keySequence(desktop.window, QKeySequence("Ctrl+L"))
    assert playing(desktop).state is StepState.ASKING
    assert desktop.workbench.stage.asking.value


def test_a_question_out_of_sight_ends_with_another_rung(desktop: Desktop, qtbot: QtBot) -> None:
    ask_out_of_sight(desktop, qtbot)
    naive = catalogue.by_id("gpu.naive")
    desktop.session.choose_variant(naive)
    assert desktop.workbench.lesson_controller.player.playing.value is None
    assert not desktop.workbench.stage.asking.value


def test_a_question_out_of_sight_stays_with_its_own_rung_and_with_keys_of_the_lesson(desktop: Desktop, qtbot: QtBot) -> None:
    ask_out_of_sight(desktop, qtbot)
    desktop.session.set_stage_parameter("tile", 32)
    QTest.keySequence(desktop.window, QKeySequence("Ctrl+PgUp"))
    wait_for_the_scene(desktop, qtbot)
    assert playing(desktop).lesson.id == "bank-conflicts"


def open_step(desktop: Desktop, qtbot: QtBot, lesson: str, step: str) -> None:
    found = named(lesson)
    assert not isinstance(found, Message)
    player = desktop.workbench.lesson_controller.player
    player.open(found, [each.name for each in found.steps].index(step))
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and not desktop.workbench.states.arrival.pending, timeout=20_000)


def test_a_comparison_shows_neither_first_step_before_the_answer(desktop: Desktop, qtbot: QtBot) -> None:
    open_step(desktop, qtbot, "vectorised-access", "bytes")
    (stage,) = desktop.window.findChildren(CompareStage)
    assert desktop.workbench.comparison.pair.value is not None
    assert (stage.left.view.picture, stage.right.view.picture) == (None, None)
    desktop.workbench.lesson_controller.player.reveal()
    qtbot.waitUntil(lambda: stage.left.view.picture is not None and stage.right.view.picture is not None, timeout=20_000)


def test_a_reader_of_the_screen_is_not_told_a_first_step_before_the_answer_either(desktop: Desktop, qtbot: QtBot) -> None:
    open_step(desktop, qtbot, "coalescing", "time")
    panel = desktop.window.findChild(StagePanel)
    assert panel is not None
    views = [frame.view for frame in panel.frames]
    told = str(FIRST_STEP_ASKED)
    qtbot.waitUntil(lambda: {view.accessibleDescription() for view in views} == {told})
    bare = views[0].grab().toImage()
    views[0].setFocus()
    assert views[0].grab().toImage() != bare, "the focus is seen"
    desktop.workbench.lesson_controller.player.reveal()
    qtbot.waitUntil(lambda: all(view.accessibleDescription() not in ("", told) for view in views), timeout=20_000)


def test_before_the_answer_no_step_is_counted_no_misses_are_drawn_and_the_source_is_at_the_line_in_question(
    desktop: Desktop, qtbot: QtBot
) -> None:
    open_step(desktop, qtbot, "loop-order", "down")
    stage, window = desktop.workbench.stage, desktop.window
    (bar,), (view,) = window.findChildren(TimelineBar), window.findChildren(SourceView)
    qtbot.waitUntil(lambda: stage.caches.value is not None and stage.counted.value is not None, timeout=20_000)
    assert stage.unbegun.value
    assert bar._step.text().startswith("Step 0 of ")
    assert bar.strip._bars is None
    asked = view.text.splitlines().index("                total += A[i, k] * B[k, j]") + 1
    for elsewhere in (0, view.verticalScrollBar().maximum()):
        stage.unbegun.value = False
        view.verticalScrollBar().setValue(elsewhere)
        stage.unbegun.value = True
        assert asked in [line for line, _, _ in view.visible_lines()]
    qtbot.waitUntil(lambda: view.line is None)
    desktop.workbench.lesson_controller.player.reveal()
    qtbot.waitUntil(lambda: bar.strip._bars is not None and bar._step.text().startswith("Step 1 of "), timeout=20_000)
    assert view.line == asked


def test_a_lesson_that_ends_gives_the_first_step_back(desktop: Desktop, qtbot: QtBot) -> None:
    open_step(desktop, qtbot, "vectorised-access", "bytes")
    stage = desktop.workbench.stage
    assert stage.picture.value is None
    desktop.workbench.lesson_controller.player.close()
    qtbot.waitUntil(lambda: stage.picture.value is not None and not stage.unbegun.value, timeout=20_000)


def test_the_step_card_tells_no_fault_before_the_answer(desktop: Desktop, qtbot: QtBot) -> None:
    open_step(desktop, qtbot, "pitfalls-cuda", "past-the-end")
    (card,) = desktop.window.findChildren(StepCard)
    assert card.fault.isHidden()
    desktop.workbench.lesson_controller.player.reveal()
    qtbot.waitUntil(lambda: not card.fault.isHidden(), timeout=20_000)
    assert "Out of bounds" in card.fault.text()


def test_what_a_launch_is_found_to_do_is_not_told_before_the_answer(desktop: Desktop, qtbot: QtBot) -> None:
    open_step(desktop, qtbot, "pitfalls-threads", "race")
    (source,) = desktop.window.findChildren(SourcePanel)
    told = (source.header.findings, source.diagnostics)
    assert [part.isVisible() for part in told] == [False, False]
    (view,) = [frame.view for frame in desktop.window.findChildren(StagePanel)[0].frames if isinstance(frame.view, GlobalView)]
    before = view.grab().toImage()
    desktop.workbench.lesson_controller.player.reveal()
    qtbot.waitUntil(lambda: all(part.isVisible() for part in told), timeout=20_000)
    assert view.grab().toImage() != before


def test_the_panes_keys_lead_back_to_the_field_of_the_answer(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("cache-blocking")
    assert isinstance(lesson, Lesson)
    desktop.workbench.lesson_controller.player.open(lesson)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    fields = [each for each in panel(desktop).findChildren(QLineEdit) if each.isVisible()]
    fields[0].setFocus()
    QTest.keySequence(desktop.window, QKeySequence("F6"))
    assert not fields[0].hasFocus()
    QTest.keySequence(desktop.window, QKeySequence("Shift+F6"))
    assert fields[0].hasFocus()
