"""Kills the X server under a running window, and looks what is left: results, what was shown, and no process.

    python -m tests.reliability.losing_the_display [--times 3] [--display 77]

Needs Xvfb. The window may end; the next start offers what was shown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.reliability.driving import Window, last_to_end
from tests.reliability.killing import kept_in, last_written

ENDS_WITHIN_S = 30.0


def lose_one(folder: Path, display: str) -> bool:
    """Open a window on a display of its own and take that away; whether all is as it must be."""
    before = kept_in(folder) if (folder / "data").exists() else 0
    server = subprocess.Popen(["Xvfb", display, "-screen", "0", "1280x800x24"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    socket = Path(f"/tmp/.X11-unix/X{display[1:]}")
    while not socket.exists():
        time.sleep(0.05)
    os.environ |= {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    window = Window(folder, "--under", "workers")
    window.wait_for(lambda: window.count("kept") and window.count("written"))
    started = [psutil.Process(window.process.pid), *window.descendants()]
    begin = time.monotonic()
    server.kill()
    server.wait()
    gone, left = last_to_end(started, begin, ENDS_WITHIN_S)
    for each in left:
        each.kill()
    window.finish()
    kept, finished, written = kept_in(folder) - before, window.count("kept"), last_written(window.said)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    again = Window(folder, "--under", "rest", "--answer", "dismiss")
    again.wait_for(lambda: again.count("offered"))
    offered = next(each.what for each in again.said if each.word == "offered")
    again.process.terminate()
    again.finish()
    good = kept >= finished and offered in written and not left
    print(
        f"status {window.process.returncode}, all gone after {gone:.2f} s, {len(left)} left; {finished} results finished, {kept} kept; "
        f"next start {'offers it' if offered in written else f'offers {offered}'}{'' if good else '  LOST'}",
        flush=True,
    )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--display", type=int, default=77)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        good = [lose_one(Path(name), f":{options.display + number}") for number in range(options.times)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
