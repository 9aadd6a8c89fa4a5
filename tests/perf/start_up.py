"""How long from the start of the process until the first window is on the screen, and what has been imported by then.

    python tests/perf/start_up.py [starts]

Each start is a process of its own, in a folder of settings of its own. The first one may find cold caches of the system.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

CHILD = """
import json, os, pathlib, psutil, sys, time
began = psutil.Process().create_time()
from app.core.places import find_places
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.settings import Settings

places = find_places(os.environ, sys.platform, pathlib.Path.home())
desktop = Desktop(WindowArguments("en", "light"), places, Settings(None))
desktop.window.show()
while not desktop.window.windowHandle().isExposed():
    desktop.process_events()
desktop.process_events()
shown = time.time()
heavy = [name for name in ("numba", "cupy", "pyqtgraph") if name in sys.modules]
print(json.dumps({"ms": 1000 * (shown - began), "heavy": heavy, "mib": psutil.Process().memory_info().rss / 2**20}))
desktop.window.close()
"""


def main(starts: int) -> None:
    """Start the program so many times and print the figures."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"TILESCOPE_HOME": home, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
        runs = [
            json.loads(
                subprocess.run(
                    [sys.executable, "-c", CHILD], env=environment, capture_output=True, text=True, check=True, timeout=60
                ).stdout
            )
            for _ in range(starts)
        ]
    times = [run["ms"] for run in runs]
    print(
        f"first window after, ms: first {times[0]:.0f}, median {statistics.median(times):.0f}, longest {max(times):.0f} of {starts} starts"
    )
    memory = statistics.median(run["mib"] for run in runs)
    print(f"memory then, MiB: {memory:.0f}; heavy packages imported by then: {runs[0]['heavy'] or 'none'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
