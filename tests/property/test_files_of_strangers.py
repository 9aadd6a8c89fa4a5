"""Files that mean harm, in a process that is watched: none runs code, connects, writes elsewhere, takes long or takes much memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.guarded import DEADLINE_S, Watch, own_words


@pytest.mark.timeout(900)
def test_they_do_no_harm(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.guarded", str(tmp_path)]
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "TEMP": str(tmp_path), "TMP": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env=environment, timeout=800, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    *wrong, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert wrong == [], f"each within {DEADLINE_S} s, without anything done"
    assert last["inputs"] > 300
    assert not list(root.glob("harm*"))


def test_what_is_forbidden_would_be_found(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    for event, arguments in (
        ("subprocess.Popen", ("ls", ["ls"], None, None)),
        ("socket.connect", (None, ("host", 80))),
        ("open", ("/elsewhere/file", "w", os.O_WRONLY | os.O_CREAT)),
        ("os.rename", (str(tmp_path / "a"), "/elsewhere/b", -1, -1)),
        ("exec", (compile("1", "<string>", "exec"),)),
        ("compile", (b"import os", "<generated from k>")),
    ):
        watch.done.clear()
        watch(event, arguments)
        assert watch.done, event
    watch.done.clear()
    watch("open", (str(tmp_path / "a"), "w", os.O_WRONLY))
    watch("open", ("/elsewhere/file", "r", os.O_RDONLY))
    watch("exec", (compile("1", "<generated from k>", "exec"),))
    assert watch.done == []


@pytest.mark.parametrize("code", ["a.__class__", "__import__('os')", "lambda: 1", "import os", "x._private"])
def test_words_that_reach_beyond_generated_code_are_seen(code: str) -> None:
    assert list(own_words(code))
