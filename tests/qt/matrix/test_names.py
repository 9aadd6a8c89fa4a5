"""The names of matrices above them, which are not written over each other."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.core.base.i18n import Translator
from app.core.frames.matrix import Arrangement
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.matrix.geometry import MatrixBox, lay_out
from app.qt.matrix.marks import paint_name

LOOK = Look(theme("light"), Translator("en"))


def painted(until: float) -> tuple[int, int]:
    """The first and last column of pixels that the name of a narrow matrix takes."""
    image = QImage(400, 60, QImage.Format.Format_RGB32)
    image.fill(LOOK.theme.bg2)
    painter = QPainter(image)
    paint_name(painter, "T", LOOK.theme.t1, MatrixBox(QPointF(200, 40), 1.0, 1, (192, 32)), LOOK, until=until)
    painter.end()
    ground = LOOK.theme.bg2.rgb()
    columns = [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in range(image.height()))]
    return columns[0], columns[-1]


def test_a_name_ends_before_the_next_one_begins(qapp: QApplication) -> None:
    first, last = painted(math.inf)
    assert first >= 200
    assert last > 240
    first, last = painted(240.0)
    assert first < 200
    assert last < 236


def test_what_stands_at_the_right_of_a_matrix_is_known(qapp: QApplication) -> None:
    places = lay_out(QSizeF(600, 500), 1.0, Arrangement((("A", (192, 32)), ("B", (64, 64)), ("C", (64, 64)))))
    assert places.next_to("A") == places.matrices["C"].origin.x()
    assert places.next_to("B") == places.next_to("C") >= 600


def test_a_name_at_the_edge_of_the_canvas_ends_within_it(qapp: QApplication) -> None:
    """Of a small matrix in a narrow canvas the name is wider than what is at the right of it."""
    places = lay_out(QSizeF(240, 260), 1.0, Arrangement((("A", (64, 96)), ("C", (96, 64)))))
    place = places.matrices["C"]
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(LOOK.theme.bg2)
    painter = QPainter(image)
    wanted = paint_name(painter, "C", LOOK.theme.t1, place, LOOK)
    ends = paint_name(painter, "C", LOOK.theme.t1, place, LOOK, until=places.next_to("C"))
    painter.end()
    assert wanted > 240 >= ends
