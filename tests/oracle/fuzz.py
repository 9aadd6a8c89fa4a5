"""Compares any number of random programs: python -m tests.oracle.fuzz [COUNT [FIRST_SEED [PROCESSES]]]. Says which differ, and goes on."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.oracle import comparison, cooperation, host, programs

BATCH = 50
WALKED = 10
"""One program in so many is executed by the oracle too."""


def failure(seed: int, compare: Callable[[], None]) -> list[str]:
    """What a comparison said that did not hold; any error is one."""
    try:
        compare()
    except Exception as error:
        return [f"seed {seed}: {type(error).__name__}: {str(error)[:2000]}"]
    return []


def batch(first: int) -> list[str]:
    """The failures among `BATCH` programs whose threads are alone, and as many whose threads work together."""
    arguments = programs.arguments(first)
    block = cooperation.COOPERATING_BLOCK
    wider = programs.arguments(first, programs.GRID * block)
    seeds = range(first, first + BATCH)
    texts = [programs.write(Random(seed)) for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        results = host.run(texts, arguments, Path(folder))
    failures = []
    for seed, text, expected in zip(seeds, texts, results, strict=True):
        together = cooperation.write(Random(seed))
        failures += failure(seed, lambda: comparison.agree(text, arguments, expected, walk=seed % WALKED == 0))  # noqa: B023 - called at once
        failures += failure(seed, lambda: comparison.agree(together, wider, block=block, seed=seed))  # noqa: B023
    return failures


def main() -> int:
    count, first, processes = ([int(each) for each in sys.argv[1:]] + [1000, 0, 1][len(sys.argv) - 1 :])[:3]
    failed, start = 0, time.monotonic()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for done, failures in enumerate(pool.imap(batch, range(first, first + count, BATCH)), 1):
            failed += len(failures)
            sys.stdout.write("".join(f"{each}\n\n" for each in failures))
            sys.stdout.write(f"{done * BATCH} programs of each kind, {failed} failed, {time.monotonic() - start:.0f} s\n")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
