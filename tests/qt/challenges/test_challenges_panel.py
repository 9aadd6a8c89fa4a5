"""A challenge in the window: opened, edited, checked, solved, handed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.challenges.library import challenge_of, challenges
from app.core.challenges.result import read_attempt
from app.core.session.session import Workspace
from app.core.workbench.attempt_runner import Trying
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.feature import Feature
from app.qt.base.settings import Settings
from app.qt.challenges.feature import NAME, ChallengesFeature
from app.qt.challenges.panel import ChallengesPanel
from app.qt.challenges.try_page import TargetList
from app.qt.lessons.feature import LessonsFeature
from app.qt.lessons.panel import LessonsPanel
from app.qt.lessons.wide_button import WideButton
from app.qt.shell.application import Desktop
from app.qt.shell.command_bar import CommandBar
from app.qt.source.panel import SourcePanel
from kernels.base.messages import Message
from kernels.catalogue.catalogue import by_id
from tests.screens.features import feature
from tests.waiting import until


@pytest.fixture
def size() -> tuple[int, int]:
    return 1440, 900


@pytest.fixture
def desktop(size: tuple[int, int], qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", size), None, Settings(tmp_path / "settings.ini"))
    qtbot.addWidget(made.window)
    made.start()
    yield made
    made.window.close()
    made.shutdown()


def feature_of(desktop: Desktop) -> ChallengesFeature:
    return next(each for each in desktop._features if isinstance(each, ChallengesFeature))


def trying(desktop: Desktop) -> Trying:
    found = desktop.workbench.practice.trying.value
    assert found is not None
    return found


def panel(desktop: Desktop) -> ChallengesPanel:
    found = desktop.window.findChild(ChallengesPanel)
    assert isinstance(found, ChallengesPanel)
    return found


def press(desktop: Desktop, text: str) -> None:
    button = next(each for each in panel(desktop).findChildren(QPushButton) if text in (each.text(), each.accessibleName()))
    button.click()


def said(desktop: Desktop) -> list[str]:
    """What readers of the screen are told of the targets."""
    desktop.process_events()  # rows that were added are shown then
    targets = panel(desktop).findChild(TargetList)
    assert targets is not None
    return [row.accessibleName() for row in targets.findChildren(QWidget) if row.accessibleName() and not row.isHidden()]


def told(desktop: Desktop) -> list[str]:
    return [each.text() for each in panel(desktop).findChildren(QLabel) if each.isVisible()]


def opened(desktop: Desktop, name: str = "bank-conflict") -> None:
    challenge = challenge_of(name)
    assert challenge is not None
    feature_of(desktop).open(challenge)
    until(lambda: desktop.workbench.practice.settled, desktop.process_events)


def test_a_challenge_is_chosen_checked_and_solved_by_editing(desktop: Desktop) -> None:
    feature_of(desktop).toggle()
    rows = panel(desktop).findChildren(WideButton)
    next(row for row in rows if row.text() == "A column that lies in one bank").click()
    until(lambda: desktop.workbench.practice.settled, desktop.process_events)
    assert desktop.session.draft_editor.shown is not None
    assert said(desktop)[0].startswith("Not met: No conflict in shared memory: The worst access is 32-way now")
    text = trying(desktop).attempt.text
    desktop.session.draft_editor.change_text(text.replace("tile[TILE][TILE];", "tile[TILE][TILE + 1];"))
    assert not trying(desktop).solved
    until(lambda: trying(desktop).solved, desktop.process_events)
    assert all(line.startswith("Met:") for line in said(desktop))
    assert desktop.workbench.practice.progress.of("bank-conflict").solved


@pytest.mark.parametrize("size", [(1280, 720)])
def test_what_has_been_achieved_is_scrolled_to(desktop: Desktop, size: tuple[int, int]) -> None:
    desktop.window.resize(*size)
    opened(desktop)
    text = trying(desktop).attempt.text
    desktop.session.draft_editor.change_text(text.replace("tile[TILE][TILE];", "tile[TILE][TILE + 1];"))
    until(lambda: trying(desktop).solved, desktop.process_events)
    desktop.process_events()
    told = next(each for each in panel(desktop).findChildren(QLabel) if each.text().startswith("✓ ") and each.isVisible())
    assert told.visibleRegion().boundingRect() == told.rect()


@pytest.mark.parametrize(
    ("size", "name", "key", "typed"),
    [((960, 600), "bank-conflict", "block", "2048"), ((1280, 720), "too-many-reads", "argument A", "x")],
)
def test_why_a_launch_is_refused_is_in_sight(desktop: Desktop, name: str, key: str, typed: str) -> None:
    opened(desktop, name)
    form = desktop.window._stage.source.form
    desktop.window.activateWindow()
    form.go_to(key)
    field = form.fields[key]
    until(field.may_be.isVisible, desktop.process_events)
    field.edit.setText(typed)
    assert field.apply() is not None
    process_all(desktop)
    for part in (field.reason, field.edit):
        until(lambda part=part: part.isVisible() and part.visibleRegion().boundingRect() == part.rect(), desktop.process_events)  # type: ignore[misc]


def test_fields_of_a_launch_are_scrolled_to_what_was_asked_for_and_never_by_themselves(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.window.resize(960, 600)
    opened(desktop)
    form = desktop.window._stage.source.form
    last = form.fields[list(form.fields)[-1]]
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    until(lambda: other.isActiveWindow() and form.isVisible(), desktop.process_events)
    form.go_to(list(form.fields)[-1])
    until(lambda: not last.edit.visibleRegion().isEmpty(), desktop.process_events)
    assert not last.edit.hasFocus()
    other.close()
    last.edit.clearFocus()
    process_all(desktop)
    bar = form._area.verticalScrollBar()
    bar.setValue(bar.maximum())
    place = bar.value()
    form.leave_room(form._area.height() - 10)
    process_all(desktop)
    assert bar.value() == place > 0


def process_all(desktop: Desktop) -> None:
    for _ in range(10):  # until all has its place
        desktop.process_events()


def test_from_the_list_by_keys_the_focus_goes_to_check_and_from_there_to_the_text(desktop: Desktop) -> None:
    desktop.window.activateWindow()
    feature_of(desktop).toggle()
    desktop.process_events()
    QTest.keyClick(panel(desktop).findChildren(WideButton)[0], Qt.Key.Key_Return)
    until(lambda: desktop.workbench.practice.settled, desktop.process_events)
    check = QApplication.focusWidget()
    assert isinstance(check, QAbstractButton)
    assert check.accessibleName() == "Check"
    QTest.keyClick(check, Qt.Key.Key_F6)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert desktop.window._stage.reading.isAncestorOf(focused)


def test_a_text_that_does_not_compile_says_where(desktop: Desktop) -> None:
    opened(desktop)
    desktop.session.draft_editor.change_text(trying(desktop).attempt.text.replace("const float* A,", "const flot* A,"))
    until(lambda: trying(desktop).fresh, desktop.process_events)
    verdict = trying(desktop).verdict
    assert verdict is not None
    assert verdict.trouble is not None
    assert str(verdict.trouble).startswith("Line 16, column ")
    assert all(line.startswith("Not checked yet") for line in said(desktop))


def test_a_check_without_end_tells_for_how_long_and_is_stopped(desktop: Desktop) -> None:
    opened(desktop)
    practice, given = desktop.workbench.practice, trying(desktop).attempt.text
    head = given[given.index('extern "C"') : given.index("{") + 1]
    desktop.session.draft_editor.change_text(f"{head}\n    while (rows > 0) {{ rows += columns - columns; }}\n}}\n")
    until(lambda: practice.seconds.value >= 1, desktop.process_events)
    assert "Checking… 1 s" in told(desktop)
    press(desktop, "Check")
    until(lambda: not practice.settled, desktop.process_events)
    until(lambda: practice.can_stop.value, desktop.process_events)
    assert "✕ The check was stopped" not in str(told(desktop))
    press(desktop, "Stop")
    assert practice.settled
    assert any(each.startswith("✕ The check was stopped after ") for each in told(desktop))
    assert "Checked: this is how the text stands." not in told(desktop)
    press(desktop, "Check")
    assert not trying(desktop).fresh
    desktop.session.draft_editor.change_text(given)
    until(lambda: practice.settled, desktop.process_events)
    assert "Checked: this is how the text stands." in told(desktop)


def test_a_challenge_begins_with_the_views_that_the_stage_chooses(desktop: Desktop) -> None:
    desktop.workbench.stage.alone.value = 3
    opened(desktop)
    assert desktop.workbench.stage.alone.value == 0


def test_hints_come_one_after_the_other(desktop: Desktop) -> None:
    opened(desktop)
    press(desktop, "Show hint 1 of 2")
    assert trying(desktop).hints == 1
    press(desktop, "Show hint 2 of 2")
    assert trying(desktop).hints == 2
    assert not [each for each in panel(desktop).findChildren(QPushButton) if each.text().startswith("Show hint") and not each.isHidden()]


def test_an_attempt_is_handed_in_with_a_name_that_is_remembered(desktop: Desktop, tmp_path: Path) -> None:
    opened(desktop)
    press(desktop, "Show hint 1 of 2")
    file = tmp_path / "mine.attempt"
    assert feature_of(desktop).hand_in(file, "  Ada ") is None
    assert desktop.settings.text(NAME) == "Ada"
    found = read_attempt(file.read_text(encoding="utf-8"))
    assert not isinstance(found, Message)
    attempt, name = found
    assert (attempt.challenge, attempt.hints, name) == ("bank-conflict", 1, "Ada")
    assert attempt.text == trying(desktop).attempt.text
    assert isinstance(feature_of(desktop).hand_in(tmp_path / "none" / "mine.attempt", "Ada"), Message)


def test_starting_again_brings_the_given_text(desktop: Desktop) -> None:
    opened(desktop)
    given = trying(desktop).challenge.given.text
    desktop.session.draft_editor.change_text("// mine\n" + given)
    press(desktop, "Start again")
    draft = desktop.session.draft_editor.shown
    assert draft is not None
    assert draft.text == given
    assert trying(desktop).attempt.text == given


@pytest.mark.parametrize(("before", "at_the_end"), [(True, True), (True, False), (False, True)])
def test_the_text_that_was_edited_before_comes_back_where_it_was(desktop: Desktop, before: bool, at_the_end: bool) -> None:
    """`before`, `at_the_end`: whether the stage showed the text when the challenge was opened, and the challenge's when it was left."""
    assert desktop.session.draft_editor.edit_copy() is None
    desktop.session.draft_editor.change_text("// mine\n")
    if not before:
        desktop.session.draft_editor.set_aside()
    opened(desktop)
    if not at_the_end:
        desktop.session.draft_editor.set_aside()
    desktop.workbench.practice.close()
    assert desktop.session.draft_editor.draft.value is not None
    assert desktop.session.draft_editor.draft.value.text == "// mine\n"
    assert (desktop.session.draft_editor.shown is not None) == (before and at_the_end)


