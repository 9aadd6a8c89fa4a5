"""Each part of the window by its keys alone: they open it, Tab comes to all of it, everything has a name, and a key leaves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import CHINESE
from app.core.challenges.library import challenges
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.state.written import SUFFIX
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.challenges.feature import ChallengesFeature
from app.qt.challenges.panel import ChallengesPanel
from app.qt.export.panel import ExportPanel
from app.qt.help.panel import HelpPanel
from app.qt.lessons.panel import LessonsPanel
from app.qt.lessons.wide_button import WideButton
from app.qt.presenter.notes import NotesView
from app.qt.presenter.window import PresenterWindow
from app.qt.sharing.feature import RecentPanel
from app.qt.shell.application import Desktop
from app.qt.source.find_bar import FindBar
from app.qt.source.view import SourceView
from app.qt.stage.table_panel import TablePanel
from app.qt.widgets.overlay import Overlay
from tests.qt.open_window import while_open
from tests.screens.features import feature

MOST = 400
"""Stops of the Tab key, more than there are."""


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments(CHINESE, "light", "gpu.transpose-shared", (1440, 900)), None, Settings(tmp_path / "settings.ini")),
        qtbot,
        active=True,
    )


def press(desktop: Desktop, keys: str) -> None:
    QTest.keySequence(desktop.window, QKeySequence(keys))
    desktop.process_events()


def shown(desktop: Desktop, kind: type[QWidget]) -> QWidget | None:
    """What of a kind is in sight; panels of the look before may not be deleted yet."""
    desktop.process_events()
    central = desktop.window.centralWidget()
    found = central.findChildren(kind) if central is not None else []
    return next((each for each in found if each.isVisible()), None)


def stops(part: QWidget) -> list[QWidget]:
    """What of it the Tab key is to come to."""
    inside = [part, *part.findChildren(QWidget)]
    return [each for each in inside if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible() and each.isEnabled()]


def nameless(part: QWidget) -> list[str]:
    found = []
    for each in stops(part):
        interface = QAccessible.queryAccessibleInterface(each)
        if interface is None or not interface.text(QAccessible.Text.Name).strip():
            found.append(f"{type(each).__name__} in {type(each.parent()).__name__}")
    return found


def missed(part: QWidget) -> list[QWidget]:
    """What of it the Tab key does not come to, on its way round the window."""
    wanted = stops(part)
    wanted[0].setFocus()
    visited: list[QWidget] = []
    while (now := QApplication.focusWidget()) is not None and now not in visited and len(visited) < MOST:
        visited.append(now)
        QTest.keyClick(now, Qt.Key.Key_Tab)
    return [each for each in wanted if each not in visited]


def check(part: QWidget | None) -> None:
    assert part is not None
    assert stops(part)
    assert nameless(part) == []
    assert missed(part) == []


def test_lessons_and_challenges(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("bank-conflicts")
    assert isinstance(lesson, Lesson)
    press(desktop, "Ctrl+L")
    check(shown(desktop, LessonsPanel))
    desktop.workbench.lesson_controller.player.open(lesson, 1)
    check(shown(desktop, LessonsPanel))
    press(desktop, "Ctrl+L")
    assert shown(desktop, LessonsPanel) is None
    qtbot.waitUntil(lambda: desktop.workbench.lesson_controller.player.settled, timeout=60_000)  # its numbers do not bring it back
    assert shown(desktop, LessonsPanel) is None
    press(desktop, "Ctrl+T")
    check(shown(desktop, ChallengesPanel))
    feature(desktop, ChallengesFeature).open(challenges()[0])
    check(shown(desktop, ChallengesPanel))
    press(desktop, "Ctrl+T")
    assert shown(desktop, ChallengesPanel) is None


@pytest.mark.parametrize(("keys", "kind"), [("Ctrl+L", LessonsPanel), ("Ctrl+T", ChallengesPanel)])
def test_a_list_that_opens_has_the_focus(desktop: Desktop, qtbot: QtBot, keys: str, kind: type[QWidget]) -> None:
    press(desktop, keys)
    panel = shown(desktop, kind)
    assert panel is not None
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), WideButton), timeout=20_000)  # lessons are read in the background
    assert QApplication.focusWidget() is next(each for each in stops(panel) if isinstance(each, WideButton))
    press(desktop, keys)
    assert shown(desktop, kind) is None


def test_escape_leaves_a_text_that_is_edited_beside_a_lesson(desktop: Desktop, qtbot: QtBot) -> None:
    lesson = named("bank-conflicts")
    assert isinstance(lesson, Lesson)
    desktop.workbench.lesson_controller.player.open(lesson, 1)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and not desktop.workbench.states.arrival.pending, timeout=60_000)
    press(desktop, "Ctrl+E")
    view = shown(desktop, SourceView)
    assert isinstance(view, SourceView)
    qtbot.waitUntil(lambda: view.editable and view.hasFocus(), timeout=20_000)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.hasFocus()
    assert desktop.workbench.lesson_controller.player.playing.value is not None


@pytest.mark.parametrize(("keys", "kind"), [("Ctrl+Shift+E", ExportPanel), ("Ctrl+R", RecentPanel), ("F1", HelpPanel)])
def test_what_lies_over_the_window(desktop: Desktop, keys: str, kind: type[QWidget]) -> None:
    desktop.workbench.states.recent.states.value = (desktop.workbench.states.now(),)
    before = QApplication.focusWidget()
    press(desktop, keys)
    part = shown(desktop, kind)
    check(part)
    assert part is not None
    stops(part)[0].setFocus()
    QTest.keyClick(stops(part)[0], Qt.Key.Key_Escape)
    assert shown(desktop, kind) is None
    assert QApplication.focusWidget() is before


_BEHIND = {"Ctrl+E": SourceView, "Ctrl+F": FindBar, "Ctrl+L": LessonsPanel, "F8": TablePanel}
_OPENED_AND_LED = [
    (opened, keys)
    for opened in ("Ctrl+Shift+E", "Ctrl+K", "F1")
    for keys in _BEHIND
    if (opened, keys) != ("F1", "Ctrl+F")  # the help has a field of its own
]


@pytest.mark.parametrize(("opened", "keys"), _OPENED_AND_LED)
def test_what_lies_over_the_window_goes_before_a_key_leads_behind_it(desktop: Desktop, qtbot: QtBot, opened: str, keys: str) -> None:
    kind = _BEHIND[keys]
    press(desktop, opened)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert shown(desktop, Overlay) is not None
    QTest.keySequence(focused, QKeySequence(keys))
    desktop.process_events()
    assert {type(each) for each in desktop.window.findChildren(Overlay) if each.isVisible()} <= {kind}

    def arrived() -> bool:
        part, now = shown(desktop, kind), QApplication.focusWidget()
        return part is not None and now is not None and (part is now or part.isAncestorOf(now))

    qtbot.waitUntil(arrived, timeout=20_000)


def test_in_the_help_one_looks_for_words_of_the_help(desktop: Desktop) -> None:
    press(desktop, "F1")
    focused, part = QApplication.focusWidget(), shown(desktop, HelpPanel)
    assert focused is not None
    assert isinstance(part, HelpPanel)
    QTest.keySequence(focused, QKeySequence("Ctrl+F"))
    assert part.field.hasFocus()
    QTest.keyClick(part.field, Qt.Key.Key_Escape)
    assert part.isHidden()


def presented(desktop: Desktop) -> PresenterWindow | None:
    return desktop.presenting.window


def test_the_presenter_and_its_notes(desktop: Desktop) -> None:
    press(desktop, "F5")
    window = presented(desktop)
    assert window is not None
    window.surface.bar.show()
    assert nameless(window) == []
    QTest.keyClick(window, Qt.Key.Key_N)
    notes = desktop.presenting.notes
    assert isinstance(notes, NotesView)
    assert notes.accessibleName()
    QTest.keyClick(window, Qt.Key.Key_N)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert presented(desktop) is None


@pytest.mark.parametrize("keys", ["Ctrl+Shift+L", "Ctrl+Shift+I", "Ctrl+Shift+D", "Ctrl+Shift+F", "Ctrl+Shift+A"])
def test_what_asks_for_a_file(desktop: Desktop, monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    titles: list[str] = []

    def asked(nothing: object) -> Callable[..., object]:
        def answer(_window: object, title: str, *_more: object) -> object:
            titles.append(title)
            return nothing

        return answer

    for name, nothing in (("getSaveFileName", ("", "")), ("getOpenFileName", ("", "")), ("getExistingDirectory", "")):
        monkeypatch.setattr(QFileDialog, name, asked(nothing))
    press(desktop, keys)
    assert len(titles) == 1
    assert titles[0]


def test_the_key_of_every_editor_saves_the_text_as_another_file_and_a_state_never_takes_a_texts_name(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It wrote a state into the `.cu` that was named."""
    asked: list[str] = []

    def answer(_window: object, title: str, *_more: object) -> tuple[str, str]:
        asked.append(title)
        return str(tmp_path / "copy.cu"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    press(desktop, "Ctrl+Shift+S")
    assert not asked
    assert str(desktop.workbench.activity.value).startswith("Nothing is edited.")
    press(desktop, "Ctrl+E")
    press(desktop, "Ctrl+Shift+S")
    assert len(asked) == 1
    assert (tmp_path / "copy.cu").read_text(encoding="utf-8") == desktop.window._stage.source.view.text
    press(desktop, "Ctrl+Shift+D")
    assert len(set(asked)) == 2
    assert (tmp_path / f"copy.cu{SUFFIX}").is_file()
    assert (tmp_path / "copy.cu").read_text(encoding="utf-8") == desktop.window._stage.source.view.text
