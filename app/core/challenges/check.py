"""Executes an attempt and compares it with its targets. It takes as long as executing takes: this is called in a tracing process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from app.core.challenges.challenge import Challenge, CheckQuestion, Verdict, met, trouble
from app.core.gpu_view.execute import execute
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import Subject, subject_of_draft
from app.core.lesson_metrics.launches import count_of_launch, stopped
from app.core.session.draft import Draft
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.base.messages import Message, message
from kernels.simt.base.launch import MIB, Budget, Keep
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.job import NotTraced

TOLERANCE = 1e-4
"""Of the largest value, up to which two ways of summing float32 numbers may differ."""
BUDGET = Budget(seconds=5.0, rows=300_000, bytes=256 * MIB)
"""Of one launch. Those of challenges are small: they take a part of a second."""


def check(question: CheckQuestion) -> Verdict:
    """Execute an attempt and return the verdict on it."""
    challenge, attempt = question.challenge, question.attempt
    draft = attempt.draft(challenge)
    executed = _executed(draft)
    if isinstance(executed, Message):
        return Verdict(trouble=executed)
    targets = tuple(met(target, partial(count_of_launch, executed)) for target in challenge.targets)
    faults = [("", fault) for fault in (*_findings(executed), *_wrong(challenge, draft))]
    for name, case in challenge.cases.items():
        draft = attempt.draft(challenge, case)
        further = _executed(draft)
        found = [further] if isinstance(further, Message) else [*_findings(further), *_wrong(challenge, draft)]
        faults += [(name, fault) for fault in found]
    return Verdict(targets, tuple(faults))


def _executed(draft: Draft) -> LaunchIndex | Message:
    """The launch of a text, or why it came to no end."""
    subject = _subject(draft)
    outcome = execute(subject)
    if isinstance(outcome, NotTraced):
        return trouble(outcome)
    index = LaunchIndex(subject, outcome)
    return stopped(index) or index


def _subject(draft: Draft) -> Subject:
    subject = subject_of_draft(draft, profile_named(DEFAULT_PROFILE))
    return replace(subject, launch=replace(subject.launch, budget=BUDGET))


def _findings(index: LaunchIndex) -> list[Message]:
    """What the interpreter found wrong, the first of each kind."""
    firsts: dict[str, Message] = {}
    for finding in index.record.findings:
        firsts.setdefault(finding.kind, finding.message)
    return list(firsts.values())


def _wrong(challenge: Challenge, draft: Draft) -> list[Message]:
    """Where the outputs are not those of the reference, launched with its own grid and the same arguments."""
    reference = challenge.reference
    found = _outputs(draft)
    wanted = _outputs(replace(reference, settings=replace(reference.settings, arguments=draft.settings.arguments)))
    if isinstance(found, Message) or isinstance(wanted, Message):
        return [each for each in (found, wanted) if isinstance(each, Message)]
    return [said for name in challenge.outputs if (said := _difference(name, found[name], wanted[name])) is not None]


def _outputs(draft: Draft) -> Mapping[str, np.ndarray] | Message:
    """Return what a launch leaves in its arrays, or why it cannot be known."""
    subject = _subject(draft)
    outcome = trace_job(replace(subject, launch=replace(subject.launch, keep=Keep.RESULTS)))
    return trouble(outcome) if isinstance(outcome, NotTraced) else outcome.trace.values


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