def test_another_text_ends_the_challenge_and_its_own_is_kept(desktop: Desktop, tmp_path: Path) -> None:
    opened(desktop)
    mine = "// mine\n" + trying(desktop).attempt.text
    desktop.session.draft_editor.change_text(mine)
    other = tmp_path / "other.cu"
    other.write_text('extern "C" __global__ void k(float* a) { a[0] = 1.0f; }\n', encoding="utf-8")
    assert desktop.session.draft_editor.open_file(other) is None
    assert desktop.workbench.practice.trying.value is None
    opened(desktop)
    assert trying(desktop).attempt.text == mine


def test_the_launch_is_the_students_only_where_the_challenge_says_so(desktop: Desktop) -> None:
    opened(desktop, "rounded-down")
    assert desktop.session.draft_editor.set_grid("8") is None
    until(lambda: trying(desktop).fresh, desktop.process_events)
    assert trying(desktop).solved


def side(desktop: Desktop) -> Feature | None:
    """Whose panel is at the left."""
    return feature(desktop, ChallengesFeature)._host.side.value


def test_escape_closes_the_list_and_leaves_the_editor_to_it(desktop: Desktop) -> None:
    challenging = feature(desktop, ChallengesFeature)
    challenging.toggle()
    desktop.window.show_view(1)
    QTest.keyClick(desktop.window, Qt.Key.Key_Escape)
    assert side(desktop) is challenging, "first all views come back"
    QTest.keyClick(desktop.window, Qt.Key.Key_Escape)
    assert side(desktop) is None
    tiled = by_id("gpu.tiled")
    desktop.session.choose_variant(tiled)
    desktop.window._stage.source.edit_copy()
    challenging.toggle()
    QTest.keyClick(desktop.window._stage.source.view, Qt.Key.Key_Escape)
    assert side(desktop) is None
    assert desktop.session.draft.value is not None, "the list comes first"
    challenging.open(challenges()[0])
    view = desktop.window._stage.source.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert desktop.workbench.practice.trying.value is None
    assert side(desktop) is challenging
    QTest.keyClick(desktop.window, Qt.Key.Key_Escape)
    assert side(desktop) is None


