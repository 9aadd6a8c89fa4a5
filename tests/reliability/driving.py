"""Starts driven windows and reads what they say."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests.reliability.saying import Said, events

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-X", "faulthandler", "-m", "tests.reliability.driven_window")
SETTLE_S = 120.0
"""How long a window is given to say something, on however busy a machine."""


class Window:
    """A running window; everything that it says is in `said`."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.errors = folder / "errors.txt"
        folder.mkdir(parents=True, exist_ok=True)
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen([*PROGRAM, str(folder), *options], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT)
        self.said: list[Said] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, what: Callable[[], object], seconds: float = SETTLE_S) -> None:
        """Return when it is so. Raises TimeoutError, and RuntimeError when the window has ended."""
        end = time.monotonic() + seconds
        while not what():
            if self.process.poll() is not None:
                raise RuntimeError(f"the window ended with {self.process.returncode}: {self.errors.read_text()[-2000:]}")
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} s; said last: {self.said[-1:]}")
            time.sleep(0.02)

    def wait_for_word(self, word: str, beyond: int = 0) -> None:
        """Return when it has said a word more often than so."""
        self.wait_for(lambda: self.count(word) > beyond)

    def count(self, word: str) -> int:
        """How often it has said a word."""
        return sum(said.word == word for said in self.said)

    def descendants(self) -> list[psutil.Process]:
        """All that the window has started, and what that has."""
        try:
            return list(psutil.Process(self.process.pid).children(recursive=True))
        except psutil.Error:
            return []

    def finish(self) -> None:
        """Wait until all that it said is read."""
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for event in events(self.process.stdout):
            self.said.append(event)


def name_of(process: psutil.Process) -> str | None:
    """What a process of the program is there for; None where it has ended."""
    kinds = ("resource_tracker", "spawn_main", "mpiexec", "kernels.mpi.rank", "proxy")
    try:
        words = process.cmdline()
    except psutil.NoSuchProcess:  # a zombie is one too
        return None
    return next((kind for kind in kinds if any(kind in word for word in words)), words[0] if words else None)


def last_to_end(processes: list[psutil.Process], begin: float, seconds: float) -> tuple[float, list[psutil.Process]]:
    """Seconds from `begin` until the last of them was gone, and those that are not even after `seconds`."""
    while (left := [each for each in processes if _runs(each)]) and time.monotonic() - begin < seconds:
        time.sleep(0.01)
    return time.monotonic() - begin, left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
