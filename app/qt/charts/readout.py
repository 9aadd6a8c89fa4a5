"""The box beside the crosshair: every series at one n or value of a parameter, with median, range and share of its library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.core.results.curves import CurvePoint, Provenance, Series, SeriesKey, unit
from app.core.results.labels import detail_of, quantity_text
from app.core.results.quantities import ABOUT, Quantity
from app.core.timing.recordings import note_of
from app.qt.base.look import Look
from app.qt.charts.content import ChartContent
from app.qt.charts.labels import SOURCES, Type, named_series, text_lines
from app.qt.charts.style import LineStyle, line_style, paint_cross, paint_marker
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.base.values import dataclass
from kernels.measure.disturbance_sentences import disturbance, scatter
from kernels.measure.results import Status

Number = Callable[[int | float], str]
_PADDING = 12.0
_GAP = 14.0
_MARKER = 22.0
_WIDEST_NAME, _NARROWEST_NAME = 19.0, 6.0
"""In heights of its type."""
_SPARED = (3, 0, 2, 4)
"""Columns that are left out where there is no room for all, first to last; the one that the chart draws after the others."""
_DRAWN = {Quantity.RATE: 0, Quantity.TIME: 1, Quantity.PERCENT: 3}
_NARROW = 900.0
_WIDEST_REASON = 330.0
_WIDEST_NOTE, _LINES_OF_NOTE = 520.0, 3
Found = tuple[Series, CurvePoint]
"""A line, and its point at the place of the box."""
_DERIVED = (Quantity.SPEED_UP, Quantity.EFFICIENCY, Quantity.GROWTH)


@dataclass(frozen=True, slots=True)
class Row:
    """Row of the crosshair's box, for one series; `cells` are rate, median, range and share, or the reason alone."""

    style: LineStyle
    name: str
    cells: tuple[str, ...]
    status: Status


