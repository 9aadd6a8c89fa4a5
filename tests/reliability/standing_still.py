"""Stops the window and all that it has started for a while, as a suspended machine does, and looks whether all goes on.

    python -m tests.reliability.standing_still [--times 3] [--seconds 10] [--seed 0]

The steady clock runs on meanwhile, which is the harder case: a machine that sleeps may or may not count. After each stop the next
trace and the next result must come, and no verified time may be longer than what the same point took in an undisturbed sample.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import psutil

from kernels.measure.store import ResultStore
from tests.reliability.driven_window import places_in
from tests.reliability.driving import Window


def stand_still(window: Window, seconds: float) -> None:
    """Stop everything, and let it go on."""
    everything = [psutil.Process(window.process.pid), *window.descendants()]
    for each in everything:
        with contextlib.suppress(psutil.Error):
            each.suspend()
    time.sleep(seconds)
    for each in everything:
        with contextlib.suppress(psutil.Error):
            each.resume()


def longest_medians(folder: Path) -> list[float]:
    """The verified medians in the history, in milliseconds."""
    store = ResultStore.open(places_in(folder).store)
    medians = [statistics.median(each.times_ms) for each in store.results() if each.verified and each.times_ms]
    store.close()
    return medians


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        window = Window(folder, "--under", "workers")
        window.wait_for(lambda: window.count("kept") > 2 and window.count("traced") > 2)
        for number in range(options.times):
            time.sleep(moments.uniform(0, 2))
            stand_still(window, options.seconds)
            begin, kept, traced = time.monotonic(), window.count("kept"), window.count("traced")
            window.wait_for_word("kept", kept)
            window.wait_for_word("traced", traced)
            print(f"{number + 1:>4} stood still {options.seconds} s, went on after {time.monotonic() - begin:.2f} s", flush=True)
        window.process.kill()
        window.finish()
        medians = longest_medians(folder)
    print(f"{len(medians)} verified results, the longest median {max(medians):.1f} ms")
    return 0 if max(medians) < options.seconds * 1000 / 2 else 1


if __name__ == "__main__":
    sys.exit(main())