def test_escape_goes_back_from_the_page_of_a_challenge_to_its_row(desktop: Desktop) -> None:
    challenging, second = feature(desktop, ChallengesFeature), challenges()[1]
    challenging.open(second)
    name = panel(desktop).findChild(QLineEdit)
    assert name is not None
    name.setFocus()
    QTest.keyClick(name, Qt.Key.Key_Escape)
    assert trying(desktop).challenge is second, "the field comes first"
    focused = desktop.window.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.accessibleName() == "Check"
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert desktop.workbench.practice.trying.value is None
    assert side(desktop) is challenging
    row = desktop.window.focusWidget()
    assert isinstance(row, WideButton)
    assert row.text() == second.text("en").title
    QTest.keyClick(row, Qt.Key.Key_Return)
    desktop.window._stage.stage.setFocus()
    QTest.keyClick(desktop.window, Qt.Key.Key_Escape)
    assert trying(desktop).challenge is second, "from elsewhere what is tried stays"


def test_a_text_is_checked_by_a_key_from_the_editor_that_stands_on_the_button(desktop: Desktop) -> None:
    opened(desktop)
    check = next(each for each in panel(desktop).findChildren(QPushButton) if each.accessibleName() == "Check")
    assert check.text() == "Check  Ctrl+Return"
    view = desktop.window._stage.source.view
    view.setFocus()
    before = view.toPlainText()
    assert trying(desktop).fresh
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not trying(desktop).fresh
    assert view.toPlainText() == before
    until(lambda: desktop.workbench.practice.settled, desktop.process_events)
    other = by_id("gpu.tiled")
    desktop.session.choose_variant(other)
    assert check.text() == "Check", "the way back to the text has its room"


