"""Texts of a slide with marks, measured and placed, in type for a hall: sizes in units, of which a screen is 1080 high."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextOption

from app.core.lessons.prose import spans
from app.qt.base.theme import CODE_FAMILIES, UI_FAMILIES
from kernels.base.values import dataclass

HEIGHT = 1080.0
"""Of a screen, in units."""
LABEL, BODY, NARRATION, QUESTION, NUMBER, HERO = 28.0, 36.0, 50.0, 58.0, 64.0, 170.0

REGULAR, STRONG = QFont.Weight.Normal, QFont.Weight.DemiBold


def type_of(units: float, unit: float, weight: QFont.Weight = REGULAR, *, code: bool = False) -> QFont:
    """A font of so many units; `unit` in pixels."""
    font = QFont()
    font.setFamilies(CODE_FAMILIES if code else UI_FAMILIES)
    font.setPixelSize(max(1, round(units * unit)))
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


_COUNTED = re.compile(r"(?<=\d)-(?=[a-z])")
_LEADING = 1.3
"""The height of a line, of the size of its type: in all scripts the same."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text where it stands. `units` is its size."""

    document: QTextDocument
    place: QRectF
    units: float

    def paint(self, painter: QPainter) -> None:
        """Draw it."""
        painter.save()
        painter.translate(self.place.topLeft())
        self.document.drawContents(painter)
        painter.restore()


@dataclass(frozen=True, slots=True)
class Ink:
    """Ink of a text: the size of a unit in pixels, its colour and weight."""

    unit: float
    colour: QColor
    weight: QFont.Weight = REGULAR
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft


def written(text: str, units: float, ink: Ink, width: float) -> QTextDocument:
    """The text in lines of at most `width` pixels."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(type_of(units, ink.unit, ink.weight))
    option = QTextOption(ink.align)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    cursor = QTextCursor(document)
    lines = QTextBlockFormat()
    lines.setLineHeight(round(_LEADING * units * ink.unit), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    lines.setAlignment(ink.align)
    cursor.setBlockFormat(lines)
    for span in spans(_unbroken(text)):
        look = QTextCharFormat()
        look.setFont(type_of(units, ink.unit, STRONG if span.strong else ink.weight, code=span.code))
        look.setForeground(ink.colour)
        cursor.insertText(span.text, look)
    document.setTextWidth(width)
    return document


def _unbroken(text: str) -> str:
    """Return the text with no number divided from its percent sign, nor from what it counts: "1-way"."""
    return _COUNTED.sub("\u2011", text.replace(" %", "\u00a0%"))


def fitted(text: str, sizes: Sequence[tuple[float, int]], ink: Ink, place: QRectF) -> PlacedText:
    """The text in the first of the sizes in which it takes no more than the lines that stand beside it; in the last one else.

    It begins at the top of `place`, and is as high as it must be.
    """
    for units, lines in sizes:
        document = written(text, units, ink, place.width())
        if lines_of(document) <= lines and document.idealWidth() <= place.width():
            break
    return PlacedText(document, QRectF(place.left(), place.top(), place.width(), document.size().height()), units)


def lines_of(document: QTextDocument) -> int:
    """How many lines a text has."""
    document.size()  # lays it out
    return sum(document.findBlockByNumber(number).layout().lineCount() for number in range(document.blockCount()))


def centred(placed: PlacedText, area: QRectF) -> PlacedText:
    """The text in the middle of the height of an area."""
    place = QRectF(placed.place)
    place.moveTop(area.top() + (area.height() - place.height()) / 2)
    return PlacedText(placed.document, place, placed.units)
