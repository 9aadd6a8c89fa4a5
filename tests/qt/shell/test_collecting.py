"""Garbage is collected where Python would collect it, in the thread that asks."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from app.qt.shell.running import collect


class Ring:
    """Refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def by_hand() -> Iterator[None]:
    """Python collects nothing by itself, and would at the tenth object."""
    before = gc.get_threshold()
    gc.disable()
    gc.collect()
    gc.set_threshold(10, before[1], before[2])
    yield
    gc.set_threshold(*before)
    gc.enable()


@pytest.mark.usefixtures("by_hand")
def test_what_only_refers_to_itself_goes_when_there_is_enough_of_it() -> None:
    ring = weakref.ref(Ring())
    kept = [[number] for number in range(1000)]
    assert ring() is not None
    collect()
    assert ring() is None
    assert len(kept) == 1000
