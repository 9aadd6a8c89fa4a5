"""Parts of the window that are made when they are first asked for, so that its first picture does not wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Late(Generic[T]):
    """Calls `make` at most once. What makes a panel also imports it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self.made: T | None = None
        """None until it was asked for."""

    def __call__(self) -> T:
        """What was made; now, if it was not before."""
        if self.made is None:
            self.made = self._make()
        return self.made
