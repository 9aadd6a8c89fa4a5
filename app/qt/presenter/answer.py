"""Answer beside the drawing: the choices or the field for a number, the revealed number, and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt

from app.core.lessons.lesson import QuestionKind
from app.core.presenter.slide import Mark, ShownChoice, Slide, width_of
from app.qt.base.look import Look
from app.qt.presenter.text import BODY, HERO, NUMBER, STRONG, Ink, PlacedText, fitted, written
from kernels.base.values import dataclass

_HEROES = (HERO, 140.0, 110.0, 90.0)
_CHOICE, _BETWEEN, _GAP = 106.0, 20.0, 36.0
_LARGE = 46.0, 40.0
_MOST_FILLED = 0.7
_MARK_ROOM, _PAD = 66.0, 24.0
_MOST_IN_A_ROW = 4
_SIZES = (NUMBER, 54.0, 46.0, BODY)
_SHORT = 5
"""Of a text that stands beside others, in Latin letters."""
_FIELD_WIDTH = 360.0


@dataclass(frozen=True, slots=True)
class AnswerBox:
    """Box of the answers to a question. `choices` with their places; `labels` are their texts, in the same order. `field` is where a number
    or a lane is typed."""

    texts: tuple[PlacedText, ...] = ()
    choices: tuple[tuple[ShownChoice, QRectF], ...] = ()
    labels: tuple[PlacedText, ...] = ()
    field: QRectF | None = None


def place_answer(slide: Slide, area: QRectF, unit: float, look: Look) -> AnswerBox:
    """Place the answer from the top of the area down: choices, number, sentences; of the sentences as many as there is room for."""
    choices, labels, top = _choices(slide.choices, area, unit, look)
    field = None
    if slide.asks in (QuestionKind.NUMBER, QuestionKind.LANE):
        field = QRectF(area.left(), top, min(_FIELD_WIDTH * unit, area.width()), _CHOICE * unit)
        top = field.bottom() + _GAP * unit
    told = slide.asks is None
    ink = Ink(unit, look.theme.t1 if told else look.theme.t2)
    for hero in _HEROES if slide.hero else (0.0,):
        texts, bottom = _hero(slide.hero, hero, QRectF(area.left(), top, area.width(), 0), unit, look)
        said = _sentences(slide.said, ink, QRectF(area.left(), bottom, area.width(), area.bottom() - bottom), look)
        if not slide.said or (said is not None and said.place.bottom() <= area.bottom() + 1):
            break
    return AnswerBox((*texts, *(() if said is None else (said,))), tuple(zip(slide.choices, choices, strict=True)), labels, field)


def _hero(text: str, units: float, place: QRectF, unit: float, look: Look) -> tuple[tuple[PlacedText, ...], float]:
    """The number, and where it ends."""
    if not text:
        return (), place.top()
    number = fitted(text, ((units, 1),), Ink(unit, look.theme.t1, STRONG), place)
    return (number,), number.place.bottom()


def _sentences(said: Sequence[str], ink: Ink, area: QRectF, look: Look) -> PlacedText | None:
    """All sentences in the largest type that leaves some room; else as many as there is room for, the first one in any case."""
    for units in _LARGE if said else ():
        whole = fitted(look.paragraph(said), ((units, 1000),), ink, area)
        if whole.place.height() <= _MOST_FILLED * area.height():
            return whole
    found = None
    for count in range(1, len(said) + 1):
        placed = fitted(look.paragraph(said[:count]), ((BODY, 1000),), ink, area)
        if found is not None and placed.place.bottom() > area.bottom():
            break
        found = placed
    return found


def _choices(choices: Sequence[ShownChoice], area: QRectF, unit: float, look: Look) -> tuple[list[QRectF], tuple[PlacedText, ...], float]:
    """Numbers beside each other, texts below each other; where they are, their labels, and where the next thing begins."""
    if not choices:
        return [], (), area.top()
    short = all(isinstance(each.answer, float) or width_of(each.text) <= _SHORT for each in choices)
    between = _BETWEEN * unit
    columns = _columns(choices, area.width(), unit, look) if short else 1
    width = (area.width() - between * (columns - 1)) / columns
    if short and len(choices) == 1:  # what was typed, where the field was
        width = min(width, _FIELD_WIDTH * unit)
    room = max(1.0, width - (_MARK_ROOM if short else _MARK_ROOM + _PAD) * unit)
    units = _size(choices, room, unit, look) if short else BODY
    places: list[QRectF] = []
    labels: list[PlacedText] = []
    top = area.top()
    for row in range(math.ceil(len(choices) / columns)):
        of_row = choices[row * columns : (row + 1) * columns]
        made = [_label(each, units, room, unit, look, short=short) for each in of_row]
        height = max(_CHOICE * unit if short else 0.0, *(each.place.height() + 1.4 * _PAD * unit for each in made), 0.0)
        for column, label in enumerate(made):
            place = QRectF(area.left() + column * (width + between), top, width, height)
            places.append(place)
            labels.append(_inside(label, place, unit, short=short))
        top += height + between
    return places, tuple(labels), top + (_GAP - _BETWEEN) * unit


def _columns(choices: Sequence[ShownChoice], width: float, unit: float, look: Look) -> int:
    """How many numbers stand beside each other: as many as have room in a type that can be read."""
    ink = Ink(unit, look.theme.t1, STRONG)
    widest = max(written(each.text, BODY, ink, -1).idealWidth() for each in choices) + _MARK_ROOM * unit
    return max(1, min(len(choices), _MOST_IN_A_ROW, int((width + _BETWEEN * unit) / (widest + _BETWEEN * unit))))


def _size(choices: Sequence[ShownChoice], room: float, unit: float, look: Look) -> float:
    """The largest type in which each of the numbers has room: they are all written alike."""
    ink = Ink(unit, look.theme.t1, STRONG)
    fitting = (size for size in _SIZES if all(written(each.text, size, ink, -1).idealWidth() <= room for each in choices))
    return next(fitting, BODY)


def _label(choice: ShownChoice, units: float, room: float, unit: float, look: Look, *, short: bool) -> PlacedText:
    theme = look.theme
    colours = {Mark.RIGHT: theme.ink_text, Mark.WRONG: theme.bad, Mark.LEFT: theme.t3}
    align = Qt.AlignmentFlag.AlignHCenter if short else Qt.AlignmentFlag.AlignLeft
    ink = Ink(unit, colours.get(choice.mark, theme.t1), STRONG, align)
    return fitted(choice.text, ((units, 1000),), ink, QRectF(0, 0, room, 0))


def _inside(label: PlacedText, place: QRectF, unit: float, *, short: bool) -> PlacedText:
    """The label in the middle of its button; a text begins at the left."""
    inside = QRectF(label.place)
    inside.moveTop(place.top() + (place.height() - inside.height()) / 2)
    inside.moveLeft(place.left() + (_MARK_ROOM / 2 if short else _PAD) * unit)
    return PlacedText(label.document, inside, label.units)
