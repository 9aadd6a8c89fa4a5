"""Sheet of one slide: texts, drawing, answer, band and progress, laid out as a function of the slide and the size of the screen.

The hall's answer is given by a button, or typed.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from app.core.presenter.slide import Mark, ShownChoice, Slide
from app.qt.base.look import Look
from app.qt.presenter.answer import AnswerBox, place_answer
from app.qt.presenter.drawing import SlideDrawing
from app.qt.presenter.text import BODY, HEIGHT, LABEL, NARRATION, NUMBER, QUESTION, STRONG, Ink, PlacedText, centred, fitted, type_of
from kernels.base.messages import message
from kernels.base.values import dataclass

EDGE, BAND, GAP = 80.0, 134.0, 28.0
_TITLE_TOP, _HEADLINE_TOP = 40.0, 88.0
_DRAWING_SHARE, _WIDE_SHARE = 0.57, 0.64
"""Of the width, where an answer stands beside the drawing; a wide one has two parts."""
_WORDS_SHARE, _WORDS_FROM = 0.3, 1.3
"""Of the width, for title and headline beside a drawing that is tall; width over height of a slide from which that makes it larger."""
_BETWEEN = 56.0
_HEADLINE = ((QUESTION, 1), (50.0, 2), (44.0, 2), (BODY, 4))
_BESIDE = ((QUESTION, 1), (50.0, 3), (44.0, 4), (BODY, 8))
_BAND = ((NARRATION, 1), (42.0, 2), (BODY, 2))
_DOTS_SHARE = 0.28
_MOST_STEP = 30.0


@dataclass(frozen=True, slots=True)
class Dots:
    """The progress: `steps` are the middles of the dots, `radius` theirs; `now` is the present one, from 0 on."""

    steps: tuple[QPointF, ...]
    radius: float
    now: int


@dataclass(frozen=True, slots=True)
class SlideLayout:
    """Layout of a slide, all in pixels; `unit` is the size of one of the 1080 units of the height."""

    unit: float
    texts: tuple[PlacedText, ...]
    drawing: QRectF
    band: QRectF
    dots: Dots | None
    answer: AnswerBox

    @property
    def choices(self) -> tuple[tuple[ShownChoice, QRectF], ...]:
        return self.answer.choices


def lay_out(slide: Slide, size: QSizeF, look: Look, *, wide: bool = False, tall: bool = False) -> SlideLayout:
    """The places. `wide`: the drawing needs more room than usual; `tall`: without a lesson it has the height of title and headline, too."""
    unit, theme = size.height() / HEIGHT, look.theme
    width, left = size.width() - 2 * EDGE * unit, EDGE * unit
    tall = tall and not slide.count and not slide.answering and size.width() >= _WORDS_FROM * size.height()
    words = width * (_WORDS_SHARE if tall else 1.0)
    title = fitted(_title(slide, look), ((LABEL, 3 if tall else 1),), Ink(unit, theme.t2), QRectF(left, _TITLE_TOP * unit, words, 0))
    top = max(_HEADLINE_TOP * unit, title.place.bottom())
    headline = fitted(slide.headline, _BESIDE if tall else _HEADLINE, Ink(unit, theme.t1, STRONG), QRectF(left, top, words, 0))
    band = QRectF(0, size.height() - BAND * unit, size.width(), BAND * unit)
    dots, number, dots_left = _progress(slide, band, unit, look)
    said = fitted(slide.band, _BAND, Ink(unit, theme.t1, STRONG), QRectF(left, band.top(), dots_left - left - GAP * unit, 0))
    top = (_TITLE_TOP if tall else GAP) * unit + (0.0 if tall else headline.place.bottom())
    content = QRectF(left, top, width, band.top() - top - GAP * unit)
    drawing = QRectF(content)
    if tall:
        drawing.setLeft(left + words + GAP * unit)
    if slide.answering:
        drawing.setWidth(width * (_WIDE_SHARE if wide else _DRAWING_SHARE))
    beside = QRectF(drawing.right() + _BETWEEN * unit, top, max(1.0, content.right() - drawing.right() - _BETWEEN * unit), content.height())
    answer = place_answer(slide, beside, unit, look)
    texts = (title, headline, centred(said, band), *number, *answer.texts)
    return SlideLayout(unit, texts, drawing, band, dots, answer)


def _title(slide: Slide, look: Look) -> str:
    if not slide.count:
        return f"**{slide.title}**" if slide.title else ""
    place = look.text(message("lesson step {number} of {count}", number=slide.number, count=slide.count))
    return f"**{slide.title}**  {place}"


def _progress(slide: Slide, band: QRectF, unit: float, look: Look) -> tuple[Dots | None, tuple[PlacedText, ...], float]:
    """The dots at the right of the band, the number beside them, and where they begin."""
    right, middle = band.right() - EDGE * unit, band.center().y()
    if not slide.count:
        return None, (), right
    room = 110 * unit
    number = fitted(f"{slide.number} / {slide.count}", ((LABEL, 1),), Ink(unit, look.theme.t2), QRectF(right - room, 0, room, 0))
    step = min(_MOST_STEP * unit, band.width() * _DOTS_SHARE / slide.count)
    left = right - room - 24 * unit - step * slide.count
    steps = tuple(QPointF(left + (place + 0.5) * step, middle) for place in range(slide.count))
    return Dots(steps, min(7.5 * unit, step / 3), slide.number - 1), (centred(number, band),), left


_SIGNS = {Mark.RIGHT: "✓", Mark.WRONG: "✕"}


class ChoiceButton(QAbstractButton):
    """An answer that can be chosen, or what became of it: the right one is filled and ticked, a wrong one crossed."""

    def __init__(self, look: Look, choice: ShownChoice, unit: float, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._choice, self._unit = look, choice, unit
        self._label: PlacedText | None = None
        self.setText(choice.text)
        self.setAccessibleName(f"{choice.text} {_SIGNS.get(choice.mark, '')}".strip())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if choice.mark is Mark.OPEN else Qt.FocusPolicy.NoFocus)
        self.setEnabled(choice.mark is Mark.OPEN)
        self.setMouseTracking(True)

    def place(self, place: QRectF, label: PlacedText) -> None:
        """Stand there, with this label in pixels of the sheet."""
        self.setGeometry(place.toAlignedRect())
        corner = QPointF(self.pos())
        self._label = PlacedText(label.document, label.place.translated(-corner), label.units)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, mark, unit = self._look.theme, self._choice.mark, self._unit
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edges = {Mark.RIGHT: theme.ink, Mark.WRONG: theme.bad, Mark.CHOSEN: theme.ink, Mark.LEFT: theme.line}
        strong = mark in (Mark.CHOSEN, Mark.WRONG) or self.hasFocus() or self.underMouse()
        painter.setPen(QPen(theme.ink if self.hasFocus() else edges.get(mark, theme.line2), (4 if strong else 2) * unit))
        painter.setBrush(theme.ink if mark is Mark.RIGHT else theme.bg1)
        inset = 2 * unit
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 12 * unit, 12 * unit)
        if self._label is not None:
            self._label.paint(painter)
        if mark in _SIGNS:
            painter.setFont(type_of(36, unit, STRONG))
            painter.setPen(theme.ink_text if mark is Mark.RIGHT else theme.bad)
            corner = QRectF(self.rect()).adjusted(0, 4 * unit, -14 * unit, -4 * unit)
            flags = Qt.AlignmentFlag.AlignRight | (Qt.AlignmentFlag.AlignTop if self._short else Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(corner, flags, _SIGNS[mark])
        painter.end()

    @property
    def _short(self) -> bool:
        return self.width() < 400 * self._unit


class NumberField(QLineEdit):
    """Field in which the hall's answer is typed. It has the keys from a digit, or a click into it, on; Escape gives them back."""

    number = Signal(object)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText("?")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(look.text(message("Your answer")))
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.hide()

    def place(self, place: QRectF, unit: float) -> None:
        """Stand there."""
        self.setGeometry(place.toAlignedRect())
        self.setFont(type_of(NUMBER, unit, STRONG))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._answer()
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _answer(self) -> None:
        try:
            given = float(self.text().replace("−", "-").replace(" ", "").replace(",", "."))
        except ValueError:
            given = math.nan
        if not math.isfinite(given):
            self.selectAll()
            return
        self.clearFocus()
        self.number.emit(given)