def test_without_a_challenge_the_key_says_so(desktop: Desktop) -> None:
    feature_of(desktop)._check()
    said = desktop.workbench.activity.value
    assert said is not None
    assert str(said) == "No challenge is open."


def test_there_is_one_panel_at_the_left(desktop: Desktop) -> None:
    feature_of(desktop).toggle()
    assert desktop.window.findChildren(ChallengesPanel)
    lessons = next(each for each in desktop._features if isinstance(each, LessonsFeature))
    lessons.toggle()
    visible = [type(each) for each in (*desktop.window.findChildren(ChallengesPanel), *desktop.window.findChildren(LessonsPanel))]
    assert visible == [LessonsPanel]


def test_a_challenge_has_room_for_its_text(desktop: Desktop) -> None:
    desktop.window.resize(1440, 900)
    feature_of(desktop).toggle()
    desktop.process_events()
    before = source_width(desktop)
    opened(desktop)
    assert source_width(desktop) > before


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768)])
def test_a_small_window_shows_48_characters_of_a_challenge_and_two_views(desktop: Desktop, size: tuple[int, int]) -> None:
    desktop.window.resize(*size)
    opened(desktop)
    until(lambda: desktop.workbench.stage_ready, desktop.process_events)
    assert source_width(desktop) >= desktop.window._stage.source.view.width_for(48) - 2
    desktop.process_events()
    seen = desktop.window._stage.stage.frames
    assert [len(seen), seen[0].x() == seen[1].x(), seen[0].width() >= 360] == [2, True, True]


def test_a_text_of_no_rung_is_of_no_operation_and_a_click_leads_back_to_the_rungs(desktop: Desktop) -> None:
    bar = desktop.window.findChild(CommandBar)
    assert bar is not None
    names = ("Multiply", "Transpose", "Hello threads")
    buttons = {each.text(): each for each in bar.findChildren(QToolButton) if each.text() in names}
    assert [each.isChecked() for each in buttons.values()] == [True, False, False]
    opened(desktop)
    bar = desktop.window.findChild(CommandBar)
    assert bar is not None
    buttons = {each.text(): each for each in bar.findChildren(QToolButton) if each.text() in names}
    assert [each.isChecked() for each in buttons.values()] == [False, False, False]
    assert [each.focusPolicy() for each in buttons.values()].count(Qt.FocusPolicy.TabFocus) == 1
    desktop.session.show_workspace(Workspace.TIMING)  # which has times of rungs, whatever the stage shows
    assert [each.isChecked() for each in buttons.values()] == [True, False, False]
    desktop.session.show_workspace(Workspace.STAGE)
    assert [each.isChecked() for each in buttons.values()] == [False, False, False]
    buttons["Multiply"].click()
    assert [each.isChecked() for each in buttons.values()] == [True, False, False]
    assert desktop.session.draft_editor.shown is None
    assert trying(desktop).challenge.id == "bank-conflict"


def source_width(desktop: Desktop) -> int:
    desktop.process_events()
    source = desktop.window.findChild(SourcePanel)
    assert source is not None
    return source.width()
