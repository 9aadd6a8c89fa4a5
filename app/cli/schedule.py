"""`tilescope schedule`: who worked on what when, in a real run of a kernel that works on several threads."""

from __future__ import annotations

import argparse

from app.cli.console import Console
from app.cli.refusal import FAILED_VERIFICATION, Refused, accept, require
from app.cli.request import probe, refuse_point, require_device, run_point
from app.cli.schedule_report import print_schedule, schedule_object
from app.core.base.files.locations import prepare
from app.core.base.parsing import whole_number
from kernels.base.messages import message
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device
from kernels.measure.real_run import RUNS, Chunks, Progress, RunTimeline, record, refuse_recording
from kernels.measure.results import Point
from kernels.measure.runner import RunFailed

MOST_RUNS = 1000


def schedule(options: argparse.Namespace, console: Console) -> int:
    """Record and report. A wrong result has no chart."""
    point = run_point(options)
    _require_threads(point)
    runs = accept(whole_number("--runs", options.runs, 1, MOST_RUNS)) if options.runs is not None else RUNS
    status = probe(Device.CPU)
    require_device(point.variant, status)
    require(refuse_point(point, status))
    try:
        recording = _record(point, runs, console)
    except RunFailed as failed:
        console.tell(console.text(failed.reason))
        return FAILED_VERIFICATION
    assert isinstance(recording.seen, Chunks)
    if options.json:
        console.print_json(schedule_object(recording, recording.seen))
    else:
        print_schedule(recording, recording.seen, console)
    return 0


def _require_threads(point: Point) -> None:
    if point.variant.device is Device.MPI:
        command = f"tilescope mpi {point.variant_id}"
        raise Refused(
            message("{variant} runs on ranks; {command} shows what each of them does.", variant=point.variant_id, command=command)
        )
    require(refuse_recording(point.variant))


def _record(point: Point, runs: int, console: Console) -> RunTimeline:
    from kernels.jit.runner import CpuRunner

    runner = CpuRunner(console.places.numba_cache if prepare(console.places.numba_cache) is None else None)
    return record(point, runner, ReferenceCache(0), _nobody_cancels, _nobody_is_told, runs)


def _nobody_cancels() -> None:
    """The interrupt key ends the command at once."""


def _nobody_is_told(_progress: Progress) -> None:
    """A command that takes seconds needs no progress."""
