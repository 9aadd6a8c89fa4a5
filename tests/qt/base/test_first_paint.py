"""What waits for the first picture of the window, and what the log says of it."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import time

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.files.log import LOG
from app.qt.base.lazy import LATEST_MS, FirstPaint, note_first_window

TICK_S = 0.02
"""The system tells when a process began in hundredths of a second."""


def test_the_first_picture_is_told_once(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    first, told = FirstPaint(window), list[bool]()
    first.painted.connect(lambda: told.append(True))
    assert told == []
    with qtbot.waitSignal(first.painted):
        window.show()
    window.repaint()
    qtbot.wait(2 * LATEST_MS)
    assert told == [True]


def test_a_window_that_nobody_sees_is_not_waited_for(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setUpdatesEnabled(False)
    first = FirstPaint(window)
    with qtbot.waitSignal(first.painted, timeout=20 * LATEST_MS):
        window.show()


def test_the_log_says_when_the_window_was_there(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LOG, "propagate", True)
    with caplog.at_level(logging.INFO, LOG.name):
        note_first_window()
    assert re.fullmatch(r"first window after \d+ ms", caplog.records[0].getMessage())


def test_a_process_is_not_older_than_the_time_since_it_was_started() -> None:
    program = "from app.qt.base.lazy import process_age_s; print(process_age_s())"
    before = time.monotonic()
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert 0 < float(said) <= time.monotonic() - before + TICK_S
