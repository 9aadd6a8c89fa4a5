"""Executes an attempt and compares it with its targets. It takes as long as executing takes: this is called in a tracing process."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from app.core.challenges.challenge import Challenge, CheckQuestion, Verdict, met, trouble
from app.core.execution.execute import execute
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import Subject, subject_of_draft
from app.core.lesson_metrics.launches import count_of_launch, stopped
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.session import DEFAULT_PROFILE, profile_named
from app.core.stage.edge_checks import settings_of_edge
from kernels.analysis.findings import findings
from kernels.base.messages import Message, message
from kernels.exploration.edge_cases import edge_text
from kernels.exploration.edge_search import plan_edges, try_edge
from kernels.simt.base.launch import MIB, Budget, Keep
from kernels.simt.run.worker import trace_job
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import NotTraced

TOLERANCE = 1e-4
"""Of the largest value, up to which two ways of summing float32 numbers may differ."""
BUDGET = Budget(seconds=5.0, rows=300_000, bytes=256 * MIB)
"""Of one launch. Those of challenges are small: they take a part of a second."""


EDGES_S = 3.0
"""How long edges are looked for, of an attempt that does right otherwise."""


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
    if not faults:
        faults += [("", fault) for fault in _at_edges(challenge, attempt.draft(challenge))]
    return Verdict(targets, tuple(faults))


def _at_edges(challenge: Challenge, draft: Draft) -> Iterator[Message]:
    """The smallest launch at which a text fails that does right in all cases. Only launches count at which the reference does right."""
    subject, began = _subject(draft), time.monotonic()
    plan = plan_edges(subject, {role.name: (role.rows, role.columns) for role in subject.matrices if role.rows})
    most = _largest(challenge)
    for edge in () if isinstance(plan, NotTraced) else plan.edges:
        if time.monotonic() > began + EDGES_S:
            return
        wanted = _right(challenge, settings_of_edge(draft, edge))
        if wanted is None or any(size > most.get(name, 0) for name, size in edge.sizes.items()):
            continue
        tried = try_edge(subject, edge, lambda _launch, trace, wanted=wanted: _first_difference(challenge, trace.values, wanted))  # type: ignore[misc]
        if tried.fails:
            yield message("Right as launched, but not with {size}: {fault}", size=edge_text(edge), fault=tried.findings[0].message)
            return


def _largest(challenge: Challenge) -> dict[str, int]:
    """The largest whole numbers that the challenge itself launches with: the reference need not reach further."""
    found: dict[str, int] = {}
    for settings in (challenge.given.settings, *challenge.cases.values()):
        for name, text in settings.arguments.items():
            if text.isascii() and text.isdecimal():
                found[name] = max(found.get(name, 0), int(text))
    return found


def _right(challenge: Challenge, settings: LaunchSettings) -> Mapping[str, np.ndarray] | None:
    """What the reference leaves with other arguments; None where it does something wrong itself."""
    reference = challenge.reference
    subject = _subject(replace(reference, settings=replace(reference.settings, arguments=settings.arguments)))
    outcome = trace_job(replace(subject, launch=replace(subject.launch, keep=Keep.RESULTS)))
    return None if isinstance(outcome, NotTraced) or findings(outcome.trace) else outcome.trace.values


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
    firsts: dict[FindingKind, Message] = {}
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


def _first_difference(challenge: Challenge, found: Mapping[str, np.ndarray], wanted: Mapping[str, np.ndarray]) -> Message | None:
    return next((said for name in challenge.outputs if (said := _difference(name, found[name], wanted[name])) is not None), None)


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
