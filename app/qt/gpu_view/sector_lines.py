"""Layout and painter of lines and sectors of global memory."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.gpu_view.sectors import AccessedSectors, CacheLine, Sector, lane_ranges, line_names, past_sentence, sentence
from app.core.gpu_view.selection import Highlight
from app.core.stage.model import GpuPicture
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import fitting
from app.qt.matrix.cells import readable_on
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

EDGE = 12.0
FOOTER = 62.0
NAME = 78.0
ROW_NAME = 60.0
GAP = 2.0
LARGEST = 34.0, 48.0
"""The height of a line, and in a view that is tall."""
TALL = 560.0
TOKENS = 132.0
"""Height of the lanes and of their ways to the sectors."""
TOP = 10.0
RADIUS = 10.0
"""Of a lane's token, and what is above it."""
_TOKENS_FROM = 560.0, 220.0
"""Pixels of width for them; where somebody is to point at one, smaller ones will do."""
_NAMED_FROM = 360.0
"""Pixels of width for the names of lines beside lanes that somebody is to point at."""
TWO_COLUMNS_BELOW = 11.0
SMALLEST_TEXT = 10.5


@dataclass(frozen=True, slots=True)
class LineBox:
    """Place of one line: its name, its four sectors, the matrix row behind it (no width where there is no room)."""

    line: CacheLine
    name: QRectF
    sectors: tuple[QRectF, ...]
    row: QRectF