class Readout:
    """Lays out and paints the box for one value of the horizontal axis."""

    def __init__(
        self, look: Look, content: ChartContent, x: int, kind: Type, room: QSizeF, only: frozenset[SeriesKey] = frozenset()
    ) -> None:
        """`room` is what the chart has for it: where that is narrow, names go without their parameters, and columns are left out; where it
        is low, most lines are only counted. `only` are the lines that are pointed at; none: all."""
        self._look = look
        self._brief = room.width() < _NARROW
        self._room = room.width() - 2 * _PADDING
        self._row = kind.row
        self._bold, self._plain, self._small = (look.theme.font(role) for role in (kind.strong, kind.plain, kind.aside))
        found = [(series, point) for series, point in content.at(x) if not only or series.key in only]
        sources = Counter(variant_id for variant_id, _ in {(series.key.variant_id, series.key.provenance) for series, _ in found})
        self._of_several_sources = {variant_id for variant_id, count in sources.items() if count > 1}
        self.heading = look.text(_heading(content, x))
        operation = content.series[0].key.variant.operation
        rate, copied = unit(operation), operation is Operation.TRANSPOSE
        titles = (message("median ms"), message("min to max"), message("of copy") if copied else message("of library"))
        self._derived = quantity_text(content.quantity, Operation.MATMUL) if content.quantity in _DERIVED else None
        self.columns = (rate, *(look.text(title) for title in (*titles, *([self._derived] if self._derived else []))))
        self.notes = self._notes(found)
        kept = self._fitting(found, content, int((room.height() - 2 * _PADDING) / self._row) - 1)
        if len(kept) < len(found):
            more = message("{count} more: point at a curve, or press ↑ or ↓, to see its times", count=len(found) - len(kept))
            self.notes = [*self._notes(kept), look.text(more)]
        number = look.translator.number
        self.note_lines = self._lines_of(self.notes)
        self.rows = [
            Row(
                line_style(look.theme, series.key.variant, series.key.provenance), self._name(series), self._cells(point, number),
                point.result.status,
            )
            for series, point in kept
        ]  # fmt: skip
        self._name_width = 0.0
        self._widths = self._measure()
        self.shown = self._columns_shown(_DRAWN.get(content.quantity, len(self.columns) - 1))

    def _fitting(self, found: list[Found], content: ChartContent, most: int) -> list[Found]:
        """Return what there is room for in `most` lines, notes included: all, else the named lines, else the first ones."""
        if len(found) + len(self._lines_of(self.notes)) <= max(most, 1):
            return found
        named = {series.key for series in named_series(content)}
        ordered = sorted(found, key=lambda each: each[0].key not in named)
        while len(ordered) > 1 and len(ordered) + len(self._lines_of(self._notes(ordered))) + 1 > most:
            ordered.pop()
        return [each for each in found if each in ordered]

    def _notes(self, found: list[Found]) -> list[str]:
        """Where times are from, and who disturbed them; each said once."""
        said = []
        for series, point in found:
            note, conditions = note_of(series.key, point.result), point.result.conditions
            if note is not None:
                said.append(self._look.text(note))
            abouts = (about for about in (disturbance(conditions), scatter(conditions)) if about is not None)
            said += [self._look.text(message("{variant}: {said}", variant=series.key.variant.title, said=about)) for about in abouts]
        if any(point.share is not None and point.share.about for _, point in found):
            said.append(self._look.text(ABOUT))
        return list(dict.fromkeys(said))

    def _lines_of(self, notes: list[str]) -> list[str]:
        """The notes as they are painted, long ones in several lines."""
        return [line for note in notes for line in text_lines(note, self._small, min(_WIDEST_NOTE, self._room - 2), _LINES_OF_NOTE)]

    @property
    def width(self) -> float:
        timed = self._width_of(self.shown)
        metrics = QFontMetricsF(self._plain)
        reasons = [metrics.horizontalAdvance(row.cells[0]) for row in self.rows if len(row.cells) == 1]
        reason = _GAP + min(max(reasons, default=0.0), _WIDEST_REASON)
        notes = max((QFontMetricsF(self._small).horizontalAdvance(line) for line in self.note_lines), default=0.0)
        name = _MARKER + self._name_width
        return 2 * _PADDING + max(name + timed, min(name + reason, self._room), min(notes + 2, _WIDEST_NOTE))

    @property
    def height(self) -> float:
        return 2 * _PADDING + self._row * (1 + len(self.rows) + len(self.note_lines))

    def sentence(self) -> str:
        """The content of the box as text, for readers of the screen."""
        return "\n".join([self.heading, *(" ".join((row.name, *row.cells)) for row in self.rows), *self.notes])

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Draw the box into `area`, which is as large as `width` and `height` say."""
        theme = self._look.theme
        painter.setPen(QPen(theme.line2, 1))
        painter.setBrush(theme.bg1)
        painter.drawRoundedRect(area, 8, 8)
        right_edges = self._right_edges(area.right() - _PADDING)
        top = area.top() + _PADDING
        painter.setPen(theme.t1)
        painter.setFont(self._bold)
        painter.drawText(QRectF(area.left() + _PADDING, top, area.width(), self._row), Qt.AlignmentFlag.AlignVCenter, self.heading)
        painter.setFont(self._small)
        painter.setPen(theme.t3)
        self._paint_cells(painter, self.columns, right_edges, top)
        for i, row in enumerate(self.rows):
            self._paint_row(painter, row, area, right_edges, top + self._row * (i + 1))
        self._paint_notes(painter, area, top + self._row * (1 + len(self.rows)))

    def _paint_notes(self, painter: QPainter, area: QRectF, top: float) -> None:
        room = area.width() - 2 * _PADDING
        painter.setFont(self._small)
        painter.setPen(self._look.theme.t2)
        for i, line in enumerate(self.note_lines):
            text = QFontMetricsF(self._small).elidedText(line, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(area.left() + _PADDING, top + self._row * i, room + 2, self._row), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_row(self, painter: QPainter, row: Row, area: QRectF, right_edges: Sequence[float], top: float) -> None:
        theme = self._look.theme
        left = area.left() + _PADDING
        refused = len(row.cells) == 1
        centre = QPointF(left + 7, top + self._row / 2)
        if refused:
            paint_cross(painter, theme.bad, centre, 7, row.status is Status.WRONG)
        else:
            paint_marker(painter, row.style, centre, row.style.marker_size)
        painter.setPen(theme.bad if refused else theme.t1)
        painter.setFont(self._plain)
        name = QFontMetricsF(self._plain).elidedText(row.name, Qt.TextElideMode.ElideRight, self._name_width + 1)
        painter.drawText(QRectF(left + _MARKER, top, self._name_width + 2, self._row), Qt.AlignmentFlag.AlignVCenter, name)
        if refused:
            start = left + _MARKER + self._name_width + _GAP
            room = area.right() - _PADDING - start
            reason = QFontMetricsF(self._plain).elidedText(row.cells[0], Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(start, top, room + 2, self._row), Qt.AlignmentFlag.AlignVCenter, reason)
        else:
            self._paint_cells(painter, row.cells, right_edges, top)

    def _paint_cells(self, painter: QPainter, cells: Sequence[str], right_edges: Sequence[float], top: float) -> None:
        for column, right in zip(self.shown, right_edges, strict=True):
            place = QRectF(right - 200, top, 200, self._row)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, cells[column])

    def _right_edges(self, right: float) -> list[float]:
        after = accumulate(reversed([self._widths[column] + _GAP for column in self.shown[1:]]), initial=0.0)
        return [right - beyond for beyond in reversed(list(after))]

    def _columns_shown(self, drawn: int) -> list[int]:
        """The columns that there is room for; long names are cut before a column is left out."""
        shown, least = list(range(len(self.columns))), min(self._name_width, _NARROWEST_NAME * self._plain.pixelSize())
        for column in sorted((each for each in _SPARED if each in shown), key=lambda each: each == drawn):
            if _MARKER + least + self._width_of(shown) > self._room:
                shown.remove(column)
        self._name_width = min(self._name_width, max(least, self._room - _MARKER - self._width_of(shown)))
        return shown

    def _width_of(self, columns: Sequence[int]) -> float:
        return sum(self._widths[column] + _GAP for column in columns)

    def _measure(self) -> list[float]:
        plain, small = QFontMetricsF(self._plain), QFontMetricsF(self._small)
        timed = [row.cells for row in self.rows if len(row.cells) > 1]
        names = [plain.horizontalAdvance(row.name) for row in self.rows]
        heading = QFontMetricsF(self._bold).horizontalAdvance(self.heading) - _MARKER
        self._name_width = min(max([heading, *names]), _WIDEST_NAME * self._plain.pixelSize())
        return [
            max([small.horizontalAdvance(title), *(plain.horizontalAdvance(cells[i]) for cells in timed)])
            for i, title in enumerate(self.columns)
        ]

    def _name(self, series: Series) -> str:
        """The variant with what tells its lines apart; in little room the source alone, where there are times of several."""
        key, detail = series.key, detail_of(series.key)
        if self._brief and key.provenance is not Provenance.PUBLISHED:
            detail = SOURCES[key.provenance] if key.variant_id in self._of_several_sources else None
        title = key.variant.title
        return self._look.text(title if detail is None else message("{first}, {rest}", first=title, rest=detail))

    def _cells(self, point: CurvePoint, number: Number) -> tuple[str, ...]:
        result = point.result
        if not result.verified or result.median_ms is None or result.rate is None:
            return (self._look.text(result.reason or message("No time.")),)
        fastest, slowest = number(min(result.times_ms)), number(max(result.times_ms))
        extent = fastest if len(result.times_ms) == 1 else f"{fastest}–{slowest}"
        share = "—" if point.share is None else point.share.text
        about = "≈ " if result.uneven else ""
        cells = (about + number(result.rate), about + number(result.median_ms), extent, share)
        return cells if self._derived is None else (*cells, "—" if point.value is None else number(point.value))


def _heading(content: ChartContent, x: int) -> Message:
    if content.parameter is None:
        return message("n = {n}", n=x)
    return message("{title}: {value}", title=content.parameter.title, value=content.x_name(x) or str(x))
