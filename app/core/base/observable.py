"""A value that tells its listeners when it changes, and only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Field(Generic[T]):
    """A change-guarded value: setting it to an equal value tells nobody, so that two bound widgets cannot chase each other."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._listeners: list[Callable[[T], None]] = []

    @property
    def value(self) -> T:
        return self._value

    @value.setter
    def value(self, value: T) -> None:
        if value == self._value:
            return
        self._value = value
        for listener in tuple(self._listeners):
            listener(value)

    def subscribe(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Call `listener` with each new value. Returns the function that ends the subscription."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe
