"""Programs with something changed at random: none crashes its process, none runs past the deadline, none writes anything but its output.

`TILESCOPE_MUTATIONS` is how many; a hundred thousand take a night.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from kernels.simt.host.execution import execute
from kernels.simt.host.result import Limits, NotRun, ProgramJob
from tests.program_corpus import FOLDER, samples

COUNT = int(os.environ.get("TILESCOPE_MUTATIONS", "40"))
SECONDS = 2.0
LATE_S = 40.0
NUMBERS = ("0", "1", "-1", "7", "31", "1000", "1000000", "2147483647", "-2147483648", "4294967296", "0.5")
SWAPS = (("<", "<="), ("<=", "<"), ("<", ">"), ("+", "-"), ("*", "/"), ("/", "%"), ("++", "--"), ("&", ""), ("*", ""), ("[i]", "[i + 1]"),
         ("free", "(void)"), ("Host", "Device"), ("Device", "Host"), ("&&", "||"), ("= ", "+= "), ("sizeof", "100 * sizeof"))  # fmt: skip


def mutated(text: str, draw: random.Random) -> str:
    """The text with one to three changes."""
    for _ in range(draw.randint(1, 3)):
        kind = draw.randrange(4)
        if kind == 0:
            places = list(re.finditer(r"\b\d+\b", text))
            text = _replaced(text, draw.choice(places), draw.choice(NUMBERS)) if places else text
        elif kind == 1:
            old, new = draw.choice(SWAPS)
            places = list(re.finditer(re.escape(old), text))
            text = _replaced(text, draw.choice(places), new) if places else text
        elif kind == 2:
            lines = text.split("\n")
            del lines[draw.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            lines = text.split("\n")
            lines.insert(draw.randrange(len(lines)), draw.choice(lines))
            text = "\n".join(lines)
    return text


def _replaced(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]


def child(text: str, path: Path) -> int:
    """Run a program in a process that is made of this one, every second one with all launches compiled that can be; how that ended, as
    `os.waitpid` says."""
    pid = os.fork()
    if pid == 0:
        try:
            limits = Limits(seconds=SECONDS, bytes=1 << 30, output=1 << 20, recorded=len(text) % 2 * Limits().recorded)
            outcome = execute(ProgramJob(text, path, (), limits), lambda _stream, _data: None, lambda _progress: None)
            os._exit(0 if isinstance(outcome, NotRun) else 1)
        except BaseException as error:
            sys.__stderr__.write(f"{type(error).__name__}: {error}\n{text}\n") if sys.__stderr__ else None
            os._exit(99)
    end = time.monotonic() + LATE_S
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.timeout(0)
def test_no_mutation_does_any_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, empty = samples(), tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    before = sorted(path.name for path in FOLDER.iterdir())
    texts = [sample.path.read_text(encoding="utf-8") for sample in corpus]
    seed = int(os.environ.get("TILESCOPE_SEED", "1"))
    ran = 0
    for number in range(COUNT):
        draw = random.Random(f"{seed} {number}")
        text = mutated(draw.choice(texts), draw)
        status = child(text, corpus[0].path)
        (tmp_path / "last.cu").write_text(text, encoding="utf-8")
        assert status != -1, f"mutation {number} of seed {seed} hangs:\n{text}"
        assert os.WIFEXITED(status), f"mutation {number} of seed {seed} ends by signal {os.WTERMSIG(status)}:\n{text}"
        assert os.WEXITSTATUS(status) in (0, 1), f"mutation {number} of seed {seed} fails:\n{text}"
        ran += os.WEXITSTATUS(status)
    assert list(empty.iterdir()) == []
    assert sorted(path.name for path in FOLDER.iterdir()) == before
    assert ran > COUNT // 4
