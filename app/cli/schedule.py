"""`tilescope schedule`: who worked on what when, in a real run of a kernel that works on several threads."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from typing import Any

import numpy as np

from app.cli.base.console import Console, aligned
from app.cli.base.errors import FAILED_VERIFICATION, Refused, accept, require
from app.cli.base.options import parameter_options, problem_sizes
from app.cli.base.parser import Group
from app.cli.base.request import probe, refuse_point, require_device, run_point
from app.cli.base.sentences import size_text
from app.core.base.files.locations import prepare
from app.core.base.parsing import whole_number
from app.core.timelines.sentences import loop_name
from app.core.tuning.sentences import settings_text
from kernels.base.arrays import never
from kernels.base.messages import message
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device
from kernels.catalogue.case import Case
from kernels.jit.team_loops import TeamLoop, team_loops
from kernels.jit.thread_times import Cause, Shares, elapsed_ms, shares
from kernels.measure.export import point_object
from kernels.measure.real_run import RUNS, Chunks, RunProgress, RunTimeline, record, refuse_recording
from kernels.measure.runner import RunFailed

MOST_RUNS = 1000
LEAST_WIDTH, MOST_WIDTH = 40, 160
"""Characters of the chart; a terminal's own width between these."""
IDLE, BEGINS = ".", "["


def add_options(group: Group) -> None:
    """Add one real run of a variant with threads."""
    problem_sizes(group)
    parameter_options(group)
    group.option("--runs", "RUNS", message("runs that are recorded; the median one is reported"))


def perform(options: argparse.Namespace, console: Console) -> int:
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


def _require_threads(point: Case) -> None:
    if point.variant.device is Device.MPI:
        command = f"tilescope mpi {point.variant_id}"
        raise Refused(
            message("{variant} runs on ranks; {command} shows what each of them does.", variant=point.variant_id, command=command)
        )
    require(refuse_recording(point.variant))


def _record(point: Case, runs: int, console: Console) -> RunTimeline:
    from kernels.jit.runner import CpuRunner

    runner = CpuRunner(console.places.numba_cache if prepare(console.places.numba_cache) is None else None)
    return record(point, runner, ReferenceCache(0), never, _nobody_is_told, runs)


def _nobody_is_told(_progress: RunProgress) -> None:
    """A command that takes seconds needs no progress."""


def schedule_object(recording: RunTimeline, chunks: Chunks) -> dict[str, Any]:
    """Tell the recording as JSON, times in milliseconds from the beginning of the run."""
    point, found = recording.point, shares(chunks)
    return {
        **point_object(point),
        "times_ms": list(recording.times_ms),
        "relative_error": recording.relative_error,
        "allowed_error": recording.allowed_error,
        "conditions": dict(recording.conditions),
        "elapsed_ms": found.elapsed_ms,
        "idle_part": found.idle_part,
        "imbalance": found.imbalance,
        "cores_kept_busy": found.cores_kept_busy,
        "speedup_bound": found.speedup_bound,
        "handing_out_us": found.handing_out_us,
        "left_out": found.left_out,
        "loops": _loops(found, team_loops(point.variant)),
        "threads": _threads(found),
        "chunks": _chunks(chunks),
    }


def _loops(found: Shares, loops: Sequence[TeamLoop]) -> list[dict[str, Any]]:
    return [
        {
            "loop": loop.loop, "over": loops[loop.loop].over, "line": loops[loop.loop].line, "start_ms": loop.start_ms,
            "end_ms": loop.end_ms, "chunks": loop.chunks, "busy_ms": list(loop.busy_ms), "imbalance": loop.imbalance,
        }
        for loop in found.loops
    ]  # fmt: skip


def _threads(found: Shares) -> list[dict[str, Any]]:
    return [
        {
            "thread": share.thread, "chunks": share.chunks, "iterations": share.iterations, "busy_ms": share.busy_ms,
            "idle_ms": share.idle_ms,
            "idle_by_cause_ms": {cause.name.lower(): share.idle_by_cause_ms[cause] for cause in Cause},
        }
        for share in found.threads
    ]  # fmt: skip


def _chunks(chunks: Chunks) -> list[dict[str, Any]]:
    columns = (chunks.thread, chunks.loop, chunks.first, chunks.last, chunks.start_ms, chunks.end_ms)
    return [
        {"thread": thread, "loop": loop, "first": first, "last": last, "start_ms": start, "end_ms": end}
        for thread, loop, first, last, start, end in zip(*(column.tolist() for column in columns), strict=True)
    ]


