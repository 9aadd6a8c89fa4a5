"""A history with many results of one's own: what years of measuring leave."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app import __version__
from kernels.base.machine_conditions import machine_conditions
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.result_json import to_record
from kernels.measure.results import Result, Status
from kernels.measure.store import ResultStore
from tests.devices.cpu_settings import CPU_VARIANTS

SIZES = range(16, 4097, 8)
SAMPLES = 12
EVERY = timedelta(minutes=3)


def fill(path: Path, count: int, sizes: Sequence[int] = SIZES) -> None:
    """Write that many results into the history at `path`, in one transaction, all of this machine and of the past."""
    ResultStore.open(path).close()  # which makes the tables
    conditions = machine_conditions(__version__)
    records = (to_record(result) for result in made_up(count, conditions, sizes))
    with closing(sqlite3.connect(path)) as history, history:
        first = next(records)
        statement = f"INSERT INTO results ({', '.join(first)}) VALUES ({', '.join(':' + name for name in first)})"
        history.execute(statement, first)
        history.executemany(statement, records)


def made_up(count: int, conditions: dict[str, str | int | float], sizes: Sequence[int]) -> Iterator[Result]:
    """Results of CPU rungs over the sizes, with tiles now and then chosen anew, so that most points are there once and some often."""
    chance = random.Random(0)
    rungs = CPU_VARIANTS
    now = datetime.now(UTC)
    for number in range(count):
        variant = rungs[number % len(rungs)]
        problem = Problem.square(variant.operation, chance.choice(sizes))
        typical = _typical_ms(variant, problem)
        times = tuple(typical * chance.lognormvariate(0, 0.01) for _ in range(SAMPLES))
        created = (now - EVERY * (count - number)).isoformat(timespec="seconds")
        point = Case(variant.id, problem, _parameters(variant, chance))
        yield Result(point, Status.MEASURED, created, times, 1e-7, 1e-5, conditions=conditions)


def _parameters(variant: Variant, chance: random.Random) -> dict[str, int]:
    chosen = dict(variant.defaults)
    tile = variant.parameter("tile")
    if tile is not None and chance.random() < 0.5:
        chosen["tile"] = chance.choice(tile.stops)
    return chosen


def _typical_ms(variant: Variant, problem: Problem) -> float:
    """As if each rung had a rate of its own, from 1 to some 30 GFLOP/s or GB/s."""
    rate = 1 + 2 * VARIANTS.index(variant) % 30
    work = problem.flops if problem.operation is Operation.MATMUL else problem.bytes
    return work / rate / 1e6
