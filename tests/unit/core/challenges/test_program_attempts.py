"""An attempt at a challenge on a whole program: run beside the window, shown on the program's page, and stopped when that is wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion
from app.core.challenges.check_program import check_program
from app.core.challenges.library import challenge_of
from app.core.session.session import Session
from app.core.workbench.workbench import Workbench
from kernels.base.messages import message
from kernels.simt.host.result import NotRun, ProgramJob, ProgramOutcome, ProgramRun
from tests.running_workbench import while_running
from tests.unit.core.challenges.test_shipped_challenges import PROGRAMS, edited
from tests.waiting import until

ENDLESS = "int main() { for (volatile int i = 0; ; i = 1 - i) {} }\n"


@pytest.fixture
def challenge() -> Challenge:
    found = challenge_of("leak")
    assert found is not None
    return found


@pytest.fixture
def workbench() -> Iterator[Workbench]:
    yield from while_running(Session())


def test_a_program_is_tried_beside_its_page_and_mended(workbench: Workbench, challenge: Challenge) -> None:
    practice, page = workbench.practice, workbench.program_page
    practice.open(challenge)
    until(lambda: practice.settled and page.shown.value, workbench.tick)
    trying, frame = practice.trying.value, page.frame.value
    assert trying is not None
    assert frame is not None
    assert not trying.solved
    assert page.program.arguments.value == "256 12"
    assert len(frame.run.launches) == 12
    practice.draft_editor.change_text(edited(challenge.given.text, PROGRAMS["leak"].solution))
    until(lambda: practice.settled, workbench.tick)
    assert practice.trying.value is not None
    assert practice.trying.value.solved, practice.trying.value.verdict
    practice.close()
    assert page.program.arguments.value == ""


def test_a_program_that_never_ends_is_stopped(workbench: Workbench, challenge: Challenge) -> None:
    practice = workbench.practice
    practice.open(challenge, Attempt(challenge.id, ENDLESS, (1, 1, 1), (128, 1, 1)))
    until(lambda: practice.seconds.value >= 1, workbench.tick)
    practice.stop()
    assert practice.settled
    assert practice.seconds.value == 0
    trying = practice.trying.value
    assert trying is not None
    assert trying.verdict is not None
    assert "The check was stopped after" in str(trying.verdict.trouble)
    workbench.tick()
    assert practice.trying.value is trying


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (NotRun(message("There is not enough memory for this program.")), "There is not enough memory"),
        (ProgramRun("x[0] = 1\n", 0), "Line 1 of the output is “x[0] = 1”, expected “x[0] ="),
        (ProgramRun("", 0), "Line 1 of the output is nothing"),
        (ProgramRun("", 139), "The exit status is 139, expected 0."),
    ],
)
def test_what_a_run_lacks_is_said(challenge: Challenge, outcome: ProgramOutcome, said: str) -> None:
    verdict = check_program(CheckQuestion(challenge, Attempt.of(challenge, challenge.given)), lambda _job: outcome)
    assert not verdict.solved
    assert said in " ".join(str(each) for each in (verdict.trouble, *(fault for _, fault in verdict.faults)))


def test_other_arguments_are_tried_once_the_first_are_right(challenge: Challenge) -> None:
    asked: list[tuple[str, ...]] = []

    def run(job: ProgramJob) -> ProgramOutcome:
        asked.append(job.arguments)
        return ProgramRun("", 0)

    check_program(CheckQuestion(challenge, Attempt.of(challenge, challenge.given)), run)
    assert asked == [("256", "12")]
