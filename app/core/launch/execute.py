"""Executes a subject; runs in the tracing process."""

from __future__ import annotations

from app.core.launch.record import LaunchRecord, record
from app.core.launch.subject import Subject
from kernels.simt.worker import NotTraced, TraceJob, trace_job


def execute(subject: Subject) -> LaunchRecord | NotTraced:
    """The record of a subject's launch, or why there is none. Never raises for what the subject holds."""
    outcome = trace_job(job_of(subject))
    if isinstance(outcome, NotTraced):
        return outcome
    letters = {role.name: role.letter for role in subject.matrices}
    return record(outcome.trace, letters, outcome.diagnostics, outcome.kernels, subject.text)


def job_of(subject: Subject) -> TraceJob:
    """A subject as the interpreter's process takes it."""
    return TraceJob(subject.text, subject.entry, subject.launch, subject.path, subject.defines, subject.texts,
                    None if subject.before is None else job_of(subject.before))  # fmt: skip
