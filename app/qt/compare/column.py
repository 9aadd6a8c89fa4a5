"""Column of a comparison: one launch in one of the views, with its name, its verdict and the lines that differ."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.core.base.picture_parts import Verdict
from app.core.compare.differences import changed, declaration, executed_line
from app.core.frames.views import View
from app.core.gpu_view.matrices.wrong_values import wrong_move
from app.core.gpu_view.unseen_writes import unseen_words
from app.core.inspector.finding_rows import FindingRow, count_text, next_finding
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.binding import set_shown
from app.qt.base.look import Look
from app.qt.views.frame import CHECK, WARNING
from app.qt.widgets.labels import ElidedLabel
from app.qt.widgets.pointing import FindingButton
from app.qt.widgets.stops import order_stops
from kernels.base.messages import Message, message

if TYPE_CHECKING:
    from app.qt.gpu_view.view import GpuView

LINE_HEIGHT = 20


class CodeLine(QWidget):
    """Cut at its right end where there is no room; the whole line is then its tooltip."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._font, self._bold = look.theme.font("code"), look.theme.font("code")
        self._bold.setBold(True)
        self._text = ""
        self._spans: tuple[tuple[int, int], ...] = ()
        self.setFixedHeight(look.px(LINE_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        return self._text

    def show_line(self, text: str, spans: tuple[tuple[int, int], ...]) -> None:
        """Show a line; `spans` are its emphasised parts, each from its first character to the one after its last."""
        if (text, spans) != (self._text, self._spans):
            self._text, self._spans = text, spans
            self.setAccessibleName(text)
            self.setToolTip(text if QFontMetricsF(self._bold).horizontalAdvance(text) > self.width() else "")
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self._bold).horizontalAdvance(self._text)), self._look.px(LINE_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        left, done = 0.0, 0
        for first, last in (*self._spans, (len(self._text), len(self._text))):
            left = self._write(painter, self._text[done:first], left, strong=False)
            left = self._write(painter, self._text[first:last], left, strong=True)
            done = last

    def _write(self, painter: QPainter, text: str, left: float, *, strong: bool) -> float:
        """One part, as much of it as fits; where it ends."""
        font, room = self._bold if strong else self._font, self.width() - left
        metrics = QFontMetricsF(font)
        if not text or room <= 0:
            return left
        painter.setFont(font)
        painter.setPen(self._look.theme.t1 if strong else self._look.theme.t2)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, 0, room, self.height()), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        return left + metrics.horizontalAdvance(text)


HEIGHT = 28


