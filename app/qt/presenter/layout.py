"""Where everything stands on a slide: a function of the slide and the size of the screen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF

from app.core.presenter.slide import ShownChoice, Slide
from app.qt.look import Look
from app.qt.presenter.answer import Answer, place_answer
from app.qt.presenter.text import Ink, Placed, centred, fitted
from app.qt.presenter.type import BODY, HEIGHT, LABEL, NARRATION, QUESTION, STRONG
from kernels.messages import message

EDGE, BAND, GAP = 80.0, 134.0, 28.0
_TITLE_TOP, _HEADLINE_TOP = 40.0, 88.0
_DRAWING_SHARE, _WIDE_SHARE = 0.57, 0.64
"""Of the width, where an answer stands beside the drawing; a wide one has two parts."""
_BETWEEN = 56.0
_HEADLINE = ((QUESTION, 1), (50.0, 2), (44.0, 2), (BODY, 4))
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
    """Everything in pixels; `unit` is the size of one of the 1080 units of the height."""

    unit: float
    texts: tuple[Placed, ...]
    drawing: QRectF
    band: QRectF
    dots: Dots | None
    answer: Answer

    @property
    def choices(self) -> tuple[tuple[ShownChoice, QRectF], ...]:
        return self.answer.choices


def lay_out(slide: Slide, size: QSizeF, look: Look, *, wide: bool = False) -> SlideLayout:
    """The places. `wide`: the drawing needs more room than usual."""
    unit, theme = size.height() / HEIGHT, look.theme
    width, left = size.width() - 2 * EDGE * unit, EDGE * unit
    title = fitted(_title(slide, look), ((LABEL, 1),), Ink(unit, theme.t2), QRectF(left, _TITLE_TOP * unit, width, 0))
    top = max(_HEADLINE_TOP * unit, title.place.bottom())
    headline = fitted(slide.headline, _HEADLINE, Ink(unit, theme.t1, STRONG), QRectF(left, top, width, 0))
    band = QRectF(0, size.height() - BAND * unit, size.width(), BAND * unit)
    dots, number, dots_left = _progress(slide, band, unit, look)
    said = fitted(slide.band, _BAND, Ink(unit, theme.t1, STRONG), QRectF(left, band.top(), dots_left - left - GAP * unit, 0))
    top = headline.place.bottom() + GAP * unit
    content = QRectF(left, top, width, band.top() - top - GAP * unit)
    drawing = QRectF(content)
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


def _progress(slide: Slide, band: QRectF, unit: float, look: Look) -> tuple[Dots | None, tuple[Placed, ...], float]:
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
