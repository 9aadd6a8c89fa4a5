"""Undo and redo of what is changed on the stage."""

from __future__ import annotations

import pytest

from app.core.choice_history import TOGETHER_S, ChoiceHistory
from app.core.session import Session
from kernels import catalog
from kernels.spec import Operation, Problem


class Hand:
    """Changes the stage of a session, with its own clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.session = Session("gpu.naive")
        self.history = ChoiceHistory(self.session, lambda: self.now)

    def set(self, name: str, value: int, after: float = 10.0) -> None:
        self.now += after
        assert self.session.set_stage_parameter(name, value) is None

    @property
    def tile(self) -> int:
        return self.session.stage.value.parameters["tile"]


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_each_change_is_undone_and_made_again(hand: Hand) -> None:
    hand.set("tile", 8)
    hand.set("tile", 32)
    assert not hand.history.can_redo
    hand.history.undo()
    assert hand.tile == 8
    hand.history.undo()
    assert hand.tile == 16
    assert not hand.history.can_undo
    hand.history.undo()
    assert hand.tile == 16
    hand.history.redo()
    hand.history.redo()
    assert hand.tile == 32
    assert not hand.history.can_redo


def test_a_drag_is_one_change_and_another_parameter_another(hand: Hand) -> None:
    for tile in (8, 4, 8, 32):
        hand.set("tile", tile, TOGETHER_S / 2)
    hand.set("rows", 4, TOGETHER_S / 2)
    hand.history.undo()
    assert hand.session.stage.value.parameters["rows"] == 0
    assert hand.tile == 32
    hand.history.undo()
    assert hand.tile == 16


def test_after_an_undo_the_next_change_stands_alone_and_ends_redo(hand: Hand) -> None:
    hand.set("tile", 8)
    hand.history.undo()
    hand.set("tile", 4, 0.0)
    assert not hand.history.can_redo
    hand.history.undo()
    assert hand.tile == 16


def test_sizes_are_undone_too(hand: Hand) -> None:
    before = hand.session.stage.value.problem
    hand.session.set_stage_problem(Problem.square(Operation.MATMUL, 128))
    hand.history.undo()
    assert hand.session.stage.value.problem == before


def test_another_rung_begins_another_history(hand: Hand) -> None:
    hand.set("tile", 8)
    tiled = catalog.find("gpu.tiled")
    assert tiled is not None
    hand.session.choose_variant(tiled)
    assert not hand.history.can_undo
    hand.history.undo()
    assert hand.session.stage.value.variant is tiled


def test_what_is_refused_is_no_change(hand: Hand) -> None:
    assert hand.session.set_stage_parameter("tile", 64) is not None
    assert not hand.history.can_undo
