"""Kills a running CPU sweep at random moments and looks what the history has kept.

    python tests/perf/store_kill.py [--times 20] [--seed 0]

Each child sweeps real kernels through the measuring service and prints a line for each finished point. All children write
to the same history, so each one also opens what the one before it left.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from kernels.base.spec import Device, Operation, Problem  # noqa: E402
from kernels.catalogue.catalogue import VARIANTS  # noqa: E402
from kernels.measure.protocol import Protocol  # noqa: E402
from kernels.measure.store import ResultStore  # noqa: E402
from kernels.measure.sweep import plan  # noqa: E402
from tests.perf.figures import Figure  # noqa: E402

LONGEST_S = 3.0
"""Latest moment of a kill after the first finished point."""


def sweep(folder: Path) -> None:
    """Measure until killed."""
    from app.core.results.measuring import MeasuringService
    from kernels.base.machine_conditions import machine_conditions
    from kernels.jit.detect import probe_cpu
    from kernels.jit.runner import cpu_process

    store = ResultStore.open(folder / "history.sqlite")
    assert store.notice is None, store.notice
    service = MeasuringService(
        store,
        {Device.CPU: lambda: cpu_process(folder / "numba")},
        lambda _device: probe_cpu(),
        lambda: machine_conditions("kill experiment"),
    )
    changed = {"cpu.loop-order": {}, "cpu.blocked": {"tile": 64}, "cpu.numpy": {"threads": 1}}
    choices = [(each.id, {**each.defaults, **changed[each.id]}) for each in VARIANTS if each.id in changed]
    service.start(plan(choices, [Problem.square(Operation.MATMUL, n) for n in range(16, 1025, 8)]), Protocol(max_sampling_s=0.1))
    while service.progress().busy:
        for result in service.drain():
            print(result.point.variant_id, result.point.problem.n, result.status, flush=True)
        time.sleep(0.001)


def kill_one(folder: Path, seconds: float) -> int:
    """Start a sweep, kill it this long after its first point, and return how many points it said were finished."""
    child = subprocess.Popen([sys.executable, __file__, "--child", str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout is not None
    first = child.stdout.readline()
    assert first.endswith("\n"), "the sweep ended before its first point"
    time.sleep(seconds)
    child.kill()
    rest = child.stdout.read().splitlines(keepends=True)
    child.stdout.close()
    child.wait()
    return 1 + sum(line.endswith("\n") for line in rest)


def figures(*, quick: bool) -> list[Figure]:
    """What was finished before a kill and is not kept, and histories that do not open."""
    times = 5 if quick else 20
    lost, damaged = experiment(times, seed=0)
    return [
        Figure("finished results lost", lost, "results", f"{times} kills"),
        Figure("histories that did not open", damaged, "histories", f"{times} kills"),
    ]


def experiment(times: int, seed: int) -> tuple[int, int]:
    """Kill as often as asked and print a row for each kill; how many results were lost, and histories damaged."""
    moments = random.Random(seed)
    kept_before = lost = damaged = 0
    print(f"{'kill':>4} {'after s':>8} {'finished':>9} {'kept':>5} {'history':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(1, times + 1):
            seconds = moments.uniform(0, LONGEST_S)
            finished = kill_one(folder, seconds)
            store = ResultStore.open(folder / "history.sqlite")
            total = len(store.results())
            kept, intact = total - kept_before, store.notice is None
            store.close()
            good = intact and kept >= finished
            lost, damaged = lost + max(0, finished - kept), damaged + (not intact)
            print(
                f"{number:>4} {seconds:>8.3f} {finished:>9} {kept:>5} {'opens' if intact else 'damaged':>9}{'' if good else '  LOST'}",
                flush=True,
            )
            kept_before = total
    return lost, damaged


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        sweep(options.child)
        return 0
    return int(any(experiment(options.times, options.seed)))


if __name__ == "__main__":
    sys.exit(main())
