"""`tilescope check`: executes attempts at challenges again, whatever their files say of themselves."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

from app.cli.console import Console
from app.cli.refusal import Refused
from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion, Verdict
from app.core.challenges.library import challenge_of, challenges
from app.core.challenges.result import read_attempt
from app.core.challenges.words import NOT_SOLVED, SOLVED, verdict_lines
from app.core.source_files import read_source
from app.core.trace_worker import Outcome, TraceWorker
from kernels.messages import Message, message
from kernels.simt.worker import NotTraced

NOT_MET = 1
"""Exit status where an attempt does not solve its challenge."""
DEADLINE_S = 60.0


@dataclass(frozen=True, slots=True)
class Checked:
    """An attempt and what became of it."""

    challenge: Challenge
    attempt: Attempt
    verdict: Verdict


def check_attempts(options: argparse.Namespace, console: Console) -> int:
    """Check each file and say what is met. A file that cannot be read ends it before anything is executed."""
    attempts = [(path, *_read(Path(path))) for path in options.files]
    checked: list[tuple[str, str, Checked]] = []
    worker = TraceWorker()
    try:
        for path, attempt, name, challenge in attempts:
            verdict, worker = _verdict(worker, CheckQuestion(challenge, attempt))
            checked.append((path, name, Checked(challenge, attempt, verdict)))
    finally:
        worker.end()
    if options.json:
        console.print_json([_entry(path, name, each, console) for path, name, each in checked])
    else:
        for path, name, each in checked:
            _print(console, path, name, each)
    return 0 if all(each.verdict.solved for *_, each in checked) else NOT_MET


def _read(path: Path) -> tuple[Attempt, str, Challenge]:
    text = read_source(path)
    if isinstance(text, Message):
        raise Refused(text)
    found = read_attempt(text)
    if isinstance(found, Message):
        raise Refused(message("{place}: {reason}", place=str(path), reason=found))
    attempt, name = found
    challenge = challenge_of(attempt.challenge)
    if challenge is None:
        known = ", ".join(each.id for each in challenges())
        reason = message("There is no challenge '{name}'; there are {known}.", name=attempt.challenge[:40], known=known)
        raise Refused(message("{place}: {reason}", place=str(path), reason=reason))
    return attempt, name, challenge


def _verdict(worker: TraceWorker, question: CheckQuestion) -> tuple[Verdict, TraceWorker]:
    """The verdict, and the process to go on with: one that takes too long is ended and replaced."""
    worker.send(question)
    if wait([worker.connection], DEADLINE_S):
        outcome = worker.receive()
        return (outcome if isinstance(outcome, Verdict) else _trouble(outcome)), worker
    worker.end()
    return Verdict(trouble=message("Checking took longer than {seconds} s and was stopped.", seconds=DEADLINE_S)), TraceWorker()


def _trouble(outcome: Outcome) -> Verdict:
    return Verdict(trouble=outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer."))


def _print(console: Console, path: str, name: str, checked: Checked) -> None:
    language, challenge, verdict = console.translator.language, checked.challenge, checked.verdict
    title = console.text(message("{path}: {challenge}", path=path, challenge=challenge.text(language).title))
    whose = f" ({name})" if name else ""
    console.print(f"{title}{whose}: {console.text(SOLVED if verdict.solved else NOT_SOLVED)}")
    for line in verdict_lines(challenge, verdict, language):
        console.print(f"  {'✓' if line.met else '✗'} {console.text(line.words)}")


def _entry(path: str, name: str, checked: Checked, console: Console) -> dict[str, object]:
    verdict = checked.verdict
    return {
        "file": path,
        "name": name,
        "challenge": checked.challenge.id,
        "solved": verdict.solved,
        "hints": checked.attempt.hints,
        "targets": [
            {
                "target": met.target,
                "met": met.holds,
                "numbers": {key: value for key, value in met.numbers.items() if isinstance(value, float)},
            }
            for met in verdict.targets
        ],
        "faults": [{"case": case, "words": console.text(fault)} for case, fault in verdict.faults],
        "trouble": None if verdict.trouble is None else console.text(verdict.trouble),
    }
