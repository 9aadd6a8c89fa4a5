"""Every slide of every lesson has room for all its texts, in type that is read from the back of a hall."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtWidgets import QApplication

from app.core.base.i18n import LANGUAGES, Translator
from app.core.frames.matrix import Arrangement
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import shipped
from app.core.presenter.slide import Slide, slide_of
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.matrix.geometry import lay_out as lay_out_matrices
from app.qt.presenter.sheet import SlideLayout, lay_out
from app.qt.presenter.text import BODY, LABEL, PlacedText
from kernels.base.messages import message
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from tests.lessons.presented_lessons import moments_of, name_of

KINDS = [((1280, 720), False), ((1280, 720), True), ((1920, 1080), False)]
"""Sizes of a screen, and whether the drawing is wide."""
MATRICES = Arrangement((("A", (64, 64)), ("B", (64, 64)), ("C", (64, 64))), row_ticks=False)
LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in shipped()]


@pytest.mark.parametrize("language", list(LANGUAGES))
@pytest.mark.parametrize("lesson", LESSONS)
def test_each_slide_has_room_for_its_texts_in_type_that_can_be_read(qapp: QApplication, lesson: Lesson, language: str) -> None:
    problems = list(_problems(lesson, Look(theme("light"), Translator(language))))
    assert not problems


@pytest.mark.parametrize("language", list(LANGUAGES))
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_without_a_lesson_matrices_have_the_height_beside_the_headline(qapp: QApplication, size: tuple[int, int], language: str) -> None:
    look, problems, screen = Look(theme("light"), Translator(language)), list[str](), QRectF(0, 0, *size)
    for variant in catalogue.of(Operation.MATMUL):
        said = message("Tile step {number} of {count}", number=128, count=128)
        slide = Slide(f"{variant.rung} {look.text(variant.title)}", look.text(said), look.text(said))
        layout = lay_out(slide, screen.size(), look, tall=True)
        problems += _without_room(layout, screen)
        room = lay_out_matrices(layout.drawing.size() / (2 * layout.unit), 2 * layout.unit, MATRICES).matrices
        whole = (room["C"].area.bottom() - room["B"].area.top()) * 2 * layout.unit
        assert whole >= 0.62 * size[1], "of the 1280x720 it was 395 with the headline above"
    assert not problems


def _problems(lesson: Lesson, look: Look) -> Iterator[str]:
    for playing in moments_of(lesson):
        for size, wide in KINDS:
            layout = lay_out(slide_of(playing, look.translator), QSizeF(*size), look, wide=wide)
            for problem in (*_without_room(layout, QRectF(0, 0, *size)), *_too_small(layout)):
                yield f"{name_of(playing)} at {size}: {problem}"


def _clipped(text: PlacedText) -> bool:
    """Whether it needs more room than it has."""
    return text.document.size().height() > text.place.height() + 1 or text.document.idealWidth() > text.place.width() + 1


def _without_room(layout: SlideLayout, screen: QRectF) -> Iterator[str]:
    """Texts that are cut, stand off the screen or over each other."""
    texts = [each for each in (*layout.texts, *layout.answer.labels) if each.document.toPlainText()]
    for each in texts:
        if _clipped(each) or not screen.contains(each.place):
            yield f"cut: {each.document.toPlainText()}"
        if _overlap(layout.drawing, each.place):
            yield f"over the drawing: {each.document.toPlainText()}"
    for one, other in combinations(texts, 2):
        if _overlap(one.place, other.place):
            yield f"over each other: {one.document.toPlainText()} | {other.document.toPlainText()}"
    for (choice, area), label in zip(layout.choices, layout.answer.labels, strict=True):
        if not area.contains(label.place):
            yield f"outside its button: {choice.text}"


def _too_small(layout: SlideLayout) -> Iterator[str]:
    """All but the lesson's title and the number of the step is needed for the argument: 36 units, 24 pixels of 720."""
    for each in (*layout.texts, *layout.answer.labels):
        if each.units < BODY and each.units != LABEL:
            yield f"small: {each.document.toPlainText()}"
    for each in (layout.texts[1], layout.texts[2], *layout.answer.texts, *layout.answer.labels):
        if each.document.toPlainText() and round(each.units * layout.unit) < 24:
            yield f"small: {each.document.toPlainText()}"


def _overlap(one: QRectF, other: QRectF) -> bool:
    """By more than a rounding error."""
    both = one.intersected(other)
    return both.width() > 1 and both.height() > 1
