"""One rung of the ladder as a button."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from app.core.results.quantities import ABOUT, Share
from app.qt.base.look import Look
from app.qt.charts.style import LineStyle, paint_marker
from app.qt.widgets.pointing import HoverButton
from app.qt.widgets.rung_names import rung_name

RAIL = 150
"""Room for a box, a number, a name in a few lines and the bar that scrolls."""
_NUMBER, _RAIL_NUMBER = 34, 24
_RAIL_WIDTH, _GAP, _CHOSEN = 100, 2, 3
"""What a button has of it at least, what is left free around a name, and the bar of the chosen one."""
_PART = re.compile(r"(?:[^\s\u4e00-\u9fff，、_-]|(?<!\w{3})-)*(?:[-，、]|_+|\s+|[\u4e00-\u9fff][，、：）]?|(?<=.)$)")
_MARK, _MARK_ROOM = 10, 34
"""The marker, and what it takes with the gaps around it."""
_LONGEST = Share(0.041, about=True)
"""A share that takes as much room as any."""


class RungButton(HoverButton):
    """Button of a rung: its number, its name, the marker of its curves, and its share of the best library as a bar and a number."""

    def __init__(self, look: Look, number: str, title: str, details: tuple[str, str], rail: bool) -> None:
        """`details` are its id and its idea."""
        super().__init__()
        self._look = look
        self._number = number
        self._rail = rail
        self._share: Share | None = None
        self._mark: LineStyle | None = None
        self._heights: dict[int, int] = {}
        """By width: a layout asks for them again and again."""
        small = look.theme.font("small")
        needed = QFontMetrics(small).horizontalAdvance(number) + 2 * _GAP
        self._number_width = max(look.px(_RAIL_NUMBER if rail else _NUMBER), _CHOSEN + needed)
        """That of a copy has a letter more, and stands beside the bar of the chosen one too."""
        small.setBold(True)
        self._metrics = QFontMetrics(small)
        """Those of the name where it is shown: bold takes most room."""
        self.setCheckable(True)
        self.show_title(title)
        self._hint = f"<p><b>{escape(title)}</b> ({escape(details[0])})</p><p>{escape(details[1])}</p>"  # so that long lines wrap
        self.setToolTip(self._hint)
        self.setAccessibleDescription(details[1])
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(rail)
        self.setSizePolicy(policy)

    def nextCheckState(self) -> None:
        """Stay as it is: the list says which rung is shown; one that was shown already lost its mark by a click."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space is the stage's where this rung is shown already: pressed again it would change nothing."""
        if event.key() == Qt.Key.Key_Space and self.isChecked():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        width = self._look.px(_RAIL_WIDTH if self._rail else 180)
        return QSize(width, self.heightForWidth(width))

    def heightForWidth(self, width: int) -> int:
        """As high as its name needs in a rail of this width."""
        px = self._look.px
        if not self._rail:
            return px(30)
        if width not in self._heights:
            lines = self._lines(width - self._number_width - 2 * _GAP)
            self._heights[width] = max(px(36), len(lines) * self._metrics.lineSpacing() + px(8))
        return self._heights[width]

    def show_title(self, title: str) -> None:
        """Call it so."""
        self._heights.clear()
        self.setText(title)
        self.setAccessibleName(f"{self._number} {title}".strip())

    def explain(self, more: str) -> None:
        """Add to the tool tip."""
        self._hint += more
        self.setToolTip(self._hint)

    def show_share(self, share: Share | None) -> None:
        """Show the share of the best library of this device, or none."""
        if share != self._share:
            self._share = share
            why = escape(self._look.text(ABOUT)) if share is not None and share.about else ""
            self.setToolTip(f"{self._hint}<p>{why}</p>" if why else self._hint)
            self.update()

    def show_mark(self, mark: LineStyle | None) -> None:
        """Show the marker of its curves, or none."""
        if mark != self._mark:
            self._mark = mark
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.isChecked() or self.hovered:
            painter.fillRect(area, theme.bg3)
        if self.isChecked():
            painter.fillRect(QRectF(0, 0, _CHOSEN, area.height()), theme.ink)
        if self.hasFocus():
            painter.setPen(theme.ink)
            painter.drawRect(area.adjusted(1, 1, -2, -2))
        painter.setPen(theme.t1 if self.isChecked() else theme.t3)
        painter.setFont(theme.font("small"))
        number = QRectF(0, 0, self._number_width, area.height())
        painter.drawText(number.adjusted(_CHOSEN, 0, 0, 0), Qt.AlignmentFlag.AlignCenter, self._number)
        if self._rail:
            self._paint_short_name(painter, area.adjusted(number.width() + _GAP, 0, -_GAP, 0))
        else:
            self._paint_name(painter, area)

    def _paint_short_name(self, painter: QPainter, area: QRectF) -> None:
        """The name in as many lines as it needs."""
        font = self._look.theme.font("small")
        font.setBold(self.isChecked())
        painter.setFont(font)
        painter.setPen(self._look.theme.t1)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, flags, "\n".join(self._lines(area.width())))

    def _lines(self, width: float) -> list[str]:
        metrics, lines = self._metrics, [""]
        if metrics.horizontalAdvance(self.text()) <= width:
            return [self.text()]
        for word in _parts(self.text()):
            longer = lines[-1] + word
            if lines[-1] and metrics.horizontalAdvance(longer.rstrip()) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return [_shortened(line.strip(), metrics, width) for line in lines]

    def _paint_name(self, painter: QPainter, area: QRectF) -> None:
        theme, left = self._look.theme, self._look.px(36)
        share = "" if self._share is None else self._share.text
        painter.drawText(area.adjusted(0, 0, -12, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, share)
        taken = painter.fontMetrics().horizontalAdvance(share) + 20 if share else 8
        if self._mark is not None:
            taken = painter.fontMetrics().horizontalAdvance(_LONGEST.text) + self._look.px(_MARK_ROOM)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            centre = QPointF(area.width() - taken + self._look.px(_MARK), area.height() / 2)
            paint_marker(painter, self._mark, centre, self._look.px(_MARK))
        painter.setFont(theme.font("section" if self.isChecked() else "body"))
        painter.setPen(theme.t1)
        room = area.adjusted(left, 0, -taken, 0)
        if painter.fontMetrics().horizontalAdvance(self.text()) > room.width():
            painter.setFont(theme.font("small"))  # rather small than cut
        name = rung_name(self._look, self.text(), painter.font(), room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        if self._share is not None:
            length = (area.width() - left - 12) * min(1.0, self._share.percent / 100)
            painter.fillRect(QRectF(left, area.height() - 3, max(2.0, length), 2), theme.line2)


def _shortened(line: str, metrics: QFontMetrics, width: float) -> str:
    """What there is room for of a line that cannot be broken."""
    return line if metrics.horizontalAdvance(line) <= width else metrics.elidedText(line, Qt.TextElideMode.ElideRight, int(width))


def _parts(title: str) -> list[str]:
    """Where a name may be broken: behind spaces, the hyphens of long words and the lines of a file's name, and between Han characters."""
    return [part for part in _PART.findall(title) if part]
