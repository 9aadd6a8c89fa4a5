"""The strip below two compared launches says why the times do not follow the counters, also where numbers must give way to it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.compare.differences import Difference
from app.core.compare.sentences import Report
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.compare.strip import DifferenceStrip
from kernels.base.messages import Message, message

REASON = "On the right 16.5 times the wavefronts, 1.73 times the time: both move 1024 sectors, and that part of the time stays."


def strip_of(qtbot: QtBot, language: str, width: int) -> DifferenceStrip:
    made = DifferenceStrip(Look(theme("light"), Translator(language)))
    qtbot.addWidget(made)
    made.set_rows(1)
    made.resize(width, made.height())
    made.show()
    said = message("{times} times as many", times="16.5")
    rows = tuple(Difference(message("{text}", text=f"Bank conflicts {n}"), 256, 4224 + n, said, said) for n in range(5))
    made.show_report(Report((), rows, message("{text}", text="16.5 times as many shared wavefronts on the right"), (reason(),)))
    return made


def reason() -> Message:
    return message("{text}", text=REASON)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [1040, 1080, 1125, 1180, 1320])
def test_the_reason_is_said_and_most_numbers_stay(qtbot: QtBot, language: str, width: int) -> None:
    strip = strip_of(qtbot, language, width)
    assert strip.reasons.isVisible()
    assert len(strip.shown) >= 3
    assert strip.reasons.heightForWidth(strip.reasons.width()) <= strip.reasons.height()
    assert max(cell.geometry().right() for cell in strip._cells if cell.isVisible()) < strip._words.x()
