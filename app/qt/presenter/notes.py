"""Notes for the lecturer alone: the texts, what comes next, the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.lessons.prose import Span, spans
from app.core.presenter.screen import Clock
from app.core.presenter.slide import Notes, notes_of, stage_notes
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.base.style import palette, style_sheet
from app.qt.base.theme import CODE_FAMILIES
from app.qt.widgets.labels import label
from kernels.base.messages import message

_TICK_MS = 250
_EDGE = 20


class NotesView(QWidget):
    """Follows the lesson, or the stage without one. `clock` is asked four times a second while the view is shown."""

    def __init__(self, look: Look, workbench: Workbench, clock: Clock) -> None:
        super().__init__()
        self._look, self._workbench, self._clock = look, workbench, clock
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(look.text(message("Notes")))
        self.place, self.headline = self._text("fact", rank=2), self._text("view_caption")
        self.day, self.elapsed = self._text("hero"), self._text("hero")
        self.notes, self.told, self.coming = self._text("sentence"), self._text("reading", rank=2), self._text("sentence")
        self._titles = [self._text("label", rank=3) for _ in range(3)]
        self._arrange()
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._timer.start()
        bind(self, workbench.lesson_controller.player.playing, lambda _playing: self._show())
        bind(self, workbench.stage.picture, lambda _picture: self._show_stage())
        self.tick()

    def tick(self) -> None:
        """Tell the time."""
        self.day.setText(self._clock.day)
        self.elapsed.setText(self._clock.elapsed)

    def _arrange(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        column.setSpacing(8)
        column.addLayout(self._times())
        column.addSpacing(8)
        titles = (message("Notes"), message("Next"), message("What the step says"))
        column.addWidget(self.place)
        column.addWidget(self.headline)
        for title, said, text in zip(self._titles, titles, (self.notes, self.coming, self.told), strict=True):
            title.setText(self._look.text(said))
            column.addSpacing(14)
            column.addWidget(title)
            column.addWidget(text)
        column.addStretch(1)
        self.area = area = QScrollArea()
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def _times(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for title, text in ((message("Time"), self.day), (message("Since the beginning"), self.elapsed)):
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addWidget(label(self._look, title, "small", rank=3))
            column.addWidget(text)
            row.addLayout(column, 1)
        return row

    def _text(self, role: str, rank: int = 1) -> QLabel:
        made = label(self._look, "", role, rank)
        made.setWordWrap(True)
        made.setTextFormat(Qt.TextFormat.RichText)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        return made

    def _show_stage(self) -> None:
        if self._workbench.lesson_controller.player.playing.value is None:
            self._show()

    def _show(self) -> None:
        bench, translator = self._workbench, self._look.translator
        playing = bench.lesson_controller.player.playing.value
        name = translator.text(bench.stage_name)
        notes = notes_of(playing, translator) if playing is not None else stage_notes(bench.stage.picture.value, name, translator)
        self.place.setText(self._place(notes))
        self.headline.setText(rich([notes.headline]))
        for title, text, said in zip(
            self._titles, (self.notes, self.coming, self.told), (notes.notes, (notes.coming,), notes.told), strict=True
        ):
            text.setText(rich(said))
            for part in (title, text):
                set_shown(part, any(said))

    def _place(self, notes: Notes) -> str:
        if not notes.count:
            return escape(notes.title)
        place = message("{title}, lesson step {number} of {count}", title=notes.title, number=notes.number, count=notes.count)
        return escape(self._look.text(place))


class NotesWindow(QWidget):
    """Window of the notes, larger than they are elsewhere. `closed` says that it was closed; the keys are those of the slide, which keeps
    the focus when it is opened."""

    closed = Signal()

    def __init__(self, look: Look, workbench: Workbench, clock: Clock, press: Callable[[QKeyEvent], object]) -> None:
        super().__init__()
        self._press = press
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setWindowTitle(look.text(message("Tilescope: notes")))
        self.setStyleSheet(style_sheet(look.theme))
        self.setPalette(palette(look.theme))
        self.view = NotesView(look, workbench, clock)
        self.view.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it would take the arrows
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.resize(760, 820)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._press(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


def rich(paragraphs: Sequence[str]) -> str:
    """Texts with marks, as a label takes them: whatever else they hold is shown as it is written."""
    return "".join(f"<p>{''.join(map(_span, paragraph_spans))}</p>" for paragraph_spans in map(spans, paragraphs))


def _span(span: Span) -> str:
    text = escape(span.text)
    if span.code:
        families = ", ".join(f"'{name}'" for name in CODE_FAMILIES)
        return f'<span style="font-family: {families}">{text}</span>'
    return f"<b>{text}</b>" if span.strong else text
