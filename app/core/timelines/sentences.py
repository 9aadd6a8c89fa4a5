"""Sentences about real runs."""

from __future__ import annotations

from app.core.base.job_queues import JobState
from app.core.timelines.recorder import RecordingProgress
from kernels.base.messages import Message, message
from kernels.catalogue.case import Case
from kernels.jit.team_loops import TeamLoop
from kernels.measure.real_run import RunState, RunTimeline

SHARING = ("threads", "schedule", "chunk", "ranks", "panel")
"""Parameters that say how work is shared out, in the order in which they are written."""


def loop_name(loop: TeamLoop) -> Message:
    """A loop that is shared out, by what its iterations are."""
    return message("loop over {iterations}", iterations=loop.over)


def settings_text(point: Case) -> str:
    """Size and what says how the work was shared out, by identifiers."""
    names = [name for name in SHARING if name in point.parameters]
    return ", ".join([f"n = {point.problem.n}", *(f"{name} = {point.variant.written(name, point.parameters[name])}" for name in names)])


def run_title(recording: RunTimeline) -> Message:
    """Return the title of a run: what ran."""
    return message("{variant}: {settings}", variant=recording.point.variant_id, settings=settings_text(recording.point))


def provenance(recording: RunTimeline) -> Message:
    """Return where the picture is from."""
    return message("measured on this machine, median of {runs} verified runs", runs=len(recording.times_ms))


def milliseconds(time: float) -> Message:
    """A time as it is written in the picture, to the microsecond."""
    return message("{time} ms", time=round(float(time), 3))


def bytes_text(count: float) -> Message:
    """An amount of data in the largest unit that leaves at least one."""
    if count >= 1 << 20:
        return message("{mib} MiB", mib=count / (1 << 20))
    return message("{kib} KiB", kib=count / 1024) if count >= 1024 else message("{bytes} B", bytes=round(count))


def status_text(status: RecordingProgress | None, refusal: Message | None) -> Message:
    """How far the run is that was asked for."""
    if refusal is not None:
        return refusal
    if status is None:
        return message("No run yet")
    match status.state:
        case JobState.QUEUED:
            return message("Queued: something else is being measured")
        case JobState.RUNNING:
            return _phase_text(status)
        case JobState.CANCELLING:
            return message("Cancelling")
        case JobState.CANCELLED:
            return message("Cancelled")
        case JobState.DONE:
            return message("Done: measured on this machine")
        case JobState.FAILED:
            return status.failure or message("The run failed.")


def _phase_text(status: RecordingProgress) -> Message:
    match status.run.phase:
        case RunState.WAITING:
            return message("Waiting for the cores: something else is being measured")
        case RunState.PREPARING if "ranks" in status.point.parameters:
            return message("Starting {ranks} ranks", ranks=status.point.parameters["ranks"])
        case RunState.PREPARING:
            return message("Compiling")
        case RunState.VERIFYING:
            return message("Running once, to verify the result")
        case RunState.RUNNING:
            return message("Run {number} of at most {runs}", number=status.run.taken + 1, runs=status.run.at_most)
