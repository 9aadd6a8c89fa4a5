"""An attempt that does right with the launches that it was shown is tried at the edges, too."""

from __future__ import annotations

from dataclasses import replace

from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion
from app.core.challenges.check import check
from app.core.challenges.library import challenge_of

GIVEN = "row <= rows && col <= columns"


def faults(solution: str) -> list[str]:
    """What is wrong with the kernel that adds matrices, with another condition."""
    challenge = challenge_of("out-of-bounds")
    assert isinstance(challenge, Challenge)
    attempt = Attempt.of(challenge, replace(challenge.given, text=challenge.given.text.replace(GIVEN, solution)))
    return [str(fault) for _, fault in check(CheckQuestion(challenge, attempt)).faults]


def test_the_smallest_edge_at_which_it_fails_is_told() -> None:
    found = faults("columns == 1 ? col <= 1 && row < rows : row < rows && col < columns")
    assert found == ["Right as launched, but not with rows = columns = 1: A[i] reaches element 1 of A, which has 1."]


def test_an_element_that_is_left_out_at_an_edge_is_told() -> None:
    found = faults("rows != columns ? row < rows && col < columns : row + 1 < rows && col < columns")
    assert len(found) == 1
    assert found[0].startswith("Right as launched, but not with rows = columns = 1: 0 of 1 elements of C are written, not element 0: ")


def test_what_does_right_at_every_edge_has_no_fault() -> None:
    assert faults("row < rows && col < columns") == []
