"""Ladder as bars: a row for each rung in teaching order with its name, bar and gain; 100 % is the library.

Where a time is from is told by the bar's pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.core.ladder.picture import Ladder, Rung
from app.core.ladder.sentences import SLOWER, base_text, facts_of, gain_sign, gain_text
from app.core.results.curves import Provenance
from app.core.results.quantities import ABOUT, Share, percent_text
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.charts.style import colour_of
from app.qt.widgets.rung_names import rung_name
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message
from kernels.base.spec import Variant
from kernels.base.values import dataclass

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROLES = ((46.0, "view_caption", "sentence"), (31.0, "sentence", "step"), (17.0, "step", "body"), (17.0, "body", "small"))
"""The least height of a row, and the fonts that its names and its smaller words have then."""
LEAST_ROW = _ROLES[-1][0]
"""Height of a row below which its words would lie over those of its neighbours."""
_BAR, _PAINT_GAP, _MARK = 0.66, 10.0, 4.0


Fonts = tuple[QFont, QFont]
"""Of names, and of smaller words."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a row: where they begin, in pixels, and their fonts; `full` is the percentage that the widest bar has room for."""

    number: float
    name: float
    bar: float
    gain: float
    over: float
    end: float
    full: float
    fonts: Fonts

    def bar_of(self, row: QRectF, percent: float) -> QRectF:
        """Return the place of a bar in a row."""
        height = row.height() * _BAR
        width = (self.gain - _PAINT_GAP - self.bar) * percent / self.full
        return QRectF(self.bar, row.center().y() - height / 2, max(width, 1.0), height)


def fonts_of(theme: Theme, height: float, names: Sequence[str] = (), room: float = 0.0) -> Fonts:
    """The fonts of names and of smaller words in rows of a height; smaller ones where a name would not fit into `room` pixels."""
    pairs = [(theme.font(large), theme.font(small)) for least, large, small in _ROLES if height >= least]
    pairs = pairs or [(theme.font("small"), theme.font("caption"))]
    return next((pair for pair in pairs if all(QFontMetricsF(pair[0]).horizontalAdvance(name) <= room for name in names)), pairs[-1])


def paint_rung(painter: QPainter, look: Look, rung: Rung, row: QRectF, columns: Columns, provenance: Provenance, *, chosen: bool) -> None:
    """Paint one rung as a row of the picture."""
    theme = look.theme
    if chosen:
        painter.fillRect(row, theme.bg3)
        painter.fillRect(QRectF(row.left(), row.top(), _MARK, row.height()), theme.ink)
    large, small = columns.fonts
    painter.setFont(small)
    painter.setPen(theme.t3)
    _write(painter, _part(row, columns.number, columns.name - _PAINT_GAP), _RIGHT, str(rung.variant.rung))
    painter.setFont(large)
    painter.setPen(theme.t1)
    _write_name(painter, look, look.text(rung.variant.title), _part(row, columns.name, columns.bar - _PAINT_GAP))
    if rung.ms is None or rung.share is None:
        painter.setFont(small)
        painter.setPen(theme.t3)
        said = QFontMetricsF(small).elidedText(_missing(look, rung), Qt.TextElideMode.ElideRight, columns.end - columns.bar)
        _write(painter, _part(row, columns.bar, columns.end), _LEFT, said)
    else:
        place = columns.bar_of(row, rung.share.percent)
        paint_bar(painter, theme, place, provenance, rung.variant)
        line = columns.bar_of(row, 100.0).right()
        _paint_share(painter, look, rung.share, place, line, columns.fonts[0], theme.bg3 if chosen else theme.bg1)
    _paint_gain(painter, look, rung, row, columns)


def _write(painter: QPainter, place: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:
    """Write a line in the middle of a row that may be lower than the line: letters are lower still."""
    taller = max(painter.fontMetrics().boundingRect(text).height() - place.height(), 0) / 2 + 1
    painter.drawText(place.adjusted(0, -taller, 0, taller), flags, text)


def _write_name(painter: QPainter, look: Look, name: str, place: QRectF) -> None:
    """In one line; in two where the row is high enough and the name else had to be cut."""
    metrics = QFontMetricsF(painter.font())
    lines = metrics.boundingRect(place, _LEFT | Qt.TextFlag.TextWordWrap, name)
    if metrics.horizontalAdvance(name) > place.width() >= lines.width() and lines.height() <= place.height():
        painter.drawText(place, _LEFT | Qt.TextFlag.TextWordWrap, name)
    else:
        _write(painter, place, _LEFT, rung_name(look, name, painter.font(), place.width()))


def paint_bar(painter: QPainter, theme: Theme, place: QRectF, provenance: Provenance, variant: Variant) -> None:
    """Paint a bar in the colour of the rung's curve; full where it was measured here, hatched in a dashed frame where it was recorded.

    A library has an inner frame, or other hatching.
    """
    colour, library = colour_of(theme, variant), variant.library
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if provenance is Provenance.MEASURED:
        painter.fillRect(place, colour)
        if library:
            painter.setPen(QPen(theme.bg1, 1.6))
            painter.drawRect(place.adjusted(3, 3, -3, -3))
        return
    painter.fillRect(place, theme.cell)
    painter.fillRect(place, QBrush(colour, Qt.BrushStyle.FDiagPattern if library else Qt.BrushStyle.BDiagPattern))
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.DashLine))
    painter.drawRect(place)


