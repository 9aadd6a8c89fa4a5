"""Crosses for points without a time: their numbers touch no name. Signs of disturbed points stand apart from the grid."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from app.qt.base.theme import theme
from app.qt.charts.overlay import CROSS, LABEL_GAP, number_place
from app.qt.charts.style import paint_disturbed

RIGHT = 400.0


@pytest.mark.parametrize("width", [6.0, 13.0])
@pytest.mark.parametrize("x", [40.0, 380.0, 395.0, RIGHT])
def test_a_number_stands_beside_its_cross_and_apart_from_the_names(x: float, width: float) -> None:
    place = number_place(QPointF(x, 200), width, RIGHT)
    assert place.right() <= RIGHT <= RIGHT + LABEL_GAP - 10
    assert not place.left() < x < place.right()
    assert abs(place.center().x() - x) <= CROSS + width / 2
    assert place.center().y() == 200


def test_where_there_is_room_it_stands_at_the_right() -> None:
    assert number_place(QPointF(40, 200), 6, RIGHT).left() > 40


@pytest.mark.parametrize("name", ["light", "dark"])
def test_no_line_of_the_grid_runs_through_the_sign_of_a_disturbed_point(name: str) -> None:
    colours, image = theme(name), QImage(41, 41, QImage.Format.Format_RGB32)
    image.fill(colours.bg1)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(0, 20, 41, 1, colours.line)
    paint_disturbed(painter, colours, QPointF(20.5, 20.5), 11)
    painter.end()
    assert image.pixelColor(20, 20) == colours.bg1
    assert image.pixelColor(2, 20) == colours.line
