"""Ladder page of the timing workspace: what is shown, the bars, and beside them the chosen rung with its reasons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.ladder.model import LadderModel, LadderPicture, Source
from app.core.ladder.sentences import facts_of, name_in, source_of, title_of
from app.core.results.labels import DEVICES
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.ladder.bars import LadderBars
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.labels import label
from kernels.base.messages import message
from kernels.base.spec import Device


class Fade(QWidget):
    """Over the lower edge of a scroll area, while there is more below: from nothing to the ground of the text."""

    def __init__(self, area: QScrollArea, ground: QColor, height: int) -> None:
        super().__init__(area)
        self._area, self.ground = area, ground
        self.setFixedHeight(height)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self._follow)
        bar.rangeChanged.connect(self._follow)
        area.viewport().installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        edge, bar = self._area.viewport().geometry(), self._area.verticalScrollBar()
        self.setGeometry(edge.left(), edge.bottom() + 1 - self.height(), edge.width(), self.height())
        self.setVisible(bar.value() < bar.maximum())
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        clear = QColor(self.ground)
        clear.setAlpha(0)
        gradient = QLinearGradient(0, 0, 0, self.height())
        gradient.setColorAt(0, clear)
        gradient.setColorAt(0.75, self.ground)
        painter = QPainter(self)
        painter.fillRect(self.rect(), gradient)
        painter.end()


_SIDE_SHARE, _MOST_SIDE = 0.3, 520
_BESIDE_FROM = 720
"""Pixels of width, at zoom 100 %, from which on the chosen rung stands beside the bars; else below them, so that nothing of it is cut."""
_FADE = 48
"""About two lines of what is said of a rung."""


class LadderPage(QWidget):
    """Page of the ladder, drawn anew at most ten times a second."""

    def __init__(self, look: Look, model: LadderModel) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self.device = ChoiceBox[Device](look, message("Whose rungs"), model.choose_device)
        self.n = ChoiceBox[int](look, message("Matrix size n"), self._choose_size)
        self.source = ChoiceBox[Source](look, message("Where the times are from"), model.choose_source)
        self.title = label(look, "", "fact")
        self.title.setWordWrap(True)
        self.missing = label(look, message("No rung of this operation was timed yet."), "reading", rank=2)
        self.bars = LadderBars(look)
        self.bars.chosen.connect(model.explain)
        self.about = RungSide(look)
        self._arrange()
        self._refresh = Refresh(self.redraw, self)
        bind(self, model.choice, self._refresh.soon)
        bind(self, model.timing.revision, self._refresh.soon)
        bind(self, model.session.timing, self._refresh.soon)
        bind(self, model.session.stage, self._refresh.soon)

    def redraw(self) -> None:
        """Draw everything from the model."""
        picture = self._model.picture()
        for part in (self._body, self._choices):
            part.setVisible(picture is not None)
        self.missing.setVisible(picture is None)
        if picture is None:
            self.bars.show_ladder(None, "")
            return
        ladder = picture.ladder
        self.device.show_choices([(device, DEVICES[device]) for device in picture.devices], ladder.device)
        self.n.show_choices([(n, message("n = {n}", n=n)) for n in picture.sizes], ladder.n)
        self.source.show_choices(
            [((each.provenance, each.machine), source_of(each)) for each in picture.sources], (ladder.provenance, ladder.machine)
        )
        self.source.setVisible(len(picture.sources) > 1)
        self.title.setText(self._look.text(title_of(ladder)))
        self.bars.show_ladder(ladder, picture.chosen)
        self.about.show_rung(picture)

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = event.size().width() >= self._look.px(_BESIDE_FROM)
        self._sides.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)

    def _choose_size(self, n: int) -> None:
        self._model.choose_size(n)

    def _arrange(self) -> None:
        self._choices, self._body = QWidget(), QWidget()
        choices, body = QHBoxLayout(self._choices), QBoxLayout(QBoxLayout.Direction.LeftToRight, self._body)
        self._sides = body
        for row in (choices, body):
            row.setContentsMargins(0, 0, 0, 0)
        choices.setSpacing(8)
        for part in (self.device, self.n, self.source):
            choices.addWidget(part)
        choices.addSpacing(8)
        choices.addWidget(self.title, 1)
        body.setSpacing(16)
        scrolled = QScrollArea()  # in a low window not all rungs have the height of a row that can be read
        scrolled.setWidget(self.bars)
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body.addWidget(scrolled, round(100 * (1 - _SIDE_SHARE)))
        body.addWidget(self.about, round(100 * _SIDE_SHARE))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(4)
        column.addWidget(self._choices)
        column.addWidget(self.missing, 1, Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self._body, 1)


class RungSide(QScrollArea):
    """Side of the chosen rung: its name, its numbers, and why it is faster or not."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.name = label(look, "", "sentence")
        self.name.setWordWrap(True)
        self.sentences = label(look, "", "reading")
        self.sentences.setWordWrap(True)
        self.sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnStretch(1, 1)
        inner = self._inner = QWidget()
        inner.setProperty("surface", "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 8, 8, 8)
        column.setSpacing(12)
        column.addWidget(self.name)
        column.addLayout(self._facts)
        column.addWidget(self.sentences)
        column.addStretch(1)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setMaximumWidth(look.px(_MOST_SIDE))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(look.text(message("About the chosen rung")))
        self.fade = Fade(self, look.theme.bg1, look.px(_FADE))

    def show_rung(self, picture: LadderPicture) -> None:
        """Show the chosen rung of a picture."""
        rung = picture.ladder.rung(picture.chosen)
        if rung is None:
            return
        text = self._look.text
        self.name.setText(f"{rung.variant.rung}  {text(name_in(rung))}")
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for row, (name, value) in enumerate(facts_of(picture.ladder, rung)):
            self._facts.addWidget(label(self._look, name, "reading", rank=2), row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(_wrapped(label(self._look, value, "fact")), row, 1)
        self.sentences.setText("\n\n".join(map(text, picture.sentences.get(picture.chosen, ()))))
        QTimer.singleShot(0, self, self._lay_out)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._lay_out)

    def _lay_out(self) -> None:
        """Wrap the sentences once more at the width that the bar which scrolls has left them: Qt keeps the height from before it came."""
        layout = self._inner.layout()
        assert layout is not None
        layout.invalidate()
        layout.activate()


def _wrapped(made: QLabel) -> QLabel:
    made.setWordWrap(True)
    return made
