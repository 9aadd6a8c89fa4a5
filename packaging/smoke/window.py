"""The window of a package on an X server of its own: opened, looked for, given keys, closed."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from smoke.minimal import MinimalSystem, surroundings

SCREEN = "1920x1080x24"
TITLE = "Tilescope"
APPEARS_S, ENDS_S = 60.0, 3.0
"""How long a window may take on a busy machine, and how long closing may take on any."""


@contextlib.contextmanager
def display() -> Iterator[str]:
    """An X server that nothing else uses; its name."""
    number = next(each for each in range(77, 177) if not _socket(each).exists())
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is needed to try the window; on Debian and Ubuntu: apt-get install xvfb xdotool")
    server = subprocess.Popen(["Xvfb", f":{number}", "-screen", "0", SCREEN, "-ac", "-noreset"], stderr=subprocess.DEVNULL)
    try:
        _until(_socket(number).exists, 10)
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def _socket(number: int) -> Path:
    return Path(f"/tmp/.X11-unix/X{number}")


class Window:
    """One start of the program with a window. It is inside the system, the keys come from outside."""

    def __init__(self, system: MinimalSystem, program: str, home: str, screen: str, *words: str) -> None:
        self._screen = screen
        self._started = time.monotonic()
        environment = surroundings({"HOME": home, "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb"})
        self._process = subprocess.Popen(
            system.command([program, *words]), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/"
        )

    def appears(self) -> float | None:
        """Seconds from the start until the window is on the screen; None where it is not within a minute."""
        found = _until(
            lambda: self._process.poll() is not None or bool(self._xdotool("search", "--onlyvisible", "--name", TITLE)), APPEARS_S
        )
        return time.monotonic() - self._started if found and self._process.poll() is None else None

    def key(self, name: str) -> None:
        """Press a key while the window has the focus."""
        (window, *_) = self._xdotool("search", "--onlyvisible", "--name", TITLE).split()
        self._xdotool("windowfocus", window)
        self._xdotool("key", name)

    def ends(self) -> float | None:
        """Seconds until the program has ended; None where it has not within what closing may take."""
        since = time.monotonic()
        try:
            self._process.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - since

    @property
    def status(self) -> int | None:
        return self._process.returncode

    def stop(self) -> str:
        """End the program if it still runs; what it wrote."""
        self._process.kill()
        return self._process.communicate()[0].decode(errors="replace")

    def _xdotool(self, *words: str) -> str:
        done = subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": self._screen}, capture_output=True, check=False)
        return done.stdout.decode()


def orphans(system: MinimalSystem) -> list[str]:
    """The programs that still run inside the system."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "root").readlink() == system.root:
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip())
    return found


def _until(true: object, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if callable(true) and true():
            return True
        time.sleep(0.05)
    return False
