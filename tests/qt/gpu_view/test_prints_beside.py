"""Lines that a launch prints beside those that a GPU printed, as a user has them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF, QImage
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.gpu_view.index import LaunchIndex
from app.core.lesson_metrics.metric import Source
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.stage.model import GpuPicture, StageModel, picture_of
from app.core.workbench.lesson_controller import sources_asked
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.drawing import last_words
from app.qt.gpu_view.prints_painter import CARD, COLUMN_GAP, HEAD
from app.qt.gpu_view.threads_canvas import ThreadsCanvas
from app.qt.gpu_view.threads_view import ThreadsView
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))


def view_of(qtbot: QtBot, index: LaunchIndex) -> ThreadsView:
    view, shown = ThreadsView(LOOK, StageModel()), picture_of(index, 2, 0.2)
    qtbot.addWidget(view)
    view.resize(818, 520)
    assert isinstance(shown, GpuPicture)
    view.show_picture(shown)
    return view


def image(view: ThreadsView) -> QImage:
    return view.grab().toImage()


def columns_of_lines(view: ThreadsView) -> tuple[QRectF, float]:
    """Where printed lines stand, and the left edge of the second column."""
    assert view.picture is not None
    beside = ThreadsCanvas(view.look).layout(view.picture, QSizeF(view.size())).beside
    assert beside is not None
    return beside, beside.left() + (beside.width() + COLUMN_GAP) / 2


def test_lines_that_a_gpu_printed_stand_beside_the_interpreters(qtbot: QtBot) -> None:
    view = view_of(qtbot, launch_of("gpu.hello", 0))
    area, right = columns_of_lines(view)
    drawn, y = image(view), round(area.top() + HEAD + CARD / 2)
    stripe = LOOK.theme.warps[0][1]
    assert [drawn.pixelColor(round(x) + 2, y) for x in (area.left(), right)] == [stripe, stripe]


def test_a_launch_that_was_not_recorded_has_one_column(qtbot: QtBot) -> None:
    view = view_of(qtbot, launch_of("gpu.hello", 0, blocks=3))
    area, right = columns_of_lines(view)
    drawn, y = image(view), round(area.top() + HEAD + CARD / 2)
    assert drawn.pixelColor(round(area.left()) + 2, y) == LOOK.theme.warps[0][1]
    assert drawn.pixelColor(round(right) + 2, y) != LOOK.theme.warps[0][1]


def test_what_a_gpu_printed_waits_for_the_answer_to_a_question_about_it(qtbot: QtBot) -> None:
    view = view_of(qtbot, launch_of("gpu.hello", 0))
    area, right = columns_of_lines(view)
    told, y = image(view), round(area.top() + HEAD + CARD / 2)
    view.model.asking.value = frozenset({Source.RECORDED})
    asked = image(view)
    assert asked.pixelColor(round(right) + 2, y) != LOOK.theme.warps[0][1]
    assert asked.copy(area.toRect().adjusted(0, 400, 0, 0)) != told.copy(area.toRect().adjusted(0, 400, 0, 0)), "the words"
    view.model.asking.value = frozenset({Source.LAUNCH})
    assert image(view) == told


def test_the_lesson_asks_what_was_recorded() -> None:
    lesson = named("hello-threads")
    assert isinstance(lesson, Lesson)
    asked = {step.name: sources_asked(LessonMoment(lesson, number, StepState.ASKING)) for number, step in enumerate(lesson.steps)}
    assert asked["order"] == asked["guaranteed"] == frozenset({Source.RECORDED})


def test_a_line_that_is_too_long_keeps_its_last_words() -> None:
    metrics, text = QFontMetricsF(LOOK.theme.font("small")), "Hello World from Thread (1, 2) in Block 3!"
    assert last_words(text, metrics, 1000) == text
    assert last_words(text, metrics, metrics.horizontalAdvance("… from Thread (1, 2) in Block 3!")) == "… from Thread (1, 2) in Block 3!"
    assert last_words(text, metrics, 5) == "… 3!"
