"""The log tells once when the window was there."""

from __future__ import annotations

import logging
import re

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.trouble.log import LOG
from app.qt.first_paint import FirstPaint


def test_the_first_window_is_noted_once(qtbot: QtBot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LOG, "propagate", True)
    window = QWidget()
    qtbot.addWidget(window)
    FirstPaint(window)
    with caplog.at_level(logging.INFO, LOG.name):
        assert not caplog.records
        window.show()
        qtbot.waitUntil(lambda: bool(caplog.records))
        window.repaint()
        qtbot.wait(20)
    assert len(caplog.records) == 1
    assert re.fullmatch(r"first window after \d+ ms", caplog.records[0].getMessage())
