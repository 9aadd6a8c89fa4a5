"""How the numbers of a lesson are written in its texts."""

from __future__ import annotations

import pytest

from app.core.lessons.numbers import written
from kernels.base.messages import message


@pytest.mark.parametrize(("lanes", "text"), [({3}, "3"), ({4, 5, 6, 7, 20, 22}, "4–7、20、22"), (set(), "")])
def test_lanes_that_follow_each_other_are_a_range(lanes: set[int], text: str) -> None:
    assert written({"lanes": frozenset(lanes)}, "、")["lanes"] == text


def test_a_number_can_be_told_as_a_share() -> None:
    assert written({"share": 0.25}) == {"share": "0.250", "share%": "25 %"}


def test_what_is_not_known_is_not_written() -> None:
    assert written({"share": message("Nobody knows.")}) == {}