class Sheet(QWidget):
    """Shows a slide. `answered` says which answer was chosen or typed."""

    answered = Signal(object)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._slide = Slide("", "", "")
        self._full = self._wide = self._tall = False
        self.buttons: list[ChoiceButton] = []
        self.layout_now: SlideLayout | None = None
        self.drawing = SlideDrawing(look, self)
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

    def go_to_number(self, digit: str) -> bool:
        """Give the focus to the next answer that begins with a digit, which chooses none; False where none does."""
        found = [each for each in self.buttons if each.isVisible() and each.isEnabled() and each.text().startswith(digit)]
        place = next((number for number, each in enumerate(found, 1) if each.hasFocus()), 0)
        if found:
            found[place % len(found)].setFocus(Qt.FocusReason.ShortcutFocusReason)
        return bool(found)

    def show_full(self, *, full: bool) -> None:
        """Give the whole sheet to the drawing, or not."""
        if full != self._full:
            self._full = full
            self._lay_out()

    def show_shape(self, *, wide: bool, tall: bool) -> None:
        """Give the drawing more of the slide's width, or of its height, or not."""
        if (wide, tall) != (self._wide, self._tall):
            self._wide, self._tall = wide, tall
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
        layout = lay_out(self._slide, QSizeF(self.size()), self._look, wide=self._wide, tall=self._tall)
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
