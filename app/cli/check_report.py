"""What `tilescope check` says of each file: lines, JSON, and a table for a lecturer's list."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.cli.console import Console
from app.core.base.i18n import Translator
from app.core.base.parsing import shown
from app.core.challenges.challenge import Attempt, Challenge, Verdict
from app.core.challenges.words import NOT_SOLVED, SOLVED, lines_of
from kernels.base.messages import Message, message

COLUMNS = ("file", "name", "challenge", "solved", "hints", "targets_met", "targets", "remarks")
FORMULA = tuple("=+-@\t\r")
"""What makes a spreadsheet take a text for a formula."""
LONGEST = 500
"""Signs of a remark: what is said of an attempt may quote it."""
MARKS = {True: "✓", False: "✗", None: "·"}


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
        """Why there is nothing to be said of targets."""
        return self.problem if self.verdict is None else self.verdict.trouble


def print_checked(console: Console, checked: Checked) -> None:
    """Lines on one file."""
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
    """One entry of the list."""
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
    """A row for each file, below the names of the columns. Begins with a byte order mark, without which Excel misreads Chinese."""
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
    """One line, and never a formula."""
    text = shown(str(value), LONGEST)
    return f"'{text}" if text.startswith(FORMULA) else text
