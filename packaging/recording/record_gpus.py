"""Record SUMMA on the GPUs of this machine, one rank a GPU, and cuBLAS on one of them, from the repository's root:

    PYTHONPATH=.:packaging mpiexec -n 1 python packaging/recording/record_gpus.py run FOLDER 4096,8192,16384,32768 --library
    PYTHONPATH=.:packaging mpiexec -n 2 python packaging/recording/record_gpus.py run FOLDER 4096,8192,32768
    PYTHONPATH=.:packaging mpiexec -n 2 python packaging/recording/record_gpus.py run FOLDER 16384 --panels 2048,8192 --timeline 16384
    PYTHONPATH=.:packaging python packaging/recording/record_gpus.py merge FOLDER resources/recorded/gpus/h100x2.json

`run` adds each result to FOLDER/gpus.*.jsonl as it comes, and goes on after the last one when it is started again. `--timeline N` writes
what each GPU did when, in one more run of n = N, to FOLDER/timeline.json, as `tilescope mpi --json` does. `merge` needs no GPU.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from recording.direct import DirectRunner
from recording.journal import Journal, chosen, journals
from recording.record import nvidia_driver

from app import __version__
from app.cli.mpi import timeline_object
from kernels.base.arrays import never
from kernels.base.machine_conditions import machine_conditions
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.gpu.detect import look
from kernels.measure.protocol import Protocol
from kernels.measure.real_run import MpiTimeline, Seeing
from kernels.measure.recording_file import recorded_text
from kernels.measure.results import Result
from kernels.measure.runner import Runner
from kernels.measure.sampler import MeasureRequest, Sampler, Unobserved

RUNG, LIBRARY = "mpi.gpu-summa", "gpu.cublas"
RUN_MS = 1.0
"""What a run is said to take: no smaller sizes are run to find out."""


def numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def links() -> str:
    """How the first GPU is linked to the others, as `nvidia-smi topo` names it: NV18 is 18 NVLinks."""
    table = subprocess.run(["nvidia-smi", "topo", "-m"], capture_output=True, text=True, timeout=30, check=True).stdout
    row = next(line.split() for line in table.splitlines() if line.startswith("GPU0"))
    return ", ".join(sorted({word for word in row if word.startswith(("NV", "PI", "PX", "PH", "NODE", "SYS"))}))


def order(point: Case, conditions: Mapping[str, str | int | float]) -> MeasureRequest:
    return MeasureRequest(point, Protocol(budget_s=60.0, max_sampling_s=4.0), conditions, RUN_MS)


def write_timeline(point: Case, runner: Runner, references: ReferenceCache, path: Path) -> None:
    """What each GPU does when, in the third run."""
    with runner.prepare(point, references.inputs(point.problem), never) as run:
        run.sample(never)
        run.sample(never)
        assert isinstance(run, Seeing)
        seen = run.look(never)
        assert isinstance(seen, MpiTimeline)
        whole = {"conditions": dict(run.conditions()), "n": point.problem.n, "parameters": dict(point.parameters)}
    path.write_text(json.dumps({**whole, **timeline_object(point, seen)}, indent=1), encoding="utf-8")


def run(arguments: argparse.Namespace) -> int:
    """Record with as many ranks as mpiexec has started."""
    from kernels.mpi import team

    if team.rank() > 0:
        team.follow()
        return 0
    leader, references = team.Leader(), ReferenceCache(Protocol().seed)
    conditions = {**machine_conditions(__version__), "nvidia_driver": nvidia_driver(), "gpu_links": links()}
    journal = Journal(arguments.folder / f"gpus.{team.ranks()}.jsonl", sys.stdout)
    rung = by_id(RUNG)
    for n in arguments.sizes:
        problem = Problem.square(Operation.MATMUL, n)
        points = [Case(RUNG, problem, {"ranks": team.ranks(), "panel": panel}) for panel in arguments.panels or [rung.defaults["panel"]]]
        sampler = Sampler(leader, references=references)
        for point in points:
            if journal.find(point) is None:
                journal.append(sampler.measure(order(point, conditions), never, Unobserved()))
        if n == arguments.timeline:
            write_timeline(points[0], leader, references, arguments.folder / "timeline.json")
        library = Case(LIBRARY, problem, {})
        if arguments.library and journal.find(library) is None:
            status = look()
            direct = Sampler(DirectRunner(status, references.seed), references=references)
            journal.append(direct.measure(order(library, {**conditions, "gpu": status.name, **status.details}), never, Unobserved()))
    leader.dismiss()
    return 0


def merge(arguments: argparse.Namespace) -> int:
    """Put what all numbers of ranks have recorded into one file, the library first."""

    def place(result: Result) -> tuple[int, bool, int, int]:
        point = result.point
        return point.problem.n, point.variant_id != LIBRARY, point.parameters.get("ranks", 1), point.parameters.get("panel", 0)

    results = sorted(journals(arguments.folder, "gpus"), key=place)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(recorded_text(results), encoding="utf-8")
    sys.stdout.writelines(f"{result.point.variant_id} {place(result)}: {result.status} {result.median_ms}\n" for result in results)
    return int(any(not result.verified for result in results))


def options(running: argparse.ArgumentParser, _merging: argparse.ArgumentParser) -> None:
    """Add what is recorded."""
    running.add_argument("sizes", type=numbers, help="n, several with commas")
    running.add_argument("--panels", type=numbers, help="widths of a panel; the default alone where none is given")
    running.add_argument("--library", action="store_true", help="cuBLAS on one GPU too")
    running.add_argument("--timeline", type=int, metavar="N", help="also write what each GPU does when, at this n")


if __name__ == "__main__":
    sys.exit(chosen(__doc__, run, merge, options))
