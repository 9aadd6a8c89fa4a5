"""Changes of an edited text, line by line, where its lines are afterwards, and the remarks below it: places with sentences."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache

from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.frontend.diagnostics import Diagnostic, Severity

AROUND = 2
"""Unchanged lines that are shown around a change."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """Line of the difference between two texts. `sign` is "+" for a new line, "-" for one that is gone, "" for one that stayed, "…" where
    unchanged lines are left out. `line` is its number in the new text, of a line that is gone in the old one; 0 where lines are left out.
    """

    sign: str
    line: int
    text: str


def difference(before: str, after: str) -> tuple[DiffLine, ...]:
    """The changed lines with what is around them; empty where nothing was changed."""
    old, new = before.split("\n"), after.split("\n")
    rows: list[DiffLine] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
        if group[0][3] > 0:
            rows.append(DiffLine("…", 0, ""))
        for tag, old_first, old_end, new_first, new_end in group:
            if tag == "equal":
                rows += [DiffLine("", number + 1, new[number]) for number in range(new_first, new_end)]
                continue
            rows += [DiffLine("-", number + 1, old[number]) for number in range(old_first, old_end)]
            rows += [DiffLine("+", number + 1, new[number]) for number in range(new_first, new_end)]
    return tuple(rows)


@lru_cache(maxsize=8)
def _common(before: str, after: str) -> tuple[int, int, int, int]:
    """Lines that both begin with, lines that both end with, and how many each has."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    tail = next((number for number in range(most - head) if old[-1 - number] != new[-1 - number]), most - head)
    return head, tail, len(old), len(new)


def moved_line(before: str, after: str, line: int) -> int | None:
    """The line of `after` that is line `line` of `before`, counted from 1; None where it was edited."""
    head, tail, old, new = _common(before, after)
    if line <= head:
        return line
    if line > old - tail:
        return line + new - old
    edited = line - head - 1
    return line if old == new and edited < new - tail - head else None


@dataclass(frozen=True, slots=True)
class Remark:
    """Remark on a draft, one row.

    `place` is "16:9", with the file before it where it is not the shown text; `line` 0: there is no place to go to.
    """

    place: str
    sentence: Message
    severe: bool
    line: int = 0
    column: int = 0


def remarks_of(diagnostics: tuple[Diagnostic, ...], reason: Message | None, *further: Message | None) -> tuple[Remark, ...]:
    """What keeps the draft from being executed, what the compiler says of it, and what else there is to say."""
    rows = [] if reason is None else [Remark("", reason, severe=True)]
    for each in dict.fromkeys(diagnostics):  # the kernel and the program that it is part of are compiled apart
        place = f"{each.line}:{each.column}"
        severe = each.severity is Severity.ERROR
        if each.file:
            rows.append(Remark(f"{each.file}:{place}", each.message, severe))
        else:
            rows.append(Remark(place, each.message, severe, each.line, each.column))
    return (*rows, *(Remark("", each, severe=False) for each in further if each is not None))
