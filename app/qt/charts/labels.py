"""Names beside the lines of a chart: which lines are named, what each name says, how it is broken, and where it goes.

So few are named that a hall can read them, those that say most. Labels and boxes cover neither each other nor the curves. The geometry is
in pixels, y downwards.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout

from app.core.results.curves import Provenance, Series, SeriesKey
from app.core.results.labels import DEVICES, detail_of, settings_of
from app.qt.base.look import Look
from app.qt.base.theme import FONT_ROLES
from app.qt.charts.content import ChartContent
from app.qt.charts.scales import Scale
from app.qt.charts.style import LineStyle, line_style
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass

MOST_NAMES = 6
"""One more where that names all that was measured here, and one for each device of which no line would be named."""
_MOST_REFERENCE_LINES = 2


def named_reference_lines(content: ChartContent) -> int:
    """How many of the reference lines are named: the first ones."""
    return min(len(content.reference_lines), _MOST_REFERENCE_LINES)


def named_series(content: ChartContent) -> tuple[Series, ...]:
    """What was measured here comes before what was not, which has one name at least. Of each: the ticked rungs where all have room, that on
    the stage, the libraries, the fastest, then those whose ends lie farthest from the names that there are; no rung first that has a
    name. In the content's order."""
    room = MOST_NAMES - named_reference_lines(content)
    drawn = [series for series in content.series if series.drawn and not content.quiet(series.key)]
    if len(drawn) <= room:
        return tuple(drawn)
    here = [series for series in drawn if series.key.provenance is Provenance.MEASURED]
    others = [series for series in drawn if series.key.provenance is not Provenance.MEASURED]
    room += len(here) == room
    named = _say_most(here, content, room - bool(others), [])
    named = _say_most(others, content, room, named)
    for device in {series.key.variant.device for series in drawn} - {series.key.variant.device for series in named}:
        fastest = max((each for each in drawn if each.key.variant.device is device), key=lambda series: _end(series, content.y_scale))
        named = [*named, fastest]
    return tuple(series for series in drawn if series in named)


def _say_most(some: Sequence[Series], content: ChartContent, room: int, named: list[Series]) -> list[Series]:
    """`named` with so many of `some` as there is room for; a rung that is named already is not among the first."""
    left, scale, kept = list(some), content.y_scale, list(named)
    known = {series.key.variant_id for series in named}
    ticked = [series for series in left if series.key.variant_id in content.ticked - known]
    first = ticked if len(ticked) <= room - len(kept) else []
    first += [series for series in left if series.key.variant_id == content.staged]
    first += [series for series in left if series.key.variant.library and series.key.variant.precision is None]
    first += [max(left, key=lambda series: _end(series, scale))] if left else []
    for series in first:
        if series not in kept and series.key.variant_id not in known and len(kept) < room:
            kept.append(series)
    left = [series for series in left if series not in kept]
    while left and len(kept) < room:
        farthest = max(left, key=lambda series: min((abs(_end(series, scale) - _end(other, scale)) for other in kept), default=0.0))
        kept.append(farthest)
        left.remove(farthest)
    return kept


def _end(series: Series, scale: Scale) -> float:
    """How high a line ends, from 0 to 1."""
    return scale.share(series.drawn[-1].value or scale.low)


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
    """Type of a chart, fonts as roles: of what is strong, of what is not, and of what stands aside."""

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
    """Both None for a reference line."""


def labels_of(content: ChartContent, look: Look, *, compact: bool, also: Iterable[Series] = ()) -> list[EndLabel]:
    """Return labels of the lines that are named, of those that are `also` to be, and of reference lines.

    Where times of several sources have one name, each says its source.
    """
    machines, sources = defaultdict[tuple[Provenance, Device], set[str]](set), defaultdict[str, set[Provenance]](set)
    for series in content.series:
        machines[series.key.provenance, series.key.variant.device].add(series.key.machine)
        if series.drawn and not content.quiet(series.key):
            sources[series.key.variant_id].add(series.key.provenance)
    labels = []
    devices = {series.key.variant.device for series in content.series if series.drawn}
    for series in {each.key: each for each in (*named_series(content), *also)}.values():
        last, key = series.drawn[-1], series.key
        said = None if compact else _detail(key, several=len(machines[key.provenance, key.variant.device]) > 1)
        if len(sources[key.variant_id] | {key.provenance}) > 1:
            source = SOURCES[key.provenance]
            said = source if said is None else message("{first}, {rest}", first=source, rest=said)
        if len(devices) > 1:
            device = DEVICES[key.variant.device]
            said = device if said is None else message("{first}, {rest}", first=device, rest=said)
        name, detail = look.text(key.variant.title), "" if said is None else look.text(said)
        style = line_style(look.theme, key.variant, key.provenance)
        labels.append(EndLabel(name, detail, key.provenance is Provenance.MEASURED, last.x, last.value or 0.0, key, style))
    for line in content.reference_lines[: named_reference_lines(content)]:
        x, value = line.points[-1]
        labels.append(EndLabel(look.text(line.label), "", strong=False, x=x, value=value))
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


