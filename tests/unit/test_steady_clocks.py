"""Nothing that measures, waits or gives up asks what time of day it is: that jumps when it is set, steady clocks do not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = {
    "app/core/state/states.py": "tells when a state was seen, which is a time of day",
    "app/qt/base/lazy.py": "compares with when the process began, which the system tells in that clock alone",
    "kernels/jit/pace.py": "compares with when a file was written, which the file system tells in that clock alone",
    "kernels/simt/host/c_library.py": "answers a program that asks what time it is",
    "kernels/simt/frontend/precompiled.py": "compares with when a folder was made, which the file system tells in that clock alone",
}
"""The only files that ask for the seconds of the day, and why."""


def asks_for_the_day(source: str) -> bool:
    """Whether a text calls `time.time`, by whatever way it was imported, or takes the seconds of a date."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in ("time", "time_ns")
            and isinstance(node.value, ast.Name)
            and node.value.id == "time"
        ):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "time" and any(each.name in ("time", "time_ns") for each in node.names):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "timestamp":
            return True
    return False


def test_only_files_that_say_why_ask_for_the_day() -> None:
    sources = [path for folder in ("app", "kernels") for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in sources if asks_for_the_day(path.read_text(encoding="utf-8"))}
    assert found == NAMES.keys()


@pytest.mark.parametrize("text", ["import time\nt = time.time()", "from time import time_ns", "datetime.now().timestamp()"])
def test_every_way_of_asking_is_seen(text: str) -> None:
    assert asks_for_the_day(text)
