"""How a language puts texts together, and at which scales icons are drawn."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme


@pytest.mark.parametrize(("language", "expected"), [("en", "One. Two."), ("zh_CN", "One.Two.")])
def test_sentences_stand_one_after_the_other(language: str, expected: str) -> None:
    assert Look(theme("light"), Translator(language)).paragraph(["One.", "Two."]) == expected


def test_no_sentences_are_no_text() -> None:
    assert Look(theme("light"), Translator("en")).paragraph([]) == ""


@pytest.mark.parametrize(("finest", "drawn"), [(1.0, [16, 48]), (1.25, [16, 24, 48]), (2.0, [16, 24, 32, 48]), (3.0, [16, 24, 32, 48])])
def test_icons_are_drawn_for_the_screens_there_are_and_for_any_to_come(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, finest: float, drawn: list[int]
) -> None:
    monkeypatch.setattr(QGuiApplication, "devicePixelRatio", lambda _self: finest)
    made = Look(theme("light"), Translator("en")).icon("play")
    assert sorted(size.width() for size in made.availableSizes()) == drawn