def broken(look: Look, kind: Type, label: EndLabel, width: float, *, beside: bool = False) -> list[list[Piece]]:
    """The lines of a label that is so wide. `beside`: its detail has no line of its own."""
    lines: list[list[Piece]] = [[(text, False)] for text in text_lines(label.name, name_font(look, kind, label), width)]
    if label.detail:
        last = EndLabel(lines[-1][0][0], label.detail, label.strong, label.x, label.value)
        if beside or one_line_width(look, kind, last) <= width:
            lines[-1].append((label.detail, True))
        else:
            lines.append([(label.detail, True)])
    return lines


def paint_line(painter: QPainter, look: Look, kind: Type, label: EndLabel, pieces: list[Piece], start: QPointF, right: float) -> None:
    """Paint one line of text on its base line. What does not end before `right` loses its middle: names of rungs differ in their ends."""
    theme, left = look.theme, start.x()
    for text, aside in pieces:
        font = theme.font(kind.aside) if aside else name_font(look, kind, label)
        ink: QColor = theme.t3 if aside else theme.t1 if label.strong else theme.t2
        metrics = QFontMetricsF(font)
        said = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(right - left, 0.0))
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(QPointF(left, start.y()), said)
        left += metrics.horizontalAdvance(said) + DETAIL_GAP


def text_lines(text: str, font: QFont, width: float, most: int = _MOST_LINES) -> list[str]:
    """A text broken between words, the rest in the last line that there may be."""
    layout, starts = QTextLayout(text, font), list[int]()
    layout.beginLayout()
    while len(starts) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1.0))
        starts.append(line.textStart())
    layout.endLayout()
    return [text[begin:end].strip() for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)] or [text]


Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, spot: Spot) -> bool:
        return self.x <= spot[0] <= self.x + self.width and self.y <= spot[1] <= self.y + self.height


def spread(boxes: Sequence[Box], top: float, bottom: float) -> list[float]:
    """New y for each box so that none overlaps another, each as near to its own y as that allows.

    Boxes side by side may keep the same height. Where the column is too full, the boxes start at `top` and go on below `bottom`.
    """
    placed = [box.y for box in boxes]
    for column in _columns(boxes):
        order = sorted(column, key=lambda i: boxes[i].y + boxes[i].height / 2)  # what has more lines begins higher
        for i, y in zip(order, _stack([boxes[i] for i in order], top, bottom), strict=True):
            placed[i] = y
    return placed


def _columns(boxes: Sequence[Box]) -> list[list[int]]:
    """Groups of boxes that are joined by overlapping in x."""
    columns: list[list[int]] = []
    right = -math.inf
    for i in sorted(range(len(boxes)), key=lambda i: boxes[i].x):
        if boxes[i].x >= right:
            columns.append([])
        columns[-1].append(i)
        right = max(right, boxes[i].x + boxes[i].width)
    return columns


def _stack(column: Sequence[Box], top: float, bottom: float) -> list[float]:
    """Heights for boxes in order from above: runs of touching boxes are centred on the mean of what they wanted."""
    runs: list[tuple[float, float, list[Box]]] = []  # top, height, members
    for box in column:
        runs.append((box.y, box.height, [box]))
        while True:
            start, height, members = runs[-1]
            start = max(top, min(start, bottom - height))
            runs[-1] = (start, height, members)
            if len(runs) == 1 or runs[-2][0] + runs[-2][1] <= start + 1e-9:
                break
            runs[-2:] = [_merged(runs[-2][2] + members)]
    placed: list[float] = []
    for start, _, members in runs:
        for member in members:
            placed.append(start)
            start += member.height
    return placed


def _merged(members: list[Box]) -> tuple[float, float, list[Box]]:
    above = 0.0
    wanted = 0.0
    for member in members:
        wanted += member.y - above
        above += member.height
    return wanted / len(members), above, members


def emptiest_corner(area: Box, width: float, height: float, lines: Sequence[Sequence[Spot]], margin: float) -> Box:
    """The corner of `area` where a box of this size covers least of the lines, given by their corner points in order."""
    left, right = area.x + margin, area.x + area.width - width - margin
    top, bottom = area.y + margin, area.y + area.height - height - margin
    corners = [Box(x, y, width, height) for y in (bottom, top) for x in (right, left)]
    spots = [spot for line in lines for spot in _along(line)]
    return min(corners, key=lambda box: sum(box.contains(spot) for spot in spots))


_PACE = 8.0
"""Between the spots of a line that a box must not cover."""


def _along(line: Sequence[Spot]) -> list[Spot]:
    spots = list(line[:1])
    for (x0, y0), (x1, y1) in itertools.pairwise(line):
        pieces = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / _PACE))
        spots += [(x0 + (x1 - x0) * i / pieces, y0 + (y1 - y0) * i / pieces) for i in range(1, pieces + 1)]
    return spots


def distance_to(spot: Spot, line: Sequence[Spot], *, joined: bool) -> float:
    """Return the distance from a place to a line, infinite where that has no points.

    It is the distance to the nearest point of the line, or of its corners where they are not joined.
    """
    x, y = spot
    nearest = min((math.hypot(x - left, y - top) for left, top in line), default=math.inf)
    for (x0, y0), (x1, y1) in itertools.pairwise(line) if joined else ():
        length = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = 0.0 if length == 0 else min(1.0, max(0.0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length))
        nearest = min(nearest, math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)))
    return nearest
