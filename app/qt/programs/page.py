"""Page of a whole program: host's lane, clock and memory as a picture, below it what was printed and what is wrong."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QTextEdit,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.core.base.observable import Field
from app.core.base.picture_parts import Table
from app.core.lesson_metrics.metric import Source
from app.core.programs.frame import ProgramFrame
from app.core.programs.host_program import coverage, races_coverage
from app.core.programs.page import ProgramPage
from app.core.programs.sentences import (
    as_table,
    box_tip,
    clock_sentence,
    finding_text,
    findings_count,
    not_opened_text,
    place,
    sentence,
)
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.programs.files import ProgramFiles
from app.qt.programs.page_geometry import Layout, lay_out, wanted_height
from app.qt.programs.page_painter import PROGRAM, PagePainter
from app.qt.source.reading_pane import ReadingPane
from app.qt.views.view import DIMMED
from app.qt.widgets.answer_first import answer_first
from app.qt.widgets.labels import ElidedLabel, label, rule
from app.qt.widgets.pointing import paint_ring
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message, message
from kernels.simt.host.result import NotRun

MOST_SHOWN = 100_000
"""Characters of standard output that are shown."""
_LEAST_BELOW, _MOST_BELOW, _OFFER = 138, 420, 40
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}


class ProgramCanvas(Zoomed):
    """Picture of the selected event. Arrows go through the events, Return opens a launch, a press selects."""

    title = PROGRAM
    headline = message("What main does, in order")
    least = QSize(480, 330)

    def __init__(self, look: Look, page: ProgramPage, asking: Field[frozenset[Source]]) -> None:
        super().__init__()
        self.look = self.magnify(look)
        self._page = page
        self._asking = asking
        self._placed: tuple[ProgramFrame, tuple[float, float], Layout] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 200)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        bind(self, page.frame, self._show)
        bind(self, page.program.outcome, lambda _outcome: self.update())
        bind(self, asking, lambda _asked: self.update())

    def _show(self, frame: ProgramFrame | None) -> None:
        said = PROGRAM if frame is None else message("{title}, {place}", title=PROGRAM, place=place(frame))
        self.setAccessibleName(self.look.text(said))
        if frame is not None:
            sentences = (sentence(frame), clock_sentence(frame, self.device))
            self.setAccessibleDescription(self.look.paragraph(self.look.text(each) for each in sentences))
        self.update()

    @property
    def device(self) -> str:
        """The name of the chosen GPU."""
        return self._page.session.profile.value.name

    def table(self) -> Table:
        """All events."""
        frame = self._page.frame.value
        return Table((), ()) if frame is None else as_table(frame)

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key asks for; False where it is none of the page's."""
        key, frame = event.key(), self._page.frame.value
        if frame is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key in _STEPS:
            self._page.move(_STEPS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._page.select(0 if key == Qt.Key.Key_Home else len(frame.cells) - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._page.open_launch()
        else:
            return False
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.press(event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        found = self.event_at(event.position())
        if found is not None:
            self._page.select(found)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the launch that was selected by the first press."""
        if self.event_at(event.position()) is not None:
            self._page.open_launch()

    def event_at(self, point: QPointF) -> int | None:
        """The event whose cell, bar or box is at a point."""
        frame, layout = self._page.frame.value, self.placement
        if frame is None or layout is None:
            return None
        for number, rect in layout.cells.items():
            if rect.contains(point):
                return number
        if layout.clock.adjusted(-6, 0, 6, 0).contains(point):

            def apart(number: int) -> float:
                bar = frame.bars[number]
                left, right = layout.x(bar.began, frame.length), layout.x(bar.ended, frame.length)
                return max(left - point.x(), point.x() - right, 0.0)

            near = min(range(len(frame.bars)), key=apart, default=None)
            return None if near is None or apart(near) > 6 else frame.bars[near].event
        box = next((number for number, rect in layout.boxes.items() if rect.contains(point)), None)
        return None if box is None else frame.first_event(frame.boxes[box])

    @property
    def placement(self) -> Layout | None:
        """Where everything stands now."""
        frame, size = self._page.frame.value, (self.width(), self.height())
        if frame is None:
            return None
        if self._placed is None or self._placed[0] is not frame or self._placed[1] != size:  # the pointer asks at every move
            self._placed = frame, size, lay_out(frame, *size)
        return self._placed[2]

    def tip_at(self, point: QPointF) -> Message | None:
        """What is to be said of what is at a point."""
        frame, layout = self._page.frame.value, self.placement
        if frame is None or layout is None:
            return None
        box = next((number for number, rect in layout.boxes.items() if rect.contains(point)), None)
        if box is not None:
            return box_tip(frame.boxes[box])
        event = self.event_at(point)
        return None if event is None else sentence(frame, event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            said = self.tip_at(QPointF(event.pos()) / self._zoom)
            QToolTip.showText(event.globalPos(), self.look.text(said) if said else "", self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        painter.fillRect(self.rect(), self.look.theme.bg2)
        frame, layout = self._page.frame.value, self.placement
        if frame is not None and layout is not None:
            if Source.PROGRAM in self._asking.value:  # where something is wrong may be what is asked for
                frame = replace(frame, cells=tuple(replace(cell, wrong=False) for cell in frame.cells))
            painter.setOpacity(DIMMED if isinstance(self._page.program.outcome.value, NotRun) else 1.0)
            PagePainter(painter, self.look, frame, layout, self.device).paint()
            painter.setOpacity(1.0)
        paint_ring(painter, self, self.look.theme)


_PADDING = QSize(24, 12)
"""Of a row of findings, with the margin that Qt leaves beside its text."""


class FindingList(QListWidget):
    """List whose rows are as high as their text is when it is wrapped: Qt reckons with more width than it writes in."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_rows()

    def fit_rows(self) -> None:
        """Make each row as high as its text."""
        metrics, width = QFontMetrics(self.font()), self.viewport().width() - _PADDING.width()
        for item in map(self.item, range(self.count())):
            high = metrics.boundingRect(QRect(0, 0, width, 0), Qt.TextFlag.TextWordWrap, item.text()).height()
            item.setSizeHint(QSize(0, high + _PADDING.height()))


class ProgramPanel(QWidget):
    """The picture above what was printed and what was found."""

    def __init__(self, look: Look, page: ProgramPage, asking: Field[frozenset[Source]]) -> None:
        """`asking` are the sources that a question of a lesson asks for."""
        super().__init__()
        self._look = look
        self._page = page
        self.setProperty("surface", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.canvas = ProgramCanvas(look, page, asking)
        self.opened = QToolButton()
        self.opened.setText(look.text(message("Open the launch on the stage (Return)")))
        self.opened.setFont(look.theme.font("body"))
        self.opened.setIcon(look.icon("play"))
        self.opened.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.opened.setStyleSheet(f"QToolButton {{ border: 1px solid {look.theme.line2.name()}; padding: 3px 10px; }}")
        self.opened.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.opened.clicked.connect(lambda: page.open_launch())
        self._reason = ElidedLabel()
        self._reason.setFont(look.theme.font("small"))
        self.files = ProgramFiles(look, page)
        self._printed = label(look, message("Standard output"), "section")
        self.output = ReadingPane(look, message("What the program wrote"))
        self.output.setFrameShape(QFrame.Shape.NoFrame)
        self._found = label(look, "", "section")
        self._covered = label(look, "", "small", rank=2)
        for heading in (self._printed, self._found, self._covered):
            heading.setWordWrap(True)
        self.findings = FindingList()
        self.findings.setFont(look.theme.font("small"))
        self.findings.setWordWrap(True)
        self.findings.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.findings.setFrameShape(QFrame.Shape.NoFrame)
        self.findings.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.findings.setAccessibleName(look.text(message("Findings")))
        for activated in (self.findings.itemClicked, self.findings.itemActivated):
            activated.connect(lambda item: page.select_finding(self.findings.row(item)))
        self._lay_out(asking)
        self._show_findings([])
        bind(self, page.frame, self._show)
        bind(self, page.finding, self.findings.setCurrentRow)

    def _lay_out(self, asking: Field[frozenset[Source]]) -> None:
        offer = QHBoxLayout()
        offer.setContentsMargins(14, 4, 14, 6)
        offer.addWidget(self.opened)
        offer.addWidget(self._reason, 1)
        offer.addStretch()
        self._below = QWidget()
        row = QHBoxLayout(self._below)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for part, head, body in ((1, self._printed, self.output), (1, self._found, self.findings)):
            column = QVBoxLayout()
            column.setContentsMargins(14, 6, 8, 6)
            column.setSpacing(4)
            column.addWidget(head)
            if head is self._found:
                column.addWidget(self._covered)
            column.addWidget(body, 1)
            column.addStretch(0)
            if row.count():
                row.addWidget(rule(vertical=True))
            row.addLayout(column, part)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.canvas, 1)
        whole.addLayout(offer)
        whole.addWidget(self.files)
        whole.addWidget(rule(vertical=False))
        whole.addWidget(self._below)
        whole.addWidget(answer_first(self._look, asking, {self._below: frozenset({Source.PROGRAM})}))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Give the words what the picture leaves of the height, within bounds."""
        px, frame = self._look.px, self._page.frame.value
        width = self.width() / self._look.theme.scale
        left = self.height() - px(_OFFER) - (0 if frame is None else px(wanted_height(frame, width)))
        self._below.setFixedHeight(min(max(left, px(_LEAST_BELOW)), px(_MOST_BELOW)))

    def _show(self, frame: ProgramFrame | None) -> None:
        if frame is None:
            return
        self._share()
        refused = not_opened_text(frame)
        set_shown(self.opened, refused is None)
        self._reason.say("" if refused is None else self._look.text(refused))
        self._show_output(frame)
        rows = [self._look.text(finding_text(each)) for each in frame.run.findings]
        if rows != [self.findings.item(number).data(Qt.ItemDataRole.UserRole) for number in range(self.findings.count())]:
            self._show_findings(rows)
        nothing = message("no findings so far") if frame.run.searching else message("✓ No findings")
        found = message("The whole program: {findings}", findings=findings_count(frame.run) or nothing)
        self._found.setText(self._look.text(found))
        said = [each for each in (coverage(frame.run), races_coverage(frame.run)) if each is not None]
        self._covered.setText(" ".join(map(self._look.text, said)))
        set_shown(self._covered, bool(said))

    def _show_findings(self, rows: list[str]) -> None:
        self.findings.clear()
        for row in rows:
            item = QListWidgetItem(f"▲ {row}")
            item.setForeground(self._look.theme.bad)
            item.setToolTip(row)
            item.setData(Qt.ItemDataRole.UserRole, row)
            self.findings.addItem(item)
        self.findings.fit_rows()
        self.findings.setCurrentRow(self._page.finding.value)
        set_shown(self.findings, bool(rows))

    def _show_output(self, frame: ProgramFrame) -> None:
        """All that was printed; what is still to come is faint, and what is printed at this event marked."""
        text, theme = frame.run.stdout[:MOST_SHOWN], self._look.theme
        if self.output.toPlainText() != text:
            self.output.setPlainText(text)
        begin = 0 if frame.selected == 0 else frame.run.events[frame.selected - 1].output
        spans = ((begin, frame.event.output, theme.t1, theme.now_bg), (frame.event.output, len(text), theme.t3, None))
        self.output.setExtraSelections([self._span(*span) for span in spans if span[1] > span[0]])

    def _span(self, begin: int, end: int, ink: QColor, ground: QColor | None) -> QTextEdit.ExtraSelection:
        found, form = QTextEdit.ExtraSelection(), QTextCharFormat()
        form.setForeground(ink)
        if ground is not None:
            form.setBackground(ground)
        last = self.output.document().characterCount() - 1
        cursor = QTextCursor(self.output.document())
        cursor.setPosition(min(begin, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        found.format, found.cursor = form, cursor
        return found


class ProgramSwitch(QToolButton):
    """Chooses between the page of the program and the stage; hidden where no program ran."""

    def __init__(self, look: Look, page: ProgramPage) -> None:
        super().__init__()
        self.setText(look.text(PROGRAM))
        self.setFont(look.theme.font("body"))
        self.setIcon(look.icon("layers"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCheckable(True)
        hint = look.text(message("Page of the program: what main does, in order, in place of a launch (G)"))
        self.setToolTip(hint)
        self.setAccessibleName(hint)
        self.clicked.connect(page.toggle)
        bind(self, page.shown, self.setChecked)
        bind(self, page.offered, lambda offered: set_shown(self, offered))
