"""Writers of a report: one HTML file that needs nothing else, no scripts, fonts or pictures from elsewhere, and Markdown with tables."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from app.core.base.i18n import Translator
from app.core.report.content import Cell, Figure, Listing, Part, Playable, Report, Room, Sentences, Tabular
from kernels.base.messages import Message

Draw = Callable[[Figure], str | None]
"""An SVG element for a figure, or None where it cannot be drawn."""

_SANDBOX = "allow-scripts allow-top-navigation-to-custom-protocols allow-popups"
"""What a player may do in a report: play, and offer the program."""
STYLE = """
body { font: 16px/1.5 "Inter", "Noto Sans SC", system-ui, sans-serif; color: #17202c; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.9rem; margin-bottom: 0.2rem; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #dde2e9; }
.who { color: #445163; } figure { margin: 1rem 0; } figure svg, figure img { max-width: 100%; height: auto; }
iframe { width: 100%; height: 820px; border: 1px solid #7f8b9c; border-radius: 8px; }
table { border-collapse: collapse; margin: 0.8rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; caption-side: top; }
th, td { border-bottom: 1px solid #dde2e9; padding: 3px 12px; text-align: right; } th { font-weight: 600; }
th.name, td.name { text-align: left; } .note { color: #445163; font-size: 0.9rem; }
.room { border-left: 4px solid #7f8b9c; padding: 0.4rem 0.9rem; min-height: 5rem; margin: 1rem 0; color: #5c697b; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } table, figure, .room { break-inside: avoid; } }
"""


def html_text(report: Report, translator: Translator, draw: Draw) -> str:
    """The file's text in the translator's language."""
    title = escape(translator.text(report.title))
    who = " · ".join(escape(each) for each in (report.author, report.day) if each)
    body = [f"<h1>{title}</h1>", f'<p class="who">{who}</p>']
    for section in report.sections:
        body.append(f"<h2>{escape(translator.text(section.heading))}</h2>")
        body += [_html_part(part, translator, draw) for part in section.parts]
    language = translator.language.replace("_", "-")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title><style>{STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="{language}"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"


def _html_part(part: Part, translator: Translator, draw: Draw) -> str:
    def text(said: Message) -> str:
        return escape(translator.text(said))

    match part:
        case Sentences(sentences):
            return "<p>" + " ".join(text(each) for each in sentences) + "</p>"
        case Listing(entries):
            return "<ul>" + "".join(f"<li>{text(each)}</li>" for each in entries) + "</ul>"
        case Room(prompt):
            return f'<div class="room" contenteditable="true">{text(prompt)}<br><br><br></div>'
        case Figure(title):
            drawn = draw(part)
            return "" if drawn is None else f'<figure aria-label="{text(title)}">{drawn}</figure>'
        case Playable(title, page):
            frame = f'<iframe sandbox="{_SANDBOX}" title="{escape(title)}" srcdoc="{escape(page)}"></iframe>'
            return f"<figure>{frame}<figcaption>{escape(title)}</figcaption></figure>"
        case Tabular():
            return _html_grid(part, translator)


def _html_grid(grid: Tabular, translator: Translator) -> str:
    head = _row("th", [translator.text(column) for column in grid.columns])
    rows = "".join(_row("td", [cell_text(cell, translator) for cell in row]) for row in grid.rows)
    notes = "".join(f'<p class="note">{escape(translator.text(note))}</p>' for note in grid.notes)
    caption = escape(translator.text(grid.title))
    head = f'<table cellpadding="4" cellspacing="0"><caption>{caption}</caption><thead>{head}</thead>'
    return f"{head}<tbody>{rows}</tbody></table>{notes}"


def _row(element: str, texts: list[str]) -> str:
    """A row whose first cell names it."""
    first, *others = (escape(text) for text in texts)
    cells = "".join(f"<{element}>{text}</{element}>" for text in others)
    return f'<tr><{element} class="name">{first}</{element}>{cells}</tr>'


def cell_text(cell: Cell, translator: Translator) -> str:
    """A cell as it is written; a dash where nothing was measured."""
    if cell is None:
        return "—"
    if isinstance(cell, Message):
        return translator.text(cell)
    return cell if isinstance(cell, str) else translator.number(cell)


Name = Callable[[Figure], str | None]
"""The file of a figure's picture, beside the report; None where there is none."""


def markdown_text(report: Report, translator: Translator, name: Name) -> str:
    """The file's text in the translator's language."""
    who = " · ".join(each for each in (report.author, report.day) if each)
    blocks = [f"# {plain(translator.text(report.title))}", plain(who)]
    for section in report.sections:
        blocks.append(f"## {plain(translator.text(section.heading))}")
        blocks += [_markdown_part(part, translator, name) for part in section.parts]
    return "\n\n".join(block for block in blocks if block) + "\n"


def plain(text: str) -> str:
    """Text without a meaning of its own in Markdown."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else " " if sign == "\n" else sign for sign in text)


def _markdown_part(part: Part, translator: Translator, name: Name) -> str:
    match part:
        case Sentences(sentences):
            return " ".join(plain(translator.text(each)) for each in sentences)
        case Listing(entries):
            return "\n".join(f"- {plain(translator.text(each))}" for each in entries)
        case Room(prompt):
            return f"> {plain(translator.text(prompt))}\n\n\u00a0"
        case Figure(title):
            file = name(part)
            return "" if file is None else f"![{plain(translator.text(title))}]({file})"
        case Playable(title):
            return plain(title)
        case Tabular():
            return _markdown_grid(part, translator)


def _markdown_grid(grid: Tabular, translator: Translator) -> str:
    head = [plain(translator.text(column)) for column in grid.columns]
    rows = [[plain(cell_text(cell, translator)) for cell in row] for row in grid.rows]
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    notes = "\n".join(f"- {plain(translator.text(note))}" for note in grid.notes)
    return "\n\n".join(each for each in (f"**{plain(translator.text(grid.title))}**", table, notes) if each)
