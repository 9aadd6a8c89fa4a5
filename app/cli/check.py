"""`tilescope check`: executes attempts at challenges again, whatever their files say of themselves."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from app.cli.check_report import Checked, as_csv, as_json, print_checked
from app.cli.console import Console
from app.cli.refusal import FAILED_VERIFICATION, WRONG_INPUT, Refused, require
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.base.files.text_files import is_folder, read_source
from app.core.base.parsing import shown
from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion, Verdict
from app.core.challenges.library import challenge_of, challenges
from app.core.challenges.result import SUFFIX, read_attempt
from app.core.program.tracing_process import new_tracing
from app.core.tracing.service import TracingService
from kernels.base.messages import Message, message
from kernels.simt.trace.job import NotTraced

DEADLINE_S = 30
"""The longest that one file may take: its process is ended then."""
ENDING_S = 5.0
MOST_FILES = 5000


def check_attempts(options: argparse.Namespace, console: Console) -> int:
    """Check each file and say what is met; with `--csv` a row for each file as well.

    Returns 1 where an attempt does not solve its challenge, 2 where a file is no attempt at one.
    """
    files = [file for path in options.files for file in _files(Path(path))]
    table = None if options.csv is None else _table(options.csv)
    checked: list[Checked] = []
    tracing = new_tracing(DEADLINE_S)
    try:
        for file in files:
            checked.append(_checked(tracing, file))
            if not options.json:
                print_checked(console, checked[-1])
    finally:
        tracing.shutdown(ENDING_S)
    if options.json:
        console.print_json([as_json(each, console.translator) for each in checked])
    if table is not None:
        require(write_whole(table, as_csv(checked, console.translator)))
    if any(each.verdict is None for each in checked):
        return WRONG_INPUT
    return 0 if all(each.solved for each in checked) else FAILED_VERIFICATION


def _files(path: Path) -> Iterator[Path]:
    """The file, or those in a folder and in the folders in it, by name."""
    if not is_folder(path):
        yield path
        return
    try:
        found = sorted(each for each in path.rglob(f"*{SUFFIX}") if each.is_file())
    except OSError as error:  # a folder in it went while it was looked into
        raise Refused(message("{path} cannot be read: {error}.", path=shown(str(path), 200), error=error.strerror or str(error))) from error
    if not found:
        raise Refused(message("There is no file {pattern} in {folder}.", pattern=f"*{SUFFIX}", folder=shown(str(path), 200)))
    if len(found) > MOST_FILES:
        raise Refused(message("{folder} has more than {most} files.", folder=shown(str(path), 200), most=MOST_FILES))
    yield from found


def _table(name: str) -> Path:
    path = Path(name).absolute()
    if path.suffix.lower() != ".csv":
        raise Refused(message("{name}: the file's name must end in {endings}.", name="--csv", endings=".csv"))
    require(refuse_file(path))
    return path


def _checked(tracing: TracingService, file: Path) -> Checked:
    found = _read(file)
    if isinstance(found, Message):
        return Checked(file, problem=found)
    attempt, name, challenge = found
    return Checked(file, name, challenge, attempt, _verdict(tracing, CheckQuestion(challenge, attempt)))


def _read(file: Path) -> tuple[Attempt, str, Challenge] | Message:
    text = read_source(file)
    found = text if isinstance(text, Message) else read_attempt(text)
    if isinstance(found, Message):
        return found
    attempt, name = found
    challenge = challenge_of(attempt.challenge)
    if challenge is None:
        known = ", ".join(each.id for each in challenges())
        return message("There is no challenge '{name}'; there are {known}.", name=shown(attempt.challenge), known=known)
    return attempt, name, challenge


def _verdict(tracing: TracingService, question: CheckQuestion) -> Verdict:
    """What became of it; a process that takes too long, or too much memory, is ended and replaced."""
    tracing.request(question)
    while (reply := tracing.poll()) is None:
        time.sleep(0.01)
    outcome = reply.outcome
    if isinstance(outcome, Verdict):
        return outcome
    return Verdict(trouble=outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer."))
