"""While samples are taken the workbench hands nothing over and the stage stands still; in between it does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.program.assembly import Assembly, assemble
from app.core.session.session import Session

PATIENCE_S = 90.0


@pytest.fixture
def assembly() -> Iterator[Assembly]:
    made = assemble(Session(), None)
    made.workbench.start()
    yield made
    made.workbench.shutdown(10.0)


def test_a_playing_stage_is_held_while_samples_are_taken_and_goes_on_in_between(assembly: Assembly) -> None:
    bench, session = assembly.workbench, assembly.workbench.session
    session.timing.value = replace(session.timing.value, ticked=frozenset({"cpu.naive"}), sizes=(24,))
    handed_over: list[bool] = []
    bench.timing.progress.subscribe(lambda _progress: handed_over.append(bench.stage.timeline.held))
    bench.measure()
    held, end = set(), time.monotonic() + PATIENCE_S
    while not assembly.store.results():
        assert time.monotonic() < end
        bench.tick()
        held.add(bench.stage.timeline.held)
        time.sleep(0.002)
    for _ in range(3):
        bench.tick()
    assert held == {True, False}
    assert not any(handed_over), "what is told waits until the samples are taken"
    assert not bench.stage.timeline.held
    assert assembly.store.results()[0].verified


def test_a_timeline_that_is_held_does_not_move(assembly: Assembly) -> None:
    timeline = assembly.workbench.stage.timeline
    timeline.load(10, {})
    timeline.play()
    timeline.held = True
    timeline.advance(1.0)
    assert timeline.position.value.time == 0
    timeline.held = False
    timeline.advance(1.0)
    assert timeline.position.value.time > 0


def test_few_pictures_do_while_something_is_measured(assembly: Assembly) -> None:
    bench = assembly.workbench
    bench.tick()
    assert not bench.stage.timeline.sparing
    with assembly.workbench._workers.stillness.hold(lambda: None):
        bench.tick()
        assert bench.stage.timeline.sparing
