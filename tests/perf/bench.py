"""Runs the benchmarks and says how they stand: `python3 packaging/dev.py bench [NAME ...] [--quick] [--keep]`.

A line for each figure: its value, its limit, and what it is of the value that was kept last on the same machine under the same conditions.
`--keep` adds a line to `history.jsonl`; `--history NAME` prints the course of one benchmark; `--list` says what each measures. A time
fails nothing: a missed limit is marked, and the exit status is 0. It is 1 where a benchmark was not run to its end, and 2 where what was
asked for, or the history, cannot be read. Ctrl+C ends the run; what was measured by then is counted, and kept.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from kernels.base.machine_conditions import processor_name, usable_cores
from tests.perf.benchmarks import BENCHMARKS, Benchmark, named
from tests.perf.figures import Figure
from tests.perf.history import HISTORY, BadHistory, Entry, Machine, append, read
from tests.perf.table import course, rows

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 1800.0
"""A benchmark that takes longer hangs."""


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    chosen = _parser().parse_args(arguments)
    try:
        benchmarks, entries = named(chosen.names + chosen.history, quick=chosen.quick), read(HISTORY)
    except KeyError as error:
        print(f"No benchmark is called {error}. There are: {', '.join(each.name for each in BENCHMARKS)}.", file=sys.stderr)
        return 2
    except BadHistory as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.list:
        print("\n".join(f"{each.name:18} {'quick' if each.quick else '':6} {each.measures}" for each in benchmarks))
    elif chosen.history:
        print("\n".join(course(benchmarks[0], entries)))
    else:
        return _run(benchmarks, entries, quick=chosen.quick, keep=chosen.keep)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py bench", description="Run the benchmarks, beside their limits and the last time.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all if none is named")
    parser.add_argument(
        "--quick", action="store_true", help="those that need no patience, each with fewer repetitions: some minutes in all"
    )
    parser.add_argument("--keep", action="store_true", help=f"add the figures to {HISTORY.name}")
    parser.add_argument("--history", nargs=1, default=[], metavar="NAME", help="what was kept of one benchmark; runs none")
    parser.add_argument("--list", action="store_true", help="what each measures; runs none")
    return parser


def _run(benchmarks: Sequence[Benchmark], entries: Sequence[Entry], *, quick: bool, keep: bool) -> int:
    machine, load = Machine(processor_name(), usable_cores()), _load()
    print(f"{machine.processor}, {machine.cores} cores; load before: {'unknown' if load is None else f'{load:.1f}'}", flush=True)
    figures: dict[str, tuple[Figure, ...]] = {}
    with suppress(KeyboardInterrupt):  # what is measured by then is told and kept
        for benchmark in benchmarks:
            begin = time.monotonic()
            found = _measure(benchmark, quick=quick)
            print(f"\n{benchmark.name}: {benchmark.measures} ({time.monotonic() - begin:.0f} s)")
            if found is None:
                print("  could not be run to its end, see above", flush=True)
            else:
                figures[benchmark.name] = found
                print("\n".join(rows(benchmark, found, entries, machine)), flush=True)
    held = [limit.kept(each.value) for bench in benchmarks for each in figures.get(bench.name, ()) if (limit := bench.limit(each))]
    print(f"\n{sum(held)} of {len(held)} limits kept.")
    if keep and figures:
        append(HISTORY, Entry(datetime.now(UTC).isoformat(timespec="seconds"), _commit(), machine, load, figures))
        print(f"Kept in {HISTORY}.")
    return int(len(figures) < len(benchmarks))


def _measure(benchmark: Benchmark, *, quick: bool) -> tuple[Figure, ...] | None:
    """The figures of one benchmark, or None if it ended without any; what it prints is shown where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "tests.perf.one", benchmark.module, str(answer), "quick" if quick else ""]
        try:
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=LONGEST_S)
        except subprocess.CalledProcessError as error:
            print(f"{error.stdout}{error.stderr}", file=sys.stderr)
            return None
        except subprocess.TimeoutExpired:
            print(f"{benchmark.name} took longer than {LONGEST_S:g} s", file=sys.stderr)
            return None
        return tuple(Figure(*each) for each in json.loads(answer.read_text(encoding="utf-8")))


def _load() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _commit() -> str:
    """The commit of the checkout, with a plus where files differ from it."""
    try:
        command = ["git", "describe", "--always", "--exclude=*", "--dirty=+"]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


if __name__ == "__main__":
    for asks_to_end in (signal.SIGINT, signal.SIGTERM):  # a shell has what it starts in the background ignore the first
        signal.signal(asks_to_end, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
