"""The parts of a window that brought themselves."""

from __future__ import annotations

from typing import TypeVar

from app.qt.base.feature import Feature
from app.qt.shell.application import Desktop

T = TypeVar("T", bound=Feature)


def feature(desktop: Desktop, kind: type[T]) -> T:
    """The part of that kind."""
    return next(each for each in desktop._features if isinstance(each, kind))
