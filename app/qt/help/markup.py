"""Pages and glossary as rich text. It is made of escaped words alone, so that no markup, link or picture can come from a file."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from app.core.help.glossary import Entry, Section
from app.core.help.pages import Page, table_title
from app.core.lessons.prose import Paragraph, Span, spans
from app.qt.look import Look
from app.qt.theme import CODE_FAMILIES

_LINE_HEIGHT = 135
"""Percent; Han characters fill their lines more than Latin letters."""


def page_markup(look: Look, page: Page) -> str:
    """A page with its headings."""
    parts = ((_heading(look, part.heading) if part.heading else "") + _paragraphs(look, part.paragraphs) for part in page.parts)
    return _title(look, page.title) + "".join(parts)


def glossary_markup(look: Look, title: str, tables: Iterable[Section]) -> str:
    """The terms of each table, with the word for them in the other language and what they mean."""
    return _title(look, title) + "".join(
        _heading(look, look.text(table_title(table))) + "".join(_entry(look, each) for each in table.entries) for table in tables
    )


def _entry(look: Look, entry: Entry) -> str:
    term, other = entry.named(look.translator.language)
    said = escape(entry.explained(look.translator.language)).replace("`", "")
    rank = look.theme.t2.name()
    return f'<p style="{_style(look, 8)}"><b>{escape(term)}</b> <span style="color: {rank}">{escape(other)}</span><br>{said}</p>'


def _paragraphs(look: Look, paragraphs: Iterable[Paragraph]) -> str:
    return "".join(_paragraph(look, each) for each in paragraphs)


def _paragraph(look: Look, paragraph: Paragraph) -> str:
    indent = look.px(14) if paragraph.item else 0
    style = f"{_style(look, 6)}; margin-left: {indent}px; text-indent: -{indent}px"
    return f'<p style="{style}">{"• " if paragraph.item else ""}{"".join(_span(look, span) for span in spans(paragraph.text))}</p>'


def _span(look: Look, span: Span) -> str:
    text = escape(span.text)
    if span.code:
        return f"<span style=\"font-family: '{CODE_FAMILIES[0]}'; background: {look.theme.bg3.name()}\">{text}</span>"
    return f"<b>{text}</b>" if span.strong else text


def _title(look: Look, text: str) -> str:
    return f'<p style="font-size: {_pixels(look, "view_caption")}px; font-weight: 600; margin-top: 0">{escape(text)}</p>'


def _heading(look: Look, text: str) -> str:
    return f'<p style="font-size: {_pixels(look, "fact")}px; font-weight: 600; margin-top: {look.px(16)}px">{escape(text)}</p>'


def _style(look: Look, above: int) -> str:
    return f"margin-top: {look.px(above)}px; margin-bottom: 0; line-height: {_LINE_HEIGHT}%"


def _pixels(look: Look, role: str) -> int:
    return look.theme.font(role).pixelSize()