def share_left(bar: QRectF, line: float) -> float:
    """Where a share begins behind its bar: behind the line at 100 % too, where that would touch its first figure."""
    left = bar.right() + 6
    return max(left, line + 5) if bar.right() < line < left + 3 else left


def _paint_share(painter: QPainter, look: Look, share: Share, bar: QRectF, line: float, font: QFont, ground: QColor) -> None:
    """Behind the bar, on a ground of its own, so that the line at 100 % does not strike it through."""
    large = QFont(font)
    large.setWeight(QFont.Weight.DemiBold)
    painter.setFont(large)
    text = share.text
    place = QRectF(share_left(bar, line), bar.top(), QFontMetricsF(large).horizontalAdvance(text) + 4, bar.height())
    painter.fillRect(place.adjusted(0, -2, 0, 2), ground)
    painter.setPen(look.theme.t1)
    painter.drawText(place.adjusted(0, -4, 0, 4), _LEFT, text)


def _paint_gain(painter: QPainter, look: Look, rung: Rung, row: QRectF, columns: Columns) -> None:
    over = base_text(rung)
    if rung.gain is None or over is None:
        return
    large, small = columns.fonts
    painter.setFont(large)
    painter.setPen(look.theme.bad if gain_sign(rung) == SLOWER else look.theme.t1)
    _write(painter, _part(row, columns.gain, columns.over), _LEFT, gain_text(rung))
    painter.setFont(small)
    painter.setPen(look.theme.t2)
    _write(painter, _part(row, columns.over, columns.end), _LEFT, look.text(over))


def _missing(look: Look, rung: Rung) -> str:
    return f"✕ {look.text(rung.reason)}" if rung.reason is not None else "–"


def _part(row: QRectF, left: float, right: float) -> QRectF:
    return QRectF(left, row.top(), max(0.0, right - left), row.height())


