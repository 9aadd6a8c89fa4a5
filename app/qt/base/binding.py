"""Joins core fields and widgets: the one place where a subscription's life is tied to a widget's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from app.core.base.observable import Field

T = TypeVar("T")


def bind(owner: QObject, field: Field[T], show: Callable[[T], None]) -> None:
    """Call `show` now and at each change of `field`, until `owner` is destroyed."""
    unsubscribe = field.subscribe(show)
    owner.destroyed.connect(lambda _=None: unsubscribe())
    show(field.value)


def set_shown(part: QWidget, shown: bool) -> None:
    """Show or hide a part of a panel. While it is not yet in one it would flash up as a window of its own, and take the focus: it is
    shown once it is in one."""
    if part.parentWidget() is not None or not shown:
        part.setVisible(shown)
    else:
        part.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)  # noqa: FBT003 Qt takes no keyword here
