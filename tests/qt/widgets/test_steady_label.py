"""Labels that change while something plays leave the layout alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.qt.base.theme import theme
from app.qt.widgets.labels import SteadyLabel
from tests.screens.text_fits import painted_cut


class Layouts(QObject):
    """Counts how often a widget is asked to lay out what is in it."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__()
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def row_with(qtbot: QtBot, label: SteadyLabel) -> QWidget:
    row = QWidget()
    qtbot.addWidget(row)
    QHBoxLayout(row).addWidget(label)
    row.resize(400, 60)
    row.show()
    qtbot.waitExposed(row)
    return row


def test_only_a_wider_text_asks_for_room(qtbot: QtBot) -> None:
    label = SteadyLabel(theme("light").font("body"))
    row = row_with(qtbot, label)
    label.setText("Step 100 of 512")
    qtbot.wait(1)
    layouts, wide = Layouts(row), label.sizeHint().width()
    for number in range(10, 99):
        label.setText(f"Step {number} of 512")
        qtbot.wait(0)
    assert (layouts.count, label.sizeHint().width(), label.text()) == (0, wide, "Step 98 of 512")
    label.setText("Step 100 of 512, and more")
    qtbot.waitUntil(lambda: layouts.count > 0)
    assert label.sizeHint().width() > wide


def test_it_can_become_narrow_again(qtbot: QtBot) -> None:
    label = SteadyLabel(theme("light").font("body"))
    qtbot.addWidget(label)
    label.setText("a long text")
    wide = label.sizeHint().width()
    label.setText("short")
    assert label.sizeHint().width() == wide
    label.forget()
    assert 0 < label.sizeHint().width() < wide


def test_a_text_of_more_lines_gets_and_keeps_their_room(qtbot: QtBot) -> None:
    label = SteadyLabel(theme("light").font("sentence"), lines=2)
    row = row_with(qtbot, label)
    label.setText("one line")
    low = label.minimumHeight()
    label.setText("very many words " * 12)
    assert label.minimumHeight() > 2 * low / 1.5
    high = label.minimumHeight()
    label.setText("one line")
    assert label.minimumHeight() == high
    assert label.accessibleName() == "one line"
    assert row.width() == 400


@pytest.mark.parametrize("room", [24, 30, 36, 42])
def test_a_pill_without_two_of_its_letters_is_not_painted(qtbot: QtBot, room: int) -> None:
    look = theme("light", 2.0)
    label = SteadyLabel(look.font("label"), ink=look.now_text, ground=look.now_bg)
    qtbot.addWidget(label)
    label.setText("add")
    label.resize(label.sizeHint())
    assert label.grab().toImage().pixelColor(label.rect().center()) != label.palette().window().color()
    label.resize(room, label.height())
    assert label.grab().toImage().pixelColor(room // 2, 3) == label.palette().window().color()


def test_a_pill_is_painted_in_its_colours(qtbot: QtBot) -> None:
    look = theme("light")
    label = SteadyLabel(look.font("label"), ink=look.now_text, ground=look.now_bg)
    qtbot.addWidget(label)
    label.setFixedHeight(22)
    label.resize(200, 22)
    label.setText("load")
    shown = label.grab().toImage()
    assert shown.pixelColor(8, 4) == look.now_bg
    label.colour(look.bad, look.bad_bg, look.bad)
    assert label.grab().toImage().pixelColor(8, 4) == look.bad_bg


def test_a_wrapped_line_becomes_two_where_it_would_be_shortened_and_one_again_where_there_is_room(qtbot: QtBot) -> None:
    label = SteadyLabel(theme("light").font("body"), wrapped=True)
    qtbot.addWidget(label)
    label.show()
    one = label.sizeHint().height()
    label.resize(120, one)
    label.setText("Line 69, warp 3 of block (0, 0)")
    assert label.minimumHeight() > 1.5 * one
    label.setText("Line 69")
    assert label.minimumHeight() > 1.5 * one
    label.resize(400, one)
    assert label.minimumHeight() <= one


@pytest.mark.parametrize(("share", "seen"), [(0.4, False), (0.7, True), (1.0, True)])
def test_a_pill_with_room_for_less_than_half_of_its_text_is_left_out(qtbot: QtBot, share: float, seen: bool) -> None:
    look = theme("light")
    label = SteadyLabel(look.font("label"), ink=look.now_text, ground=look.now_bg)
    qtbot.addWidget(label)
    label.setText("compute the product")
    label.resize(round(label.sizeHint().width() * share), 22)
    picture = label.grab().toImage()
    assert (picture.pixelColor(picture.width() // 2, 3) == look.now_bg) == seen


@pytest.mark.parametrize(("wide", "seen"), [(60, True), (45, True), (34, False)])
def test_a_pill_says_a_part_of_its_word_or_is_not_there(qtbot: QtBot, wide: int, seen: bool) -> None:
    look = theme("light")
    label = SteadyLabel(look.font("label"), ink=look.now_text, ground=look.now_bg)
    qtbot.addWidget(label)
    label.setText("load")
    label.resize(wide, 22)
    image = label.grab().toImage()
    assert (len({image.pixel(x, 11) for x in range(image.width())}) > 1) == seen


@pytest.mark.parametrize("word", ["stages[49152..49159]", "a_kernel_of_a_stranger_with_a_name_that_never_ends"])
def test_a_word_that_is_wider_than_a_line_is_broken(qtbot: QtBot, word: str) -> None:
    label = SteadyLabel(theme("light").font("sentence"), lines=2)
    row = row_with(qtbot, label)
    label.setText(f"Warp 0 writes {word} in shared memory.")
    row.resize(row.width() - label.width() + QFontMetrics(label.font()).horizontalAdvance(word) * 3 // 4, 200)
    qtbot.wait(1)
    assert painted_cut(row) == []
    assert (label.text(), label.accessibleName()) == (f"Warp 0 writes {word} in shared memory.",) * 2


def test_the_words_of_a_pill_stand_in_it_also_where_it_is_at_the_right_of_a_longer_ones_place(qtbot: QtBot) -> None:
    ink, ground = QColor("black"), QColor("white")
    label = SteadyLabel(theme("light").font("label"), ink=ink, ground=ground)
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    label.setStyleSheet("background: white")
    label.colour(ink, ground, ground)
    qtbot.addWidget(label)
    label.setText("✓ no conflict")
    label.resize(400, 24)
    seen = label.grab().toImage()
    dark = [x for x in range(label.width()) if any(seen.pixelColor(x, y).lightness() < 100 for y in range(4, 20))]
    assert min(dark) >= label.width() - label.needed