def place_lines(lines: tuple[CacheLine, ...], area: QRectF, least: int = 0, *, asking: bool = False) -> tuple[LineBox, ...]:
    """One column, or two where the rows of one would be too low to read. As high as if there were at least so many lines."""
    if not lines:
        return ()
    top = TOKENS if has_tokens(area, max(len(lines), least), asking=asking) else 4.0
    inner = area.adjusted(EDGE, top, -EDGE, -FOOTER)
    columns = 1 if inner.height() / max(len(lines), least) >= TWO_COLUMNS_BELOW else 2
    rows = -(-max(len(lines), least) // columns)
    height = min(inner.height() / rows, LARGEST[area.height() >= TALL])
    width = (inner.width() - (columns - 1) * EDGE) / columns
    named = columns == 1 and not (asking and area.width() < _NAMED_FROM)
    name = NAME if named else 0.0
    row = ROW_NAME if named and width > 230 else 0.0
    return tuple(_place(line, inner.left() + (number // rows) * (width + EDGE), inner.top() + (number % rows) * height, (width, height),
                        name, row) for number, line in enumerate(lines))  # fmt: skip


def has_tokens(area: QRectF, lines: int, *, asking: bool) -> bool:
    """Whether there is room for the lanes above so many lines."""
    return area.width() >= _TOKENS_FROM[asking] and area.height() - TOKENS - FOOTER >= min(lines, 20) * TWO_COLUMNS_BELOW


def lane_places(places: tuple[LineBox, ...]) -> list[QRectF]:
    """The places of all 32 lanes above the lines: where each can be pointed at."""
    left, right = places[0].sectors[0].left(), places[0].sectors[-1].right()
    step = (right - left) / WARP
    return [QRectF(left + lane * step, 0, step, TOP + 2 * RADIUS) for lane in range(WARP)]


def _place(line: CacheLine, left: float, top: float, size: tuple[float, float], name: float, row: float) -> LineBox:
    width, height = size
    wide = (width - name - row) / len(line.sectors)
    sectors = tuple(QRectF(left + name + place * wide, top + 1, wide - GAP, height - 2) for place in range(len(line.sectors)))
    return LineBox(line, QRectF(left, top, name - 6, height), sectors, QRectF(left + width - row + 4, top, row, height))


def paint_lines(
    painter: QPainter, places: tuple[LineBox, ...], picture: GpuPicture, access: AccessedSectors, look: Look, *, asking: bool = False
) -> None:
    """The lines that the access touches; `asking`: without the lanes' numbers in them."""
    theme, shown = look.theme, picture.highlight
    numbers = None if asking else _numbers_font(places, look)
    for place in places:
        letter = picture.index.record.letters[place.line.allocation] if place.line.allocation >= 0 else ""
        strong = theme.matrix(letter)[0] if letter else theme.t2
        painter.setFont(theme.font("small"))
        metrics = QFontMetricsF(painter.font())
        if place.name.width() > 0 and place.name.height() >= SMALLEST_TEXT:
            painter.setPen(theme.t2)
            text = fitting(metrics, line_names(picture.index, place.line), place.name.width())
            painter.drawText(place.name, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        if place.row.width() > 0 and place.line.row is not None and place.row.height() >= SMALLEST_TEXT:
            painter.setPen(theme.t3)
            texts = (look.text(message("row {row}", row=place.line.row)), str(place.line.row))
            text = fitting(metrics, texts, place.row.width() + EDGE)
            painter.drawText(place.row.adjusted(0, 0, EDGE, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        for sector, area in zip(place.line.sectors, place.sectors, strict=True):
            _paint_sector(painter, sector, area, strong, look, shown, past=access.past, faults=not asking)
            if sector is not None and numbers is not None:
                painter.setFont(numbers)
                _paint_lanes(painter, sector, area, strong, look)


def paint_footer(
    painter: QPainter, places: tuple[LineBox, ...], picture: GpuPicture, access: AccessedSectors, area: QRectF, look: Look, *,
    asking: bool = False,
) -> None:  # fmt: skip
    """What of the moved bytes is used, and what the numbers are: below the lines. `asking`: nothing of lanes that are at fault."""
    theme, bad = look.theme, bool(access.faults.any_of.any())
    if bad and asking:
        return
    lowest = max((place.sectors[0].bottom() for place in places), default=area.top())
    room = QRectF(area.left() + EDGE, lowest + 6, area.width() - 2 * EDGE, area.bottom() - lowest - 8)
    wrap = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    painter.setFont(theme.font("label"))
    painter.setPen(theme.t2 if access.past else theme.bad if bad else theme.t1)
    said = look.text(past_sentence(picture.index, picture.frame, access) if access.past else sentence(access))
    taken = painter.boundingRect(room, wrap, said)
    painter.drawText(room, wrap, said)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t3)
    legend = message("The last access stays, faded.") if access.past else _legend(places, look)
    left = room.adjusted(0, taken.height() + 2, 0, 0)
    if painter.boundingRect(left, wrap, look.text(legend)).height() <= left.height():
        painter.drawText(left, wrap, look.text(legend))


def _legend(places: tuple[LineBox, ...], look: Look) -> Message:
    """What the numbers are, and hatched bytes where there are any."""
    hatched = any(begin < end for begin, end in (_largest_gap(sector) for sector, _ in _moved(places)))
    if _numbers_font(places, look) is not None:
        return message("Numbers are lanes; hatched bytes move unused.") if hatched else message("Numbers are lanes.")
    if hatched:
        return message("Hatched bytes move unused. Point at a sector, or press Return, for its lanes.")
    return message("Point at a sector, or press Return, for its lanes.")


def _moved(places: tuple[LineBox, ...]) -> list[tuple[Sector, QRectF]]:
    """The sectors that move, and where they are drawn."""
    pairs = [pair for place in places for pair in zip(place.line.sectors, place.sectors, strict=True)]
    return [(sector, area) for sector, area in pairs if sector is not None]


def _paint_sector(
    painter: QPainter, sector: Sector | None, area: QRectF, colour: QColor, look: Look, shown: Highlight, *, past: bool, faults: bool
) -> None:
    theme = look.theme
    painter.fillRect(area, theme.cell)
    if sector is None:
        return
    hatch = QBrush(theme.t3, Qt.BrushStyle.BDiagPattern)
    done = 0
    for begin, end in (*sector.used, (SECTOR_BYTES, SECTOR_BYTES)):
        if done < begin:
            painter.fillRect(_part(area, done, begin), hatch)
        if max(begin, done) < end:
            painter.fillRect(_part(area, max(begin, done), end), colour)
        done = max(done, end)
    for begin, end in sector.faulty if faults else ():
        painter.fillRect(_part(area, begin, end), theme.bad)
    chosen = sector.number in shown.sectors or any(shown.lanes[lane] for lane in sector.lanes)
    if chosen or not past:
        painter.setPen(QPen(theme.now, 2.5 if chosen else 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area.adjusted(0, 0, -1, -1))


def _part(area: QRectF, begin: int, end: int) -> QRectF:
    """Return the place of some bytes of a sector."""
    byte = area.width() / SECTOR_BYTES
    return QRectF(area.left() + byte * begin, area.top(), byte * (end - begin), area.height())


def _numbers_font(places: tuple[LineBox, ...], look: Look) -> QFont | None:
    """The font of the lanes' numbers where they have room in all sectors that move: else they are in none, as one without would seem
    unwanted. All rows are of one height."""
    moved = _moved(places)
    height = places[0].sectors[0].height() if places else LARGEST[0]
    font = look.theme.font("label")
    font.setPixelSize(round(min(max(height - 4, SMALLEST_TEXT), 12)))
    metrics = QFontMetricsF(font)
    room = height >= SMALLEST_TEXT and all(_numbers_width(sector, metrics) <= area.width() - 2 for sector, area in moved)
    return font if room else None


def _numbers_width(sector: Sector, metrics: QFontMetricsF) -> float:
    return metrics.horizontalAdvance(lane_ranges(sector.lanes)) + 6


def _paint_lanes(painter: QPainter, sector: Sector, area: QRectF, colour: QColor, look: Look) -> None:
    """The lanes' numbers: on the used bytes where they have room there, else on a ground of their own."""
    theme, text, width = look.theme, lane_ranges(sector.lanes), _numbers_width(sector, QFontMetricsF(painter.font()))
    ground = _part(area, *_largest_use(sector))
    if sector.faulty or ground.width() < width:
        free = _part(area, *_largest_gap(sector))
        middle = (free if width <= free.width() else area).center().x()
        ground = QRectF(middle - width / 2, area.top() + 1, width, area.height() - 2)
        painter.fillRect(ground, theme.bg1)
        painter.setPen(theme.t1)
    else:
        painter.setPen(readable_on(colour, theme))
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)


def _largest_use(sector: Sector) -> tuple[int, int]:
    """The longest stretch of bytes that somebody wants."""
    runs = [(0, 0)]
    for begin, end in sector.used:
        first, last = runs[-1]
        runs.append((first if begin <= last else begin, max(end, last)))
    return max(runs, key=lambda run: run[1] - run[0])


def _largest_gap(sector: Sector) -> tuple[int, int]:
    """The longest stretch of bytes that nobody wants."""
    bounds = [0, *(bound for part in sector.used for bound in part), SECTOR_BYTES]
    return max(zip(bounds[::2], bounds[1::2], strict=True), key=lambda gap: gap[1] - gap[0])
