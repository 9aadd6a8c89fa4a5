"""Undo and redo of what is changed on the stage."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.session.draft import draft_of
from app.core.session.session import Session
from app.core.session.undo import TOGETHER_S, ChoiceHistory
from kernels.analysis.device_profiles import profiles
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.simt.frontend.parse import parse


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
    hand.history.redo()
    assert hand.tile == 32
    hand.history.undo()
    assert hand.tile == 8
    hand.history.undo()
    assert hand.tile == 16
    hand.history.undo()
    assert hand.tile == 16
    hand.history.redo()
    hand.history.redo()
    hand.history.redo()
    assert hand.tile == 32


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
    hand.history.redo()
    assert hand.tile == 4
    hand.history.undo()
    assert hand.tile == 16


def test_sizes_are_undone_too(hand: Hand) -> None:
    before = hand.session.stage.value.problem
    hand.session.set_stage_problem(Problem.square(Operation.MATMUL, 128))
    hand.history.undo()
    assert hand.session.stage.value.problem == before


def test_another_rung_is_undone_with_all_that_came_with_it(hand: Hand) -> None:
    hand.set("tile", 8)
    before = hand.session.stage.value, hand.session.timing.value
    transposed = catalogue.by_id("gpu.transpose-padded")
    hand.now += 10
    hand.session.choose_variant(transposed)
    assert hand.session.timing.value.operation is Operation.TRANSPOSE
    hand.history.undo()
    assert (hand.session.stage.value, hand.session.timing.value) == before
    hand.history.redo()
    assert hand.session.stage.value.variant is transposed


def test_what_is_timed_and_for_which_gpu_is_undone(hand: Hand) -> None:
    session, naive = hand.session, hand.session.stage.value.variant
    session.tick(naive, ticked=True)
    ticked = session.timing.value.ticked
    hand.now += 10
    session.tick(naive, ticked=False)
    hand.now += 10
    other = next(each for each in profiles() if each != session.profile.value)
    before, session.profile.value = session.profile.value, other
    hand.history.undo()
    assert session.profile.value is before
    hand.history.undo()
    assert session.timing.value.ticked == ticked


def test_the_launch_of_an_edited_text_is_undone_and_the_text_is_not(hand: Hand) -> None:
    draft_editor = hand.session.draft_editor
    assert draft_editor.edit_copy() is None
    hand.now += 10
    assert draft_editor.set_grid("7") is None
    hand.now += 10
    draft_editor.change_text("// mine")
    assert draft_editor.draft.value is not None
    hand.history.undo()
    assert draft_editor.draft.value.settings.grid != (7, 1, 1)
    assert draft_editor.draft.value.text == "// mine"


def test_what_is_refused_is_no_change(hand: Hand) -> None:
    hand.set("tile", 8)
    hand.now += 10
    assert hand.session.set_stage_parameter("tile", 64) is not None
    hand.history.undo()
    assert hand.tile == 16


def test_the_launch_of_one_file_is_not_given_to_another(hand: Hand) -> None:
    editor = hand.session.draft_editor
    for name in ("first", "second"):
        text = f"__global__ void {name}(float* {name}s) {{ {name}s[threadIdx.x] = 1; }}"
        editor.take(draft_of(Path(f"{name}.cu"), text))
        editor.found(tuple(parse(text).kernels))
        hand.now += 10
        assert editor.set_block("64") is None
        hand.now += 10
    for _ in range(5):
        hand.history.undo()
    draft = editor.draft.value
    assert draft is not None
    assert draft.settings.entry == "second"
    assert set(draft.settings.arguments) == {"seconds"}
    assert draft.settings.block != (64, 1, 1)


def test_the_launch_of_a_text_is_undone_under_another_name_too(hand: Hand, tmp_path: Path) -> None:
    editor = hand.session.draft_editor
    assert editor.edit_copy() is None
    draft = editor.draft.value
    assert draft is not None
    before = draft.settings.grid
    hand.now += 10
    assert editor.set_grid("7") is None
    hand.now += 10
    assert editor.save(tmp_path / "mine.cu") is None
    hand.history.undo()
    assert editor.draft.value is not None
    assert (editor.draft.value.name, editor.draft.value.settings.grid) == ("mine.cu", before)


@pytest.mark.parametrize("copy", [False, True])
def test_a_text_is_not_left_for_the_rung_before_it(hand: Hand, tmp_path: Path, copy: bool) -> None:
    editor = hand.session.draft_editor
    for name in ("gpu.naive", "gpu.tiled"):
        variant = catalogue.by_id(name)
        hand.session.choose_variant(variant)
        hand.now += 10
    file = tmp_path / "mine.cu"
    file.write_text("// mine", encoding="utf-8")
    assert (editor.edit_copy() if copy else editor.open_file(file)) is None
    hand.now += 10
    for _ in range(4):
        hand.history.undo()
    assert editor.on_stage.value
    editor.close()
    hand.history.undo()
    assert hand.session.stage.value.variant.id == "gpu.naive"
