"""A check that takes long tells for how long, and can be stopped; what is done with the text then."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from app.core.base.background import BackgroundTasks
from app.core.challenges.challenge import Attempt, CheckQuestion, Verdict
from app.core.challenges.library import challenge_of
from app.core.challenges.progress import ChallengeProgress
from app.core.programs.host_program import HostProgram
from app.core.programs.page import LaunchTimes, ProgramPage
from app.core.session.session import Session
from app.core.tracing.service import STARTING_S, TracingState
from app.core.tracing.stage_tracer import StageTracer
from app.core.workbench.attempt_runner import QUIET_S, Practice, Trying
from app.core.workbench.tracing_process import new_tracing

ENDLESS = 'extern "C" __global__ void transposed(const float* A, float* C, int rows, int columns)\n{\n    while (true) {}\n}\n'


class Tracer:
    """Executes nothing: the test answers, or never does."""

    def __init__(self) -> None:
        self.asked: list[tuple[CheckQuestion, Callable[[Any], None]]] = []
        self.free = True

    def ask(self, question: CheckQuestion, answered: Callable[[Any], None]) -> None:
        self.asked.append((question, answered))
        self.free = False

    def withdraw(self, answered: Callable[[Any], None]) -> None:
        assert answered is self.asked[-1][1]
        self.free = True


class Bench:
    def __init__(self) -> None:
        self.now = 100.0
        self.tracer = Tracer()
        self.session = Session()
        progress = ChallengeProgress(None, BackgroundTasks())
        tasks, editor = BackgroundTasks(), self.session.draft_editor
        tracer, program = cast("StageTracer", self.tracer), HostProgram(editor, self.session.profile, tasks)
        page = ProgramPage(self.session, program, LaunchTimes(self.session, program, tracer))
        self.practice = Practice(editor, tracer, progress, page, tasks, lambda: self.now)
        challenge = challenge_of("bank-conflict")
        assert challenge is not None
        self.practice.open(challenge)
        self.practice.tick()

    @property
    def trying(self) -> Trying:
        assert self.practice.trying.value is not None
        return self.practice.trying.value

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.practice.tick()


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_seconds_are_counted_while_a_check_is_executed(bench: Bench) -> None:
    assert bench.practice.seconds.value == 0
    bench.wait(2.5)
    assert bench.practice.seconds.value == 2
    bench.tracer.asked[-1][1](Verdict())
    assert bench.practice.seconds.value == 0
    bench.wait(5)
    assert bench.practice.seconds.value == 0


def stoppable(bench: Bench) -> bool:
    return bench.practice.can_stop.value


def test_a_check_that_began_by_itself_is_stopped_only_once_it_was_asked_for(bench: Bench) -> None:
    """Who presses "Check" a moment after it began presses for a check, not for its end."""
    bench.wait(2.5)
    assert not stoppable(bench)
    bench.practice.check()
    bench.wait(0.9)
    assert not stoppable(bench), "a second press of the same hand"
    assert len(bench.tracer.asked) == 1, "the check goes on"
    bench.wait(0.2)
    assert stoppable(bench)
    bench.tracer.asked[-1][1](Verdict())
    assert not stoppable(bench)
    assert bench.practice.settled


def test_a_check_of_an_edited_text_was_asked_for_by_nobody(bench: Bench) -> None:
    bench.practice.check()
    bench.session.draft_editor.change_text("// mine\n" + bench.trying.attempt.text)
    bench.wait(3)
    assert bench.practice.seconds.value
    assert not stoppable(bench)


def test_a_stopped_check_is_not_asked_again_by_itself(bench: Bench) -> None:
    bench.wait(3)
    bench.practice.stop()
    bench.wait(5)
    assert len(bench.tracer.asked) == 1
    assert bench.practice.settled
    assert not bench.trying.solved
    verdict = bench.trying.verdict
    assert verdict is not None
    assert str(verdict.trouble) == "The check was stopped after 3 s: nothing is known of this text."
    assert bench.practice.progress.of("bank-conflict").solved is False


@pytest.mark.parametrize("again", ["changed", "asked for"])
def test_after_a_stop_the_text_is_checked_again(bench: Bench, again: str) -> None:
    bench.practice.stop()
    if again == "changed":
        bench.session.draft_editor.change_text("// mine\n" + bench.trying.attempt.text)
    else:
        bench.practice.check()
    bench.wait(QUIET_S)
    assert len(bench.tracer.asked) == 2


def test_where_nothing_is_executed_there_is_nothing_to_stop(bench: Bench) -> None:
    bench.tracer.asked[-1][1](Verdict())
    before = bench.trying
    bench.practice.stop()
    assert bench.trying is before


def test_an_endless_text_gives_the_process_free_at_once() -> None:
    challenge = challenge_of("bank-conflict")
    assert challenge is not None
    service = new_tracing()
    begin = time.monotonic()
    service.request(CheckQuestion(challenge, replace(Attempt.of(challenge, challenge.given), text=ENDLESS)))
    try:
        while (worker := service._worker) is None or not worker.ready:  # one that is starting goes on for the next request
            assert time.monotonic() < begin + STARTING_S
            time.sleep(0.01)
        assert service.state is TracingState.RUNNING
        withdrawn = time.monotonic()
        service.withdraw()
        assert service.state.value == "idle"
        while worker.alive:
            assert time.monotonic() < withdrawn + 30
            time.sleep(0.01)
        assert service.poll() is None
    finally:
        assert service.shutdown(10)


def test_a_challenges_text_that_came_back_without_it_is_kept_like_any_other(bench: Bench, tmp_path: Path) -> None:
    """As a recent state brings it back, or the end of a lesson that had a text of its own."""
    editor, other = bench.session.draft_editor, tmp_path / "other.cu"
    other.write_text(ENDLESS, encoding="utf-8")
    editor.change_text(f"{ENDLESS}// one")
    seen = editor.draft.value
    assert seen is not None
    editor.open_file(other)
    assert not any(editor.kept)  # the challenge has it
    assert bench.practice.trying.value is None
    editor.take(seen)
    bench.wait(0)
    editor.change_text(f"{ENDLESS}// two")
    editor.open_file(other)
    assert [each.text for each in editor.kept] == [f"{ENDLESS}// two"]
