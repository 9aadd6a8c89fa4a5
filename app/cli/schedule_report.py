"""A recorded run of several threads, as JSON and for people."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

from app.cli.console import Console, aligned
from app.cli.gantt_text import gantt_rows
from app.cli.sentences import parameters_text, size_text
from app.core.timelines.words import loop_name
from kernels.base.messages import message
from kernels.jit.team_loops import TeamLoop, team_loops
from kernels.jit.thread_times import Cause, Shares, shares
from kernels.measure.export import point_object
from kernels.measure.real_run import Chunks, RunTimeline

LEAST_WIDTH, MOST_WIDTH = 40, 160
"""Characters of the chart; a terminal's own width between these."""


def schedule_object(recording: RunTimeline, chunks: Chunks) -> dict[str, Any]:
    """Times are in milliseconds from the beginning of the run."""
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
    """What ran, the chart, and the numbers of every thread and of all."""
    text, point, found = console.text, recording.point, shares(chunks)
    size, parameters = size_text(point.problem), parameters_text(point)
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
