"""Where the pages of a report begin anew, so that no heading and no title of a table is left behind at the foot of one."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument, QTextFormat


def keep_titles(document: QTextDocument) -> None:
    """Let a title that would stand alone at the end of a page begin the next one. The document has its page's size already."""
    block = document.begin()
    while block.isValid():
        if _is_title(block) and _page(document, _area(document, block).top()) != _page(document, _end_of_next(document, block)):
            _begin_page(block)
            document.markContentsDirty(0, document.characterCount())  # else what follows keeps places of before
        block = block.next()


def _is_title(block: QTextBlock) -> bool:
    """A heading, or what stands right before a table."""
    if block.blockFormat().headingLevel():
        return True
    return bool(block.text().strip()) and not _in_table(block) and block.next().isValid() and _in_table(block.next())


def _in_table(block: QTextBlock) -> bool:
    return QTextCursor(block).currentTable() is not None


def _end_of_next(document: QTextDocument, block: QTextBlock) -> float:
    """How far down goes what must not be parted from a title: further titles, and the begin of what these are above."""
    following = block.next()
    while following.isValid() and (_is_title(following) or not following.text().strip()) and following.next().isValid():
        following = following.next()
    return _area(document, following).bottom() if following.isValid() else _area(document, block).bottom()


def _area(document: QTextDocument, block: QTextBlock) -> QRectF:
    return document.documentLayout().blockBoundingRect(block)


def _page(document: QTextDocument, height: float) -> int:
    return int(height // document.pageSize().height())


def _begin_page(block: QTextBlock) -> None:
    breaks = QTextBlockFormat()
    breaks.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    QTextCursor(block).mergeBlockFormat(breaks)
