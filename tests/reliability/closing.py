"""Closes the window at random moments in different states, and measures how long until every process is gone.

    python -m tests.reliability.closing [--times 50] [--seed 0] [--under kernel ...]

"window" is the time until the window's own process has ended, "all" until the last process that it had started is gone too.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.reliability.driving import Window, last_to_end

MOST_S = 3.0
GIVEN_UP_S = 30.0
UNDER = ("play", "sweep", "kernel", "mpi", "clip", "compile", "rest", "start")
"""What is going on; "start": the window is still opening."""


def close_one(folder: Path, under: str, seed: int, seconds: float) -> tuple[float, float, int | None]:
    """Open a window, close it so many seconds after it opened; the two times, and its exit status."""
    window = Window(folder, "--seed", str(seed), "--under", "play" if under == "start" else under)
    window.wait_for(lambda: window.count("opened"))
    if under != "start":
        window.wait_for(lambda: window.count("offered"))
    time.sleep(seconds)
    started = window.descendants()
    begin = time.monotonic()
    window.process.send_signal(signal.SIGTERM)
    own, stuck = last_to_end([psutil.Process(window.process.pid)], begin, GIVEN_UP_S)
    if stuck:
        window.process.send_signal(signal.SIGABRT)  # its threads are then in errors.txt
    everything, left = last_to_end(started, begin, GIVEN_UP_S)
    for each in left:
        each.kill()
    window.finish()
    return own, everything, window.process.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--under", nargs="+", choices=UNDER, default=UNDER)
    parser.add_argument("--within", type=float, default=8.0, help="the latest moment of closing, seconds after opening")
    options = parser.parse_args()
    moments, late = random.Random(options.seed), 0
    print(f"{'':>4} {'under':<8} {'after s':>8} {'window s':>9} {'all s':>7} {'status':>7}")
    with tempfile.TemporaryDirectory() as name:
        for number in range(options.times):
            under = options.under[number % len(options.under)]
            folder = Path(name) / (f"cold {number}" if under == "compile" else "warm")
            seconds = moments.uniform(0, 1.0 if under == "start" else options.within)
            own, everything, status = close_one(folder, under, options.seed + number, seconds)
            good = everything <= MOST_S and status == 0
            late += not good
            print(
                f"{number + 1:>4} {under:<8} {seconds:>8.2f} {own:>9.2f} {everything:>7.2f} {status!s:>7}{'' if good else '  LATE'}",
                flush=True,
            )
            if not good and status != 0:
                print((folder / "errors.txt").read_text()[-3000:], flush=True)
    print(f"{options.times - late} of {options.times} within {MOST_S} s")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
