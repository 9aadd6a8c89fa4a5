"""`tilescope check`: executes attempts at challenges again, whatever their files say of themselves."""

from __future__ import annotations

import argparse
import csv
import io
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.cli.base.console import Console
from app.cli.base.errors import FAILED_VERIFICATION, WRONG_INPUT, Refused, require
from app.cli.base.parser import Group
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import refuse_file
from app.core.base.files.text_files import is_folder, read_source
from app.core.base.i18n import Translator
from app.core.base.parsing import shown
from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion, Verdict
from app.core.challenges.check_program import check_program
from app.core.challenges.library import challenge_of, challenges
from app.core.challenges.result import SUFFIX, read_attempt
from app.core.challenges.sentences import NOT_SOLVED, SOLVED, lines_of
from app.core.tracing.service import TracingService
from app.core.workbench.tracing_process import new_tracing
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.launch_spec import NotTraced

DEADLINE_S = 30
"""The longest that one file may take: its process is ended then."""
ENDING_S = 5.0
MOST_FILES = 5000
COLUMNS = ("file", "name", "challenge", "solved", "hints", "targets_met", "targets", "remarks")
FORMULA = tuple("=+-@\t\r")
"""Signs that make a spreadsheet take a text for a formula."""
LONGEST = 500
"""Signs of a remark: what is said of an attempt may quote it."""
MARKS = {True: "✓", False: "✗", None: "·"}


def add_options(group: Group) -> None:
    """Add the files that were handed in, and the table."""
    group.option("files", "FILE.attempt", message("files that were handed in, or folders of them"), nargs="+")
    group.option("--csv", "OUT.csv", message("write a table too: a row for each file"))


def perform(options: argparse.Namespace, console: Console) -> int:
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
        raise Refused(message("There is no file {pattern} in {folder}.", pattern=f"*{SUFFIX}", folder=shown(str(path.absolute()), 200)))
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
    question = CheckQuestion(challenge, attempt)
    return Checked(file, name, challenge, attempt, _verdict(tracing, question) if challenge.program is None else check_program(question))


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
    """Execute an attempt; a process that takes too long, or too much memory, is ended and replaced."""
    tracing.request(question)
    while (reply := tracing.poll()) is None:
        time.sleep(0.01)
    outcome = reply.outcome
    if isinstance(outcome, Verdict):
        return outcome
    return Verdict(trouble=outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer."))


@dataclass(frozen=True, slots=True)
class Checked:
    """A file and what became of it. `problem` says why it is no attempt at a challenge."""

    file: Path
    name: str = ""
    challenge: Challenge | None = None
    attempt: Attempt | None = None
    verdict: Verdict | None = None
    problem: Message | None = None

    @property
    def solved(self) -> bool:
        return self.verdict is not None and self.verdict.solved

    @property
    def trouble(self) -> Message | None:
        """Reason for which there is nothing to be said of targets."""
        return self.problem if self.verdict is None else self.verdict.trouble


def print_checked(console: Console, checked: Checked) -> None:
    """Print lines on one file."""
    path = shown(str(checked.file), 200)
    if checked.challenge is None or checked.verdict is None:
        console.print(console.text(message("{path}: {problem}", path=path, problem=checked.problem or "")))
        return
    language = console.translator.language
    title, state = checked.challenge.text(language).title, SOLVED if checked.solved else NOT_SOLVED
    said = message("{path}: {challenge}: {state}", path=path, challenge=title, state=state)
    if checked.name:
        said = message("{path}: {challenge} ({name}): {state}", path=path, challenge=title, name=shown(checked.name), state=state)
    console.print(console.text(said))
    if checked.verdict.trouble is not None:
        console.print(f"  {MARKS[False]} {shown(console.text(checked.verdict.trouble), LONGEST)}")
        return
    for line in lines_of(checked.challenge, checked.verdict, language):
        console.print(f"  {MARKS[line.met]} {shown(console.text(line.sentence), LONGEST)}")


def as_json(checked: Checked, translator: Translator) -> dict[str, object]:
    """Make one entry of the list."""
    verdict = checked.verdict or Verdict()
    return {
        "file": str(checked.file),
        "name": checked.name,
        "challenge": None if checked.challenge is None else checked.challenge.id,
        "solved": checked.solved,
        "hints": 0 if checked.attempt is None else checked.attempt.hints,
        "targets": [
            {
                "target": met.target,
                "met": met.holds,
                "numbers": {key: value for key, value in met.numbers.items() if isinstance(value, float)},
            }
            for met in verdict.targets
        ],
        "faults": [{"case": case, "words": translator.text(fault)} for case, fault in verdict.faults],
        "trouble": None if checked.trouble is None else translator.text(checked.trouble),
    }


def as_csv(checked: Iterable[Checked], translator: Translator) -> str:
    """Write a row for each file, below the names of the columns. Begins with a byte order mark, without which Excel misreads Chinese."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for each in checked:
        rows.writerow([_cell(value) for value in _row(each, translator)])
    return "\ufeff" + text.getvalue()


def _row(checked: Checked, translator: Translator) -> tuple[object, ...]:
    verdict = checked.verdict or Verdict()
    faults = dict.fromkeys(translator.text(fault) for _, fault in verdict.faults)
    remarks = [*([] if checked.trouble is None else [translator.text(checked.trouble)]), *faults]
    return (
        checked.file, checked.name, "" if checked.challenge is None else checked.challenge.id, "yes" if checked.solved else "no",
        "" if checked.attempt is None else checked.attempt.hints, sum(met.holds for met in verdict.targets),
        "" if checked.challenge is None else len(checked.challenge.targets), " / ".join(remarks),
    )  # fmt: skip


def _cell(value: object) -> str:
    """Write one line, and never a formula."""
    text = shown(str(value), LONGEST)
    return f"'{text}" if text.startswith(FORMULA) else text
