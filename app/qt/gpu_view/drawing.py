"""Drawing helpers of the views: the longest text that fits its room, or as much of it as fits, and small pictures drawn once and kept."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate, pairwise

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QGlyphRun, QPainter, QPen, QPixmap, QTextLayout

from app.qt.base.theme import Theme
from app.qt.base.vector import is_vector


def fitting(metrics: QFontMetricsF, texts: Sequence[str], width: float) -> str:
    """The first of the texts that is no wider than `width`; where none is, the last one, cut."""
    for text in texts:
        if metrics.horizontalAdvance(text) <= width:
            return text
    return metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, width)


def write_line(painter: QPainter, area: QRectF, font: QFont, colour: QColor, *texts: str) -> None:
    """Write the first of the texts that fits in one line at the left of an area, else the last one, cut."""
    painter.setFont(font)
    painter.setPen(colour)
    text = fitting(QFontMetricsF(font), texts, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


LINE, _TWO_LINES_TO, _THREE_LINES_TO = 18.0, 900.0, 300.0
"""Height of a line of a sentence; the widths of a view up to which there are two of them, or three."""


def sentence_height(width: float) -> float:
    """The room of the sentence below a picture of this width."""
    return LINE * (1 + (width <= _TWO_LINES_TO) + (width <= _THREE_LINES_TO)) + 4


def write_sentence(painter: QPainter, area: QRectF, theme: Theme, *texts: str) -> None:
    """Write the first of the texts for which there is room, in as many lines as there are; else the last one smaller, at worst as many of
    its words as fit."""
    words = texts[-1].split(" ")
    begins = (" ".join([*words[:count], "…"]) for count in range(len(words) - 1, 0, -1))
    for text, role in (*((each, "body") for each in texts), (texts[-1], "small"), *((each, "small") for each in begins)):
        font = theme.font(role)
        if paragraph_height(font, text, area.width()) <= area.height() + 1:
            painter.setFont(font)
            painter.setPen(theme.t1)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(area, flags, text)
            return
    write_line(painter, area, theme.font("small"), theme.t1, texts[-1])


def paint_wait(painter: QPainter, box: QRectF, theme: Theme, colour: QColor) -> None:
    """Hatch a time of waiting, the other way than what is on its way, in a frame."""
    painter.fillRect(box, theme.bg3)
    painter.fillRect(box, QBrush(colour, Qt.BrushStyle.FDiagPattern))
    painter.setPen(QPen(colour, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


_BREAK = "\u200b"
"""Takes no room; a line may end there."""


def write_instead(painter: QPainter, area: QRectF, theme: Theme, text: str) -> None:
    """Write in the middle of a view why nothing is drawn in it: smaller where it would be too high, a name that is too wide in parts."""
    inner = area.adjusted(24, 0, -24, 0)
    for role in ("body", "small", "caption"):
        painter.setFont(theme.font(role))
        said = _breakable(text, QFontMetricsF(painter.font()), inner.width())
        if paragraph_height(painter.font(), said, inner.width()) <= inner.height():
            break
    painter.setPen(theme.t2)
    painter.drawText(inner, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, said)


def _breakable(text: str, metrics: QFontMetricsF, width: float) -> str:
    """The text in which words that are wider than a line may be broken: a name behind its dots, a part still too wide anywhere."""

    def parted(found: re.Match[str]) -> str:
        if metrics.horizontalAdvance(found[0]) <= width:
            return found[0]
        parts = re.findall(r"[^._:]*[._:]+|[^._:]+", found[0])
        return _BREAK.join(part if metrics.horizontalAdvance(part) <= width else _BREAK.join(part) for part in parts)

    return re.sub(r"[!-~]+", parted, text)  # Chinese is broken between its characters anyway


def unbroken(text: str) -> str:
    """The text with the numbers of each coordinate, and the rows and columns of a part of a matrix, in one line."""
    return re.sub(r"\(\d+(?:, \d+)+\)", lambda found: found[0].replace(" ", "\u00a0"), text).replace("][", "]\u2060[")


def last_words(text: str, metrics: QFontMetricsF, width: float) -> str:
    """The text, or as many of its last words as fit, after an ellipsis: lines of one kind mostly begin alike."""
    words = text.split(" ")
    shorter = (" ".join(["…", *words[begin:]]) for begin in range(1, len(words)))
    return next((each for each in (text, *shorter) if metrics.horizontalAdvance(each) <= width), f"… {words[-1]}")


class Writer:
    """Writes lines below each other in a column of `width`; `bottom` is where the next one begins."""

    def __init__(self, painter: QPainter, corner: QPointF, width: float) -> None:
        self._painter = painter
        self._left = corner.x()
        self._width = width
        self.bottom = corner.y()

    def line(self, font: QFont, colour: QColor, *texts: str, height: float = 17.0, indent: float = 0.0) -> None:
        """The longest of the texts that fits, `height` for the line."""
        self._painter.setFont(font)
        self._painter.setPen(colour)
        width = self._width - indent
        text = fitting(QFontMetricsF(font), texts, width)
        rect = QRectF(self._left + indent, self.bottom, width, height)
        self._painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        self.bottom += height

    def paragraph(self, font: QFont, colour: QColor, text: str, room: float) -> None:
        """Write as many lines as the text needs, or as there is room for."""
        self._painter.setFont(font)
        self._painter.setPen(colour)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        rect = QRectF(self._left, self.bottom, self._width, room)
        self._painter.drawText(rect, flags, text)
        self.bottom += paragraph_height(font, text, self._width)

    def skip(self, height: float) -> None:
        self.bottom += height


def paragraph_height(font: QFont, text: str, width: float) -> float:
    """The height of a text in lines of at most `width`."""
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e4), int(Qt.TextFlag.TextWordWrap), text).height()


_FIGURES = "0123456789"
_FINE = 64
"""Text begins at a 64th of a pixel."""
_ALIKE = str.maketrans(_FIGURES, "0" * len(_FIGURES))


class FigureRow:
    """Writes numbers, or two with a colon between them, into places that stand side by side, in one row after the other: each of them laid
    out by itself would take several times as long as it takes to be drawn."""

    def __init__(self, font: QFont, places: Sequence[QRectF], flags: Qt.AlignmentFlag) -> None:
        """`flags` say where in its place each stands: in the middle of its height, at the right or in the middle."""
        self._font, self._places, self._flags = font, places, flags
        self._glyphs, self._wide = dict[str, int](), dict[str, float]()
        self._runs = dict[str, QGlyphRun | None]()
        for sample in (_FIGURES, "0:0"):  # a colon between figures may be another one than by itself
            layout = QTextLayout(sample, font)
            layout.beginLayout()
            line = layout.createLine()
            layout.endLayout()
            run = layout.glyphRuns()[0]
            begins = [*(at.x() for at in run.positions()), line.naturalTextWidth()]
            self._glyphs |= zip(sample, run.glyphIndexes(), strict=True)
            self._wide |= zip(sample, (end - begin for begin, end in pairwise(begins)), strict=True)
            self._raw = run.rawFont()

    def write(self, painter: QPainter, rows: Iterable[tuple[float, Sequence[str]]]) -> None:
        """Write the texts of rows, their places moved down by so much; where they stay texts, or have no room, one by one."""
        apart = is_vector(painter)
        for top, texts in rows:
            run = None if apart else self._run(texts)
            if run is not None:
                run.setGlyphIndexes([self._glyphs[each] for text in texts for each in text])
                painter.drawGlyphRun(QPointF(0, top), run)
                continue
            painter.setFont(self._font)
            for place, text in zip(self._places, texts, strict=True):
                painter.drawText(place.translated(0, top), self._flags, text)

    def _run(self, texts: Sequence[str]) -> QGlyphRun | None:
        """The figures of a row in their places, which are those of all rows with as many: figures are of equal width."""
        key = " ".join(texts).translate(_ALIKE)
        if key not in self._runs:
            self._runs[key] = self._placed(texts)
        return self._runs[key]

    def _placed(self, texts: Sequence[str]) -> QGlyphRun | None:
        """Where the figures stand; None where they are wider than their places, beyond which nothing is drawn."""
        places, metrics = list[QPointF](), QFontMetricsF(self._font)
        for place, text in zip(self._places, texts, strict=True):
            begins = [0.0, *accumulate(self._wide[each] for each in text)]
            free = place.width() - begins.pop()
            if free < 0:
                return None
            before = free if self._flags & Qt.AlignmentFlag.AlignRight else free / 2
            left = place.left() + math.floor(_FINE * before) / _FINE
            base = place.center().y() - metrics.height() / 2 + metrics.ascent()
            places += [QPointF(left + begin, base) for begin in begins]
        run = QGlyphRun()
        run.setRawFont(self._raw)
        run.setPositions(places)
        return run


Draw = Callable[[QPainter], None]
DrawAll = Callable[[QPainter, Sequence[tuple[float, int]]], None]
"""Draws some of several pictures of one size below each other, which are told by their tops and numbers."""
DrawOne = Callable[[QPainter, int], None]


class Pictures:
    """Transparent pixmaps by what they show; those not drawn for longest are forgotten."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[QPixmap, QRectF]] = OrderedDict()
        """Each with the part of a pixmap, in its own pixels, where it is."""

    def draw(self, painter: QPainter, at: QPointF, key: Hashable, size: QSizeF, ratio: float, draw: Draw) -> None:
        """Put the picture of a key in its place; where lines stay lines, draw them there. One that is not there yet is drawn by `draw` in
        logical coordinates; the key says all that this depends on."""
        if is_vector(painter):
            _draw_lines(painter, (at,), lambda one, _rows: draw(one))
            return
        whole = (key, size.width(), size.height(), ratio)
        found = self._kept.get(whole)
        if found is None:
            found = self._kept[whole] = _drawn((0,), size, ratio, lambda one, _rows: draw(one))[0]
            self._forget(self._most)
        self._kept.move_to_end(whole)
        painter.drawPixmap(at, *found)

    def draw_all(
        self, painter: QPainter, places: Sequence[tuple[QPointF, Hashable]], size: QSizeF, ratio: float, draw: DrawAll
    ) -> None:  # fmt: skip
        """Put pictures of one size in their places; those that are not there yet are drawn in one go, which is quicker than one by one."""
        if is_vector(painter):
            _draw_lines(painter, [at for at, _ in places], draw)
            return
        keys = [(key, size.width(), size.height(), ratio) for _, key in places]
        new = {key: number for number, key in enumerate(keys) if key not in self._kept}
        if new:
            self._kept |= zip(new, _drawn([*new.values()], size, ratio, draw), strict=True)
        for (at, _), key in zip(places, keys, strict=True):
            painter.drawPixmap(at, *self._kept[key])
            self._kept.move_to_end(key)
        self._forget(max(self._most, len(keys)))

    def draw_each(
        self, painter: QPainter, places: Sequence[tuple[QPointF, Hashable]], size: QSizeF, ratio: float, draw: DrawOne
    ) -> None:  # fmt: skip
        """The same; `draw` draws one of them, by its number, as if it were alone."""

        def one_by_one(shared: QPainter, rows: Sequence[tuple[float, int]]) -> None:
            for top, number in rows:
                shared.save()
                shared.translate(0, top)
                draw(shared, number)
                shared.restore()

        self.draw_all(painter, places, size, ratio, one_by_one)

    def _forget(self, most: int) -> None:
        while len(self._kept) > most:
            self._kept.popitem(last=False)


def _draw_lines(painter: QPainter, places: Sequence[QPointF], draw: DrawAll) -> None:
    """Draw pictures where they stand."""
    for number, at in enumerate(places):
        painter.save()
        painter.translate(at)
        painter.setPen(Qt.GlobalColor.black)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, ((0.0, number),))
        painter.restore()


def _drawn(numbers: Sequence[int], size: QSizeF, ratio: float, draw: DrawAll) -> list[tuple[QPixmap, QRectF]]:
    """Pictures as parts of one pixmap, a pixel apart: what reaches over the edge of one is not seen in the next."""
    width, height = (max(1, math.ceil(side * ratio)) for side in (size.width(), size.height()))
    pixmap = QPixmap(width, len(numbers) * (height + 1) - 1)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    tops = [number * (height + 1) for number in range(len(numbers))]
    draw(painter, [(top / ratio, number) for top, number in zip(tops, numbers, strict=True)])
    painter.end()
    return [(pixmap, QRectF(0, top, width, height)) for top in tops]
