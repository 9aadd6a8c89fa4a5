"""Crosses for points without a time: their numbers touch no name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from app.qt.charts.overlay import CROSS, LABEL_GAP, number_place

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