class VerdictLabel(QWidget):
    """A check mark and ink, or a triangle and crimson; empty where there is no verdict."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: Verdict | None = None
        self._font = look.theme.font("view_caption")
        self.text = ""
        self.setFixedHeight(look.px(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_verdict(self, verdict: Verdict | None) -> None:
        """Say it; nothing is done where it is what is said already."""
        if verdict == self._shown:
            return
        self._shown = verdict
        self.text = "" if verdict is None else f"{CHECK if verdict.good else WARNING} {self._look.text(verdict.text)}"
        self.setAccessibleName(self.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self._font).horizontalAdvance(self.text)) + 4, self._look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width() * 2 // 3, self._look.px(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._shown is None:
            return
        painter = QPainter(self)
        font = self._font if self.width() >= self.sizeHint().width() else self._look.theme.font("section")
        painter.setFont(font)
        painter.setPen(self._look.theme.t1 if self._shown.good else self._look.theme.bad)
        shown = QFontMetricsF(font).elidedText(self.text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown)


HEADER, NOTE = 78, 52


class CompareColumn(QWidget):
    """Shows one picture in one of the views. The views are made when they are first asked for."""

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self._views: dict[View, GpuView] = {}
        self._shown = View.MATRICES
        self.found: tuple[FindingRow, ...] = ()
        """What is wrong with the launch."""
        self.name = ElidedLabel()
        self.name.setFont(look.theme.font("step"))
        self.verdict = VerdictLabel(look)
        self.findings = FindingButton(look, self._go_to_finding)
        self.place = ElidedLabel()
        self.place.setFont(look.theme.font("small"))
        self.place.setProperty("rank", "2")
        """Which moment of the launch it shows, as the sides need not be at the same."""
        self.lines = CodeLine(look), CodeLine(look)
        """Where the array is declared, and what is executed."""
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.note = note_label(look)
        column.addWidget(self._header())
        column.addWidget(self.note)
        column.addWidget(self._stack, 1)

    @property
    def view(self) -> GpuView:
        """The view that is shown."""
        return self._view(self._shown)

    def show_view(self, view: View) -> GpuView:
        """Show a view; returns its widget."""
        self._shown = view
        self._stack.setCurrentWidget(self.view)
        return self.view

    def redraw(self) -> None:
        """Paint the view again, where one is shown."""
        if self._shown in self._views:
            self.view.update()

    def show_lines(self, *, shown: bool) -> None:
        """Show the lines that differ, or leave their room to the picture."""
        for line in (*self.lines, self.place):
            set_shown(line, shown)
        self._head.setFixedHeight(self._look.px(HEADER - (0 if shown else len(self.lines) * LINE_HEIGHT)))

    def show_name(self, name: Message, brief: Message | None = None) -> None:
        """Say what the launch is; in brief where the whole has no room."""
        said = self._look.text(name)
        self.name.say(said, "" if brief is None else self._look.text(brief))
        self.setAccessibleName(said)

    def show_findings(self, found: tuple[FindingRow, ...]) -> None:
        """Count what is wrong with the launch: the source that would tell it gives way to what is beside."""
        self.found = found
        self.findings.show_count(count_text(found))

    def _go_to_finding(self) -> None:
        step = next_finding(self.found, self._model.timeline.position.value.step)
        if step is not None:
            self._model.timeline.scrub(step)

    def _finding(self, step: int) -> str:
        """What a step does wrong, else the first thing that the launch does."""
        told = next((each for each in self.found if each.step == step), next(iter(self.found), None))
        return "" if told is None else "⚠ " + self._look.text(message("{kind}: {sentence}", kind=told.kind, sentence=told.sentence))

    def _note(self, said: str) -> None:
        if said != self.note.text():
            self.note.setText(said)
            self.note.setToolTip(f"<p>{escape(said)}</p>" if said else "")

    def show_picture(self, picture: GpuPicture | None, beside: GpuPicture | None) -> None:
        """Show it, and of its lines what is not in those of the picture beside it."""
        self.view.show_picture(picture)
        self.verdict.show_verdict(self._verdict(picture) if picture is not None else None)
        if picture is not None and picture.index.subject.schedule is not None:
            from app.core.execution.schedule_sentences import who_goes

            who = who_goes(picture.index.trace, picture.frame)
            self.show_name(message("{schedule}: {who}", schedule=picture.index.subject.schedule, who=who))
        whole, brief = ("", "") if picture is None else map(self._look.text, _place(picture))
        self.place.say(whole, brief)
        words = unseen_words(picture.index, picture.frame) if picture is not None else None
        self._note(self._look.text(words) if words is not None else self._finding(picture.frame.step) if picture is not None else "")
        own, other = _lines(picture), _lines(beside)
        for line, text, there in zip(self.lines, own, other, strict=True):
            line.show_line(text, changed(text, there) if there else ())

    def _verdict(self, picture: GpuPicture) -> Verdict | None:
        """The view's own; of a schedule, whose costs say nothing, that a wrong value moves."""
        if picture.index.subject.schedule is None or self._shown is View.MEMORY_ORDER:
            return self.view.verdict(picture)
        return wrong_move(picture.index, picture.frame)

    def _view(self, view: View) -> GpuView:
        if view not in self._views:
            from app.qt.gpu_view.gpu_stage import GPU_VIEWS

            self._views[view] = GPU_VIEWS[view](self._look.unzoomed, self._model)
            self._views[view].magnify(self._look)
            self._stack.addWidget(self._views[view])
            order_stops((self,))
        return self._views[view]

    def _header(self) -> QWidget:
        self._head = header = QWidget()
        header.setFixedHeight(self._look.px(HEADER))
        header.setProperty("surface", "canvas")
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self.name, 1)
        top.addWidget(self.findings)
        top.addWidget(self.verdict, 0, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(header)
        column.setContentsMargins(16, 6, 16, 2)
        column.setSpacing(0)
        column.addLayout(top)
        first = QHBoxLayout()
        first.setSpacing(12)
        first.addWidget(self.lines[0], 1)
        first.addWidget(self.place)
        column.addLayout(first)
        column.addWidget(self.lines[1])
        return header


def note_label(look: Look) -> QLabel:
    """A place for what a weak memory shows: two lines, kept free where the step shows nothing of the kind, so that nothing jumps."""
    label = QLabel()
    label.setFont(look.theme.font("label"))
    label.setProperty("surface", "canvas")
    label.setProperty("tone", "bad")
    label.setWordWrap(True)
    label.setContentsMargins(16, 0, 16, 0)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setFixedHeight(look.px(NOTE))
    label.hide()
    return label


def _place(picture: GpuPicture) -> tuple[Message, Message]:
    """The block or the tile step, and the step; in brief the step alone."""
    title, frame = picture.description.title, picture.frame
    step = message("Step {number} of {total}", number=frame.step + 1, total=frame.steps)
    return message("{title}, step {step} of {steps}", title=title, step=frame.step + 1, steps=frame.steps), step


def _lines(picture: GpuPicture | None) -> tuple[str, str]:
    if picture is None:
        return "", ""
    return declaration(picture.frame, picture.index), executed_line(picture.frame, picture.index)
