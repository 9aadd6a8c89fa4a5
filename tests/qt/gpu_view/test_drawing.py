"""Figures that are written row by row, and pictures that are drawn together: in every pixel what each by itself would be."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from app.qt.base.theme import sized, theme
from app.qt.gpu_view.drawing import FigureRow, Pictures, write_instead

CENTRE, RIGHT = (side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight))
ROWS = [["7:0", "17:3", "", "140:12"], ["8", "11", "404", "10"], ["1:77", "77:1", "17", "0:0"]]


def drawn(draw: Sequence[object], ratio: float = 1.0) -> QImage:
    image = QImage(QSize(300, 90) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for each in draw:
        assert callable(each)
        each(painter)
    painter.end()
    return image


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@pytest.mark.parametrize("flags", [CENTRE, RIGHT])
@pytest.mark.parametrize("wide", [56.0, 21.0])
@pytest.mark.parametrize("pixels", [8, 10, 13])
def test_figures_stand_where_text_does(qtbot: QtBot, pixels: int, wide: float, flags: Qt.AlignmentFlag, ratio: float) -> None:
    """Also in places that are too narrow, beyond which nothing is drawn."""
    assert qtbot is not None
    font = sized("label", pixels, QFont.Weight.Normal)
    places = [QRectF(30 + 60 * number, 2, wide, 19) for number in range(4)]

    def one_by_one(painter: QPainter) -> None:
        painter.setFont(font)
        for row, texts in enumerate(ROWS):
            for place, text in zip(places, texts, strict=True):
                painter.drawText(place.translated(0, 25 * row), flags, text)

    def together(painter: QPainter) -> None:
        FigureRow(font, places, flags).write(painter, [(25.0 * row, texts) for row, texts in enumerate(ROWS)])

    image = drawn([one_by_one], ratio)
    assert image != drawn([], ratio)
    assert image == drawn([together], ratio)


def test_figures_stay_texts_where_lines_stay_lines(qtbot: QtBot) -> None:
    assert qtbot is not None
    out, device = QBuffer(), QSvgGenerator()
    out.open(QIODevice.OpenModeFlag.WriteOnly)
    device.setOutputDevice(out)
    painter = QPainter(device)
    FigureRow(sized("label", 10), [QRectF(0, 0, 40, 20)], CENTRE).write(painter, [(0.0, ["17:3"])])
    painter.end()
    assert b">17:3</text>" in bytes(out.data().data())


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_pictures_drawn_together_are_those_drawn_by_themselves(qtbot: QtBot, ratio: float) -> None:
    """One that reaches over its edge is cut there, as it is alone."""
    assert qtbot is not None
    size, calls = QSizeF(50, 17), list[list[int]]()
    places = [(QPointF(3, 2 + 20 * number), number) for number in range(4)]

    def paint(painter: QPainter, rows: Sequence[tuple[float, int]]) -> None:
        calls.append([number for _, number in rows])
        for top, number in rows:
            painter.fillRect(QRectF(0, top, 20 + number, 10), Qt.GlobalColor.red)
            painter.drawRect(QRectF(number, top, 30, 17))

    kept, alone = Pictures(8), Pictures(8)
    one_by_one = drawn([
        lambda painter, at=at, number=number: alone.draw(painter, at, number, size, ratio, lambda one: paint(one, [(0.0, number)]))
        for at, number in places
    ], ratio)  # fmt: skip
    calls.clear()
    assert drawn([lambda painter: kept.draw_all(painter, places[:1], size, ratio, paint)], ratio) != one_by_one
    assert drawn([lambda painter: kept.draw_all(painter, places, size, ratio, paint)], ratio) == one_by_one
    assert drawn([lambda painter: kept.draw_all(painter, places, size, ratio, paint)], ratio) == one_by_one
    assert calls == [[0], [1, 2, 3]]


def test_pictures_forget_those_not_drawn_for_longest(qtbot: QtBot) -> None:
    assert qtbot is not None
    kept, calls = Pictures(3), list[int]()
    for numbers in ([0, 1], [2, 3], [0], [3]):
        places = [(QPointF(0, 0), number) for number in numbers]
        drawn([lambda painter, places=places: kept.draw_all(
            painter, places, QSizeF(9, 9), 1.0, lambda _painter, rows: calls.extend(places[row][1] for _, row in rows))])  # fmt: skip
    assert calls == [0, 1, 2, 3, 0]


@pytest.mark.parametrize("width", [120, 190, 266, 600])
@pytest.mark.parametrize("name", ["wgmma.m64n128k16.f32.bf16.bf16", "n" * 90])
@pytest.mark.parametrize(
    "around", ["This step is no matrix instruction. The next one is step 593: {}.", "这一步不是矩阵指令。下一条在第 593 步：{}。"]
)
def test_a_name_that_is_wider_than_its_view_is_broken(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, around: str, name: str, width: int
) -> None:  # fmt: skip
    assert qtbot is not None
    drawn_texts, draw, area, said = list[str](), QPainter.drawText, QRectF(0, 0, width, 300), around.format(name)

    def noted(painter: QPainter, place: QRectF, flags: int, text: str) -> None:
        needed = QFontMetricsF(painter.font()).boundingRect(place, int(flags), text)
        assert place.contains(needed), (place, needed)
        assert area.contains(place)
        drawn_texts.append(text)
        draw(painter, place, flags, text)

    monkeypatch.setattr(QPainter, "drawText", noted)
    drawn([lambda painter: write_instead(painter, area, theme("light"), said)])
    assert [each.replace("\u200b", "") for each in drawn_texts] == [said]
    if width == 266 and name.startswith("wgmma"):
        assert drawn_texts[0].split("\u200b")[1:2] == ["m64n128k16."], "behind a dot rather than anywhere"
    if width == 600:
        assert ("\u200b" in drawn_texts[0]) == name.startswith("nnn")
