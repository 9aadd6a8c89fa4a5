"""Executes an attempt and compares it with its targets. It takes as long as executing takes: this is called in a tracing process."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion, Met, Target, Verdict
from app.core.facts.fact import Fact, Value
from app.core.facts.launches import count_of_launch
from app.core.launch.execute import execute, job_of
from app.core.launch.index import LaunchIndex
from app.core.lessons.numbers import calculated, numbers_of
from app.core.playground.draft import Draft, Settings
from app.core.playground.subject import subject_of_draft
from app.core.session import DEFAULT_PROFILE, profile_named
from kernels.messages import Message, message
from kernels.simt.frontend.diagnostics import Severity
from kernels.simt.launch import Keep
from kernels.simt.worker import NotTraced, trace_job

TOLERANCE = 1e-4
"""Of the largest value, up to which two ways of summing float32 numbers may differ."""
Values = dict[str, np.ndarray]


def check(question: CheckQuestion) -> Verdict:
    """The verdict on an attempt."""
    challenge, attempt = question.challenge, question.attempt
    draft = attempt.draft(challenge)
    subject = subject_of_draft(draft, profile_named(DEFAULT_PROFILE))
    outcome = execute(subject)
    if isinstance(outcome, NotTraced):
        return Verdict(trouble=_trouble(outcome))
    index = LaunchIndex(subject, outcome)
    targets = tuple(_met(target, index) for target in challenge.targets)
    faults = [("", fault) for fault in _faults_of(index)] + [("", wrong) for wrong in _wrong(challenge, draft, None)]
    for name, case in challenge.cases.items():
        faults += [(name, fault) for fault in _case_faults(challenge, attempt, case)]
    return Verdict(targets, tuple(faults))


def _trouble(outcome: NotTraced) -> Message:
    """Why there is no trace, with the place of the first error in the text where it is one."""
    first = next((each for each in outcome.diagnostics if each.severity is Severity.ERROR and not each.file), None)
    if first is None:
        return outcome.reason
    return message("Line {line}, column {column}: {problem}", line=first.line, column=first.column, problem=first.message)


def _met(target: Target, index: LaunchIndex) -> Met:
    def find(fact: Fact) -> Value | Message:
        return count_of_launch(index, fact)

    numbers = numbers_of(target.values, find)
    value = calculated(target.holds, numbers)
    return Met(target.name, numbers, isinstance(value, float) and value != 0)


def _case_faults(challenge: Challenge, attempt: Attempt, case: Settings) -> list[Message]:
    draft = attempt.draft(challenge, case)
    subject = subject_of_draft(draft, profile_named(DEFAULT_PROFILE))
    outcome = execute(subject)
    if isinstance(outcome, NotTraced):
        return [_trouble(outcome)]
    return [*_faults_of(LaunchIndex(subject, outcome)), *_wrong(challenge, draft, case)]


def _faults_of(index: LaunchIndex) -> list[Message]:
    """What the interpreter found wrong, the first of each kind."""
    firsts: dict[str, Message] = {}
    for finding in index.record.findings:
        firsts.setdefault(finding.kind, finding.message)
    return list(firsts.values())


def _wrong(challenge: Challenge, draft: Draft, case: Settings | None) -> list[Message]:
    """Where the outputs are not those of the reference, launched with its own grid and the same arguments."""
    own = challenge.reference.settings
    arguments = (case or challenge.given.settings).arguments
    reference = replace(challenge.reference, settings=replace(own, arguments={**arguments}))
    found, wanted = _outputs(draft), _outputs(reference)
    if isinstance(found, Message) or isinstance(wanted, Message):
        return [each for each in (found, wanted) if isinstance(each, Message)]
    return [said for name in challenge.outputs if (said := _difference(name, found[name], wanted[name])) is not None]


def _outputs(draft: Draft) -> Values | Message:
    job = job_of(subject_of_draft(draft, profile_named(DEFAULT_PROFILE)))
    outcome = trace_job(replace(job, launch=replace(job.launch, keep=Keep.RESULTS)))
    return _trouble(outcome) if isinstance(outcome, NotTraced) else dict(outcome.trace.values)


def _difference(name: str, found: np.ndarray, wanted: np.ndarray) -> Message | None:
    if found.shape != wanted.shape:
        return message("{name} has {found} elements, not {wanted}.", name=name, found=found.size, wanted=wanted.size)
    allowed = TOLERANCE * float(np.abs(wanted).max(initial=0.0)) if wanted.dtype.kind == "f" else 0
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(found - wanted) <= allowed)
    if not wrong.any():
        return None
    first = int(np.flatnonzero(wrong)[0])
    return message(
        "{name}[{place}] is {found}, expected {wanted}; {count} of {all} elements are wrong.",
        name=name, place=first, found=float(found.flat[first]), wanted=float(wanted.flat[first]), count=int(wrong.sum()), all=wrong.size,
    )  # fmt: skip
