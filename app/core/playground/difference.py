"""What was changed in a text, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

AROUND = 2
"""Unchanged lines that are shown around a change."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """`sign` is "+" for a new line, "-" for one that is gone, "" for one that stayed, "…" where unchanged lines are left out. `line` is
    its number in the new text, of a line that is gone in the old one; 0 where lines are left out."""

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
