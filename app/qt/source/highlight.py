"""Colours the source: keywords bold, types and comments in lower ranks; only the matrices carry colour."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.qt.base.theme import Theme

MATRICES: Mapping[str, str] = {"A": "A", "B": "B", "C": "C", "As": "A", "Bs": "B"}
"""Names in a kernel of the catalogue that stand for a matrix or for its tile in shared memory."""

_KEPT = 32
"""Texts whose colours are kept: going through the rungs, each was lexed anew for ten milliseconds."""


def load_lexers() -> None:
    """Load the lexers and have them compile their rules, which takes a tenth of a second once in a process."""
    from pygments.lexers.c_like import CudaLexer
    from pygments.lexers.python import PythonLexer

    CudaLexer()
    PythonLexer()


class SourceHighlighter(QSyntaxHighlighter):
    """Formats come from Pygments, which knows Python and CUDA; the file is lexed once when it is set."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._spans: dict[int, list[tuple[int, int, QTextCharFormat]]] = {}
        self.matrices = MATRICES
        """The letters of the names that have the colour of a matrix."""
        self._kept = lru_cache(maxsize=_KEPT)(lambda text, cuda, _matrices: self._lexed(text, cuda))

    def set_source(self, text: str, cuda: bool) -> None:
        """Lex the whole text that the document is about to show; of the texts shown last that is known."""
        self._spans = self._kept(text, cuda, frozenset(self.matrices.items()))

    def follow(self, text: str, cuda: bool) -> None:
        """Lex the text again that the document shows since it was edited; only lines that look different are drawn anew."""
        before, self._spans = self._spans, self._lexed(text, cuda)
        block = self.document().begin()
        while block.isValid():
            if before.get(block.blockNumber()) != self._spans.get(block.blockNumber()):
                self.rehighlightBlock(block)
            block = block.next()

    def _lexed(self, text: str, cuda: bool) -> dict[int, list[tuple[int, int, QTextCharFormat]]]:
        """Return the pieces of a text by line: where a piece begins, how long it is, how it looks."""
        if not text:
            return {}  # the lexer alone takes 50 ms to load
        from pygments.lexers.c_like import CudaLexer
        from pygments.lexers.python import PythonLexer
        from pygments.token import Token

        lexer = CudaLexer() if cuda else PythonLexer()
        styles = {
            Token.Keyword: self._format(bold=True),
            Token.Keyword.Type: self._format(rank=2),
            Token.Comment: self._format(rank=3, italic=True),
            Token.Literal.String: self._format(rank=3, italic=True),
            Token.Name.Function: self._format(bold=True),
        }
        spans: dict[int, list[tuple[int, int, QTextCharFormat]]] = {}
        line = column = 0
        for _, token, piece in lexer.get_tokens_unprocessed(text):
            style = self._matrix_format(piece) if token in Token.Name else None
            style = style or next((styles[kind] for kind in reversed(token.split()) if kind in styles), None)
            for number, part in enumerate(piece.split("\n")):
                line, column = (line, column) if number == 0 else (line + 1, 0)
                if style is not None and part:
                    spans.setdefault(line, []).append((column, len(part), style))
                column += len(part)
        return spans

    def highlightBlock(self, _text: str) -> None:
        for start, length, style in self._spans.get(self.currentBlock().blockNumber(), ()):
            self.setFormat(start, length, style)

    def _matrix_format(self, name: str) -> QTextCharFormat | None:
        if name not in self.matrices:
            return None
        style = self._format(bold=True)
        style.setForeground(self._theme.matrix(self.matrices[name])[0])
        return style

    def _format(self, rank: int = 1, bold: bool = False, italic: bool = False) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setForeground({1: self._theme.t1, 2: self._theme.t2, 3: self._theme.t3}[rank])
        style.setFontItalic(italic)
        if bold:
            style.setFontWeight(QFont.Weight.DemiBold)
        return style
