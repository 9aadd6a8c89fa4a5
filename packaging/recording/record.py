"""Record the CUDA kernels of the catalogue on the GPU of this machine, from the repository's root:

    PYTHONPATH=.:packaging python packaging/recording/record.py run FOLDER h200 --part 1/2
    PYTHONPATH=.:packaging python packaging/recording/record.py run FOLDER h200 --part 2/2
    PYTHONPATH=.:packaging python packaging/recording/record.py merge FOLDER h200 resources/recorded

`run` adds each result to FOLDER/h200.*.jsonl as it comes: ended at any moment and started again, it goes on after the last one. `merge`,
which needs no GPU, writes h200.json, a sweep over sizes and settings, and odd_sizes/h200.json, sizes that no tile divides: what is in
these files stays where it was not recorded anew. Its exit status is 1 where a point is wrong, failed or is missing.

`--only ID` records single variants, for a rung that is new; with `--smallest` a long sweep is made in pieces, each with its own FOLDER.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace

from recording.campaign import ProtocolOf, Stops, odd_points, odd_protocol, protocol_for, setting_of, sweep_points, variants
from recording.direct import DirectRunner
from recording.journal import Journal, chosen, journals

from app import __version__
from kernels.base.arrays import never
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.machine_conditions import free_memory_bytes, machine_conditions
from kernels.base.reference import ReferenceCache
from kernels.catalogue.case import Case
from kernels.gpu.detect import look
from kernels.gpu.process import usable
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.recording_file import load_recorded, recorded_text
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Sampler, Unobserved
from kernels.measure.sweep import Bench, measure_point

LARGEST = 40000


def record(points: Sequence[Case], bench: Bench, protocol_of: ProtocolOf, journal: Journal) -> bool:
    """Measure in order what the journal does not have yet. False where the GPU takes nothing more from this process."""
    stops, observer = Stops(protocol_of), Unobserved()
    estimators = _estimators()
    for point in points:
        if stops.hold(point):
            continue
        estimator, result = estimators[setting_of(point)], journal.find(point)
        predicted_ms = estimator.predict_ms(point)
        if result is None:
            result = measure_point(point, replace(bench, protocol=protocol_of(point), estimator=estimator), never, observer)
            journal.append(result)
            if result.status is Status.FAILED and not usable():
                return False
        estimator.learn(result)
        stops.learn(point, predicted_ms, result)
    return True


def missing(points: Sequence[Case], results: Sequence[Result], protocol_of: ProtocolOf) -> list[Case]:
    """The points that should be there: neither recorded nor stopped before."""
    known = {result.point: result for result in results}
    stops, estimators, lacking = Stops(protocol_of), _estimators(), list[Case]()
    for point in points:
        if stops.hold(point):
            continue
        result = known.get(point)
        if result is None:
            lacking.append(point)
            continue
        stops.learn(point, estimators[setting_of(point)].predict_ms(point), result)
        estimators[setting_of(point)].learn(result)
    return lacking


def _estimators() -> defaultdict[Hashable, Estimator]:
    """One for each setting: what another one takes says too little to leave a point out."""
    return defaultdict(Estimator)


def bench_for(status: DeviceStatus, runner: DirectRunner, seed: int) -> Bench:
    """The bench on this machine's GPU."""
    gpu = {"gpu": status.name, **status.details, "nvidia_driver": nvidia_driver()}
    conditions = machine_conditions(__version__) | gpu
    return Bench(Sampler(runner, references=ReferenceCache(seed)), status.limits, Protocol(), Estimator(), conditions, free_memory_bytes())


def nvidia_driver() -> str:
    """The driver's own version, which CUDA does not tell."""
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    return subprocess.run(query, capture_output=True, text=True, timeout=30, check=True).stdout.strip()


def run(arguments: argparse.Namespace) -> int:
    """Record one part."""
    status = look()
    if not status.ready:
        sys.exit(f"{status.reason} {status.remedy}")
    part, parts = map(int, arguments.part.split("/"))
    rungs, seed = variants(part, parts, arguments.only), Protocol().seed
    runner = DirectRunner(status, seed)
    for name, points, protocol_of in (
        ("odd", [] if arguments.smallest else odd_points(rungs), odd_protocol),
        ("sweep", sweep_points(rungs, arguments.largest, arguments.smallest), protocol_for),
    ):
        journal = Journal(arguments.folder / f"{arguments.name}.{name}.{part}of{parts}.jsonl", sys.stdout)
        runner.compile([p for p in points if p.variant.launch and refuse(p.variant, p.problem, p.parameters, status.limits) is None])
        if not record(points, bench_for(status, runner, seed), protocol_of, journal):
            sys.stdout.write("The GPU takes nothing more from this process. Start it again: it goes on with the next point.\n")
            return 3
    return 0


def merge(arguments: argparse.Namespace) -> int:
    """Put the parts together, in the order in which the whole would have been recorded."""
    bad = 0
    for kind, path, points, protocol_of in (
        ("odd", arguments.out / "odd_sizes" / f"{arguments.name}.json", odd_points(variants()), odd_protocol),
        ("sweep", arguments.out / f"{arguments.name}.json", sweep_points(variants(), arguments.largest), protocol_for),
    ):
        earlier = load_recorded(path) if path.exists() else ()
        known = {result.point: result for result in (*earlier, *journals(arguments.folder, f"{arguments.name}.{kind}"))}
        results = [known[point] for point in points if point in known]
        lacking = missing(points, results, protocol_of)
        failed = [result for result in results if result.status in (Status.WRONG, Status.FAILED)]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(recorded_text(results), encoding="utf-8")
        sys.stdout.writelines(f"missing: {point}\n" for point in lacking)
        sys.stdout.writelines(f"{result.status}: {result.point}: {result.reason}\n" for result in failed)
        sys.stdout.write(f"{path}: {len(results)} points, {len(lacking)} missing, {len(failed)} failed, {path.stat().st_size} bytes\n")
        bad += len(lacking) + len(failed)
    return bool(bad)


def options(running: argparse.ArgumentParser, merging: argparse.ArgumentParser) -> None:
    """Add what can be said of a sweep."""
    for command in (running, merging):
        command.add_argument("name", help="of the recording: that of the GPU's profile")
        command.add_argument("--largest", type=int, default=LARGEST, help="largest n of the sweep")
    running.add_argument("--part", default="1/1", help="which part of the variants, of how many")
    running.add_argument("--only", action="append", default=[], help="id of a variant; all where none is given")
    running.add_argument("--smallest", type=int, default=0, help="smallest n of the sweep; without the odd sizes where it is given")


if __name__ == "__main__":
    sys.exit(chosen(__doc__, run, merge, options))
