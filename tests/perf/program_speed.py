"""How long whole programs of some 10^9 and 10^10 thread instructions take as `tilescope program` runs them, start and end included.

    python packaging/dev.py bench program-speed

The programs in `programs` are typical: a long vector again and again, a tiled product, a stencil, sums and a histogram, each with a check
on the host. Thread instructions are those of the machine code that nvcc 13.0 makes for compute capability 9.0: counted in its listing,
loops by how often they go round, what few threads do left out. Each figure says how many blocks were recorded of those that were executed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.perf.figures import Figure

FOLDER = Path(__file__).parent / "programs"
LONG = 16 << 20
ROOT = Path(__file__).resolve().parents[2]


class Program(NamedTuple):
    """A program with the words for 10^9 and for 10^10, and how many instructions the threads execute for such words."""

    name: str
    fewer: tuple[int, ...]
    more: tuple[int, ...]
    instructions: Callable[..., int]


PROGRAMS = (
    Program("saxpy", (LONG, 3), (LONG, 32), lambda n, times: 19 * n * times),
    Program("matmul", (688,), (1472,), lambda n: n * n * (41 + 50 * (n // 16))),
    Program("heat", (2048, 6), (2048, 62), lambda n, steps: 39 * n * n * steps),
    Program("sums", (LONG, 3), (LONG, 33), lambda n, times: (7 + 11) * n * times),
)


def figures(*, quick: bool) -> list[Figure]:
    """Seconds of each program by the clock, and of the processor."""
    found = []
    for program in PROGRAMS:
        for size, words in (("10^9", program.fewer), ("10^10", program.more))[: 1 if quick else 2]:
            clock, work, share = _timed(program.name, words)
            conditions = f"{program.instructions(*words):.3g} instructions, {share}"
            found.append(Figure(f"{size}, {program.name}", clock, "s", conditions))
            found.append(Figure(f"{size}, {program.name}, processor time", work, "s", conditions))
    return found


def _timed(name: str, words: tuple[int, ...]) -> tuple[float, float, str]:
    """Run a program: seconds by the clock, of all its processes, and what share of the blocks was recorded."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = (sys.executable, "-m", "app", "program", str(FOLDER / f"{name}.cu"), "--seconds", "600", "--json", str(report), "--")
        begin, worked = time.perf_counter(), _work()
        subprocess.run([*command, *map(str, words)], check=True, capture_output=True, cwd=ROOT)
        clock, work = time.perf_counter() - begin, _work() - worked
        launches = json.loads(report.read_text(encoding="utf-8"))["launches"]
    recorded, blocks = (sum(each[key] for each in launches) for key in ("blocks_recorded", "blocks"))
    return clock, work, f"{recorded} of {blocks} blocks recorded"


def _work() -> float:
    """Seconds of processor time of the processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
