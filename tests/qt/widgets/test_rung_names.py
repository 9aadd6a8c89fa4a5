"""Where the names of rungs are cut, no two of a list read the same."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from app.core.base.i18n import LANGUAGES, Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.widgets.rung_names import rung_name
from kernels.base.spec import Operation
from kernels.catalogue.catalogue import of

NARROWEST, WIDEST = 116, 260
"""Pixels of a name at zoom 100 %: beside a bar of the narrowest timing page, and in the widest ladder."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_two_rungs_read_the_same(qapp: QApplication, language: str, scale: float) -> None:
    look = Look(theme("light", scale), Translator(language))
    font = look.theme.font("small")
    metrics = QFontMetricsF(font)
    for operation in Operation:
        titles = {look.text(variant.title) for variant in of(operation)}
        for width in range(NARROWEST, WIDEST, 8):
            shown = {title: rung_name(look, title, font, width * scale) for title in titles}
            assert [name for name, count in Counter(shown.values()).items() if count > 1] == []
            assert all(metrics.horizontalAdvance(name) <= width * scale + 1 for name in shown.values())
            assert all(shown[title] == title for title in titles if metrics.horizontalAdvance(title) <= width * scale)
