"""Compares any number of random programs: python -m tests.oracle.fuzz [COUNT [FIRST_SEED [PROCESSES]]]. Says which differ, and goes on."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from random import Random

from kernels.simt.lower import Unsupported
from kernels.simt.lower.context import TOO_LARGE
from tests.oracle import comparison, cooperation, host, programs

BATCH = 100
"""Programs in one run of g++."""
WALKED = 10
"""One program in so many is executed by the oracle too; each, where there is no g++."""


class Threads(StrEnum):
    """How the threads of a program go about it."""

    ALONE = "alone"
    TOGETHER = "together"


def write(threads: Threads, seed: int) -> str:
    """The program of a seed."""
    return {Threads.ALONE: programs.write, Threads.TOGETHER: cooperation.write}[threads](Random(seed))


def batch(task: tuple[Threads, int, int]) -> list[str]:
    """What differs among `count` programs from the seed `first` on, each with its seed. Any error is a difference,
    but for programs that are refused because of their size."""
    threads, first, count = task
    block = programs.BLOCK if threads is Threads.ALONE else cooperation.COOPERATING_BLOCK
    arguments = programs.arguments(first, programs.GRID * block)
    seeds = range(first, first + count)
    texts = [write(threads, seed) for seed in seeds]
    expected: list[comparison.Arrays | None] = [None] * count
    failures = []
    if host.available():
        try:
            with tempfile.TemporaryDirectory() as folder:
                expected = [*host.run(texts, arguments, Path(folder), block=block)]
        except Exception as error:
            failures.append(f"{threads}, seeds {first} to {seeds[-1]}, by g++: {error}")
    for seed, text, by_gpp in zip(seeds, texts, expected, strict=True):
        mode = comparison.MODES[seed % len(comparison.MODES)]
        try:
            comparison.agree(text, arguments, by_gpp, [mode], walk=by_gpp is None or seed % WALKED == 0, block=block, seed=seed)
        except Unsupported as refusal:
            if [each.message for each in refusal.diagnostics] != [TOO_LARGE]:
                failures.append(f"{threads}, seed {seed}: {refusal}")
        except Exception as error:
            failures.append(f"{threads}, seed {seed} of the batch {first}: {type(error).__name__}: {str(error)[:4000]}")
    return failures


def differences(count: int, first: int, processes: int) -> Iterator[list[str]]:
    """For each batch what differs, among `count` programs whose threads are alone and as many whose threads work together."""
    starts = range(first, first + count, BATCH)
    tasks = [(threads, start, min(BATCH, first + count - start)) for start in starts for threads in Threads]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(batch, tasks)
        pool.close()
        pool.join()


def main() -> int:
    count, first, processes = ([int(each) for each in sys.argv[1:]] + [1000, 0, 2][len(sys.argv) - 1 :])[:3]
    failed, start = 0, time.monotonic()
    for done, failures in enumerate(differences(count, first, processes), 1):
        failed += len(failures)
        sys.stdout.write("".join(f"{each}\n\n" for each in failures))
        sys.stdout.write(f"{min(done * BATCH, 2 * count)} programs, {failed} failed, {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
