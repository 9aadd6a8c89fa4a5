"""Title and equation in the free corner of the matrices stand there whole, or not at all."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.core.base.i18n import Translator
from app.core.frames.step_description import StepDescription, Term
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.matrix.painting import paint_caption, paint_equation
from kernels.base.messages import message

TERMS = (Term(message("C tile"), "C"), Term(message("+=")), Term(message("A tile"), "A"), Term(message("×")), Term(message("B tile"), "B"))


def painted(height: float) -> tuple[float, int, int]:
    """The lower edge that is told, and the first and last row of the picture that is not empty (-1: none)."""
    image = QImage(120, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    look = Look(theme("light"), Translator("en"))
    painter = QPainter(image)
    edge = paint_equation(painter, TERMS, QRectF(10, 20, 80, height), 24, look.theme.font("sentence"), look)
    painter.end()
    rows = [y for y in range(200) if any(image.pixelColor(x, y) != QColor("white") for x in range(120))]
    return edge, rows[0] if rows else -1, rows[-1] if rows else -1


def test_it_is_drawn_where_all_its_lines_fit(qapp: QApplication) -> None:
    edge, first, last = painted(150)
    assert 24 <= first < last <= edge <= 170


@pytest.mark.parametrize("height", [10, 30])
def test_nothing_is_drawn_where_they_do_not(qapp: QApplication, height: float) -> None:
    assert painted(height) == (24, -1, -1)


@pytest.mark.parametrize(("height", "drawn"), [(30, False), (90, True)])
def test_a_title_without_room_for_its_lines_is_left_out(qapp: QApplication, height: float, drawn: bool) -> None:
    image = QImage(120, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    blank = image.copy()
    look = Look(theme("light"), Translator("en"))
    words = message("words")
    description = StepDescription(message("Tile step 1 of 4"), (), words, words, words, (), words, None)
    painter = QPainter(image)
    edge = paint_caption(painter, description, None, QRectF(10, 20, 40, height), look)
    painter.end()
    assert (image != blank) is drawn
    assert 20 <= edge <= 20 + height


def test_no_line_of_a_title_ends_within_a_pair_of_numbers(qapp: QApplication) -> None:
    said: list[str] = []

    class Listening(QPainter):
        def drawText(self, *parts: object) -> None:  # type: ignore[override]
            said.extend(part for part in parts if isinstance(part, str))

    image, words = QImage(120, 200, QImage.Format.Format_RGB32), message("words")
    description = StepDescription(message("Block (0, 12) of 4 × 4, the last"), (), words, words, words, (), words, None)
    painter = Listening(image)
    paint_caption(painter, description, None, QRectF(10, 20, 60, 150), Look(theme("light"), Translator("en")))
    painter.end()
    assert said[0] == "Block (0,\u00a012) of 4\u00a0×\u00a04, the last"