_EDGE, _HEAD, _GAP, _MOST_ROW = 6.0, 24.0, 10.0, 68.0
_MOST_NAME, _LEAST_NAME, _LEAST_BAR = 0.38, 0.22, 0.3
"""Of the width; names are shortened before the longest bar is shorter than that."""
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LadderBars(Zoomed):
    """Bars of a ladder. A click on a row, or the arrows, say `chosen` with the id of its variant."""

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._ladder: Ladder | None = None
        self._chosen = ""
        self.setAccessibleName(look.text(message("The ladder, rung by rung")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(760, 560))

    def minimumSizeHint(self) -> QSize:
        return self.grown(QSize(420, 200))

    def show_ladder(self, ladder: Ladder | None, chosen: str) -> None:
        """Draw another ladder, or choose another rung."""
        if (ladder, chosen) == (self._ladder, self._chosen):
            return
        self._ladder, self._chosen = ladder, chosen
        rung = None if ladder is None else ladder.rung(chosen)
        self.setMinimumHeight(0 if ladder is None else self.grown(QSize(0, round(_HEAD + LEAST_ROW * len(ladder.rungs)) + 1)).height())
        self.setAccessibleDescription("" if ladder is None or rung is None else self._words(ladder, rung))
        about = ladder is not None and any(each.about for each in ladder.rungs)
        self.setToolTip(self._look.text(ABOUT) if about else "")
        self.update()

    def rows(self) -> tuple[tuple[Rung, QRectF], ...]:
        """The rungs with their rows."""
        rungs = () if self._ladder is None else self._ladder.rungs
        height = min(_MOST_ROW, (self.height() - _HEAD) / max(1, len(rungs)))
        return tuple((rung, QRectF(0, _HEAD + place * height, self.width(), height)) for place, rung in enumerate(rungs))

    def columns(self) -> Columns:
        """Where the columns begin: as wide as their words need."""
        rows = self.rows()
        rungs = [rung for rung, _ in rows]
        titles = [self._look.text(rung.variant.title) for rung in rungs]
        fonts = fonts_of(self._look.theme, rows[0][1].height() if rows else _MOST_ROW, titles, self.width() * _MOST_NAME)
        large, small = map(QFontMetricsF, fonts)
        name = _EDGE + _widest(small, [str(rung.variant.rung) for rung in rungs]) + 2 * _GAP
        names = _widest(large, titles)
        bases = [base for rung in rungs if (base := base_text(rung)) is not None]
        over = self.width() - _EDGE - _widest(small, [self._look.text(base) for base in bases])
        gain = over - _GAP - _widest(large, [gain_text(rung) for rung in rungs])
        shares = [rung.share for rung in rungs if rung.share is not None]
        most = max(100.0, *(share.percent for share in shares), 100.0)
        text = _widest(large, [Share(most, any(share.about for share in shares)).text]) * 1.15 + 10
        least = self.width() * _LEAST_BAR + text
        names = min(names, self.width() * _MOST_NAME, max(self.width() * _LEAST_NAME, gain - least - 2 * _GAP - name))
        if rows and rows[0][1].height() >= 2 * large.lineSpacing():
            names = max(names, min(max(_in_two_lines(large, title) for title in titles), self.width() * _MOST_NAME))
        bar = name + names + _GAP
        room = max(1.0, gain - _GAP - bar)
        full = most * room / max(1.0, room - text)
        return Columns(_EDGE, name, bar, gain, over, self.width() - _EDGE, full, fonts)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._ladder is None:
            return
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows, columns = self.rows(), self.columns()
        self._paint_head(painter, columns)
        self._paint_line(painter, columns, rows[-1][1].bottom())
        before = rows[0][0].variant.precision
        for rung, row in rows:
            paint_rung(painter, self._look, rung, row, columns, self._ladder.provenance, chosen=rung.variant.id == self._chosen)
            if rung.variant.precision != before:
                before = rung.variant.precision
                painter.setPen(QPen(self._look.theme.line2, 1))
                painter.drawLine(row.topLeft(), row.topRight())
        if self.hasFocus():
            painter.setPen(QPen(self._look.theme.now, 2, Qt.PenStyle.DashLine))
            painter.drawRect(next(row for rung, row in rows if rung.variant.id == self._chosen).adjusted(1, 1, -1, -1))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = next((rung for rung, row in self.rows() if row.contains(event.position())), None)
        if found is not None:
            self.chosen.emit(found.variant.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, ids = _STEPS.get(Qt.Key(event.key())), [rung.variant.id for rung, _ in self.rows()]
        if step is None or self._chosen not in ids:
            super().keyPressEvent(event)
            return
        self.chosen.emit(ids[min(max(ids.index(self._chosen) + step, 0), len(ids) - 1)])

    def _paint_head(self, painter: QPainter, columns: Columns) -> None:
        painter.setFont(self._look.theme.font("reading"))
        painter.setPen(self._look.theme.t2)
        at = columns.bar_of(QRectF(0, 0, self.width(), _HEAD), 100.0).right()
        painter.drawText(QRectF(at - 60, 0, 120, _HEAD), Qt.AlignmentFlag.AlignCenter, percent_text(100.0))
        gain = QRectF(columns.gain, 0, columns.end - columns.gain, _HEAD)
        painter.drawText(gain, Qt.AlignmentFlag.AlignVCenter, self._look.text(message("Gain")))

    def _paint_line(self, painter: QPainter, columns: Columns, bottom: float) -> None:
        at = columns.bar_of(QRectF(0, 0, self.width(), _HEAD), 100.0).right()
        painter.setPen(QPen(self._look.theme.ink, 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at, _HEAD), QPointF(at, bottom))

    def _words(self, ladder: Ladder, rung: Rung) -> str:
        facts = [f"{self._look.text(name)}: {self._look.text(value)}" for name, value in facts_of(ladder, rung)]
        return "\n".join([f"{rung.variant.rung} {self._look.text(rung.variant.title)}", *facts])


def _widest(metrics: QFontMetricsF, texts: list[str]) -> float:
    return max(map(metrics.horizontalAdvance, texts), default=0.0)


def _in_two_lines(metrics: QFontMetricsF, name: str) -> float:
    """How wide a name is, broken after the word that makes it narrowest."""
    words = name.split(" ")
    halves = [(" ".join(words[:count]), " ".join(words[count:])) for count in range(1, len(words))]
    return min((max(map(metrics.horizontalAdvance, each)) for each in halves), default=metrics.horizontalAdvance(name)) + 1
