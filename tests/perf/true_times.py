"""Whether times are true on this machine, in six minutes: `python -m tests.perf.true_times [--minutes 6] [FOLDER]`.

The window beside the command, with the timing page and with the playing stage in front, and with 100,000 own results; starts of the rungs
with threads; the program beside C. Each part gets a share of the time and does what fits. What was measured goes into the folder too. On
two of many cores: `taskset -c 0,1` before it. Run on an idle machine: the load is told with each part.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNGS = ("cpu.loop-order", "cpu.blocked", "cpu.packed", "cpu.strassen", "cpu.parallel", "cpu.numpy")
PARTS: dict[str, tuple[float, tuple[str, ...]]] = {
    "window": (0.5, ("window_times", "--variants", *RUNGS, "--sizes", "256,512,1024")),
    "window-100000": (0.14, ("window_times", "--variants", *RUNGS[:2], "--sizes", "256", "--pairs", "4", "--own-results", "100000")),
    "starts": (0.2, ("command_starts", "--sizes", "64,256,1024", "--variants", "cpu.parallel", "cpu.transpose-parallel")),
    "witness": (0.16, ("third_witness", "--sizes", "256,64")),
}
"""Of each part its share of the time, and its script with what that is given."""
STARTING_S = 6.0
"""What a part takes before it counts its time, and after."""


def main(arguments: list[str]) -> None:
    """Run the parts one after the other, whatever becomes of one, and print what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--minutes", type=float, default=6.0)
    chosen = parser.parse_args(arguments)
    for name, (share, (script, *options)) in PARTS.items():
        seconds = max(10.0, 60 * chosen.minutes * share - STARTING_S)
        command = [sys.executable, "-m", f"tests.perf.{script}", *options, "--seconds", str(seconds)]
        print(f"\n=== {name}: load average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores", flush=True)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        said = done.stdout if done.returncode == 0 else f"{done.stdout}\nended with {done.returncode}: {done.stderr[-2000:]}"
        print(said, flush=True)
        if chosen.folder is not None:
            chosen.folder.mkdir(parents=True, exist_ok=True)
            (chosen.folder / f"{name}.txt").write_text(said, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
