"""The guards that every test is held to go red when they should."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = """
import subprocess, sys, threading

kept = []
stop = threading.Event()

def test_thread():
    threading.Thread(target=stop.wait, name="toy thread", daemon=True).start()

def test_process():
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_clean():
    thread = threading.Thread(target=stop.wait, args=(0.1,))
    thread.start()
    assert subprocess.run([sys.executable, "-c", ""]).returncode == 0

def test_zz_stop():
    stop.set()
    kept[0].communicate(b"\\n")
"""


def test_a_thread_and_a_process_left_behind_fail_their_tests(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(ROOT / "packaging"))))
    conftest = (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8")
    pytester.makeconftest(conftest.replace("PATIENCE_S = 20.0", "PATIENCE_S = 0.3"))
    pytester.makepyfile(TOY)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=4, errors=2)
    result.stdout.fnmatch_lines(["*threads left running: *toy thread*", "*child processes left: *"])
