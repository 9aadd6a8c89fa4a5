"""How a language puts texts together."""

from __future__ import annotations

import pytest

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme


@pytest.mark.parametrize(("language", "expected"), [("en", "One. Two."), ("zh_CN", "One.Two.")])
def test_sentences_stand_one_after_the_other(language: str, expected: str) -> None:
    assert Look(theme("light"), Translator(language)).paragraph(["One.", "Two."]) == expected


def test_no_sentences_are_no_text() -> None:
    assert Look(theme("light"), Translator("en")).paragraph([]) == ""
