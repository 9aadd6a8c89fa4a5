"""Ways of values that leave the picture end at the words that say whereto."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFontMetricsF

from app.core.base.i18n import Translator
from app.core.frames.matrix import Arrangement, Box, MatrixPicture
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.matrix.access import AccessPainter, _bars
from app.qt.matrix.geometry import lay_out
from app.qt.matrix.marks import tag_of
from kernels.base.messages import message

PRODUCT = Arrangement((("A", (64, 64)), ("B", (64, 64)), ("C", (64, 64))), row_ticks=True)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("name", ["A", "B"])
@pytest.mark.parametrize("size", [QSizeF(434, 520), QSizeF(390, 540), QSizeF(900, 800), QSizeF(240, 300)])
@pytest.mark.usefixtures("qapp")
def test_a_way_to_shared_memory_ends_at_its_words_and_crosses_no_tile_of_c(size: QSizeF, name: str, language: str) -> None:
    layout = lay_out(size, 1.0, PRODUCT)
    shown = MatrixPicture(PRODUCT, (), 0.0, None, pending=True, added=(0, 0), route=message("global → shared"), to_shared=True)
    painter = AccessPainter(layout, {}, Look(theme("light"), Translator(language)))
    words, source = painter._chip_place(shown), layout.matrices[name].rect(Box(16, 16, 16, 16))
    way = painter._leaving(name, source, words)
    assert way.pointAtPercent(0) == source.center() + (source.topRight() - source.topLeft()) / 2
    end = way.pointAtPercent(1)
    assert words.adjusted(-0.1, -0.1, 0.1, 0.1).contains(end)
    assert not words.adjusted(0.1, 0.1, -0.1, -0.1).contains(end)
    assert not any(bar.intersects(layout.matrices["C"].area) for bar in _bars(way, 1.0))


@pytest.mark.parametrize("size", [QSizeF(354, 263), QSizeF(300, 240), QSizeF(380, 415), QSizeF(900, 800)])
@pytest.mark.usefixtures("qapp")
def test_the_words_that_say_whereto_stand_below_the_numbers_of_columns_and_in_the_picture(size: QSizeF) -> None:
    look, layout = Look(theme("light"), Translator("zh_CN")), lay_out(size, 1.0, PRODUCT)
    shown = MatrixPicture(PRODUCT, (), 0.0, None, pending=True, added=(0, 0), route=message("global → shared"), to_shared=True)
    words, area = AccessPainter(layout, {}, look)._chip_place(shown), layout.matrices["A"].area
    middle, font = area.bottom() + 13, QFontMetricsF(look.theme.font("label"))
    assert words.top() >= middle + font.tightBoundingRect("t = 1").height() / 2
    assert words.bottom() < size.height()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize(("room", "short"), [(92.0, True), (190.0, False)])
@pytest.mark.usefixtures("qapp")
def test_how_many_steps_were_added_is_said_shorter_over_a_small_matrix(language: str, room: float, *, short: bool) -> None:
    text, size = tag_of((3, 7), Look(theme("light"), Translator(language)), room)
    assert size.width() <= room
    assert ("3/7" in text) == short
