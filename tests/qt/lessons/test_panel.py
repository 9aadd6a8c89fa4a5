"""The panel of the lessons: every lesson of the program played to its end in both languages, and nothing in it is cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QScrollArea, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator, format_number
from app.core.lesson_metrics.metric import Metric, Value
from app.core.lessons.current_lesson import StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Lesson, QuestionKind
from app.core.lessons.library import shipped
from app.core.lessons.read import read_lesson
from app.core.lessons.user_lessons import Lessons
from app.core.session.session import Session
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.lessons.list_page import ListActions
from app.qt.lessons.panel import LessonsPanel
from app.qt.lessons.prose_label import html_of
from app.qt.lessons.step_page import StepPage
from tests.lessons.lesson_files import ENGLISH, write_lesson
from tests.running_workbench import while_running

LESSONS = {lesson.id: lesson for lesson in shipped()}
ROOM = {(1280, 720): 590, (1920, 1080): 950}
"""The height that the panel has in a window of this size: what the bars at its edges leave."""
LANES = ("lanes_of_bank", "lanes_of_sector", "finding_lanes")
WIDE = 123_456_789.0
ROUNDS = 6
"""A longer text makes its button higher, that its group, that what scrolls: each lays itself out in a round of its own."""


@pytest.fixture
def workbench(qapp: QApplication) -> Iterator[Workbench]:
    """The models, without workers that do anything."""
    yield from while_running(Session())


def panel_of(qtbot: QtBot, workbench: Workbench, language: str, size: tuple[int, int], scale: float = 1.0) -> LessonsPanel:
    look = Look(theme("light", scale), Translator(language))
    panel = LessonsPanel(look, workbench, ListActions(*[lambda: None] * 4), size[0])
    qtbot.addWidget(panel)
    panel.resize(panel.width(), ROOM[size])
    panel.show()
    return panel


def know_everything(workbench: Workbench, lesson: Lesson) -> None:
    """Let all numbers be known, none shorter than any real one."""
    metrics = {metric: value_of(metric) for step in lesson.steps for metric in step.metrics}
    workbench.lesson_controller.metrics.known.value = metrics
    workbench.lesson_controller.player._of_texts.update({metric: value for metric, value in metrics.items() if metric.kernel})


def value_of(metric: Metric) -> Value:
    return frozenset(range(1, 32)) if metric.count in LANES else WIDE


def cut(panel: QWidget) -> list[str]:
    """The texts in sight that need more room than they have."""
    for _ in range(ROUNDS):
        QApplication.processEvents()
    found = [label.text() for label in panel.findChildren(QLabel) if label.isVisible() and label.text() and _cut_label(label)]
    found += [b.text() for b in panel.findChildren(QAbstractButton) if b.isVisible() and _cut_button(b)]
    for area in panel.findChildren(QScrollArea):
        content = area.widget()
        if content is not None and area.isVisible() and content.minimumSizeHint().width() > area.viewport().width():
            found.append(f"{area.accessibleName()}: wider than its panel")
    outside = (each for each in panel.findChildren(QWidget) if each.isVisible() and isinstance(each, QPushButton | QToolButton | QLabel))
    return found + [str(each) for each in outside if not _inside(each, panel)]


def _cut_label(label: QLabel) -> bool:
    if not label.wordWrap():
        return label.sizeHint().width() > label.width() or label.sizeHint().height() > label.height()
    document = QTextDocument()
    document.setDefaultFont(label.font())
    if label.textFormat() is Qt.TextFormat.RichText:
        document.setHtml(label.text())
    else:
        document.setPlainText(label.text())
    document.setDocumentMargin(0)
    document.setTextWidth(label.width())
    return document.idealWidth() > label.width() + 1 or label.heightForWidth(label.width()) > label.height()


def _cut_button(button: QAbstractButton) -> bool:
    if isinstance(button, QPushButton | QToolButton):
        return button.sizeHint().width() > button.width() or button.sizeHint().height() > button.height()
    return button.heightForWidth(button.width()) > button.height()


def _inside(widget: QWidget, panel: QWidget) -> bool:
    """Whether it keeps to the panel from side to side; from above to below what scrolls need not."""
    left = widget.mapTo(panel, widget.rect().topLeft()).x()
    return left >= 0 and left + widget.width() <= panel.width()


def press_on(panel: LessonsPanel) -> None:
    page = panel.currentWidget()
    assert isinstance(page, StepPage)
    page._on.click()


@pytest.mark.parametrize("size", ROOM, ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_is_played_to_its_end_and_nothing_is_cut(
    qtbot: QtBot, workbench: Workbench, name: str, language: str, size: tuple[int, int]
) -> None:
    lesson, player = LESSONS[name], workbench.lesson_controller.player
    panel = panel_of(qtbot, workbench, language, size)
    player.open(lesson)
    know_everything(workbench, lesson)
    seen: list[tuple[str, StepState]] = []
    while (playing := player.playing.value) is not None:
        seen.append((playing.step.name, playing.state))
        assert cut(panel) == [], seen[-1]
        assert len(seen) <= 2 * len(lesson.steps)
        press_on(panel)
    assert [step.name for step in lesson.steps] == list(dict.fromkeys(step for step, _stage in seen))
    assert all((step.name, StepState.TOLD) in seen for step in lesson.steps)
    assert workbench.lesson_controller.progress.steps_of(lesson).over


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_at_twice_the_size_of_type_nothing_is_cut(qtbot: QtBot, workbench: Workbench, name: str, language: str) -> None:
    lesson, player = LESSONS[name], workbench.lesson_controller.player
    panel = panel_of(qtbot, workbench, language, (1280, 720), 2.0)
    player.open(lesson)
    know_everything(workbench, lesson)
    while (playing := player.playing.value) is not None:
        assert cut(panel) == [], (playing.step.name, playing.state)
        press_on(panel)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_has_every_lesson_and_nothing_is_cut(qtbot: QtBot, workbench: Workbench, language: str, scale: float) -> None:
    panel = panel_of(qtbot, workbench, language, (1280, 720), scale)
    workbench.lesson_controller.user_lessons._put(shipped())
    titles = {lesson.text(language).title for lesson in LESSONS.values()}
    assert titles <= {button.text() for button in panel.findChildren(QAbstractButton)}
    assert cut(panel) == []


def test_what_is_cut_is_found(qtbot: QtBot) -> None:
    label = QLabel("A sentence that is longer than its label is wide")
    qtbot.addWidget(label)
    label.setFixedSize(60, 20)
    label.show()
    assert _cut_label(label)
    label.setWordWrap(True)
    assert _cut_label(label)
    label.setFixedSize(90, 400)
    assert not _cut_label(label)


def test_markup_of_a_lesson_is_shown_as_it_is_written(qtbot: QtBot, workbench: Workbench, tmp_path: Path) -> None:
    hostile = "<b>x</b> <img src='file:///etc/passwd'>"
    prose = (
        ENGLISH.replace("What it is about.", hostile).replace("The idea", hostile).replace("It reads", f"`{hostile}` It reads {hostile}")
    )
    lesson = read_lesson(write_lesson(tmp_path / "mine", english=prose.replace("How many?", hostile)))
    assert isinstance(lesson, Lesson), str(lesson)
    panel = panel_of(qtbot, workbench, "en", (1280, 720))
    workbench.lesson_controller.user_lessons.lessons.value = Lessons(folder=tmp_path, own=(lesson,))
    tips = [each.toolTip() for each in panel.findChildren(QAbstractButton)]
    workbench.lesson_controller.player.open(lesson)
    rich = [label.text() for label in panel.findChildren(QLabel) if label.textFormat() is Qt.TextFormat.RichText]
    plain = [label.text() for label in panel.findChildren(QLabel) if label.textFormat() is Qt.TextFormat.PlainText]
    assert sum("&lt;img" in text.replace("\u2060", "") for text in (*tips, *rich)) >= 3
    assert not [text for text in (*tips, *rich) if "<img" in text or "<b>x" in text]
    assert hostile in plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_are_judged_in_words(qtbot: QtBot, workbench: Workbench, language: str) -> None:
    lesson, player = LESSONS["bank-conflicts"], workbench.lesson_controller.player
    panel = panel_of(qtbot, workbench, language, (1280, 720))
    player.open(lesson, 1)
    workbench.lesson_controller.metrics.known.value = {metric: 32.0 for step in lesson.steps for metric in step.metrics}
    choices = [each for each in panel.findChildren(QAbstractButton) if each.text() in ("1", "2", "16", "32")]
    assert [each.text() for each in choices] == ["1", "2", "16", "32"]
    qtbot.mouseClick(choices[2], Qt.MouseButton.LeftButton)
    playing = player.playing.value
    assert playing is not None
    assert playing.judged == Judged(16.0, correct=False, right=(32.0,))
    said = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    if language == "en":
        assert "You said 16. It is 32." in said
    assert "✓" in said
    assert cut(panel) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_large_type_what_is_told_after_the_answers_is_brought_to_sight(qtbot: QtBot, workbench: Workbench, language: str) -> None:
    lesson, player = LESSONS["bank-conflicts"], workbench.lesson_controller.player
    panel = panel_of(qtbot, workbench, language, (1280, 720), 1.5)
    player.open(lesson, 1)
    workbench.lesson_controller.metrics.known.value = {metric: 32.0 for step in lesson.steps for metric in step.metrics}
    press_on(panel)
    page = panel.currentWidget()
    assert isinstance(page, StepPage)
    assert page._content is not None
    told = page._content.told
    qtbot.waitUntil(lambda: told.isVisible() and told.visibleRegion().boundingRect() == told.rect())


def test_a_lane_is_answered_by_a_click_but_not_by_the_keyboard(qtbot: QtBot, workbench: Workbench) -> None:
    from app.core.gpu_view.selection import Selection

    lesson, room = LESSONS["bank-conflicts"], workbench.lesson_controller
    number = next(n for n, step in enumerate(lesson.steps) if step.question and step.question.kind is QuestionKind.LANE)
    panel = panel_of(qtbot, workbench, "en", (1280, 720))
    room.player.open(lesson, number)
    room.metrics.known.value = {metric: frozenset({2, 4}) if metric.count in LANES else 8.0 for metric in lesson.steps[number].metrics}
    stage = workbench.stage
    stage.pinned.value = Selection(thread=64 + 3)  # as the keyboard pins it
    assert room.player.playing.value is not None
    assert room.player.playing.value.state is StepState.ASKING
    stage.hovered.value = Selection(thread=64 + 4)
    stage.pinned.value = Selection(thread=64 + 4)
    assert room.player.playing.value.judged == Judged(4.0, correct=True, right=(2.0, 4.0))
    assert "You chose lane 4. That is right." in [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def test_a_panel_that_is_built_anew_shows_the_same_step(qtbot: QtBot, workbench: Workbench) -> None:
    player = workbench.lesson_controller.player
    player.open(LESSONS["bank-conflicts"], 3)
    panel = panel_of(qtbot, workbench, "zh_CN", (1920, 1080))
    headline = LESSONS["bank-conflicts"].step_text(3, "zh_CN").headline
    assert headline in [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    player.close()
    assert not isinstance(panel.currentWidget(), StepPage)


@pytest.mark.usefixtures("qapp")
def test_no_line_of_prose_ends_within_a_number() -> None:
    document = QTextDocument()
    document.setHtml(html_of(f"**{format_number(66624)}** 次，{format_number(35840)} 次", Look(theme("light"), Translator("zh_CN"))))
    said = document.firstBlock().text()
    assert said == "66\u00a0624 次，35\u00a0840 次"


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    "said",
    [
        "Of the library 77 % and more",
        "It reaches 52529 GFLOP/s at the top",
        "A share of 4800 GB/s, **42 %** of it",
        "In all it is **42** % of it",
    ],
)
def test_no_line_of_prose_ends_between_a_number_and_its_percent_or_within_a_unit(said: str) -> None:
    document = QTextDocument()
    document.setHtml(html_of(said, Look(theme("light"), Translator("en"))))
    for width in range(90, 300, 4):
        document.setTextWidth(width)
        document.documentLayout().documentSize()
        layout = document.firstBlock().layout()
        begins = [layout.lineAt(number).textStart() for number in range(layout.lineCount())]
        text = document.firstBlock().text()
        assert not [text[at:] for at in begins if text[at:].startswith(("%", "s "))]
