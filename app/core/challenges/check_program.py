"""Runs an attempt at a challenge on a whole program, with each of its arguments, beside the program that is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import zip_longest

from app.core.base.parsing import shown
from app.core.challenges.challenge import CheckQuestion, ProgramCases, Verdict, met, trouble
from app.core.lesson_metrics.programs import count_of_run
from app.core.programs.host_program import split_arguments
from kernels.analysis.program_races import look
from kernels.base.messages import Message, message
from kernels.simt.host.process import Programs
from kernels.simt.host.result import SHORT_RUN, NotRun, ProgramJob, ProgramOutcome, ProgramRun

KEPT = 32
LONGEST_LINE = 80
Run = Callable[[ProgramJob], ProgramOutcome]


def run_apart(job: ProgramJob) -> ProgramOutcome:
    """Run a program in a process of its own."""
    return Programs().run(job)


def check_program(question: CheckQuestion, run: Run = run_apart) -> Verdict:
    """Run an attempt and return the verdict on it. Other arguments are tried only where the first ones leave nothing to be said."""
    challenge, attempt = question.challenge, question.attempt
    cases = challenge.program
    assert cases is not None, challenge.id
    first = run(_job(attempt.text, cases.arguments))
    if isinstance(first, NotRun):
        return Verdict(trouble=trouble(first))
    targets = tuple(met(target, partial(count_of_run, first)) for target in challenge.targets)
    faults = [("", fault) for fault in _faults(first, challenge.reference.text, cases.arguments, cases)]
    for name, arguments in cases.others.items():
        if faults or not all(met.holds for met in targets):
            break
        outcome = run(_job(attempt.text, arguments))
        found = [trouble(outcome)] if isinstance(outcome, NotRun) else _faults(outcome, challenge.reference.text, arguments, cases)
        faults += [(name, fault) for fault in found]
    return Verdict(targets, tuple(faults))


def _job(text: str, arguments: str) -> ProgramJob:
    return ProgramJob(text, None, split_arguments(arguments), SHORT_RUN, look=look)


@lru_cache(maxsize=KEPT)
def _right(text: str, arguments: str) -> ProgramOutcome:
    """The run of the program that is right. It is run once for all attempts."""
    return run_apart(_job(text, arguments))


def _faults(run: ProgramRun, reference: str, arguments: str, cases: ProgramCases) -> list[Message]:
    """What was found wrong, the first of each kind; and where output or exit status are not those of the reference."""
    firsts: dict[str, Message] = {}
    for finding in run.findings:
        if finding.wrong.value not in cases.allowed:
            said = message("Line {line}: {problem}", line=finding.location.line, problem=finding.message)
            firsts.setdefault(finding.wrong.value, said if finding.location.line else finding.message)
    wanted = _right(reference, arguments)
    if isinstance(wanted, NotRun):
        return [*firsts.values(), wanted.reason]
    return [*firsts.values(), *_differences(run, wanted)]


def _differences(run: ProgramRun, wanted: ProgramRun) -> Iterator[Message]:
    """The first line of the output that is another one, and the exit status."""
    pairs = zip_longest(run.stdout.splitlines(), wanted.stdout.splitlines())
    for number, (found, expected) in enumerate(pairs, start=1):
        if found != expected:
            nothing = message("nothing")
            yield message(
                "Line {line} of the output is {found}, expected {wanted}.", line=number,
                found=nothing if found is None else f"“{shown(found, LONGEST_LINE)}”",
                wanted=nothing if expected is None else f"“{shown(expected, LONGEST_LINE)}”",
            )  # fmt: skip
            break
    if run.status != wanted.status:
        yield message("The exit status is {found}, expected {wanted}.", found=run.status, wanted=wanted.status)
