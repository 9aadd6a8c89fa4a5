"""A report as Markdown with tables, for those who write on in an editor."""

from __future__ import annotations

from collections.abc import Callable

from app.core.i18n import Translator
from app.core.report.content import Figure, Grid, Listing, Part, Report, Room, Words
from app.core.report.html import cell_text

Name = Callable[[Figure], str | None]
"""The file of a figure's picture, beside the report; None where there is none."""


def markdown_text(report: Report, translator: Translator, name: Name) -> str:
    """The file's text in the translator's language."""
    who = " · ".join(each for each in (report.author, report.day) if each)
    blocks = [f"# {plain(translator.text(report.title))}", plain(who)]
    for section in report.sections:
        blocks.append(f"## {plain(translator.text(section.heading))}")
        blocks += [_part(part, translator, name) for part in section.parts]
    return "\n\n".join(block for block in blocks if block) + "\n"


def plain(text: str) -> str:
    """Text without a meaning of its own in Markdown."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else " " if sign == "\n" else sign for sign in text)


def _part(part: Part, translator: Translator, name: Name) -> str:
    match part:
        case Words(sentences):
            return " ".join(plain(translator.text(each)) for each in sentences)
        case Listing(entries):
            return "\n".join(f"- {plain(translator.text(each))}" for each in entries)
        case Room(prompt):
            return f"> {plain(translator.text(prompt))}\n\n\u00a0"
        case Figure(title):
            file = name(part)
            return "" if file is None else f"![{plain(translator.text(title))}]({file})"
        case Grid():
            return _grid(part, translator)


def _grid(grid: Grid, translator: Translator) -> str:
    head = [plain(translator.text(column)) for column in grid.columns]
    rows = [[plain(cell_text(cell, translator)) for cell in row] for row in grid.rows]
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    notes = "\n".join(f"- {plain(translator.text(note))}" for note in grid.notes)
    return "\n\n".join(each for each in (f"**{plain(translator.text(grid.title))}**", table, notes) if each)
