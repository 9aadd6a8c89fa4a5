"""Registers as cells: what is written into them, and what comes first where there is not room for all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.cpu_view.operands import Operand
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.cpu_view.loops_view import paint_operands
from kernels.base.messages import message

LOOK = Look(theme("dark"), Translator("en"))
TURNED = np.tile(np.array([-3, 2, 1, 0], np.float32), (16, 4))


def operand(name: str, values: npt.NDArray[np.float32], *, now: bool) -> Operand:
    return Operand(name, name, message("is read"), now, values)


def drawn(shown: list[Operand], width: float, height: float) -> QImage:
    image = QImage(300, 700, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    paint_operands(painter, shown, QRectF(5, 5, width, height), LOOK)
    painter.end()
    return image


def test_a_register_tile_of_sixteen_by_sixteen_has_its_values(qtbot: QtBot) -> None:
    other = TURNED.copy()
    other[3, 5] = -1
    one, two = (drawn([operand("A", values, now=True)], 232, 600) for values in (TURNED, other))
    assert one != two


def test_what_the_step_accesses_has_the_room_before_what_is_held(qtbot: QtBot) -> None:
    held, now = operand("A", TURNED, now=False), operand("C", TURNED, now=True)
    assert drawn([held, now], 232, 400) == drawn([now], 232, 400)
    assert drawn([held, now], 232, 690) != drawn([now, held], 232, 690), "where both fit they stay in order"
