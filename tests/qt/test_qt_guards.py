"""The guards of this folder go red when they should: each toy test leaves one thing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

TOY = """
from PySide6.QtCore import QObject, QThread, QTimer, qWarning
from PySide6.QtWidgets import QWidget

kept = []

def test_warning():
    qWarning("the toy warns")

def test_expected_warning(qt_warnings):
    qWarning("the toy warns as it should")
    assert qt_warnings == ["the toy warns as it should"]
    qt_warnings.clear()

def test_timer():
    timer = QTimer()
    timer.setObjectName("toy timer")
    timer.start(10_000)
    kept.append(timer)

def test_window():
    window = QWidget()
    window.setObjectName("toy window")
    kept.append(window)

def test_thread():
    thread = QThread()
    thread.setObjectName("toy thread")
    thread.start()
    kept.append(thread)

def test_clean(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    timer = QTimer(window)
    timer.start(10_000)
    window.show()
    window.setMinimumSize(100, 100)  # of which the offscreen platform complains
    thread = QThread()
    thread.start()
    thread.quit()
    kept.append(thread)

def test_zz_stop_the_thread():
    running = next(each for each in kept if isinstance(each, QThread) and each.isRunning())
    running.quit()
    assert running.wait(2000)
"""


def test_each_leak_and_each_warning_fails_its_test(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parent.parent.parent))
    conftest = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(conftest.replace("PATIENCE_S = 20.0", "PATIENCE_S = 0.3"))
    pytester.makepyfile(TOY)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=7, errors=4)
    for line in ("*Qt warned: *the toy warns'*", "*QTimer 'toy timer'*", "*window QWidget 'toy window'*", "*QThread 'toy thread'*"):
        result.stdout.fnmatch_lines([line])
