"""Which texts of a window have too little room, and which of its parts lie over each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from app.qt.lessons.wide_button import WideButton
from app.qt.widgets.labels import ElidedLabel, SteadyLabel

SHORTENED = (ElidedLabel, SteadyLabel)
"""These say the whole where they show a part: in a tooltip, or to readers of the screen."""
SLACK = 2
_FRAME = 6
"""What a field has at each side of its text besides its padding."""


def cut(window: QWidget) -> list[str]:
    """The texts in sight that have too little room, and the parts that lie over each other."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, SHORTENED) or not _says(widget):
            continue
        width, height = _needs(widget)
        if width > widget.width() + SLACK or height > widget.height() + SLACK or not _seen(widget):
            found.append(f"{_says(widget)[:40]!r}: needs {width} x {height}, has {widget.width()} x {widget.height()}")
    return [*found, *_over_each_other(window), *painted_cut(window)]


def painted_cut(window: QWidget) -> list[str]:
    """The texts that painters draw into a place with too little room for them."""
    found: dict[str, None] = {}
    draw = QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        place, *_, text = given
        flags = int(getattr(given[1], "value", given[1])) if len(given) == 3 and not isinstance(given[1], str) else None
        if (
            flags is not None
            and not flags & Qt.TextFlag.TextDontClip.value
            and isinstance(place, QRect | QRectF)
            and isinstance(text, str)
            and text.strip()
        ):
            needed = QFontMetricsF(painter.font()).boundingRect(QRectF(place), flags, text)
            if needed.height() > place.height() + SLACK or needed.width() > place.width() + SLACK:
                found[
                    f"{text[:40]!r}: needs {needed.width():.0f} x {needed.height():.0f}, has {place.width():.0f} x {place.height():.0f}"
                ] = None
        return draw(painter, *given)

    QPainter.drawText = noted  # type: ignore[method-assign, assignment]
    try:
        window.grab()
    finally:
        QPainter.drawText = draw  # type: ignore[method-assign]
    return list(found)


def _says(widget: QWidget) -> str:
    if isinstance(widget, QLineEdit):
        return "" if widget.text() else widget.placeholderText()
    if isinstance(widget, QComboBox):
        return "" if widget.currentText() in widget.toolTip() else widget.currentText()
    return widget.text() if isinstance(widget, QLabel | QToolButton | QPushButton | QCheckBox | WideButton) else ""


def _needs(widget: QWidget) -> tuple[int, int]:
    """The width and height that its text needs."""
    if isinstance(widget, QLabel):
        return _label_needs(widget)
    if isinstance(widget, WideButton):
        return 0, widget.heightForWidth(widget.width())
    if isinstance(widget, QLineEdit):
        return widget.fontMetrics().horizontalAdvance(widget.placeholderText()) + 2 * _FRAME, widget.fontMetrics().height()
    if isinstance(widget, QComboBox):
        return widget.fontMetrics().horizontalAdvance(widget.currentText()) + 2 * _FRAME, widget.fontMetrics().height()
    return widget.sizeHint().width(), widget.sizeHint().height()


def _label_needs(label: QLabel) -> tuple[int, int]:
    if not label.wordWrap():
        size = label.fontMetrics().boundingRect(QRect(0, 0, 1 << 16, 1 << 16), 0, label.text())
        return size.width(), size.height()
    document = QTextDocument()
    document.setDefaultFont(label.font())
    document.setDocumentMargin(0)
    if label.textFormat() is Qt.TextFormat.RichText:
        document.setHtml(label.text())
    else:
        document.setPlainText(label.text())
    document.setTextWidth(label.width())
    return int(document.idealWidth()), label.heightForWidth(label.width())


def _around(widget: QWidget) -> QAbstractScrollArea | None:
    """What scrolls a widget."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QAbstractScrollArea):
        around = around.parentWidget()
    return around


def _reached(widget: QWidget, area: QAbstractScrollArea) -> bool:
    """Whether all of it can be scrolled into sight: where there is no scroll bar it must be there."""
    view = area.viewport()
    place = QRect(widget.mapTo(view, widget.rect().topLeft()), widget.size())
    off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    beside = place.left() < -SLACK or place.right() > view.width() + SLACK
    beyond = place.top() < -SLACK or place.bottom() > view.height() + SLACK
    return not (beside and area.horizontalScrollBarPolicy() == off) and not (beyond and area.verticalScrollBarPolicy() == off)


def _seen(widget: QWidget) -> bool:
    """Whether all of it is in sight, or can be scrolled there, and nothing lies over the window."""
    area = _around(widget)
    if area is not None:
        return _reached(widget, area) or _covered(widget)
    inside = widget.visibleRegion().boundingRect().adjusted(-SLACK, -SLACK, SLACK, SLACK)
    return inside.contains(widget.rect()) or _covered(widget)


def _covered(widget: QWidget) -> bool:
    """Whether a panel that was opened lies over it: that one is looked at now."""
    window = widget.window()
    over = [each for each in window.findChildren(QWidget, "overlay") if each.isVisible() and not each.isAncestorOf(widget)]
    place = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
    return any(QRect(each.mapTo(window, each.rect().topLeft()), each.size()).intersects(place) for each in over)


def _over_each_other(window: QWidget) -> Iterator[str]:
    for parent in (window, *window.findChildren(QWidget)):
        layout = parent.layout()
        if not parent.isVisible() or layout is None or isinstance(layout, QStackedLayout) or isinstance(parent, QAbstractButton):
            continue
        placed = [(each, each.geometry()) for each in _laid_out(parent, layout) if each.isVisible()]
        for (one, place), (other, its_place) in combinations(placed, 2):
            shared = place.intersected(its_place)
            if min(shared.width(), shared.height()) > SLACK:
                yield f"{_named(one)} lies over {_named(other)}"


def _laid_out(parent: QWidget, layout: QLayout) -> list[QWidget]:
    """The widgets of a layout, those of layouts in it as well."""
    parts = parent.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    layouts = (layout, *layout.findChildren(QLayout))
    return [part for part in parts if any(each.indexOf(part) >= 0 for each in layouts)]


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {_says(widget)[:30]!r}"
