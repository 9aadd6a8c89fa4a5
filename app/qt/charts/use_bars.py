"""Stacked bars: where the time of one use of the GPU goes. Every bar fills the width; its length in milliseconds stands beside it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.core.results.gpu_uses import TITLES, Segment, UsePicture, UseRow
from app.core.results.quantities import percent_text
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message
from kernels.measure.gpu_use_times import UsePart

_EDGE, _APART, _LINE = 14.0, 18.0, 24.0
_LEAST_ROW, _MOST_ROW, _GAP = 20.0, 40.0, 0.14
_HEADS = (message("GPU"), message("Processor"), message("GPU is"))
_KEY = QSize(22, 12)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_PATTERNS = {
    UsePart.DRIVER: Qt.BrushStyle.HorPattern, UsePart.CONTEXT: Qt.BrushStyle.BDiagPattern, UsePart.LIBRARY: Qt.BrushStyle.Dense4Pattern,
    UsePart.COMPILE: Qt.BrushStyle.DiagCrossPattern, UsePart.PIN: Qt.BrushStyle.CrossPattern,
    UsePart.ALLOCATE: Qt.BrushStyle.Dense5Pattern, UsePart.TO_DEVICE: Qt.BrushStyle.FDiagPattern,
    UsePart.FIRST_LAUNCH: Qt.BrushStyle.Dense6Pattern, UsePart.KERNEL: Qt.BrushStyle.SolidPattern,
    UsePart.TO_HOST: Qt.BrushStyle.VerPattern,
}  # fmt: skip


class UseBars(Zoomed):
    """Draws a `UsePicture`: a row for each size, the legend below."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._picture = UsePicture(message("No times of the ticked rungs yet."), (), ())
        self.setAccessibleName(look.text(message("Where the time of one use of the GPU goes")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def picture(self) -> UsePicture:
        """What is shown."""
        return self._picture

    def sizeHint(self) -> QSize:
        return self.grown(QSize(600, 320))

    def minimumSizeHint(self) -> QSize:
        return self.grown(QSize(240, 140))

    def show_picture(self, picture: UsePicture) -> None:
        """Draw another picture."""
        self._picture = picture
        self.setAccessibleDescription(" ".join(map(self._look.text, (picture.title, *picture.sentences))))
        self.update()

    def rows_in_sight(self) -> tuple[tuple[UseRow, QRectF], ...]:
        """The largest sizes that there is room for, each with the rectangle of its bar."""
        room = self.height() - 2 * _LINE - self._legend_height()
        fitting = max(1, int(room / _LEAST_ROW))
        rows = self._picture.rows[-fitting:]
        height = min(_MOST_ROW, room / max(len(rows), 1))
        left = _EDGE + self._gutter()
        width = max(1.0, self.width() - _EDGE - left - sum(self._columns()))
        return tuple((row, QRectF(left, 2 * _LINE + number * height, width, height * (1 - _GAP))) for number, row in enumerate(rows))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        theme, look = self._look.theme, self._look
        painter.fillRect(self.rect(), theme.bg1)
        painter.setFont(theme.font("section" if self._picture.rows else "body"))
        painter.setPen(theme.t1)
        painter.drawText(QRectF(_EDGE, 0, self.width() - 2 * _EDGE, _LINE), _LEFT, look.text(self._picture.title))
        shown = self.rows_in_sight()
        if shown:
            self._paint_heads(painter, shown[0][1])
        for row, place in shown:
            self._paint_row(painter, row, place)
        self._paint_legend(painter)
        painter.end()

    def _paint_heads(self, painter: QPainter, first: QRectF) -> None:
        painter.setFont(self._look.theme.font("caption"))
        painter.setPen(self._look.theme.t3)
        for place, head in zip(self._cells(first), _HEADS, strict=True):
            painter.drawText(place.translated(0, -_LINE), _RIGHT, self._look.text(head))

    def _paint_row(self, painter: QPainter, row: UseRow, place: QRectF) -> None:
        theme = self._look.theme
        painter.setFont(theme.font("body" if place.height() >= 14 else "caption"))
        painter.setPen(theme.t1)
        painter.drawText(QRectF(0, place.top(), place.left() - 10, place.height()), _RIGHT, self._look.text(row.title))
        for cell, text in zip(self._cells(place), self._told(row), strict=True):
            painter.drawText(cell, _RIGHT, text)
        for segment in row.bar.segments:
            self._paint_segment(painter, segment, row.bar.ms, place)

    def _paint_segment(self, painter: QPainter, segment: Segment, whole: float, place: QRectF) -> None:
        share = segment.ms / whole
        stretch = QRectF(place.left() + segment.start_ms / whole * place.width(), place.top(), share * place.width(), place.height())
        paint_part(painter, self._look.theme, segment.part, stretch)
        said = percent_text(100 * share)
        metrics = QFontMetricsF(painter.font())
        width = metrics.horizontalAdvance(said) + 10
        if stretch.width() >= width + 4 and stretch.height() >= metrics.height() - 4:
            ground = QRectF(stretch.center().x() - width / 2, stretch.top(), width, stretch.height())
            painter.fillRect(ground, self._look.theme.bg1)
            painter.setPen(self._look.theme.t1)
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, said)

    def _paint_legend(self, painter: QPainter) -> None:
        painter.setFont(self._look.theme.font("small"))
        for part, place in self._legend():
            key = QRectF(place.left(), place.center().y() - _KEY.height() / 2, _KEY.width(), _KEY.height())
            paint_part(painter, self._look.theme, part, key)
            painter.setPen(self._look.theme.t2)
            painter.drawText(place.adjusted(_KEY.width() + 6, 0, 0, 0), _LEFT, self._look.text(TITLES[part]))

    def _legend(self) -> list[tuple[UsePart, QRectF]]:
        """The parts with their places at the foot, in as many lines as they need."""
        metrics = QFontMetricsF(self._look.theme.font("small"))
        spots, left, line = [], _EDGE, 0
        for part in self._picture.parts:
            width = _KEY.width() + 6 + metrics.horizontalAdvance(self._look.text(TITLES[part])) + 18
            if left + width > self.width() - _EDGE and left > _EDGE:
                left, line = _EDGE, line + 1
            spots.append((part, left, line, width))
            left += width
        top = self.height() - (line + 1) * _LINE
        return [(part, QRectF(at, top + row * _LINE, width, _LINE)) for part, at, row, width in spots]

    def _legend_height(self) -> float:
        legend = self._legend()
        return self.height() - legend[0][1].top() if legend else 0.0

    def _told(self, row: UseRow) -> tuple[str, ...]:
        """Return what is written beside a bar."""
        times = (None if ms is None else message("{time} ms", time=ms) for ms in (row.bar.ms, row.cpu_ms))
        return tuple("" if text is None else self._look.text(text) for text in (*times, row.verdict))

    def _gutter(self) -> float:
        """How wide the titles of the bars are."""
        metrics = QFontMetricsF(self._look.theme.font("body"))
        return _APART + max((metrics.horizontalAdvance(self._look.text(row.title)) for row in self._picture.rows), default=0.0)

    def _columns(self) -> tuple[float, ...]:
        """How wide the columns beside the bars are: as wide as the widest text in them."""
        metrics = QFontMetricsF(self._look.theme.font("body"))
        told = [tuple(map(self._look.text, _HEADS)), *map(self._told, self._picture.rows)]
        return tuple(max(map(metrics.horizontalAdvance, texts)) + _APART for texts in zip(*told, strict=True))

    def _cells(self, place: QRectF) -> list[QRectF]:
        """The columns beside a bar."""
        left, cells = place.right(), []
        for width in self._columns():
            cells.append(QRectF(left, place.top(), width, max(place.height(), _LINE / 2)))
            left += width
        return cells


def paint_part(painter: QPainter, theme: Theme, part: UsePart, place: QRectF) -> None:
    """Fill a rectangle as the part is drawn: by colour and by pattern."""
    ground, ink = _colours(theme, part)
    painter.fillRect(place, ground)
    painter.fillRect(place, QBrush(ink, _PATTERNS[part]))
    painter.setPen(QPen(theme.bg1, 1))
    painter.drawRect(place)


def _colours(theme: Theme, part: UsePart) -> tuple[QColor, QColor]:
    """Copies have the colours of what is copied, the kernel that of what happens now, what is paid once is grey."""
    own = {
        UsePart.TO_DEVICE: (theme.a_bg, theme.a_mid), UsePart.TO_HOST: (theme.c_bg, theme.c_mid),
        UsePart.KERNEL: (theme.now_bg, theme.now),
        UsePart.ALLOCATE: (theme.b_bg, theme.b_mid), UsePart.PIN: (theme.b_bg, theme.b_mid),
    }  # fmt: skip
    return own.get(part, (theme.cell, theme.line2))
