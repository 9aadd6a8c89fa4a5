"""While samples are taken the workbench hands nothing over and the stage stands still; in between it does. What can wait does while a
program runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.session.session import Session
from app.core.workbench import workbench
from app.core.workbench.assembly import Assembly, assemble

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


def test_what_is_studied_beside_waits_while_a_program_runs(assembly: Assembly, monkeypatch: pytest.MonkeyPatch) -> None:
    bench, asked = assembly.workbench, list[bool]()
    monkeypatch.setattr(bench.studies, "tick", lambda: asked.append(bench.program.running.value))
    for running in (False, True, False):
        monkeypatch.setattr(bench.program.running, "_value", running)
        bench.tick()
    assert asked == [False, False]


def test_a_process_waits_for_the_first_program_once_the_stage_is_ready(assembly: Assembly, monkeypatch: pytest.MonkeyPatch) -> None:
    bench, ready = assembly.workbench, list[bool]()
    monkeypatch.setattr(workbench, "PREPARING_S", 0.0)
    monkeypatch.setattr(bench.program, "prepare", lambda: ready.append(bench.stage_ready))
    end = time.monotonic() + PATIENCE_S
    while not bench.stage_ready and time.monotonic() < end:
        bench.tick()
        time.sleep(0.002)
    for _ in range(3):
        bench.tick()
    assert ready == [True]
