"""Texts with something broken in them, traced as the program traces them: each is answered soon, in words, by a process that lives on.

TILESCOPE_FUZZ_SEED says from which seed on.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from kernels.simt.run.worker import Tracer
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Outcome, Traced
from tests.oracle import mutants

FIRST = int(os.environ.get("TILESCOPE_FUZZ_SEED", "0"))
MUTANTS = 400
NEVER = ("failed", "ended unexpectedly", "took longer", "MiB of memory")
"""In reasons that speak of the interpreter, not of the text."""
UNPLACED = (
    "There is no kernel",
    "not whole clusters",
    "takes no arguments in",
    "needs a value for",
    "has no parameter",
    "static shared memory",
    "shared memory",
)
"""In reasons that belong to the whole text or to the launch."""


def wrong(outcome: Outcome) -> str | None:
    """What is wrong with an answer."""
    if any(each.line < 1 or each.column < 1 for each in outcome.diagnostics):
        return f"a place before the text's beginning: {outcome.diagnostics}"
    if isinstance(outcome, NotTraced):
        reason = str(outcome.reason)
        if any(words in reason for words in NEVER):
            return reason
        if not outcome.diagnostics and not any(words in reason for words in UNPLACED):
            return f"no place: {reason}"
    return None


def tried(answer: Tracer, count: int) -> tuple[list[str], Counter[type[Outcome]]]:
    """The mutants that are answered wrongly, each with its seed, and how many are answered how."""
    originals = mutants.originals()
    failures, outcomes = [], Counter[type[Outcome]]()
    for seed in range(FIRST, FIRST + count):
        random = Random(seed)
        original = random.choice(originals)
        change, text = mutants.broken(original, random)
        outcome = answer.trace(mutants.job(original, text))
        outcomes[type(outcome)] += 1
        found = wrong(outcome)
        if found is not None:
            failures.append(f"seed {seed}, {change} of {original.name}: {found}")
    return failures, outcomes


@pytest.mark.timeout(900)
def test_every_broken_text_is_answered() -> None:
    tracer = Tracer()
    try:
        failures, outcomes = tried(tracer, MUTANTS)
    finally:
        tracer.close()
    assert failures == []
    assert min(outcomes[Traced], outcomes[NotTraced]) > MUTANTS // 10, "else the texts are too broken, or not broken"


def failing(job: LaunchSpec) -> Outcome:
    """A worker that cannot stand an unclosed bracket."""
    from kernels.simt.run.worker import trace_job

    if job.text.count("{") != job.text.count("}"):
        os._exit(1)
    return trace_job(job)


def test_a_crash_would_be_found() -> None:
    tracer = Tracer(failing)
    try:
        failures, _ = tried(tracer, 12)
    finally:
        tracer.close()
    assert any("ended unexpectedly" in each for each in failures)
