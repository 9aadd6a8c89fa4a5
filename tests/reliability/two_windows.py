"""Two windows at once on the same history and the same settings, both busy; then both are closed.

    python -m tests.reliability.two_windows [--times 3] [--seconds 20]

Every result of either is in the history, neither is offered what the other shows, and the settings file can be read.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from app.qt.base.settings import Settings
from tests.reliability.driven_window import places_in
from tests.reliability.driving import Window
from tests.reliability.killing import kept_in


def both(folder: Path, seconds: float, seed: int) -> bool:
    """Whether nothing was lost."""
    before = kept_in(folder) if (folder / "data").exists() else 0
    windows = [Window(folder, "--under", "workers", "--seed", str(seed + number)) for number in range(2)]
    for each in windows:
        each.wait_for_word("offered")
        each.wait_for_word("kept")
    time.sleep(seconds)
    offers = [said.what for each in windows for said in each.said if said.word == "offered"]
    for each in windows:
        each.process.terminate()
    for each in windows:
        each.finish()
    finished = [each.count("kept") for each in windows]
    kept = kept_in(folder) - before
    settings = Settings(places_in(folder).settings_file)
    sound = settings.notice is None and settings.text("stage/variant") is not None
    good = kept == sum(finished) and offers == [None, None] and sound
    statuses = [each.process.returncode for each in windows]
    print(
        f"{finished[0]} and {finished[1]} results finished, {kept} kept; offered {offers}; settings {'sound' if sound else 'DAMAGED'}; "
        f"statuses {statuses}{'' if good else '  LOST'}",
        flush=True,
    )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        good = [both(Path(name), options.seconds, 2 * number) for number in range(options.times)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
