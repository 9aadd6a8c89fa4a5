"""Painters of a program's page: words, the host's lane, the clock with its bars, memory on both sides with the copies between."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.core.base.i18n import format_number
from app.core.programs.frame import AllocationState, Arrow, Bar, Box, Cell, ProgramFrame, Side
from app.core.programs.sentences import bar_title, box_fact, box_title, cell_word, clock_sentence, place, sentence, size_text
from app.core.timelines.axis import Span
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import fitting
from app.qt.programs.page_geometry import BETWEEN, CHILD_BAR, EDGE, GUTTER, HEADING, MOST_LEVELS, Layout, lay_out, wanted_height
from kernels.base.messages import Message, message
from kernels.simt.host.result import EventKind

PROGRAM = message("Program")
PROGRAM_PAGE = message("Page of the program")
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter
_TICK_ROOM = 84.0
ABOVE = 18.0
"""Room for what says how many events stand before and after."""
FUTURE = 0.45
"""Of the strength of what has not happened yet."""
_HEAD = 7.0
_APART_FROM = 8.0
"""Width from which on a full bar has an edge of the ground's colour."""
_SHORTEST = 5
"""Letters of a name that is shortened."""


class PagePainter:
    """Paints one frame; `device` is the GPU whose clock it is."""

    def __init__(self, painter: QPainter, look: Look, frame: ProgramFrame, layout: Layout, device: str) -> None:
        self._painter = painter
        self._look = look
        self._theme = look.theme
        self._frame = frame
        self._layout = layout
        self._device = device

    def paint(self, *, words: bool = True) -> None:
        """Paint everything; without the words above the lane, where they stand elsewhere."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if words:
            self._words()
        self._lane()
        self._clock()
        self._memory()

    def _text(self, rect: QRectF, text: str, font: str, colour: QColor, how: Qt.AlignmentFlag = _LEFT) -> None:
        """One line, as much of it as fits."""
        painter = self._painter
        painter.setFont(self._theme.font(font))
        painter.setPen(colour)
        painter.drawText(rect, how, fitting(QFontMetricsF(painter.font()), [text], rect.width()))

    def _say(self, said: Message) -> str:
        return self._look.text(said)

    # ------------------------------------------------------------ words

    def _words(self) -> None:
        painter, theme, layout, frame = self._painter, self._theme, self._layout, self._frame
        text, corner = self._say(place(frame)), layout.chip.topLeft()
        painter.setFont(theme.font("label"))
        chip = QRectF(corner.x(), corner.y(), QFontMetricsF(painter.font()).horizontalAdvance(text) + 20, layout.chip.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.now_bg)
        painter.drawRoundedRect(chip, 10, 10)
        self._text(chip, text, "label", theme.now_text, _CENTRE)
        painter.setFont(theme.font("sentence"))
        painter.setPen(theme.t1)
        said = self._say(sentence(frame))
        if layout.sentence.height() < 2 * painter.fontMetrics().height():
            said = fitting(QFontMetricsF(painter.font()), [said], layout.sentence.width())
        wrapped = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        if painter.boundingRect(layout.sentence, wrapped, said).height() > layout.sentence.height():
            painter.setFont(theme.font("section"))
        painter.drawText(layout.sentence, wrapped, said)
        self._text(layout.clock_sentence, self._say(clock_sentence(frame, self._device)), "small", theme.t2)

    # ------------------------------------------------------------ the host's lane

    def _lane(self) -> None:
        layout, theme, frame = self._layout, self._theme, self._frame
        name = QRectF(EDGE, layout.lane.top(), GUTTER - 6, layout.lane.height())
        self._text(name, self._say(message("Host")), "section", theme.t1)
        words = all(self._has_room(frame.cells[number], rect) for number, rect in layout.cells.items())
        for number, rect in layout.cells.items():
            self._cell(frame.cells[number], rect, words=words)
        self._more(layout)

    def _more(self, layout: Layout) -> None:
        """How many events there are on either side of those in sight."""
        line = QRectF(layout.lane.left(), layout.lane.top() - 17, layout.lane.width(), 16)
        if layout.before:
            self._text(line, self._say(message("{count} before", count=layout.before)), "caption", self._theme.t3)
        if layout.after:
            self._text(line, self._say(message("{count} after", count=layout.after)), "caption", self._theme.t3, _RIGHT)

    def _has_room(self, cell: Cell, rect: QRectF) -> bool:
        words = QFontMetricsF(self._theme.font("caption")).horizontalAdvance(self._say(cell_word(cell)))
        line = QFontMetricsF(self._theme.font("code")).horizontalAdvance(str(cell.line or ""))
        return max(words + 8, line + 30) <= rect.width()

    def _cell(self, cell: Cell, rect: QRectF, *, words: bool) -> None:
        painter, theme = self._painter, self._theme
        box = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(theme.now_bg if cell.now else theme.bg1)
        painter.setPen(QPen(theme.line2, 1, Qt.PenStyle.DotLine) if cell.child else QPen(theme.line, 1))
        painter.drawRect(box)
        ink = theme.now_text if cell.now else theme.t3 if cell.event > self._frame.selected else theme.t1
        line = "" if cell.line is None else str(cell.line)
        rect = QRectF(rect.left(), rect.center().y() - 22, rect.width(), 44)
        top = QRectF(rect.left(), rect.top() + 3, rect.width(), 20)
        if words:
            self._kind(cell, QRectF(rect.left() + 6, rect.top() + 6, 13, 13), ink)
            self._text(top.adjusted(24, 0, -6, 0), line, "code", ink, _RIGHT)
            self._text(QRectF(rect.left() + 4, rect.top() + 24, rect.width() - 8, 16), self._say(cell_word(cell)), "caption", theme.t2)
        else:
            self._kind(cell, QRectF(rect.center().x() - 6.5, rect.top() + 6, 13, 13), ink)
            self._text(QRectF(rect.left(), rect.top() + 22, rect.width(), 18), line, "code", ink, _CENTRE)
        if cell.wrong:
            self._triangle(QPointF(rect.right() - 7, rect.bottom() - 8))
        if cell.now:
            painter.setPen(QPen(theme.now, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))

    def _kind(self, cell: Cell, area: QRectF, ink: QColor) -> None:
        if cell.fills:  # a vessel, half full
            self._painter.setPen(QPen(ink, 1.6))
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
            self._painter.drawRect(area.adjusted(1, 1, -1, -1))
            self._painter.fillRect(area.adjusted(1, area.height() / 2, -1, -1), ink)
        elif cell.kind is EventKind.COPY:
            copied = self._frame.run.copies[self._frame.run.events[cell.event].number]
            back = copied.direction == "DeviceToHost"
            self._sign(cell.kind, area, ink, back=back)
        else:
            self._sign(cell.kind, area, ink)

    def _sign(self, kind: EventKind, area: QRectF, ink: QColor, *, back: bool = False) -> None:
        """A sign for what happens: plus, minus, arrow, triangle, two bars, lines, a square."""
        painter, middle = self._painter, area.center()
        painter.setPen(QPen(ink, 1.6))
        painter.setBrush(ink)
        if kind in (EventKind.ALLOCATE, EventKind.FREE):
            painter.drawLine(QLineF(area.left(), middle.y(), area.right(), middle.y()))
            if kind is EventKind.ALLOCATE:
                painter.drawLine(QLineF(middle.x(), area.top(), middle.x(), area.bottom()))
        elif kind is EventKind.COPY:
            left, right = QPointF(area.left(), middle.y()), QPointF(area.right(), middle.y())
            self._line_to(right if back else left, left if back else right, 5.0)
        elif kind is EventKind.LAUNCH:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPolygon(
                QPolygonF([area.topLeft() + QPointF(1, 0), QPointF(area.right(), middle.y()), area.bottomLeft() + QPointF(1, 0)])
            )
        elif kind is EventKind.WAIT:
            painter.setPen(QPen(ink, 2.6))
            for x in (middle.x() - 3, middle.x() + 3):
                painter.drawLine(QLineF(x, area.top() + 1, x, area.bottom() - 1))
        elif kind is EventKind.PRINT:
            for y, length in ((0.15, 1.0), (0.5, 1.0), (0.85, 0.6)):
                height = area.top() + y * area.height()
                painter.drawLine(QLineF(area.left(), height, area.left() + length * area.width(), height))
        else:
            painter.drawRect(area.adjusted(2, 2, -2, -2))

    def _triangle(self, middle: QPointF) -> None:
        """The mark of a finding."""
        painter = self._painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.bad)
        painter.drawPolygon(QPolygonF([middle + QPointF(0, -5), middle + QPointF(5.5, 4.5), middle + QPointF(-5.5, 4.5)]))

    def _line_to(self, start: QPointF, end: QPointF, head: float) -> None:
        """An arrow in the painter's pen and brush."""
        line = QLineF(start, end)
        if line.length() < 1:
            return
        along = QPointF(line.dx(), line.dy()) / line.length()
        across, base = QPointF(-along.y(), along.x()), end - along * head
        self._painter.drawLine(QLineF(start, base))
        self._painter.drawPolygon(QPolygonF([end, base + across * 0.6 * head, base - across * 0.6 * head]))

    # ------------------------------------------------------------ the clock

    def _clock(self) -> None:
        layout, theme, frame, painter = self._layout, self._theme, self._frame, self._painter
        clock, opacity = layout.clock, painter.opacity()
        self._text(QRectF(EDGE, clock.top(), GUTTER - 6, clock.height()), self._say(message("Device")), "section", theme.t1)
        painter.setPen(QPen(theme.line2, 1))
        painter.drawLine(QLineF(clock.left(), clock.bottom() + 0.5, clock.right(), clock.bottom() + 0.5))
        if not frame.bars or frame.length <= 0:
            self._text(clock, self._say(message("Nothing ran on the device.")), "small", theme.t3)
        else:
            self._axis(clock, frame.length)
        for bar in frame.bars:
            if not bar.now:
                painter.setOpacity(opacity * (FUTURE if bar.event > frame.selected else 1.0))
                self._bar(bar)
        painter.setOpacity(opacity)
        for bar in frame.bars:
            if bar.now:
                self._leader(bar)
                self._bar(bar)

    def _axis(self, clock: QRectF, length: float) -> None:
        theme, painter = self._theme, self._painter
        in_ms = length >= 1
        unit, factor = (message("ms"), 1.0) if in_ms else (message("µs"), 1000.0)
        for moment in Span.all_of(length * factor).ticks(max(int(clock.width() / _TICK_ROOM), 1)):
            x = self._layout.x(moment / factor, length)
            painter.setPen(QPen(theme.line2, 1))
            painter.drawLine(QLineF(x, clock.bottom(), x, clock.bottom() + 4))
            text = format_number(int(moment) if moment == int(moment) else round(moment, 6))
            said = f"{text} {self._say(unit)}" if moment == 0 else text
            rect = QRectF(x - 2, clock.bottom() + 4, 60, 14) if moment == 0 else QRectF(x - 40, clock.bottom() + 4, 80, 14)
            if rect.right() <= clock.right() + 24:
                self._text(rect, said, "caption", theme.t3, _LEFT if moment == 0 else _CENTRE)

    def bar_rect(self, bar: Bar) -> QRectF:
        """Where a bar is: three pixels wide at least, so that each can be seen."""
        clock, length, high = self._layout.clock, self._frame.length, self._layout.bar
        left, right = self._layout.x(bar.began, length), self._layout.x(bar.ended, length)
        if bar.depth:
            row = min(bar.depth, MOST_LEVELS) - 1
            return QRectF(left, clock.top() + high + row * CHILD_BAR + 2, max(right - left, 3.0), CHILD_BAR - 2)
        return QRectF(left, clock.top() + 3, max(right - left, 3.0), high - 3)

    def _bar(self, bar: Bar) -> None:
        theme, painter, rect = self._theme, self._painter, self.bar_rect(bar)
        ink = theme.now if bar.now else theme.t2
        if bar.refused:
            painter.setPen(QPen(theme.bad, 2))
            x, y = rect.left(), rect.center().y()
            painter.drawLine(QLineF(x - 4, y - 4, x + 4, y + 4))
            painter.drawLine(QLineF(x - 4, y + 4, x + 4, y - 4))
            return
        solid = bar.kind is EventKind.LAUNCH and bar.time is not None
        apart = solid and rect.width() > _APART_FROM  # so that neighbours are told from each other
        painter.setPen(QPen(theme.bg2, 2) if apart else QPen(ink, 1))
        painter.setBrush(ink if solid and bar.done >= bar.ended else theme.bg1)
        painter.drawRect(rect)
        if solid and bar.done < bar.ended:  # it waits for those that it has launched
            own = QRectF(rect)
            own.setRight(max(self._layout.x(bar.done, self._frame.length), rect.left() + 3))
            painter.fillRect(own, ink)
            solid = False
        if bar.kind is EventKind.COPY:
            painter.fillRect(rect, QBrush(ink, Qt.BrushStyle.BDiagPattern))
        self._bar_text(bar, rect, theme.bg1 if solid else theme.t1)
        if bar.now:
            painter.setPen(QPen(theme.now, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)

    def _bar_text(self, bar: Bar, rect: QRectF, colour: QColor) -> None:
        whole = self._say(bar_title(self._frame, bar))
        metrics = QFontMetricsF(self._theme.font("small"))
        text = metrics.elidedText(whole, Qt.TextElideMode.ElideMiddle, rect.width() - 8)  # names of kernels often begin alike
        width = metrics.horizontalAdvance(text)
        if (text != whole and len(text) < _SHORTEST) or width > rect.width() - 8:
            return
        if bar.kind is EventKind.COPY:  # the hatch is not to strike it through
            self._painter.fillRect(QRectF(rect.center().x() - width / 2 - 4, rect.top() + 3, width + 8, rect.height() - 6), self._theme.bg1)
        self._text(rect, text, "small", colour, _CENTRE)

    def _leader(self, bar: Bar) -> None:
        """From the event in the lane to its bar."""
        cell = self._layout.cells.get(bar.event)
        if cell is not None:
            rect = self.bar_rect(bar)
            self._painter.setPen(QPen(self._theme.now, 1.4))
            self._painter.drawLine(QLineF(QPointF(cell.center().x(), cell.bottom()), QPointF(rect.center().x(), rect.top())))

    # ------------------------------------------------------------ memory

    def _memory(self) -> None:
        layout, theme, frame = self._layout, self._theme, self._frame
        if layout.memory.height() < HEADING:
            return
        for side, left, right in (
            (Side.HOST, layout.memory.left(), layout.middle.left()),
            (Side.DEVICE, layout.middle.right(), layout.memory.right()),
        ):
            title = message("Host memory") if side is Side.HOST else message("Device memory")
            rect = QRectF(left, layout.memory.top(), right - left, HEADING - 4)
            said, amount = self._say(title), self._say(size_text(frame.held(side)))
            self._text(rect, said, "section", theme.t1)
            fonts = zip((theme.font("section"), theme.font("small")), (said, amount), strict=True)
            if sum(QFontMetricsF(font).horizontalAdvance(text) for font, text in fonts) + 8 <= rect.width():  # the boxes have theirs
                self._text(rect, amount, "small", theme.t2, _RIGHT)
        for arrow in sorted(frame.arrows, key=lambda arrow: arrow.now):
            self._arrow(arrow)
        for number, rect in layout.boxes.items():
            self._box(frame.boxes[number], rect)
        if layout.left_out:
            bottom = max((rect.bottom() for rect in layout.boxes.values()), default=layout.middle.top())
            line = QRectF(layout.memory.left(), bottom + BETWEEN, layout.memory.width(), 16)
            self._text(line, self._say(message("{count} more: the table has all (F8)", count=layout.left_out)), "small", theme.t3)

    def _box(self, box: Box, rect: QRectF) -> None:
        theme, painter = self._theme, self._painter
        faint = box.state in (AllocationState.AHEAD, AllocationState.FREED)
        leaked = box.state is AllocationState.LEAKED
        frame = QPen(theme.now, 2) if box.used else QPen(theme.bad, 2) if leaked else QPen(theme.line2, 1)
        if box.state is AllocationState.AHEAD or box.bytes is None:
            frame.setStyle(Qt.PenStyle.DashLine)
        painter.setBrush(theme.now_bg if box.used else theme.bad_bg if leaked else theme.bg2 if faint else theme.bg1)
        painter.setPen(frame)
        painter.drawRect(rect.adjusted(1, 1, -1, -1))
        if box.state is AllocationState.FREED:
            painter.fillRect(rect.adjusted(2, 2, -2, -2), QBrush(theme.line, Qt.BrushStyle.BDiagPattern))
        ink = theme.t3 if box.state is AllocationState.AHEAD else theme.t1
        size = "" if box.bytes is None else self._say(size_text(box.bytes))
        wide = QFontMetricsF(theme.font("small")).horizontalAdvance(size)
        line = QRectF(rect.left() + 10, rect.center().y() - 17, rect.width() - 20, 18)
        self._text(line, size, "small", ink, _RIGHT)
        self._text(line.adjusted(0, 0, -wide - 8, 0), self._say(box_title(box)), "code", ink)
        second = line.translated(0, 17)
        if leaked:
            self._triangle(QPointF(second.left() + 5, second.center().y()))
            second.setLeft(second.left() + 16)
        self._text(second, self._say(box_fact(box)), "caption", theme.bad if leaked else theme.t2)

    def _arrow(self, arrow: Arrow) -> None:
        """From box to box; both ends are a little apart from those of the way back."""
        boxes, theme, painter = self._layout.boxes, self._theme, self._painter
        if arrow.source not in boxes or arrow.target not in boxes:
            return
        source, target = boxes[arrow.source], boxes[arrow.target]
        towards_device = self._frame.boxes[arrow.target].side is Side.DEVICE
        apart = -8.0 if towards_device else 8.0
        if self._frame.boxes[arrow.source].side is self._frame.boxes[arrow.target].side:
            return
        first, second = (source.right() + 3, target.left() - 3) if towards_device else (source.left() - 3, target.right() + 3)
        start, end = QPointF(first, source.center().y() + apart), QPointF(second, target.center().y() + apart)
        ink = theme.now if arrow.now else theme.line2
        painter.setPen(QPen(ink, 2.6 if arrow.now else 1.4))
        painter.setBrush(ink)
        self._line_to(start, end, 10.0 if arrow.now else _HEAD)
        size = size_text(arrow.bytes)
        said = self._say(size if arrow.times == 1 else message("{times} × {bytes}", times=arrow.times, bytes=size))
        font = "label" if arrow.now else "caption"
        width = QFontMetricsF(theme.font(font)).horizontalAdvance(said) + 10
        where = start + (end - start) * 0.42
        label = QRectF(where.x() - width / 2, where.y() - 8, width, 16)
        painter.fillRect(label, theme.now_bg if arrow.now else theme.bg2)
        self._text(label, said, font, theme.now_text if arrow.now else theme.t2, _CENTRE)


_SMALLEST = 0.8
"""How much smaller a page is drawn alone at most, so that all boxes of memory have room."""


def paint_alone(painter: QPainter, look: Look, frame: ProgramFrame, size: QSize, device: str) -> None:
    """Paint a page into so many pixels without the words above it, for where they stand elsewhere."""
    width, height = float(size.width()), float(size.height())
    painter.setClipRect(QRectF(0, 0, width, height))
    words = lay_out(frame, width, height).clock_sentence.bottom() - ABOVE
    scale = min(max(height / (wanted_height(frame, width) - words), _SMALLEST), 1.0)
    width, height = width / scale, height / scale
    painter.scale(scale, scale)
    painter.translate(0, -words)
    placed = lay_out(frame, width, height + words)
    PagePainter(painter, look, frame, placed, device).paint(words=False)
