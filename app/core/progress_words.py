"""How far measuring is, in words: for the timing workspace and for the status bar."""

from __future__ import annotations

from app.core.jobs import State
from app.core.measuring import LaneProgress, Progress
from kernels.messages import Message, message


def latest_lanes(progress: Progress | None) -> tuple[LaneProgress, ...]:
    """The lanes of the request that is running, or of the last one; and any other that still runs."""
    lanes = progress.lanes if progress is not None else ()
    active = [lane for lane in lanes if not lane.state.ended]
    request = max((lane.request for lane in active or lanes), default=None)
    return tuple(lane for lane in lanes if lane.request == request or lane in active)


def points_done(lanes: tuple[LaneProgress, ...]) -> Message:
    """How many points have ended, and once all lanes have ended, how it came out."""
    done, total = sum(lane.done for lane in lanes), sum(lane.total for lane in lanes)
    if any(not lane.state.ended for lane in lanes):
        return message("{done} of {total} points", done=done, total=total)
    if any(lane.state is State.CANCELLED for lane in lanes):
        return message("Cancelled. {done} of {total} points are kept.", done=done, total=total)
    return message("Done: {done} of {total} points.", done=done, total=total)


def measuring_sentence(progress: Progress | None) -> Message | None:
    """What a user who looks elsewhere is told; None before the first measurement."""
    lanes = latest_lanes(progress)
    if not lanes:
        return None
    running = any(not lane.state.ended for lane in lanes)
    return message("Measuring: {points}", points=points_done(lanes)) if running else points_done(lanes)
