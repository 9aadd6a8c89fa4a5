"""A scene with its words: the title above, the caption below, and in the last line where it comes from."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from app.core.export.sizes import PictureSize
from app.core.export.words import Words
from app.qt.look import Look
from app.qt.views.view import StageView

_MARGIN, _TITLE, _CAPTION, _SOURCE = 14, 34, 46, 22
_BETWEEN = " · "
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_CAPTION_ROLES = ("reading", "body", "small", "caption")
"""From the type that is wanted down to the smallest, for captions that are long."""


def body_of(size: PictureSize) -> QRect:
    """Where the scene stands. It is the same for every picture of a clip."""
    return QRect(0, _TITLE, size.width, size.height - _TITLE - _CAPTION - _SOURCE - 6)


def paint_page(painter: QPainter, scene: QWidget, words: Words, size: PictureSize, look: Look) -> None:
    """Draw the page at the painter's origin."""
    theme, body = look.theme, body_of(size)
    painter.fillRect(QRect(0, 0, size.width, size.height), theme.bg1)
    for view in scene.findChildren(StageView):
        view.drawn_at = painter.device().devicePixelRatioF()
    if scene.size() != body.size():
        _settle(scene, body.size())
    painter.save()
    painter.translate(body.topLeft())
    scene.render(painter, QPoint(0, 0))
    painter.restore()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    _paint_title(painter, words, size, look)
    below = QRectF(_MARGIN, body.bottom() + 6, size.width - 2 * _MARGIN, _CAPTION)
    if words.caption is not None:
        _paint_caption(painter, look.text(words.caption), below, look)
    _paint_sources(painter, words, QRectF(_MARGIN, size.height - _SOURCE - 2, size.width - 2 * _MARGIN, _SOURCE), look)
    painter.restore()


def sources_text(words: Words, look: Look) -> str:
    """The last line."""
    return _BETWEEN.join(look.text(source) for source in words.sources)


def _settle(scene: QWidget, size: QSize) -> None:
    """Give it its size, and draw it once for nothing: only then do axes know how wide their numbers are, and lay themselves out."""
    scene.resize(size)
    scene.render(QPixmap(size))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def _paint_title(painter: QPainter, words: Words, size: PictureSize, look: Look) -> None:
    theme = look.theme
    row = QRectF(_MARGIN, 0, size.width - 2 * _MARGIN, _TITLE)
    text, font = look.text(words.title), theme.font("sentence")
    painter.setFont(font)
    painter.setPen(theme.t1)
    metrics = QFontMetricsF(font)
    painter.drawText(row, _LEFT, metrics.elidedText(text, Qt.TextElideMode.ElideRight, row.width()))
    if words.aside is None:
        return
    left = metrics.horizontalAdvance(text) + 14
    aside = QFontMetricsF(theme.font("body"))
    painter.setFont(theme.font("body"))
    painter.setPen(theme.t2)
    if left < row.width() - 60:
        painter.drawText(
            row.adjusted(left, 1, 0, 0), _LEFT, aside.elidedText(look.text(words.aside), Qt.TextElideMode.ElideRight, row.width() - left)
        )


def _paint_caption(painter: QPainter, text: str, area: QRectF, look: Look) -> None:
    """In the largest type that fits."""
    for role in _CAPTION_ROLES:
        font = look.theme.font(role)
        if QFontMetricsF(font).boundingRect(QRectF(0, 0, area.width(), 1000), _WRAPPED, text).height() <= area.height():
            break
    painter.setFont(font)
    painter.setPen(look.theme.t1)
    painter.drawText(area, _WRAPPED, text)


def _paint_sources(painter: QPainter, words: Words, area: QRectF, look: Look) -> None:
    """The version at the right, whole; before it as much as there is room for."""
    theme = look.theme
    font = theme.font("caption")
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(theme.t3)
    last = look.text(words.sources[-1])
    width = metrics.horizontalAdvance(last)
    painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, last)
    before = _BETWEEN.join(look.text(source) for source in words.sources[:-1])
    painter.drawText(area, _LEFT, metrics.elidedText(before, Qt.TextElideMode.ElideRight, area.width() - width - 16))
    painter.setPen(theme.line)
    painter.drawLine(area.topLeft(), area.topRight())
