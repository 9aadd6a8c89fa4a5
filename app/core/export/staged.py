"""Kinds of what the stage shows, as they are exported: an animation, two launches beside each other, real runs, or a whole program."""

from __future__ import annotations

from enum import Enum

from app.core.gpu_view.index import LaunchIndex
from app.core.timelines.sentences import status_text
from app.core.workbench.workbench import Workbench
from kernels.base.messages import Message, message

NO_STEPS = message("A real run has no steps: export it as a figure, or show the animation for a clip.")


class Staged(Enum):
    """The kinds of what is on the stage."""

    NEST = "nest"
    LAUNCH = "launch"
    COMPARISON = "comparison"
    RUNS = "runs"
    PROGRAM = "program"


def staged(bench: Workbench) -> Staged:
    """What the stage shows, also while other pages are before it."""
    runs = bench.real_runs
    if bench.program_page.shown.value and bench.program_page.frame.value is not None:
        return Staged.PROGRAM
    if bench.comparison.pair.value is not None:
        return Staged.COMPARISON
    if runs.available and (runs.chosen.value or runs.ranked):
        return Staged.RUNS
    return Staged.LAUNCH if isinstance(bench.stage.shown.value, LaunchIndex) else Staged.NEST


def steps_of(bench: Workbench) -> int:
    """How many there are of what the stage shows: steps of a trace, events of a whole program."""
    frame = bench.program_page.frame.value
    if frame is not None and staged(bench) is Staged.PROGRAM:
        return len(frame.run.events)
    return bench.stage.timeline.extent.value.steps


def go_to(bench: Workbench, step: int) -> Message | None:
    """Show a step, or an event of a whole program, by its index; why there is none, calling it `--step`."""
    steps = steps_of(bench)
    if steps == 0:
        return message("--step: what is shown has no steps.")
    if step >= steps:
        return message("{name} must be at most {maximum}, not {value}.", name="--step", maximum=steps, value=step + 1)
    if staged(bench) is Staged.PROGRAM:
        bench.program_page.select(step)
    else:
        bench.stage.timeline.scrub(step)
    return None


def refuse_staged(bench: Workbench, *, moving: bool) -> Message | None:
    """Why what the stage shows cannot be drawn into a file, or None. `moving`: as a clip."""
    if staged(bench) is Staged.PROGRAM:
        return None
    if staged(bench) is Staged.RUNS:
        if moving:
            return NO_STEPS
        runs = bench.real_runs
        return None if runs.comparable else status_text(runs.status.value, runs.refusal.value)
    if bench.stage.shown.value is None or bench.stage.picture.value is None:
        return bench.stage.said or message("There is nothing to animate.")
    return None
