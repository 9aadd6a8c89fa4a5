"""Opens the window on a disk that is full, in folders that may not be written, and with files that are damaged.

    python -m tests.reliability.storage

Each case runs in a process of its own, measures a sweep and ends in order; printed is what the window said, and what is on the disk.
The full disk is a limit on the size of files, which the system holds the process to; folders are closed by a user who may not
write there, where the script may become one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
GARBAGE = bytes(range(256)) * 16
PATIENCE_S = 300.0
"""How long is waited for the picture and for the results, on however busy a machine."""
KEPT = (
    "data/results.sqlite", "settings/settings.ini", "data/recent.json", "data/sessions/999999999.json",
    "data/drafts/999999999.json", "data/lessons.json", "data/challenges.json",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """How the folder is before the start, how the process is held back, and what the window must say."""

    name: str
    spoil: Callable[[Path], object]
    held: str = ""
    says: tuple[str, ...] = ()
    aside: int = 0
    """How many files must have been set aside, unchanged."""


def nothing(_folder: Path) -> None:
    """All is well."""


def damaged(*names: str) -> Callable[[Path], object]:
    """Puts garbage where kept files are."""

    def spoil(folder: Path) -> None:
        for name in names:
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(GARBAGE)

    return spoil


def closed(folder: Path) -> None:
    """Nobody may write there; root needs a mount for that."""
    for name in ("data", "settings", "cache"):
        (folder / name).mkdir(parents=True)
    if os.getuid() == 0:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(folder)], check=True)
    else:
        for each in (*folder.iterdir(), folder):
            each.chmod(0o555)


def opened(folder: Path) -> None:
    """The folder can be removed again."""
    if os.path.ismount(folder):
        subprocess.run(["umount", "-l", str(folder)], check=True)
    else:
        for each in (folder, *folder.rglob("*")):
            each.chmod(0o755 if each.is_dir() else 0o644)


CASES = (
    Case("all is well", nothing),
    Case("full disk", nothing, "limit", ("can no longer be written",)),
    Case("read-only folders", closed, says=("cannot be written",)),
    *(Case(f"damaged {kept}", damaged(kept), says=("It is kept as",), aside=1) for kept in KEPT),
    Case("damaged everything", damaged(*KEPT), says=("It is kept as",), aside=len(KEPT)),
)


def child(folder: Path, held: str) -> None:
    """Open the window, measure, say all that the status bar said, and end."""
    from tests.reliability.driven_window import Driven, measure, small_sweep

    driven = Driven(folder, 0, "rest", "dismiss")
    desktop, told = driven.desktop, []
    bench = desktop.workbench
    told += [str(bench.activity.value)]
    for words in (bench.activity, bench.draft_backup.failure):
        words.subscribe(lambda said: told.append(str(said)) if said is not None else None)
    desktop.start()
    desktop.welcome()
    for progress in (bench.lesson_controller.progress, bench.practice.progress):
        progress.load()  # as when the lessons and the challenges are opened
    end = time.monotonic() + PATIENCE_S
    while not desktop.workbench.stage_ready and time.monotonic() < end:
        desktop.process_events()
    if held == "limit":
        import resource

        largest = max((file.stat().st_size for file in folder.rglob("*") if file.is_file()), default=0)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
    points = small_sweep()[:30]
    request = measure(desktop, points)
    while desktop.workbench._workers.measuring.progress().busy and time.monotonic() < end:
        desktop.process_events()
    rest = time.monotonic() + 4
    while time.monotonic() < rest:
        desktop.process_events()
    measured = len([each for each in desktop.assembly.store.results() if each.verified])
    desktop.window.close()
    print(json.dumps({"said": told, "measured": measured, "asked": len(points), "request": request}), flush=True)
    os._exit(0)


def run(case: Case) -> tuple[bool, str]:
    """Whether it went as it must, and what is to be told."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "home"
        folder.mkdir()
        case.spoil(folder)
        try:
            return judged(case, folder)
        finally:
            opened(folder)


def judged(case: Case, folder: Path) -> tuple[bool, str]:
    """The same, of a folder that is as the case wants it."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.reliability.storage", "--child", str(folder), "--held", case.held],
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
        cwd=ROOT,
    )
    if ran.returncode != 0:
        return False, f"ended with {ran.returncode}: {ran.stderr[-1500:]}"
    answer = json.loads(ran.stdout.splitlines()[-1])
    said = " | ".join(answer["said"])
    aside = [file for file in folder.rglob("*unreadable*") if file.read_bytes() == GARBAGE]
    missing = [words for words in case.says if words not in said]
    good = not missing and len(aside) >= case.aside and answer["measured"] == answer["asked"]
    told = f", NOT SAID: {missing}; said: {said}" if missing else ""
    return good, f"{answer['measured']} of {answer['asked']} results, {len(aside)} set aside{told}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--held", default="", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.child is not None:
        child(options.child, options.held)
    bad = 0
    for case in CASES:
        if options.only in case.name:
            good, told = run(case)
            bad += not good
            print(f"{case.name:<24} {'good' if good else 'BAD ':<5} {told}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
