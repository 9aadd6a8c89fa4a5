"""The lanes above the lines of global memory, each with a line to the bytes that it asks for."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.core.launch.sectors import SECTORS_OF_LINE, GlobalAccess
from app.core.stage_model import LaunchPicture
from app.qt.launch.pictures import Pictures
from app.qt.launch.sector_lines import LinePlace
from app.qt.look import Look
from app.qt.stage.cells import readable_on
from kernels.analysis.cases import Bools
from kernels.analysis.coalescing import LINE_BYTES, SECTOR_BYTES
from kernels.messages import message
from kernels.simt.trace import WARP

TOP = 10.0
RADIUS = 10.0


def paint_tokens(
    painter: QPainter,
    places: tuple[LinePlace, ...],
    picture: LaunchPicture,
    access: GlobalAccess,
    look: Look,
    kept: Pictures,
    *,
    asking: bool = False,
) -> None:
    """All 32 lanes in a row over the sectors; those that take no part are outlines. `asking`: without a mark on those at fault."""
    if not places:
        return
    theme = look.theme
    left, right = places[0].sectors[0].left(), places[0].sectors[-1].right()
    step = (right - left) / WARP
    radius = min(RADIUS, step / 2 - 1)
    lines = {_line_of(place): place for place in places}
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t3)
    name = QRectF(places[0].name.left(), TOP, places[0].name.width(), 2 * radius)
    painter.drawText(name, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, look.text(message("lane")))
    centres = [QPointF(left + (lane + 0.5) * step, TOP + radius) for lane in range(WARP)]
    marked = access.faults.any_of & (not asking)
    _paint_ways(painter, lines, picture, access, look, [centre + QPointF(0, radius) for centre in centres], marked)
    for lane, (centre, *of_lane) in enumerate(zip(centres, access.lanes.active, _chosen(picture, access), marked, strict=True)):
        state = tuple(map(bool, of_lane))
        side, corner = 2 * radius + 2, centre - QPointF(radius + 1, radius + 1)
        active, chosen, bad = state
        draw = partial(_paint_token, look=look, radius=radius, lane=lane, active=active, chosen=chosen, bad=bad)
        kept.draw(painter, corner, (lane, *state), QSizeF(side, side), painter.device().devicePixelRatio(), draw)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _chosen(picture: LaunchPicture, access: GlobalAccess) -> Bools:
    chosen: Bools = picture.highlight.lanes & (not access.past)
    return chosen


def _paint_ways(
    painter: QPainter,
    lines: dict[int, LinePlace],
    picture: LaunchPicture,
    access: GlobalAccess,
    look: Look,
    feet: list[QPointF],
    marked: Bools,
) -> None:
    """From each lane to its bytes; the chosen ones on top."""
    chosen = _chosen(picture, access)
    for some, width, opacity in ((~chosen, 1.0, 0.45), (chosen, 2.5, 1.0)):
        for bad in (False, True):
            colour = QColor(look.theme.bad if bad else look.theme.now)
            colour.setAlphaF(opacity)
            painter.setPen(QPen(colour, width))
            lanes = np.flatnonzero(access.lanes.active & some & (marked == bad)).tolist()
            painter.drawLines([QLineF(feet[lane], _target(lines, int(access.lanes.address[lane]))) for lane in lanes])


def _line_of(place: LinePlace) -> int:
    """The line's address divided by 128."""
    numbers = [sector.number for sector in place.line.sectors if sector is not None]
    return numbers[0] // SECTORS_OF_LINE


def _target(lines: dict[int, LinePlace], address: int) -> QPointF:
    """The upper edge of a byte's place."""
    place = lines[address // LINE_BYTES]
    area = place.sectors[address % LINE_BYTES // SECTOR_BYTES]
    return QPointF(area.left() + area.width() * (address % SECTOR_BYTES + 2) / SECTOR_BYTES, area.top())


def _paint_token(painter: QPainter, *, radius: float, lane: int, look: Look, active: bool, chosen: bool, bad: bool) -> None:
    theme, centre = look.theme, QPointF(radius + 1, radius + 1)
    painter.setPen(QPen(theme.ink if chosen else theme.now if active else theme.line2, 2 if chosen else 1))
    ground = theme.bad if bad else theme.now if active else theme.bg2
    painter.setBrush(ground)
    painter.drawEllipse(centre, radius, radius)
    font = theme.font("label")
    font.setPixelSize(max(round(radius * 1.1), 8))
    painter.setFont(font)
    painter.setPen(readable_on(ground, theme) if bad else theme.ink_text if active and not theme.dark else theme.t1 if active else theme.t3)
    painter.drawText(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), Qt.AlignmentFlag.AlignCenter, str(lane))
