"""What numba kept of a function is of no use once a function that it calls has another text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from kernels.base.compiled_functions import CACHE_VARIABLE

ROOT = Path(__file__).resolve().parents[4]
CALLER = """
from kernels.base.compiled_functions import compiled
from {package}.called import called

@compiled
def calls(number):
    return called(number)
"""
CALLED = "from kernels.base.compiled_functions import compiled\n\n@compiled\ndef called(number):\n    return number + {more}\n"


def result(folder: Path, package: str) -> str:
    """What a new process makes of 1: without Python's own byte code, which stays as it is where a text is changed within a second."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", CACHE_VARIABLE: str(folder / "kept")}
    command = [sys.executable, "-B", "-c", f"from {package}.caller import calls; print(calls(1))"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_a_function_is_compiled_anew_where_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    package = tmp_path / "two_modules"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "caller.py").write_text(CALLER.format(package=package.name), encoding="utf-8")
    for more in (1, 2):
        (package / "called.py").write_text(CALLED.format(more=more), encoding="utf-8")
        assert result(tmp_path, package.name) == str(1 + more)
    assert list((tmp_path / "kept").rglob("*.nbi"))
