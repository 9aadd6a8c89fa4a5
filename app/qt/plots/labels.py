"""The names beside the lines: what each says, and how it is broken where there is little room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout

from app.core.curves import Provenance, Series, SeriesKey
from app.core.series_names import detail_of, settings_of
from app.qt.look import Look
from app.qt.plots.content import ChartContent
from app.qt.plots.naming import named_guides, named_series
from app.qt.plots.style import LineStyle, line_style
from app.qt.theme import FONT_ROLES
from kernels.messages import Message, message
from kernels.spec import Device

DETAIL_GAP = 6.0
_MOST_LINES = 2
"""Of a name; the detail may have one more."""
SOURCES: Mapping[Provenance, Message] = {
    Provenance.MEASURED: message("measured here"),
    Provenance.RECORDED: message("recorded"),
    Provenance.PUBLISHED: message("published"),
}
Piece = tuple[str, bool]
"""A text that stands in a line, and whether it is of the detail."""


@dataclass(frozen=True, slots=True)
class Type:
    """The fonts of a chart, as roles: of what is strong, of what is not, and of what stands aside."""

    strong: str
    plain: str
    aside: str

    @property
    def row(self) -> float:
        """The height of a line of a table, pixels."""
        return 1.55 * FONT_ROLES[self.plain][0]


SMALL, LARGE = Type("label", "small", "caption"), Type("fact", "reading", "body")
_LARGE_FROM = QSizeF(860, 400)


def type_of(size: QSizeF) -> Type:
    """Larger where a chart has the room: that is what a hall sees."""
    return LARGE if size.width() >= _LARGE_FROM.width() and size.height() >= _LARGE_FROM.height() else SMALL


@dataclass(frozen=True, slots=True)
class EndLabel:
    """A name at the height of a line's last point, with a detail in smaller type."""

    name: str
    detail: str
    strong: bool
    x: int
    value: float
    key: SeriesKey | None = None
    style: LineStyle | None = None
    """Both None for a guide."""


def labels_of(content: ChartContent, look: Look, *, compact: bool, also: Iterable[Series] = ()) -> list[EndLabel]:
    """Of the lines that are named, of those that are `also` to be, and of guides. Where times of several sources have one name, each says
    its source."""
    machines, sources = defaultdict[tuple[Provenance, Device], set[str]](set), defaultdict[str, set[Provenance]](set)
    for series in content.series:
        machines[series.key.provenance, series.key.variant.device].add(series.key.machine)
        if series.drawn and not content.quiet(series.key):
            sources[series.key.variant_id].add(series.key.provenance)
    labels = []
    for series in {each.key: each for each in (*named_series(content), *also)}.values():
        last, key = series.drawn[-1], series.key
        said = None if compact else _detail(key, several=len(machines[key.provenance, key.variant.device]) > 1)
        if len(sources[key.variant_id] | {key.provenance}) > 1:
            source = SOURCES[key.provenance]
            said = source if said is None else message("{first}, {rest}", first=source, rest=said)
        name, detail = look.text(key.variant.title), "" if said is None else look.text(said)
        style = line_style(look.theme, key.variant, key.provenance)
        labels.append(EndLabel(name, detail, key.provenance is Provenance.MEASURED, last.x, last.value or 0.0, key, style))
    for guide in content.guides[: named_guides(content)]:
        x, value = guide.points[-1]
        labels.append(EndLabel(look.text(guide.label), "", strong=False, x=x, value=value))
    return labels


def _detail(key: SeriesKey, *, several: bool) -> Message | None:
    """One machine of a device stands above the chart; of several each is named."""
    return detail_of(key) if several else settings_of(key)


def name_font(look: Look, kind: Type, label: EndLabel) -> QFont:
    """Stronger for what was measured here."""
    return look.theme.font(kind.strong if label.strong else kind.plain)


def one_line_width(look: Look, kind: Type, label: EndLabel) -> float:
    """Width of name and detail side by side."""
    detail = QFontMetricsF(look.theme.font(kind.aside)).horizontalAdvance(label.detail)
    return QFontMetricsF(name_font(look, kind, label)).horizontalAdvance(label.name) + (detail + DETAIL_GAP if label.detail else 0)


def broken(look: Look, kind: Type, label: EndLabel, width: float) -> list[list[Piece]]:
    """The lines of a label that is so wide."""
    lines: list[list[Piece]] = [[(text, False)] for text in _lines(label.name, name_font(look, kind, label), width)]
    if label.detail:
        last = EndLabel(lines[-1][0][0], label.detail, label.strong, label.x, label.value)
        if one_line_width(look, kind, last) <= width:
            lines[-1].append((label.detail, True))
        else:
            lines.append([(label.detail, True)])
    return lines


def paint_line(painter: QPainter, look: Look, kind: Type, label: EndLabel, pieces: list[Piece], start: QPointF, right: float) -> None:
    """One line on its base line; what does not end before `right` is elided."""
    theme, left = look.theme, start.x()
    for text, aside in pieces:
        font = theme.font(kind.aside) if aside else name_font(look, kind, label)
        ink: QColor = theme.t3 if aside else theme.t1 if label.strong else theme.t2
        metrics = QFontMetricsF(font)
        said = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(right - left, 0.0))
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(QPointF(left, start.y()), said)
        left += metrics.horizontalAdvance(said) + DETAIL_GAP


def _lines(text: str, font: QFont, width: float) -> list[str]:
    """A text broken between words, the rest in the last line that there may be."""
    layout, starts = QTextLayout(text, font), list[int]()
    layout.beginLayout()
    while len(starts) < _MOST_LINES and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1.0))
        starts.append(line.textStart())
    layout.endLayout()
    return [text[begin:end].strip() for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)] or [text]
