"""Stops of the tab key within a part of the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QWidget

Places = Mapping[QWidget, int]


def go_to(stop: QWidget, reason: Qt.FocusReason) -> None:
    """Give it the focus, and scroll to it: an area follows the focus by itself only where it was inside before."""
    stop.setFocus(reason)
    around = stop.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(stop)
        around = around.parentWidget()


def bring_to_sight(stop: QWidget, part: QRect) -> None:
    """Scroll to a part of what has the focus."""
    around = stop.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea) and (inside := around.widget()) is not None:
            middle = stop.mapTo(inside, part.center())
            around.ensureVisible(middle.x(), middle.y(), 0, part.height())
        around = around.parentWidget()


def stops_of(pane: QWidget, places: Places | None = None) -> list[QWidget]:
    """What Tab stops at in a pane, in the order in which it was built. Of a group of buttons that exclude each other each is a stop.

    `places`, those of its window (`places_of`), are found where they are not given.
    """
    return [widget for widget in _chain(pane, places_of(pane) if places is None else places) if widget.isVisible() and widget.isEnabled()]


def order_stops(parts: Iterable[QWidget]) -> None:
    """Let Tab go through these parts one after the other: what is made later, or moved, would come last."""
    panes = list(parts)
    places = places_of(panes[0]) if panes else {}
    for before, after in pairwise(widget for pane in panes for widget in _chain(pane, places, grouped=True)):
        QWidget.setTabOrder(before, after)


def places_of(first: QWidget) -> Places:
    """All widgets of the window, by their places in the order of the focus: some thousand, who asks for several panes finds them once."""
    found, widget = {first: 0}, first.nextInFocusChain()
    while widget is not None and widget is not first:
        found[widget] = len(found)
        widget = widget.nextInFocusChain()
    return found


def _chain(pane: QWidget, places: Places, *, grouped: bool = False) -> list[QWidget]:
    """All that can be a stop, in sight or not, from the pane on; `places` are those of its window. `grouped`: with all buttons that exclude
    each other, of which only the chosen one is a stop now."""
    tabbed = Qt.FocusPolicy.TabFocus
    inside = (each for each in (pane, *pane.findChildren(QWidget)) if each in places and each.focusProxy() is None)
    found = (each for each in inside if each.focusPolicy() & tabbed == tabbed or (grouped and _is_in_group(each)))
    return sorted(found, key=lambda each: (places[each] - places[pane]) % len(places))


def _is_in_group(widget: QWidget) -> bool:
    return isinstance(widget, QAbstractButton) and widget.group() is not None
