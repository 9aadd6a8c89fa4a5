"""The list of lessons: what is said while they are read, and where a lecturer finds the own ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import shipped, topics
from app.core.lessons.read import read_lesson
from app.core.session.session import Session
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.lessons.list_page import ListActions, ListPage
from app.qt.lessons.panel import LessonsPanel
from app.qt.lessons.wide_button import WideButton
from tests.lessons.lesson_files import write_lesson
from tests.running_workbench import while_running

READING = "Reading the lessons…"


@pytest.fixture
def workbench(qapp: QApplication) -> Iterator[Workbench]:
    yield from while_running(Session())


def page_of(qtbot: QtBot, workbench: Workbench) -> ListPage:
    page = ListPage(Look(theme("light"), Translator("en")), workbench.lesson_controller, ListActions(*[lambda: None] * 4))
    qtbot.addWidget(page)
    page.resize(360, 600)
    page.show()
    return page


def top(page: ListPage, kind: type[QLabel | QAbstractButton], text: str) -> int:
    """How far down a text stands."""
    QApplication.processEvents()
    found = next(each for each in page.findChildren(kind) if each.text() == text and each.isVisible())
    return found.mapTo(page, found.rect().topLeft()).y()


def said(page: ListPage) -> list[str]:
    QApplication.processEvents()
    return [each.text() for each in page.findChildren(QLabel) if each.isVisible()]


def test_while_lessons_are_read_the_list_says_so(qtbot: QtBot, workbench: Workbench) -> None:
    page, user_lessons = page_of(qtbot, workbench), workbench.lesson_controller.user_lessons
    user_lessons.load()
    assert READING in said(page)
    user_lessons._put(shipped())
    assert READING not in said(page)


def test_the_focus_waits_for_the_first_lesson(qtbot: QtBot, workbench: Workbench) -> None:
    page, user_lessons = page_of(qtbot, workbench), workbench.lesson_controller.user_lessons
    user_lessons.load()
    page.take_focus()
    waits = page.focusWidget()
    assert isinstance(waits, QLabel)
    assert waits.text() == READING
    user_lessons._put(shipped())
    assert page.focusWidget() is page.findChildren(WideButton)[0]


def test_own_lessons_stand_first_under_their_own_heading(qtbot: QtBot, workbench: Workbench, tmp_path: Path) -> None:
    page, user_lessons = page_of(qtbot, workbench), workbench.lesson_controller.user_lessons
    lesson = read_lesson(write_lesson(tmp_path / "mine"))
    assert isinstance(lesson, Lesson)
    user_lessons._put(shipped())
    user_lessons.open_folder(tmp_path)
    assert READING in said(page)
    assert "There is no lesson in this folder yet." not in said(page)
    user_lessons._put_own(tmp_path, [lesson], [])
    assert READING not in said(page)
    heading, own = top(page, QLabel, "Your own lessons"), top(page, QAbstractButton, "A lesson")
    assert heading < own < top(page, QLabel, "Loops and caches")
    assert said(page).count("Your own lessons") == 1
    user_lessons._put_own(tmp_path, [], [])
    assert "There is no lesson in this folder yet." in said(page)


def test_a_lesson_that_was_left_is_in_sight_in_the_list_and_has_the_focus(qtbot: QtBot, workbench: Workbench) -> None:
    controller, lessons = workbench.lesson_controller, shipped()
    controller.user_lessons._put(lessons)
    panel = LessonsPanel(Look(theme("light"), Translator("en")), workbench, ListActions(*[lambda: None] * 4), 1366)
    qtbot.addWidget(panel)
    panel.resize(panel.width(), 400)
    panel.show()
    QApplication.processEvents()
    left = list(topics(lessons).values())[-1][-1]
    for again in (False, True):
        if again:  # the list is filled anew when what was done is written down
            controller.progress.courses.value = {**controller.progress.courses.value}
        else:
            controller.player.open(left)
            controller.player.close()
        qtbot.wait(20)
        page = panel.currentWidget()
        assert isinstance(page, ListPage)
        row = panel.focusWidget()
        assert isinstance(row, QAbstractButton)
        assert row.text() == left.text("en").title
        assert row.visibleRegion().boundingRect() == row.rect()


def test_a_button_that_fills_the_list_anew_keeps_the_focus(qtbot: QtBot, workbench: Workbench, tmp_path: Path) -> None:
    page, user_lessons = page_of(qtbot, workbench), workbench.lesson_controller.user_lessons
    user_lessons._put(shipped())
    user_lessons.open_folder(tmp_path)
    user_lessons._put_own(tmp_path, [], [])
    for _ in range(2):
        again = next(each for each in page.findChildren(QAbstractButton) if each.text() == "Read them again")
        again.setFocus()
        again.click()
        user_lessons._put_own(tmp_path, [], [])
        qtbot.wait(20)
        focused = page.focusWidget()
        assert isinstance(focused, QAbstractButton)
        assert focused.text() == "Read them again"
        assert focused.visibleRegion().boundingRect() == focused.rect()
    assert workbench.lesson_controller.player.playing.value is None