def print_schedule(recording: RunTimeline, chunks: Chunks, console: Console) -> None:
    """Print what ran, the chart, and the numbers of every thread and of all."""
    text, point, found = console.text, recording.point, shares(chunks)
    size, parameters = size_text(point.problem), settings_text(point)
    console.print(text(message("{variant}: {size}; {parameters}", variant=point.variant_id, size=size, parameters=parameters)))
    runs = len(recording.times_ms)
    console.print(text(message("Median of {runs} verified runs on this machine: {time} ms", runs=runs, time=found.elapsed_ms)))
    for part in (
        _chart(chunks, found, team_loops(point.variant), console),
        aligned(_rows(found, console)),
        aligned(_summary(found, console)),
    ):
        for line in ("", *part):
            console.print(line)


def _chart(chunks: Chunks, found: Shares, loops: Sequence[TeamLoop], console: Console) -> list[str]:
    label = len(str(chunks.threads - 1))
    width = min(max(shutil.get_terminal_size().columns - label - 4, LEAST_WIDTH), MOST_WIDTH)
    rows = [f"{thread:>{label}} |{row}|" for thread, row in enumerate(gantt_rows(chunks, width))]
    rows.append(f"{'':>{label}} 0{console.translator.number(found.elapsed_ms) + ' ms':>{width + 1}}")
    for share in found.loops:
        loop = loops[share.loop]
        said = message(
            "{number}: {loop}, from line {line}; imbalance {imbalance}",
            number=share.loop + 1, loop=loop_name(loop), line=loop.line, imbalance=share.imbalance,
        )  # fmt: skip
        rows.append(console.text(said))
    return rows


def _rows(found: Shares, console: Console) -> list[list[str]]:
    """A line for each thread, under its titles."""
    titles = (
        message("Thread"), message("Chunks"), message("Iterations"), message("Busy, ms"), message("Idle, ms"),
        message("Before the first chunk, ms"), message("Handing out, ms"), message("Barrier, ms"), message("After the last chunk, ms"),
    )  # fmt: skip
    number = console.translator.number
    rows = [[console.text(title) for title in titles]]
    for share in found.threads:
        times = [number(round(time, 3)) for time in (share.busy_ms, share.idle_ms, *share.idle_by_cause_ms)]
        rows.append([str(share.thread), number(share.chunks), number(share.iterations), *times])
    return rows


def _summary(found: Shares, console: Console) -> list[list[str]]:
    lines = [
        (message("Idle"), message("{percent} % of all threads' time", percent=100 * found.idle_part)),
        (message("Imbalance"), message("{ratio}: longest busy time over the mean", ratio=found.imbalance)),
        (message("Cores kept busy"), message("{cores} on average", cores=found.cores_kept_busy)),
        (message("Speed-up"), message("at most {bound} with these chunks shared out like this", bound=found.speedup_bound)),
    ]
    if found.handing_out_us is not None:
        lines.append((message("Handing out"), message("{time} µs a chunk", time=found.handing_out_us)))
    if found.left_out:
        lines.append((message("Note"), message("{count} chunks were not logged: their time counts as idle.", count=found.left_out)))
    return [[console.text(name), console.text(value)] for name, value in lines]


def gantt_rows(chunks: Chunks, width: int) -> list[str]:
    """A line for each thread, in which a character stands for the same share of the run's time.

    It is the number of the loop, from 1, that the thread is busy with for the most of that time, or IDLE; BEGINS where a chunk
    begins that goes on in the next character.
    """
    return [_row(chunks, thread, width) for thread in range(chunks.threads)]


def _row(chunks: Chunks, thread: int, width: int) -> str:
    mine = chunks.thread == thread
    scale = width / max(elapsed_ms(chunks), 1e-9)
    start, end, loop = chunks.start_ms[mine] * scale, chunks.end_ms[mine] * scale, chunks.loop[mine]
    edges = np.arange(width)[:, None]
    covered = np.clip(np.minimum(end, edges + 1) - np.maximum(start, edges), 0, 1)
    text = [IDLE] * width
    for column in np.flatnonzero(covered.sum(axis=1) >= 0.5).tolist():
        text[column] = str((int(loop[covered[column].argmax()]) + 1) % 10)
    for first, last in zip(np.floor(start).astype(int).tolist(), np.ceil(end).astype(int).tolist(), strict=True):
        if last - first > 2 and text[first] != IDLE:
            text[first] = BEGINS
    return "".join(text)
