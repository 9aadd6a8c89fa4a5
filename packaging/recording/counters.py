"""Record what Nsight Compute counts of every CUDA kernel of the catalogue: `python packaging/recording/counters.py OUTPUT.json`, from the
repository's root, on a machine with an NVIDIA GPU, CuPy and `ncu`. Takes about two minutes on an H200.

Each variant is launched once at each size with its defaults, as it is measured otherwise; caches are flushed before each launch, clocks
are left as they are. With ids of variants only these are recorded, and what is in the file of others stays. The exit status is 1 where a
launch is missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from app import __version__
from app.core.predictions.counters import METRICS, MORE_METRICS, measured
from app.core.predictions.ncu_csv import Profiled, read_ncu
from kernels.base.limits import Limits, refuse_parameters, refuse_variant_launch
from kernels.base.machine_conditions import machine_conditions
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.gpu.detect import look
from kernels.gpu.execution import Executor, allocate
from kernels.measure.runner import RunFailed

SIZES = (256, 1024)
LONGEST_S = 220
"""Seconds that the profiler may take."""
DIGITS = 6
LAUNCH = "--launch"
"""The program calls itself with it, under the profiler."""


def points(only: Sequence[str] = ()) -> list[Case]:
    """What is launched, in order."""
    launched = [each for each in VARIANTS if each.launch is not None and each.operation is not Operation.HELLO]
    chosen = [each for each in launched if not only or each.id in only]
    found = [Case(each.id, Problem.square(each.operation, n), each.defaults) for n in SIZES for each in chosen]
    return [point for point in found if _possible(point)]


def launch(wanted: Sequence[Case], report: Path) -> None:
    """Launch each point once, and write for each how many kernels that were, or why none. Copies are all else that the GPU is asked."""
    from cupy.cuda import runtime

    executor = Executor(look())
    outcomes: list[dict[str, object]] = []
    for point in wanted:
        arrays: dict[str, Any] = {}
        try:
            run, _ = executor.launcher(point)
            allocate(point, arrays)
            for seed, array in enumerate(arrays.values()):
                array.set(np.random.default_rng(seed).uniform(-1, 1, array.shape).astype(np.float32))
            run(arrays)
            runtime.deviceSynchronize()
            outcomes.append({"kernels": kernels_of(point)})
        except RunFailed as failed:
            outcomes.append({"kernels": [], "reason": str(failed.reason)})
    report.write_text(json.dumps(outcomes), encoding="utf-8")


def kernels_of(point: Case) -> list[str]:
    """The kernels of a point in the order in which they are launched."""
    variant = point.variant
    assert variant.launch is not None
    before = variant.launch(point.problem, point.parameters).before
    return ([] if before is None else [before.entry]) + [variant.entry]


def profile(only: Sequence[str]) -> tuple[list[dict[str, Any]], tuple[Profiled, ...]]:
    """The outcome of each point, and the profiled kernels in order."""
    with tempfile.TemporaryDirectory() as folder:
        report, outcomes = Path(folder) / "profile.ncu-rep", Path(folder) / "outcomes.json"
        itself = [sys.executable, str(Path(__file__).resolve()), LAUNCH, str(outcomes), *only]
        names = sorted({name for point in points(only) for name in kernels_of(point)})
        ours = f"regex:^({'|'.join(names)})$"
        options = ["--clock-control", "none", "--kernel-name", ours, "--metrics", ",".join(known_metrics())]
        command = ["ncu", *options, "--export", str(report), *itself]
        subprocess.run(command, check=True, timeout=LONGEST_S)
        page = ["ncu", "--import", str(report), "--csv", "--page", "raw", "--print-units", "base"]
        text = subprocess.run(page, check=True, capture_output=True, text=True, timeout=LONGEST_S).stdout
        found = read_ncu(text)
        if isinstance(found, Message):
            sys.exit(str(found))
        return json.loads(outcomes.read_text(encoding="utf-8")), found


def known_metrics() -> list[str]:
    """The metrics, without those that this GPU does not have; what the profiler works out itself is in no list."""
    listed = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, timeout=LONGEST_S, check=False).stdout.split()
    units = ("l1tex__", "lts__", "dram__")
    return [metric for metric in METRICS if not listed or not metric.startswith(units) or metric.split(".")[0] in listed]


def recorded(wanted: Sequence[Case], outcomes: Sequence[dict[str, Any]], profiled: Sequence[Profiled]) -> list[dict[str, Any]]:
    """A row for each point with the counters of all its kernels."""
    rows, rest = [], list(profiled)
    for point, outcome in zip(wanted, outcomes, strict=True):
        count = len(outcome["kernels"])
        own, rest = rest[:count], rest[count:]
        problem = point.problem
        row = {"id": point.variant_id, "m": problem.m, "n": problem.n, "k": problem.k, "parameters": dict(point.parameters)}
        if [each.name for each in own] != outcome["kernels"] or not own:
            sys.stdout.write(f"{point.variant_id} n = {problem.n}: {outcome.get('reason', [each.kernel for each in own])}\n")
            continue
        more = [{name: _short(each.metrics[name]) for name in MORE_METRICS if name in each.metrics} for each in own]
        counters = {name: _short(value) for name, value in measured([each.metrics for each in own]).items()}
        rows.append(row | {"kernels": outcome["kernels"], "counters": counters, "metrics": more})
    if rest:
        sys.exit(f"{len(rest)} kernels more than were launched: {rest[0].kernel}")
    return rows


def kept(output: Path, ids: Sequence[str]) -> list[dict[str, Any]]:
    """What is in a file of other variants."""
    every = json.loads(output.read_text(encoding="utf-8"))["launches"] if output.exists() else []
    return [each for each in every if each["id"] not in ids]


def conditions() -> dict[str, str | int | float]:
    """The machine, its GPU and the versions."""
    status = look()
    version = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True, timeout=30).stdout
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    driver = subprocess.run(query, capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    gpu = {"gpu": status.name, **status.details, "nvidia_driver": driver, "nsight_compute": version.split("Version ")[-1].split()[0]}
    return machine_conditions(__version__) | gpu | {"gpu_caches": "flushed", "created": datetime.now(UTC).isoformat(timespec="seconds")}


def _possible(point: Case) -> bool:
    refused = refuse_parameters(point.variant, point.parameters)
    return refused is None and refuse_variant_launch(point.variant, point.problem, point.parameters, Limits()) is None


def _short(value: float) -> int | float:
    return int(value) if value == int(value) else float(f"{value:.{DIGITS}g}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Record Nsight Compute's counters of the CUDA kernels.")
    parser.add_argument("output", type=Path)
    parser.add_argument("only", nargs="*", help="ids of variants; all where none is given")
    parser.add_argument(LAUNCH, action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    wanted = points(arguments.only)
    if arguments.launch:
        launch(wanted, arguments.output)
        return 0
    rows = recorded(wanted, *profile(arguments.only))
    lines = ",\n".join(json.dumps(row) for row in [*(kept(arguments.output, arguments.only) if arguments.only else ()), *rows])
    head = json.dumps(dict(sorted(conditions().items())), indent=1, ensure_ascii=False)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(f'{{"conditions": {head},\n"launches": [\n{lines}\n]}}\n', encoding="utf-8")
    sys.stdout.write(f"{len(rows)} of {len(wanted)} launches recorded\n")
    return len(rows) != len(wanted)


if __name__ == "__main__":
    sys.exit(main())
