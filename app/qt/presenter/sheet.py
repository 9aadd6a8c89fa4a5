"""One slide: texts, drawing, answer, band and progress."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.core.presenter.slide import Slide
from app.qt.look import Look
from app.qt.presenter.controls import ChoiceButton, NumberField
from app.qt.presenter.drawing import Drawing
from app.qt.presenter.layout import EDGE, GAP, Dots, SlideLayout, lay_out


class Sheet(QWidget):
    """Shows a slide. `answered` says which answer was chosen or typed."""

    answered = Signal(object)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._slide = Slide("", "", "")
        self._full = self._wide = False
        self.buttons: list[ChoiceButton] = []
        self.layout_now: SlideLayout | None = None
        self.drawing = Drawing(look, self)
        self.field = NumberField(look, self)
        self.field.number.connect(self.answered)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def slide(self) -> Slide:
        return self._slide

    def show_slide(self, slide: Slide) -> None:
        """Show another slide."""
        if slide == self._slide:
            return
        if (slide.number, slide.asks) != (self._slide.number, self._slide.asks):
            self.field.clear()
        self._slide = slide
        self.setAccessibleName(slide.headline)
        self.setAccessibleDescription(self._look.paragraph([*slide.said, slide.band]))
        self._lay_out()

    def show_full(self, *, full: bool) -> None:
        """Give the whole sheet to the drawing, or not."""
        if full != self._full:
            self._full = full
            self._lay_out()

    def show_wide(self, *, wide: bool) -> None:
        """Give the drawing more of the slide, or not."""
        if wide != self._wide:
            self._wide = wide
            self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._look.theme.bg2)
        layout = self.layout_now
        if layout is not None and not self._full:
            painter.fillRect(layout.band, self._look.theme.bg0)
            for text in layout.texts:
                text.paint(painter)
            if layout.dots is not None:
                self._paint_dots(painter, layout.dots)
        painter.end()

    def _lay_out(self) -> None:
        layout = lay_out(self._slide, QSizeF(self.size()), self._look, wide=self._wide)
        self.layout_now = layout
        edge = EDGE / 2 * layout.unit
        whole = QRectF(self.rect()).adjusted(edge, GAP * layout.unit / 2, -edge, -GAP * layout.unit / 2)
        self.drawing.setGeometry((whole if self._full else layout.drawing).toAlignedRect())
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [ChoiceButton(self._look, choice, layout.unit, self) for choice, _ in layout.choices]
        for button, (choice, place), label in zip(self.buttons, layout.choices, layout.answer.labels, strict=True):
            button.place(place, label)
            button.clicked.connect(lambda _=False, answer=choice.answer: self.answered.emit(answer))
            button.setVisible(not self._full)
        self.field.setVisible(layout.answer.field is not None and not self._full)
        if layout.answer.field is not None:
            self.field.place(layout.answer.field, layout.unit)
        self.update()

    def _paint_dots(self, painter: QPainter, dots: Dots) -> None:
        """Past ones are full, the present one is long, those to come are rings."""
        theme, radius = self._look.theme, dots.radius
        for number, middle in enumerate(dots.steps):
            painter.setPen(QPen(theme.line2 if number > dots.now else theme.ink, max(1.0, radius / 4)))
            painter.setBrush(theme.ink if number <= dots.now else Qt.BrushStyle.NoBrush)
            wide = radius * (1.9 if number == dots.now else 1.0)
            painter.drawRoundedRect(QRectF(middle.x() - wide, middle.y() - radius, 2 * wide, 2 * radius), radius, radius)
