"""Record how many times as fast rungs are as their library, measured in turn: from the repository's root, on a machine with a GPU,

    PYTHONPATH=.:packaging python packaging/recording/ratios.py resources/recorded/ratios/h200.json

Each size and rung: three runs of seven pairs, library and rung one after the other and the other way round; of large ones fewer. A ratio
is the median of a run's pairs. Clocks as they are, caches warm, inputs random; times by CUDA events. Takes a minute.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from app import __version__
from kernels.base.devices import DeviceStatus
from kernels.base.machine_conditions import machine_conditions
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.gpu.detect import look
from kernels.gpu.execution import Execution, Executor

RUNS, PAIRS, FEWER = 3, 7, 4
LARGE = 2e11
"""Multiply-adds from which on there are `FEWER` pairs."""
SQUARE = (
    128, 200, 255, 256, 300, 333, 387, 450, 500, 511, 512, 555, 600, 640, 650, 700, 750, 768, 777, 850, 900, 950, 999, 1000, 1002, 1023,
    1024, 1100, 1150, 1200, 1280, 1350, 1400, 1501, 1536, 1600, 1700, 1800, 1900, 2047, 2048, 2050, 2200, 2304, 2452, 2501, 2560, 2800,
    3000, 3001, 3072, 3500, 3600, 4095, 4096, 4500, 5000, 6144, 8192, 10000, 16384,
)  # fmt: skip
THIN = (
    (64, 8192, 8192), (8192, 64, 8192), (128, 128, 8192), (256, 256, 4096), (512, 512, 8192), (3000, 100, 3000), (100, 3000, 3000),
    (2000, 200, 2000), (200, 2000, 2000), (5000, 3000, 100), (4096, 1024, 4096), (64, 4096, 4096), (4096, 64, 4096), (256, 256, 8192),
    (512, 512, 4096), (416, 428, 3992), (1000, 333, 3001), (3001, 101, 3001), (100, 2000, 777), (2048, 2048, 512),
    (100, 3001, 3001), (2500, 250, 2500), (640, 640, 5000), (300, 2001, 3000), (2001, 300, 3000), (768, 768, 8192), (500, 501, 5000),
    (512, 1024, 4096), (1001, 501, 5001), (700, 301, 3001),
)  # fmt: skip
"""m, n and k."""
BF16_SIZES = (512, 777, 1000, 1024, 1536, 2047, 2048, 2560, 3000, 4095, 4096, 5000, 8192)
GROUPS = (
    ("gpu.cublas", ("gpu.fitted",), (*((n, n, n) for n in SQUARE), *THIN)),
    ("gpu.cublas-bf16", ("gpu.wgmma-bf16", "gpu.wgmma-clusters-bf16"), tuple((n, n, n) for n in BF16_SIZES)),
    ("gpu.cublas", ("gpu.three-parts",), tuple((n, n, n) for n in (1000, 2048, 4096, 8192))),
)
"""A library, the rungs beside it, and the sizes."""


def ratios(library: Execution, rung: Execution, multiply_adds: float) -> Iterator[tuple[float, float, float]]:
    """Of each run the ratio, and the median milliseconds of the rung and of the library."""
    for _ in range(RUNS):
        pairs = [_pair(library, rung, rung_first=number % 2 == 0) for number in range(PAIRS if multiply_adds < LARGE else FEWER)]
        own, base = ([pair[side] for pair in pairs] for side in (0, 1))
        yield statistics.median(b / a for a, b in pairs), statistics.median(own), statistics.median(base)


def _pair(library: Execution, rung: Execution, *, rung_first: bool) -> tuple[float, float]:
    if rung_first:
        own = rung.sample()
        return own, library.sample()
    base = library.sample()
    return rung.sample(), base


def rows(executor: Executor) -> Iterator[dict[str, object]]:
    """A row for each rung and size."""
    references = ReferenceCache(1)
    for library, rungs, sizes in GROUPS:
        for size in sizes:
            problem = Problem.of(Operation.MATMUL, *size)
            with ExitStack() as stack:
                base, *own = (stack.enter_context(executor.prepare(_case(name, problem))) for name in (library, *rungs))
                for each in (base, *own):
                    for name, matrix in references.inputs(problem).items():
                        each.fill(name, 0, np.ascontiguousarray(matrix))
                    for _ in range(3):
                        each.sample()
                for name, each in zip(rungs, own, strict=True):
                    runs = list(ratios(base, each, float(problem.m) * problem.n * problem.k))
                    columns = zip(("ratios", "ms", "library_ms"), zip(*runs, strict=True), (3, 5, 5), strict=True)
                    yield {"id": name, "library": library, "m": size[0], "n": size[1], "k": size[2]} | {
                        column: [round(value, digits) for value in values] for column, values, digits in columns
                    }


def _case(name: str, problem: Problem) -> Case:
    variant = by_id(name)
    return Case(name, problem, variant.defaults)


def conditions(status: DeviceStatus) -> dict[str, object]:
    """The machine, its GPU, and how it was measured."""
    measured = {"timer": "CUDA events", "gpu_caches": "warm", "clocks": "as they are", "runs": RUNS, "pairs": [PAIRS, FEWER]}
    moment = {"created": datetime.now(UTC).isoformat(timespec="seconds")}
    return dict(machine_conditions(__version__)) | {"gpu": status.name, **status.details} | measured | moment


def main() -> int:
    status, output = look(), Path(sys.argv[1])
    if not status.ready:
        sys.exit(f"{status.reason} {status.remedy}")
    lines = ",\n".join(json.dumps(row) for row in rows(Executor(status)))
    output.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps(conditions(status), indent=1, ensure_ascii=False)
    output.write_text(f'{{"conditions": {head},\n"rows": [\n{lines}\n]}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
