"""Pending work: whether everything is known that the window can tell of what it shows, and what is still to come."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.stage.studies import IdleWork
from app.core.workbench.workbench import Workbench
from kernels.base.messages import Message, message
from kernels.simt.host.result import ProgramRun


def missing(workbench: Workbench) -> Message | None:
    """What is not known yet, the first of it; None where nothing is to come."""
    return next(_missing(workbench), None)


def _missing(workbench: Workbench) -> Iterator[Message]:
    if not workbench.stage_ready or workbench.states.arrival.pending:
        yield message("the execution that the stage shows")
    outcome = workbench.program.outcome.value
    if isinstance(outcome, ProgramRun) and outcome.searching:
        yield message("races between threads")
    if workbench.program_page.shown.value and not workbench.program_page.times.settled:
        yield message("what the launches take")
    if not workbench.settled:
        yield message("the devices and earlier times")
    if not workbench.real_runs.settled:
        yield message("the run")
    if not workbench.lesson_controller.player.settled:
        yield message("the numbers of the lesson")
    if not workbench.races.settled:
        yield message("the schedules of the data race")
    if not workbench.practice.settled:
        yield message("whether the attempt holds")
    yield from _unexplored(workbench.studies)


def _unexplored(studies: IdleWork) -> Iterator[Message]:
    if not studies.caches.settled:
        yield message("what the caches do")
    if not studies.caches.compared:
        yield message("what the caches do at other sizes and tiles")
    if not studies.stop_costs.settled:
        yield message("what other tiles would cost")
    if not studies.compiled.settled:
        yield message("what the compiler says")
    if not studies.predictions.settled:
        yield message("what is predicted")
