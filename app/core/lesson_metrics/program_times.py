"""Share of the copies in the time of a program's copies and launches, by the simulated clock and the time model."""

from __future__ import annotations

from app.core.lesson_metrics.metric import Metric, Value
from app.core.predictions.launch_time import LaunchWork, LaunchWorkQuestion, time_on
from app.core.predictions.launch_work import work_of
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.base.messages import Message, message
from kernels.simt.host.result import EventKind, Launched, ProgramRun
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced


def copy_share(run: ProgramRun, text: str, fact: Metric) -> Value | Message:
    """Return the share, from 0 to 1, on the GPU that the option `profile` names; or why it is not known."""
    copies = sum(event.ended - event.began for event in run.events if event.kind is EventKind.COPY)
    launches, profile = 0.0, profile_named(fact.text("profile", DEFAULT_PROFILE))
    for launched in run.launches:
        if launched.refused is not None:
            continue
        work = _work(launched, text)
        if isinstance(work, NotTraced):
            return work.reason
        time = time_on(work, profile)
        if isinstance(time, Message):
            return time
        launches += time.milliseconds
    if not copies + launches:
        return message("The program copies and launches nothing.")
    return copies / (copies + launches)


def _work(launched: Launched, text: str) -> LaunchWork | NotTraced:
    if launched.request is None:
        return NotTraced(message("{kernel} ran, but what it worked on is too large to be kept.", kernel=launched.entry))
    return work_of(LaunchWorkQuestion(LaunchSpec(text, launched.entry, launched.request)))
