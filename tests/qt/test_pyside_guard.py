"""The pinned PySide6 must not steal references to None: 6.12.0 does at each call that returns it, and aborts Python 3.11 in seconds."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

CALLS = 100


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_calls_that_return_none_keep_its_references(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        label.setText("a")
    assert before - sys.getrefcount(None) < CALLS // 2
