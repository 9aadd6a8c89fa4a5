"""Paragraphs of a lesson on the screen: wrapped, with code and stress, made of spans so that no markup can come from a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.core.base.i18n import CHINESE, NARROW_SPACE, WORD_JOINER
from app.core.lessons.prose import Paragraph, Span, filled, spans
from app.qt.base.look import Look
from app.qt.base.theme import CODE_FAMILIES

_LINE_HEIGHTS = {False: 118, True: 104}
"""Percent of what the font asks for; that of the Chinese one is wide as it is."""
_WORD = 28
"""Characters of code that are kept on one line."""
NO_BREAK_SPACE = "\u00a0"
_PERCENT, _A_SECOND = re.compile(r"(?<=\d)(</b>|</span>)? %"), re.compile(r"(?<=[A-Za-z])/(?=s\b)")
"""Where no line ends: a number keeps its percent, a unit its second."""


class ProseLabel(QLabel):
    """Label of some paragraphs. `fill` puts in the numbers that are known by now."""

    def __init__(self, look: Look, paragraphs: Sequence[Paragraph], role: str = "reading") -> None:
        super().__init__()
        self._paragraphs = paragraphs
        self._chinese = look.translator.language == CHINESE
        self._look = look
        self.setFont(look.theme.font(role))
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if not paragraphs:
            self.hide()

    def fill(self, numbers: Mapping[str, str]) -> None:
        """Show the paragraphs with these numbers; others are an ellipsis."""
        texts = [filled(each.text, numbers) for each in self._paragraphs]
        pairs = zip(texts, self._paragraphs, strict=True)
        self.setText("".join(self._html(text, item=each.item, first=number == 0) for number, (text, each) in enumerate(pairs)))
        self.setAccessibleName(" ".join(map(plain, texts)))

    def _html(self, text: str, *, item: bool, first: bool) -> str:
        height = _LINE_HEIGHTS[self._chinese]
        above, indent = 0 if first else 8, "margin-left: 14px; text-indent: -12px;" if item else "margin-left: 0;"
        style = f"margin-top: {above}px; margin-bottom: 0; line-height: {height}%; {indent}"
        return f'<p style="{style}">{"• " if item else ""}{html_of(text, self._look)}</p>'


def html_of(text: str, look: Look) -> str:
    """One line of prose: its code in the type of code, what is stressed bold, everything else as it stands."""
    # Qt makes every other space of a rich text one at which a line may end.
    joined = "".join(_html_of(span, look) for span in spans(text)).replace(NARROW_SPACE, NO_BREAK_SPACE)
    return _A_SECOND.sub(f"/{WORD_JOINER}", _PERCENT.sub(rf"\1{NO_BREAK_SPACE}%", joined))


def plain(text: str) -> str:
    """One line of prose without its marks."""
    return "".join(span.text for span in spans(text))


def _html_of(span: Span, look: Look) -> str:
    if span.code:
        text = WORD_JOINER.join(span.text) if len(span.text) <= _WORD else span.text
        return f"<span style=\"font-family: '{CODE_FAMILIES[0]}'; background: {look.theme.bg3.name()}\">{escape(text)}</span>"
    return f"<b>{escape(span.text)}</b>" if span.strong else escape(span.text)
