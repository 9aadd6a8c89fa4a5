"""Tooltips from the glossary for the terms in a title: term, the word in the other language, meaning."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from PySide6.QtWidgets import QWidget

from app.core.help.glossary import Entry, entry_of, terms_in
from app.qt.base.look import Look
from kernels.base.messages import Message


def term_tip(look: Look, *said: Message) -> str:
    """The terms that these texts speak of, as rich text, whose lines wrap; "" where there are none."""
    return _written(look, dict.fromkeys(entry for each in said for entry in terms_in(each)))


def named_tip(look: Look, names: Iterable[str]) -> str:
    """Return the tooltip of terms by their English names, in the singular or the plural."""
    found = (entry_of(name) or entry_of(name.removesuffix("s")) for name in names)
    return _written(look, dict.fromkeys(entry for entry in found if entry is not None))


def explain(widget: QWidget, look: Look, *said: Message) -> None:
    """Give a widget the tooltip of what it is called."""
    widget.setToolTip(term_tip(look, *said))


def with_terms(text: str, terms: str) -> str:
    """A plain text, and below it what terms mean. Without terms it stays plain."""
    if not terms:
        return text
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines()) + terms


def _written(look: Look, entries: Iterable[Entry]) -> str:
    language = look.translator.language
    lines = ((*entry.named(language), entry.explained(language).replace("`", "")) for entry in entries)
    return "".join(f"<p><b>{escape(term)}</b> · {escape(other)}<br>{escape(meaning)}</p>" for term, other, meaning in lines)
