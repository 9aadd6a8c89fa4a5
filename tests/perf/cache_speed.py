"""Times the cache model, beside pycachesim on the same accesses in the same run: `python tests/perf/cache_speed.py [N]`.

Best of a few runs. pycachesim is no dependency: it is timed where it is installed (`pip install pycachesim`), and given whole lists of
addresses, all as loads, which is the fastest that it offers; the list is made before. "model" is the same for the cache model: accesses
that are there already.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.cachesim.caches import Caches
from kernels.cachesim.count import Counts, count, refuse_count
from kernels.cachesim.execute import execute
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.load import instrumented
from kernels.cachesim.presets import TYPICAL
from kernels.cachesim.stream import ADDRESS_MASK, ARRAY_BITS, Entries
from kernels.catalogue.catalogue import VARIANTS
from tests.perf.figures import Figure

SAMPLES = 5
SHARED = 4_000_000
"""The first accesses of an execution, that both models are given."""
COUNTED = ", counted"
CHOSEN = {"cpu.blocked": {"tile": 16}, "cpu.transpose-blocked": {"tile": 16}}
"""Parameters that are not the kernel's defaults."""
CASES = tuple(variant for variant in VARIANTS if refuse_count(variant) is None)
QUICK = ("cpu.naive", "cpu.blocked", "cpu.packed", "cpu.transpose-blocked")


def best_s(work: Callable[[], object]) -> float:
    """The shortest of a few runs, in seconds of this thread: others may be using the machine."""
    times = []
    for _ in range(SAMPLES):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times)


def main(n: int) -> None:
    for variant in CASES:
        for figure in of_case(variant, n):
            print(figure, flush=True)


def figures(*, quick: bool) -> list[Figure]:
    """Million accesses a second of each kernel; where pycachesim is installed, how many times those of that."""
    cases = [variant for variant in CASES if variant.id in QUICK or not quick]
    found = [figure for variant in cases for figure in of_case(variant, 256)]
    counted = {figure.name.removesuffix(COUNTED): figure for figure in found if figure.name.endswith(COUNTED)}
    slowest = min(counted, key=lambda name: counted[name].value)
    _, rate, unit, conditions = counted[slowest]
    return [*found, Figure(f"slowest of all{COUNTED}", rate, unit, f"{slowest}, {conditions}")]


def of_case(variant: Variant, n: int) -> list[Figure]:
    """The instrumented kernel alone, counted, counted with the kinds of misses, and the model alone on accesses that are there."""
    name, hierarchy = variant.id, Hierarchy("typical", TYPICAL)
    parameters = {**variant.defaults, **CHOSEN.get(name, {})}
    size = n if variant.operation is Operation.MATMUL else 8 * n
    problem = Problem.square(variant.operation, size)
    stream = first_accesses(variant, problem, parameters)
    kernel, counted, kinds = rates(variant, problem, parameters, hierarchy)
    places = len(instrumented(variant, parameters).places)
    model, other = model_rate(stream, hierarchy, places), pycachesim_rate(stream, hierarchy)
    named = {"kernel alone": kernel, "counted": counted, "counted with kinds": kinds, "model alone": model}
    conditions = f"n = {size}, typical caches, thread time, best of {SAMPLES}"
    found = [Figure(f"{name}, {what}", rate, "M accesses/s", conditions) for what, rate in named.items()]
    return found if other is None else [*found, Figure(f"{name}, times pycachesim", model / other, "times", conditions)]


def rates(variant: Variant, problem: Problem, parameters: Parameters, hierarchy: Hierarchy) -> list[float]:
    """Million accesses a second: of the instrumented kernel, of counting, and of counting with the kinds of misses."""
    counts = count(variant, problem, parameters, hierarchy)
    assert isinstance(counts, Counts), counts
    kernel = instrumented(variant, parameters)
    works: tuple[Callable[[], object], ...] = (
        lambda: execute(kernel, problem, parameters, lambda _entries: True, runs=True),
        lambda: count(variant, problem, parameters, hierarchy),
        lambda: count(variant, problem, parameters, hierarchy, classified=True),
    )
    return [counts.levels[0].total.accesses / best_s(work) / 1e6 for work in works]


def model_rate(stream: list[Entries], hierarchy: Hierarchy, places: int) -> float:
    """The model alone, of accesses from so many places."""
    from kernels.cachesim.model import simulate
    from kernels.cachesim.passes import KINDS

    caches = Caches.empty(hierarchy, numbered=False)
    counts = np.zeros((len(hierarchy.levels), places << ARRAY_BITS, KINDS), np.int64)

    def work() -> None:
        for entries in stream:
            simulate(entries, caches.levels, len(hierarchy.levels), counts)

    return sum(map(len, stream)) / best_s(work) / 1e6


def first_accesses(variant: Variant, problem: Problem, parameters: Parameters) -> list[Entries]:
    """What both are given."""
    stream: list[Entries] = []

    def take(entries: Entries) -> bool:
        stream.append(entries.copy())
        return sum(map(len, stream)) < SHARED

    execute(instrumented(variant, parameters), problem, parameters, take)
    return stream


def pycachesim_rate(stream: list[Entries], hierarchy: Hierarchy) -> float | None:
    """The same of pycachesim, where it is installed."""
    if find_spec("cachesim") is None:
        return None
    from cachesim import Cache, CacheSimulator, MainMemory  # type: ignore[import-not-found,unused-ignore]

    chain: list[Any] = []
    for level in reversed(hierarchy.levels):
        chain.append(Cache(level.name, level.sets, level.ways, level.line, "LRU", load_from=chain[-1] if chain else None))
    memory = MainMemory()
    memory.load_to(chain[0])
    memory.store_from(chain[-1])
    simulator = CacheSimulator(chain[-1], memory)
    addresses = (np.concatenate(stream) & ADDRESS_MASK).tolist()
    return len(addresses) / best_s(lambda: simulator.load(addresses, 4)) / 1e6


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 256)
