"""The parts of a window that brought themselves."""

from __future__ import annotations

from typing import TypeVar

from app.qt.application import Desktop
from app.qt.feature import Feature

T = TypeVar("T", bound=Feature)


def feature(desktop: Desktop, kind: type[T]) -> T:
    """The part of that kind."""
    return next(each for each in desktop._features if isinstance(each, kind))
