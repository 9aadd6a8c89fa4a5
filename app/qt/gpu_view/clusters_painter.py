"""Painting of a cluster: its blocks, what their shared memory holds and who has sent it, the way of a transfer, and the time."""

from __future__ import annotations

import re
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.core.gpu_view.synchronisation.cluster_transfers import Transfer, Way, place_number
from app.qt.base.look import Look
from app.qt.gpu_view.clusters_geometry import GAP, LEGEND, MARGIN, STEP_NUMBER, ClustersGeometry
from app.qt.gpu_view.drawing import fitting, paint_wait
from kernels.base.messages import message

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter
_TWO_LINES, _LARGE_FROM = 36.0, 34.0
"""Height of a cell with room for two lines, and that of one line for large type."""
_LARGER = {"label": "sentence", "small": "body"}
_BUS, _HEAD, _CLEAR = 9.0, 5.0, 11.0
"""From the top of a row, along which a transfer goes, to the tip of an arrow; from the left of a cell to the arrow, and to words beside."""
_LONGEST_FIRST = (0, "label"), (1, "label"), (2, "label"), (2, "small"), (2, "caption")
_COLLECTED = {Way.READ: message("read"), Way.WRITE: message("written"), Way.UPDATE: message("updated")}


def paint_blocks(painter: QPainter, place: ClustersGeometry, look: Look) -> None:
    """The blocks by rank, and what each does; a tint stands for what it sends, too."""
    picture, theme = place.picture, look.theme
    for rank in range(len(picture.cluster.blocks)):
        box, name = place.column(rank), picture.cluster.name(rank)
        running, waiting = rank == picture.running, rank in picture.waiting
        painter.fillRect(box, theme.warps[rank % len(theme.warps)][0])
        if waiting:
            painter.fillRect(box, QBrush(theme.line2, Qt.BrushStyle.FDiagPattern))
        painter.setPen(QPen(theme.now if running else theme.line2, 2.5 if running else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        doing = message("runs") if running else message("waits at the barrier") if waiting else None
        texts = (look.text(message("Block {block}, rank {rank}", block=name, rank=rank)), name, str(rank))
        two = box.height() >= _TWO_LINES and doing is not None
        top = QRectF(box.left(), box.top() + 3, box.width(), box.height() / 2 - 2) if two else box
        _write(painter, top, look, "label", theme.t1, *texts, ground=waiting)
        if two and doing is not None:
            below = top.translated(0, top.height())
            short = "▶" if running else "‖"
            _write(painter, below, look, "small", theme.now_text if running else theme.t1, look.text(doing), short, ground=waiting)


def paint_places(painter: QPainter, place: ClustersGeometry, look: Look) -> None:
    """The places of shared memory: what is there, from which block, hatched in a broken frame while it is on its way. Where not all have
    room, which of them these are stands above."""
    picture, theme = place.picture, look.theme
    if place.part is not None:
        short = f"{place.rows[0] + 1}–{place.rows[-1] + 1}/{len(picture.cluster.places)}"
        _write(painter, place.above, look, "small", theme.t2, look.text(place.part), short, flags=LEFT)
    longest, form = max(picture.cluster.names, key=len), _form(place, look)
    for number in place.rows:
        first = place.cell(number, 0)
        assert first is not None
        label = QRectF(MARGIN, first.top(), place.label - 8, first.height())
        name = picture.cluster.names[number]
        short = name[max(name.find("+"), 0) :]
        _write(painter, label, look, "label", theme.t1, name, short, flags=LEFT, large_from=2 * _LARGE_FROM, longest=longest)
        for rank in range(len(picture.cluster.blocks)):
            cell = place.cell(number, rank)
            assert cell is not None
            _paint_cell(painter, cell, place, picture.held.get((number, rank)), rank, look, form)
        if number == picture.chosen:
            painter.setPen(QPen(theme.ink, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(MARGIN - 4, first.top() - 1.5, place.width - 2 * MARGIN + 8, first.height() + 3))


def _paint_cell(
    painter: QPainter, cell: QRectF, place: ClustersGeometry, each: Transfer | None, rank: int, look: Look, form: tuple[int, str]
) -> None:  # fmt: skip
    theme, picture = look.theme, place.picture
    if each is None:
        painter.fillRect(cell, theme.bg3)
        _paint_read(painter, cell, place, rank, look)
        return
    coming, now = each.coming(rank, picture.step), each is picture.last
    painter.fillRect(cell, theme.warps[each.sender % len(theme.warps)][0])
    if coming:
        colour = theme.now if now else theme.line2
        painter.fillRect(cell, QBrush(colour, Qt.BrushStyle.BDiagPattern))
        painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5))
    name = picture.cluster.name(each.sender)
    forms = _forms(each.source) or (look.text(_COLLECTED.get(each.way, message("{bytes} bytes", bytes=each.bytes))),)
    sender = look.text(message("asked for by {block}", block=name))
    inner, wide, clear = cell.adjusted(3, 0, -3, 0), cell.adjusted(1, 0, -1, 0), _CLEAR - 1 if now else 0.0
    if inner.height() >= _TWO_LINES - 2:
        half = inner.height() / 2
        above, (level, role) = QRectF(wide.left(), wide.top(), wide.width(), half), form
        _write(painter, above, look, role, theme.t1, *(forms[level:] or forms), "", ground=coming, clear=clear)
        below = QRectF(inner.left(), inner.top() + half - 2, inner.width(), half)
        _write(painter, below, look, "small", theme.t1, sender, f"← {name}", f"← {each.sender}", ground=coming)
        return
    texts = f"{forms[0]} {sender}", *(f"{form} ← {name}" for form in forms), f"← {name}", f"← {each.sender}"
    _write(painter, wide, look, "small", theme.t1, *texts, ground=coming, clear=clear)


def _forms(source: str) -> tuple[str, ...]:
    """A part of an array as it is written where there is less and less room: whole, without its columns, its rows alone."""
    found = re.fullmatch(r"([^\[]+)\[([^\]]+)\].*", source)
    return (source, f"{found[1]}[{found[2]}]", found[2]) if found else (source,) if source else ()


def _form(place: ClustersGeometry, look: Look) -> tuple[int, str]:
    """Which of the forms, in which type, is for cells of two lines: one for all, so that they are read alike, with arrows or not."""
    room = place.column(0).width() - _CLEAR - 1
    written = [forms for forms in (_forms(each.source) for each in place.picture.held.values()) if len(forms) > 1]
    for level, role in _LONGEST_FIRST:
        metrics = QFontMetricsF(look.theme.font(role))
        if all(metrics.horizontalAdvance(forms[level]) <= room for forms in written):
            return level, role
    return _LONGEST_FIRST[-1]


def _paint_read(painter: QPainter, cell: QRectF, place: ClustersGeometry, rank: int, look: Look) -> None:
    """Of a place that nothing has come to, who reads it just now."""
    picture, theme = place.picture, look.theme
    last = picture.last
    if last is None or last.way is not Way.READ or rank not in last.receivers:
        return
    if cell != place.cell(place_number(picture.cluster.places, last.address), rank):
        return
    painter.setPen(QPen(theme.now, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(cell.adjusted(1, 1, -1, -1))
    reader = picture.cluster.name(last.sender)
    said = look.text(message("{bytes} bytes, read by {block}", bytes=last.bytes, block=reader))
    below = _BUS - 1 if cell.height() >= _TWO_LINES - 2 else 0
    _write(painter, cell.adjusted(20, below, -3, 0), look, "label", theme.t1, said, f"→ {reader}", f"→ {last.sender}")


def paint_way(painter: QPainter, place: ClustersGeometry, look: Look) -> None:
    """The transfer that began last: from the block that asked for it to the shared memory of those that receive it; of a read from there to
    the block that asked, whose own shared memory gets nothing."""
    picture, theme = place.picture, look.theme
    each = picture.last
    if each is None:
        return
    number = place_number(picture.cluster.places, each.address)
    cells = {rank: place.cell(number, rank) for rank in {each.sender, *each.receivers}}
    boxes = {rank: cell for rank, cell in cells.items() if cell is not None}
    if len(boxes) < len(cells):
        return
    y = min(cell.top() for cell in boxes.values()) + 1
    xs = [boxes[rank].left() + _HEAD for rank in each.receivers]
    stem, asks = place.column(each.sender).left() - GAP / 2, place.column(each.sender)
    read, into = each.way is Way.READ, QPointF(asks.left() + _BUS + 4, asks.bottom() - _BUS - 1)
    begin = [into, QPointF(stem, into.y())] if read else [QPointF(stem + GAP / 2, asks.bottom()), QPointF(stem, asks.bottom() + 2)]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.now, 2.5))
    painter.drawPolyline(QPolygonF([*begin, QPointF(stem, y)]))
    painter.drawLine(QPointF(min(stem, *xs), y), QPointF(max(stem, *xs), y))
    painter.setBrush(theme.now)
    if read:
        painter.drawPolygon(QPolygonF([into, into + QPointF(-8, -5), into + QPointF(-8, 5)]))
    for x in () if read else xs:
        at = QPointF(x, y + _BUS)
        painter.drawPolygon(QPolygonF([at, at + QPointF(-4, -7), at + QPointF(4, -7)]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def paint_time(painter: QPainter, place: ClustersGeometry, look: Look) -> None:
    """A track for each block: its waits at the cluster's barrier, and the transfers from the block that asked to those that receive."""
    picture, theme = place.picture, look.theme
    start, stop = picture.window
    for rank in range(len(picture.cluster.blocks)):
        row = place.track(rank)
        label = QRectF(MARGIN, row.top(), place.label - 8, row.height())
        texts = (look.text(message("Block {block}", block=picture.cluster.name(rank))), picture.cluster.name(rank))
        _write(painter, label, look, "small", theme.t2, *texts, flags=LEFT)
        painter.fillRect(QRectF(row.left(), row.center().y(), row.width(), 1), theme.line)
        for wait in picture.cluster.waits[rank]:
            if wait.start < stop and wait.stop > start:
                left = place.x(wait.start)
                box = QRectF(left, row.top() + 2, max(place.x(wait.stop) - left, 2), row.height() - 4)
                paint_wait(painter, box, theme, theme.line2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    shown = [each for each in picture.cluster.transfers if start <= each.start < stop]
    apart = [place.x(after.start) - place.x(each.start) for each, after in pairwise(shown) if after.start > each.start]
    room = max(0.8 * min(apart, default=MARGIN), 1.0)
    for each in shown:
        if each is not picture.last:
            _paint_mark(painter, place, each, theme.t2, room)
    if picture.last in shown and picture.last is not None:
        _paint_mark(painter, place, picture.last, theme.now, MARGIN)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    _paint_step(painter, place, look)


def _paint_mark(painter: QPainter, place: ClustersGeometry, each: Transfer, colour: QColor, room: float) -> None:
    """A transfer where it begins: a disc at the block that asked, squares at those that receive; no wider than there is `room`."""
    x, ranks = place.x(each.start + 0.5), {each.sender, *each.receivers}
    rows = [place.track(rank) for rank in sorted(ranks)]
    painter.setPen(QPen(colour, min(1.5, room / 2)))
    painter.drawLine(QPointF(x, rows[0].center().y()), QPointF(x, rows[-1].center().y()))
    painter.setBrush(colour)
    radius = min(rows[0].height() * 0.3, 5.0, room / 2)
    for rank in each.receivers:
        at = place.track(rank).center().y()
        painter.fillRect(QRectF(x - radius * 0.8, at - radius * 0.8, radius * 1.6, radius * 1.6), colour)
    painter.setBrush(colour if each.sender not in each.receivers else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(x, place.track(each.sender).center().y()), radius * 1.4, radius * 1.4)


def _paint_step(painter: QPainter, place: ClustersGeometry, look: Look) -> None:
    theme, x = look.theme, place.x(place.picture.step + 0.5)
    tracks = place.tracks
    assert tracks is not None
    painter.fillRect(QRectF(x - 1, tracks.top() + STEP_NUMBER - 3, 2, tracks.height() - STEP_NUMBER + 3), theme.now)
    text = look.text(message("step {step}", step=place.picture.step + 1))
    painter.setFont(theme.font("label"))
    width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 6
    left = min(max(x - width / 2, MARGIN), place.width - MARGIN - width)
    painter.setPen(theme.now_text)
    painter.drawText(QRectF(left, tracks.top(), width, STEP_NUMBER - 4), CENTRE, text)


def paint_legend(painter: QPainter, place: ClustersGeometry, look: Look) -> None:
    """What the marks stand for, as far as there is room."""
    theme = look.theme
    area = place.sentence.translated(0, -LEGEND)
    left = area.left()
    painter.setFont(theme.font("small"))
    metrics = QFontMetricsF(painter.font())
    for kind, said in enumerate((message("on its way"), message("waits at the cluster's barrier"), message("asks"), message("receives"))):
        text = look.text(said)
        width = 24 + metrics.horizontalAdvance(text)
        if left + width > area.right():
            return
        box = QRectF(left, area.top() + 5, 18, 12)
        if kind == 0:
            painter.fillRect(box, QBrush(theme.line2, Qt.BrushStyle.BDiagPattern))
            painter.setPen(QPen(theme.line2, 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
        elif kind == 1:
            paint_wait(painter, box, theme, theme.line2)
        elif kind == 2:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.t2, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(box.center(), 6, 6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        else:
            painter.fillRect(QRectF(box.center().x() - 4, box.center().y() - 4, 8, 8), theme.t2)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.t2)
        painter.drawText(QRectF(left + 23, area.top(), width, LEGEND), LEFT, text)
        left += width + 16


def _write(
    painter: QPainter, area: QRectF, look: Look, role: str, colour: QColor, *texts: str, ground: bool = False,
    flags: Qt.AlignmentFlag = CENTRE, large_from: float = _LARGE_FROM, longest: str = "", clear: float = 0.0,
) -> None:  # fmt: skip
    """The first of the texts that fits, on a ground of its own where it stands on hatching; larger in places as high as `large_from`, where
    the longest of those that it stands among fits too. At the left of the area so much stays `clear`."""
    font, larger = look.theme.font(role), look.theme.font(_LARGER.get(role, role))
    roomy = area.height() >= large_from and QFontMetricsF(larger).horizontalAdvance(longest or texts[0]) <= area.width() - 8
    painter.setFont(larger if roomy else font)
    metrics = QFontMetricsF(painter.font())
    text = fitting(metrics, texts, area.width() - max(clear, 4))
    if area.width() - metrics.horizontalAdvance(text) < 2 * clear:
        area = area.adjusted(clear, 0, 0, 0)
    if ground and text:
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 8, min(area.height(), metrics.height()))
        box.moveCenter(area.center())
        painter.fillRect(box.intersected(area), look.theme.bg2)
    painter.setPen(colour)
    painter.drawText(area, flags, text)
