"""Garbage is collected where Python would collect it, in the thread that asks."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.running import OVERDUE, collect, collect_from_now_on


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
    collect(resting=False)
    assert ring() is None
    assert len(kept) == 1000


@pytest.mark.usefixtures("by_hand")
def test_old_objects_are_looked_through_when_nothing_moves_unless_that_is_long_overdue() -> None:
    def age(times: int) -> None:
        gc.collect()
        for _ in range(times):
            gc.collect(1)

    limit = gc.get_threshold()[-1]
    for turns, resting, freed in ((limit + 1, False, False), (limit + 1, True, True), (OVERDUE * limit + 1, False, True)):
        made = Ring()
        ring = weakref.ref(made)
        age(turns)  # which makes it an old one
        del made
        collect(resting=resting)
        assert (ring() is None) is freed, (turns, resting)
        gc.collect()


def test_what_the_window_and_earlier_results_are_made_of_is_not_looked_through_again(qtbot: QtBot) -> None:
    desktop = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(None))
    try:
        collect_from_now_on(desktop)
        window = gc.get_freeze_count()
        earlier_results = [[number] for number in range(3000)]
        desktop.start()
        qtbot.waitUntil(lambda: gc.get_freeze_count() >= window + len(earlier_results), timeout=30_000)
    finally:
        gc.unfreeze()
        desktop.window.close()
        desktop.window.deleteLater()
