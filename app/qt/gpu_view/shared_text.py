"""Texts around the words of shared memory: names in the gutter, the row of wavefronts, sentences, caption, legend.

A long array name is broken into lines, and says how wide a gutter it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPen

from app.core.base.picture_parts import Verdict
from app.core.gpu_view.shared.bank_sentences import brief_progress, progress_of, row_words
from app.core.gpu_view.shared.banks import BanksPicture, Serving
from app.core.gpu_view.shared.shared_memory import Array
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Pictures, fitting
from app.qt.gpu_view.shared_geometry import NUMBERS_FROM, ONE_LINE, Geometry
from app.qt.gpu_view.shared_lanes import digits, token_colours
from kernels.analysis.banks import BANKS
from kernels.base.messages import Message, message

NAME = "section"
"""The role of their font."""
_EDGES = 13.0
WAVEFRONT = message("wavefront")
_PART = re.compile(r".+?(?:_+|(?<=[a-z0-9])(?=[A-Z])|$)")
"""Up to an underscore, or to a capital after a small letter: tile_|of_|a, tile|Of|A."""


def gutter_for(names: Iterable[str], look: Look) -> float:
    """The width of a gutter that has room for each name in one line."""
    metrics = QFontMetricsF(look.theme.font(NAME))
    return max((metrics.horizontalAdvance(name) + _EDGES for name in names), default=0.0)


def labelled_gutter(look: Look) -> float:
    """The width of a gutter that has room for what stands before the wavefronts."""
    return QFontMetricsF(look.theme.font("caption")).horizontalAdvance(look.text(WAVEFRONT)) + _EDGES


def name_lines(name: str, metrics: QFontMetricsF, width: float) -> tuple[str, ...]:
    """The name in as few lines as `width` allows, broken between its parts; a part that is wider by itself is a line."""
    lines: list[str] = []
    for part in _PART.findall(name):
        if lines and metrics.horizontalAdvance(lines[-1] + part) <= width:
            lines[-1] += part
        else:
            lines.append(part)
    return tuple(lines)


_LEAST = 32
"""Places of the strip."""
_LABEL_EVERY = 8
_APART = 30.0
"""Pixels from one row's words to the next one's, at least."""
_NAMED_AGAIN = 29.0
"""Pixels of a name with its shape: where an array goes on behind words that are folded, it has its name again if these have room."""
Span = tuple[float, float]
"""From the top of something in the gutter to its bottom."""
_SWATCH = 30
"""Pixels that the sign of the legend takes before its text."""


def paint_gutter(painter: QPainter, picture: BanksPicture, place: Geometry, look: Look) -> None:
    """Names of lines, of arrays and of some rows, at the left; and what is folded."""
    theme = look.theme
    right = place.left - 8
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.t3)
    lines = [(message("lane"), place.token_line - 8), (message("bank"), place.bank_line - 1)]
    if place.strip is not None and picture.access is not None:
        lines.append((WAVEFRONT, place.strip.top()))
    for said, top in lines:
        text = look.text(said)
        if QFontMetricsF(painter.font()).horizontalAdvance(text) <= right - 2:
            _write(painter, text, QRectF(0, top, right, 16))
    taken, named = list[Span](), set[Array]()
    for part, top, height in place.tops:
        if part.folded:
            _paint_fold(painter, part.rows, QRectF(place.left, top, place.grid.width(), height), look)
            continue
        shown = [array for array in picture.memory.arrays if _shows(array, part.start, part.stop)]
        arrays = [array for array in shown if array not in named or height >= _NAMED_AGAIN]
        if arrays:
            begins = [top + max(0, array.first // BANKS - part.start) * place.row for array in arrays]
            taken += _paint_arrays(painter, list(zip(arrays, begins, strict=True)), taken, top + height, right, look)
            named.update(arrays)
        _paint_rows(painter, picture, range(part.start, part.stop), top, taken, place, look)
    for array in picture.memory.arrays:
        _paint_begin(painter, array.first, place, look.theme)


def _paint_begin(painter: QPainter, first: int, place: Geometry, theme: Theme) -> None:
    """Paint the border before an array that begins inside a row of words: down beside its first word."""
    area = place.word(first)
    if area is None or not first % BANKS:
        return
    x, top, bottom = area.left() - 0.5, area.top() - 0.5, area.bottom() - 0.5
    painter.setPen(QPen(theme.t1, 1.5))
    painter.drawPolyline([QPointF(place.grid.right(), top), QPointF(x, top), QPointF(x, bottom), QPointF(place.left, bottom)])


def paint_strip(painter: QPainter, picture: BanksPicture, place: Geometry, pictures: Pictures, look: Look) -> None:
    """A place for each wavefront: served, served now, to come."""
    access, area = picture.access, place.strip
    if access is None or area is None:
        return
    total = access.wavefronts
    size = QSizeF(area.width() / max(total, _LEAST), area.height())
    ahead = Serving.BLOCKED if access.degree > 1 else Serving.WAITING
    servings: list[Serving | None] = [
        Serving.SERVED if picture.now is None or number < picture.now else Serving.NOW if number == picture.now else ahead
        for number in range(total)
    ]
    servings += [None] * (_LEAST - total)
    places = [
        (QPointF(area.left() + number * size.width(), area.top()), ("strip", serving, number if serving is not None else -1))
        for number, serving in enumerate(servings)
    ]

    def paint(one: QPainter, number: int) -> None:
        _paint_wavefront(one, size, number, servings[number], look.theme)

    pictures.draw_each(painter, places, size, place.ratio, paint)


def _paint_wavefront(painter: QPainter, size: QSizeF, number: int, serving: Serving | None, theme: Theme) -> None:
    """A place of the strip; `serving` None: there is no such wavefront."""
    box = QRectF(QPointF(0, 0), size).adjusted(0.5, 0.5, -1.5, -0.5)
    fill, outline, ink = token_colours(serving, theme) if serving is not None else (theme.bg2, theme.line, theme.t3)
    painter.setPen(QPen(outline, 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(box, 2, 2)
    if serving is not None and size.width() >= NUMBERS_FROM:
        painter.setFont(digits(theme, size.height()))
        painter.setPen(ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number + 1))


def paint_sentences(painter: QPainter, picture: BanksPicture, reason: Message, place: Geometry, look: Look) -> None:
    """How far the access is, and why it takes so long; the caption says the second where there is one."""
    area, theme = place.words, look.theme
    access = None if picture.past else picture.access
    progress = "" if access is None else look.text(progress_of(access, picture.now))
    brief = "" if access is None else look.text(brief_progress(access, picture.now))
    why = "" if place.caption is not None and progress else look.text(reason)
    if area.height() <= 0:
        return
    if area.height() > ONE_LINE:
        _wrap(painter, area, why, (progress, brief), look)
        return
    font, bold = theme.font("small"), theme.font("label")
    wide, rest = QFontMetricsF(bold).horizontalAdvance(progress), QFontMetricsF(font).horizontalAdvance(why)
    if why and access is not None and wide + rest + 12 > area.width():
        number = access.wavefronts if picture.now is None else picture.now + 1
        progress = look.text(message("{number} of {total}", number=number, total=access.wavefronts))
        wide = QFontMetricsF(bold).horizontalAdvance(progress)
    legend = _padding(picture, place, look)
    room = area.width() - (QFontMetricsF(font).horizontalAdvance(legend) + _SWATCH + 12 if legend else 0)
    painter.setFont(bold)
    painter.setPen(theme.t1)
    _write(painter, fitting(QFontMetricsF(bold), (progress, brief), room), area, Qt.AlignmentFlag.AlignLeft)
    painter.setFont(font)
    painter.setPen(theme.t2)
    _write(painter, why, area.adjusted(wide + 12 if wide else 0, 0, 0, 0), Qt.AlignmentFlag.AlignLeft)


def paint_caption(
    painter: QPainter, picture: BanksPicture, site: str, verdict: Verdict | None, reason: Message, place: Geometry, look: Look
) -> None:
    """The access as written and the arrays at the left, what is to be thought of it at the right."""
    area, theme = place.caption, look.theme
    if area is None:
        return
    half = area.width() / 2
    top, bottom = QRectF(area.left(), area.top(), area.width(), 28), QRectF(area.left(), area.top() + 30, area.width(), 20)
    _paint_reason(painter, picture, look.text(reason), bottom, look)
    code = theme.font("code")
    code.setPixelSize(17)
    code.setWeight(QFont.Weight.DemiBold)
    painter.setFont(code)
    painter.setPen(theme.t1)
    _write(painter, site, top.adjusted(0, 0, -half, 0), Qt.AlignmentFlag.AlignLeft)
    if verdict is not None:
        painter.setFont(theme.font("view_caption"))
        painter.setPen(theme.t1 if verdict.good else theme.bad)
        mark = "✓" if verdict.good else "▲"
        _write(painter, f"{mark}  {look.text(verdict.text)}", top.adjusted(half, 0, 0, 0))


def _paint_reason(painter: QPainter, picture: BanksPicture, reason: str, area: QRectF, look: Look) -> None:
    """The arrays and the reason in one line; a reason that is too wide goes before the arrays, which the gutter names too, and into two."""
    theme = look.theme
    code, body = theme.font("code"), theme.font("body")
    arrays = "   ".join(array.name + "".join(f"[{size}]" for size in array.shape) for array in picture.memory.arrays)
    named = min(QFontMetricsF(code).horizontalAdvance(arrays), area.width() / 2) + 24
    wide = QFontMetricsF(body).horizontalAdvance(reason)
    if named + wide <= area.width():
        painter.setFont(code)
        painter.setPen(theme.t2)
        _write(painter, arrays, area.adjusted(0, 0, named - area.width(), 0), Qt.AlignmentFlag.AlignLeft)
    painter.setPen(theme.t1)
    if wide <= area.width():
        painter.setFont(body)
        _write(painter, reason, area)
        return
    painter.setFont(theme.font("small"))
    flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(area.adjusted(0, -4, 0, 10), flags, reason)


def paint_legend(painter: QPainter, picture: BanksPicture, place: Geometry, look: Look) -> None:
    """What the hatched words are, at the right below the words, where there is a caption above them."""
    said, theme, area = _padding(picture, place, look), look.theme, place.words
    if not said:
        return
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t2)
    right = place.grid.right()
    _write(painter, said, QRectF(area.left(), area.top(), right - area.left(), area.height()))
    wide = QFontMetricsF(painter.font()).horizontalAdvance(said)
    swatch = QRectF(right - wide - _SWATCH, area.center().y() - 6, 22, 12)
    painter.setPen(QPen(theme.line2, 1))
    painter.setBrush(QBrush(theme.line2, Qt.BrushStyle.BDiagPattern))
    painter.drawRect(swatch)


def _padding(picture: BanksPicture, place: Geometry, look: Look) -> str:
    """Which columns of the first array that has some are padding; nothing where the legend is not shown."""
    padded = [(array, columns) for array in picture.memory.arrays if (columns := picture.memory.padding(array))]
    if place.caption is None or not padded:
        return ""
    array, columns = padded[0]
    said = message("{array}: the last {columns} of {all} columns are padding, never used",
                   array=array.name, columns=columns, all=array.shape[-1])  # fmt: skip
    return look.text(said)


def _wrap(painter: QPainter, area: QRectF, why: str, progress: tuple[str, str], look: Look) -> None:
    """Two lines for the reason, or one and one for the progress, in brief where the whole of it is too wide."""
    painter.setFont(look.theme.font("small"))
    painter.setPen(look.theme.t2)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    used = painter.drawText(area, flags, why)
    left = area.adjusted(0, used.height() if why else 0, 0, 0)
    painter.setFont(look.theme.font("label"))
    painter.setPen(look.theme.t1)
    if left.height() >= 15:
        line = fitting(QFontMetricsF(painter.font()), progress, left.width())
        _write(painter, line, QRectF(left.left(), left.top(), left.width(), 16), Qt.AlignmentFlag.AlignLeft)


def _paint_arrays(
    painter: QPainter, arrays: list[tuple[Array, float]], taken: list[Span], bottom: float, right: float, look: Look
) -> list[Span]:
    """Names and shapes, each beside the row where its array begins, or under the one above; what they take. Names that have no room below
    each other stand side by side."""
    used = max((end for _, end in taken), default=0.0)
    places, top = list[float](), used
    for _, begin in arrays:
        places.append(max(begin, top))
        top = places[-1] + 16
    if len(arrays) > 1 and top > bottom + 4:
        top = max(arrays[0][1], used)
        _paint_names(painter, [array for array, _ in arrays], QRectF(0, top - 1, right, 16), look)
        return [(top, top + 16)]
    ends = [*places[1:], bottom]
    return [(at, _paint_array(painter, array, at, end, right, look)) for (array, _), at, end in zip(arrays, places, ends, strict=True)]


def _paint_array(painter: QPainter, array: Array, top: float, bottom: float, right: float, look: Look) -> float:
    """The name of an array and its shape; where they end."""
    painter.setFont(look.theme.font(NAME))
    painter.setPen(look.theme.matrix(array.letter)[0] if array.letter else look.theme.t1)
    lines = name_lines(array.name, QFontMetricsF(painter.font()), right - 4)
    for line in lines if top + 16 * len(lines) <= bottom + 4 else (array.name,):
        _write(painter, line, QRectF(4, top - 1, right - 4, 16))
        top += 16
    if top + 13 <= bottom:
        painter.setFont(look.theme.font("caption"))
        painter.setPen(look.theme.t3)
        shapes = (" × ".join(map(str, array.shape)), "×".join(map(str, array.shape)), "")
        _write(painter, fitting(QFontMetricsF(painter.font()), shapes, right - 4), QRectF(4, top - 1, right - 4, 13))
        top += 13
    return top


def _paint_names(painter: QPainter, arrays: list[Array], area: QRectF, look: Look) -> None:
    """Side by side, the last one at the right end of `area`; those that have no room are left out."""
    painter.setFont(look.theme.font(NAME))
    metrics = QFontMetricsF(painter.font())
    for array in reversed(arrays):
        width = metrics.horizontalAdvance(array.name)
        if width > area.width():
            return
        painter.setPen(look.theme.matrix(array.letter)[0] if array.letter else look.theme.t1)
        _write(painter, array.name, area)
        area = area.adjusted(0, 0, -width - 6, 0)


def _paint_rows(painter: QPainter, picture: BanksPicture, rows: range, top: float, taken: list[Span], place: Geometry, look: Look) -> None:
    """Say with what every eighth row begins, where there is room; what that takes joins `taken`."""
    painter.setFont(look.theme.font("caption"))
    painter.setPen(look.theme.t3)
    metrics = QFontMetricsF(painter.font())
    for row in rows:
        middle = top + (row - rows.start + 0.5) * place.row
        free = not row % _LABEL_EVERY and all(middle + 7 <= begin or middle - 7 >= end for begin, end in taken)
        said = look.text(row_words(picture.memory.arrays, row)) if free else ""
        if said and metrics.horizontalAdvance(said) <= place.left - 8:
            _write(painter, said, QRectF(0, middle - 7, place.left - 8, 14))
            taken.append((middle - 7, middle - 7 + _APART))


def _paint_fold(painter: QPainter, rows: int, area: QRectF, look: Look) -> None:
    painter.setPen(QPen(look.theme.line2, 1, Qt.PenStyle.DotLine))
    painter.drawLine(QLineF(area.left(), area.center().y(), area.right(), area.center().y()))
    if area.height() < 12:
        return
    said = look.text(message("… {rows} rows", rows=rows))
    painter.setFont(look.theme.font("caption"))
    wide = QFontMetricsF(painter.font()).horizontalAdvance(said) + 12
    ground = QRectF(area.center().x() - wide / 2, area.top(), wide, area.height())
    painter.fillRect(ground, look.theme.bg2)
    painter.setPen(look.theme.t3)
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, said)


def _shows(array: Array, start: int, stop: int) -> bool:
    """Whether an array is named beside some rows: those with its first shown words."""
    return array.first // BANKS < stop and array.first + array.words > start * BANKS


def _write(painter: QPainter, text: str, area: QRectF, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignRight) -> None:
    """One line, elided if it is too long."""
    shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, shown)
