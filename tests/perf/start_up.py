"""How long from the start of the process until the first window is on the screen, what is loaded by then, and memory at rest.

    python tests/perf/start_up.py [--starts 10] [--program PATH] [--cold]

With `--program`, of a packaged program; else of this checkout. Each start is a process of its own, in a folder of settings of its own.
The program itself notes in its log when its window was there; the rest is looked at from outside. `--cold` has the system forget the
program's files before each start. Linux.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.perf.figures import Figure

ROOT = Path(__file__).resolve().parents[2]
REST_S = 5.0
"""After which the program has started its workers and is at rest."""
LONGEST_S = 60.0
HEAVY = ("llvmlite", "cupy", "clang/native")
"""Libraries that no window needs, by a part of their path."""


@dataclass(frozen=True, slots=True)
class Start:
    """Milliseconds until the window was there, the heavy libraries loaded by then, MiB of the program and of all its processes at rest."""

    window_ms: int
    heavy: tuple[str, ...]
    own_mib: float
    all_mib: float


def main(arguments: list[str]) -> None:
    """Start the program so many times and print the figures."""
    parser = argparse.ArgumentParser(description="how long until the first window is there")
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--program", type=Path, help="the program of a package")
    parser.add_argument("--cold", action="store_true", help="have its files read from the disk at each start")
    chosen = parser.parse_args(arguments)
    command = [str(chosen.program.resolve())] if chosen.program else [sys.executable, "-m", "app"]
    starts = []
    for _ in range(chosen.starts):
        if chosen.cold:
            forget_files(chosen.program.resolve().parent if chosen.program else Path(sys.prefix))
        starts.append(start(command))
    times = [each.window_ms for each in starts]
    print(f"first window after, ms: first {times[0]}, median {statistics.median(times):.0f}, longest {max(times)} of {len(times)} starts")
    own, together = (statistics.median(getattr(each, name) for each in starts) for name in ("own_mib", "all_mib"))
    print(f"memory {REST_S:g} s later, MiB: {own:.0f}, with its workers {together:.0f}")
    print(f"heavy libraries loaded by the first window: {', '.join(starts[0].heavy) or 'none'}")


def figures(*, quick: bool) -> list[Figure]:
    """Seconds and megabytes, from source, and of the package of the CPU edition where it was made here."""
    times = 3 if quick else 10
    program = ROOT / "build" / "package" / "cpu" / "tilescope" / "tilescope"
    found = _of([start([sys.executable, "-m", "app"]) for _ in range(times)], "from source")
    if not program.is_file():
        return found
    command = [str(program)]
    found += _of([start(command) for _ in range(times)], "of the package, warm")
    cold = []
    for _ in range(1 if quick else 5):
        forget_files(program.parent)
        cold.append(start(command))
    return found + _of(cold, "of the package, cold")[:1]


def _of(starts: list[Start], which: str) -> list[Figure]:
    conditions = f"{len(starts)} starts"
    shared = f"{conditions}; what processes share counts once"
    return [
        Figure(f"first window {which}, median", statistics.median(each.window_ms for each in starts) / 1e3, "s", conditions),
        Figure(f"first window {which}, longest", max(each.window_ms for each in starts) / 1e3, "s", conditions),
        Figure(f"memory at rest {which}", statistics.median(each.own_mib for each in starts) * 2**20 / 1e6, "MB", conditions),
        Figure(f"memory with workers {which}", statistics.median(each.all_mib for each in starts) * 2**20 / 1e6, "MB", shared),
    ]


def start(command: list[str]) -> Start:
    """Start the program, look at it and have it end."""
    with tempfile.TemporaryDirectory() as home:
        platform = os.environ.get("QT_QPA_PLATFORM", "offscreen")
        environment = os.environ | {"TILESCOPE_HOME": home, "QT_QPA_PLATFORM": platform}
        with subprocess.Popen(command, env=environment) as program:
            window_ms = until_noted(Path(home), program)
            process = psutil.Process(program.pid)
            loaded = " ".join(mapped.path for mapped in process.memory_maps())
            time.sleep(REST_S)
            workers = [child.memory_full_info().pss for child in process.children(recursive=True)]
            own = process.memory_full_info()
            program.terminate()
            program.wait(LONGEST_S)
    heavy = tuple(name for name in HEAVY if name in loaded)
    return Start(window_ms, heavy, own.rss / 2**20, (own.pss + sum(workers)) / 2**20)


def until_noted(home: Path, program: subprocess.Popen[bytes]) -> int:
    """Wait until the log says that the window was there; how many milliseconds after the start that was."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end and program.poll() is None:
        for path in home.rglob("*.log"):
            noted = re.search(r"first window after (\d+) ms", path.read_text(encoding="utf-8"))
            if noted:
                return int(noted[1])
        time.sleep(0.02)
    program.kill()
    raise SystemExit("The program noted no window in its log.")


def forget_files(folder: Path) -> None:
    """Have the system drop what it holds of these files in memory."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    main(sys.argv[1:])
