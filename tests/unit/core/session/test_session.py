from __future__ import annotations

import pytest

from app.core.base.observable import Field
from app.core.session.session import DEFAULT_SIDES, STAGE_SIZES, Session, first_ticked, refuse_stage, stage_defaults
from kernels.base.limits import Limits
from kernels.base.messages import Message
from kernels.base.spec import Device, Operation, Problem
from kernels.cachesim.count import count
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.cpusim.execute import trace


def test_a_field_tells_of_changes_only() -> None:
    field = Field(1)
    told: list[int] = []
    unsubscribe = field.subscribe(told.append)
    field.value = 1
    field.value = 2
    unsubscribe()
    field.value = 3
    assert told == [2]


def test_a_refused_tile_changes_nothing_and_says_why() -> None:
    session = Session()
    before = session.stage.value
    reason = session.set_stage_parameter("tile", 0)
    assert str(reason) == "tile must be at least 1, not 0."
    assert session.stage.value == before


def test_a_block_of_4096_threads_is_refused_for_the_stage_and_for_timing() -> None:
    session = Session("gpu.tiled")
    expected = "64 × 64 = 4096 threads a block; this GPU allows 1024."
    assert str(session.set_stage_parameter("tile", 64)) == expected
    assert str(session.set_run_parameter(catalogue.by_id("gpu.tiled"), "tile", 64, Limits())) == expected
    assert session.timing.value.parameters["gpu.tiled"]["tile"] == 16


def test_another_rung_keeps_size_and_tile() -> None:
    session = Session()
    session.set_stage_parameter("tile", 8)
    session.set_stage_problem(Problem(Operation.MATMUL, 5, 6, 7))
    session.choose_variant(catalogue.by_id("cpu.naive"))
    session.choose_variant(catalogue.by_id("cpu.blocked"))
    assert session.stage.value.problem == Problem(Operation.MATMUL, 5, 6, 7)


def test_another_device_begins_with_its_own_size() -> None:
    session = Session()
    session.set_stage_problem(Problem(Operation.MATMUL, 5, 6, 7))
    session.choose_variant(catalogue.by_id("gpu.tiled"))
    assert session.stage.value.problem == Problem.square(Operation.MATMUL, DEFAULT_SIDES[Device.GPU])
    assert session.stage.value.parameters == catalogue.by_id("gpu.tiled").defaults


def test_listeners_never_see_a_half_changed_choice() -> None:
    session = Session()
    seen: list[Case] = []
    session.stage.subscribe(seen.append)
    session.choose_operation(Operation.TRANSPOSE)
    assert [(choice.variant.operation, choice.problem.operation, choice.problem.k) for choice in seen] == [
        (Operation.TRANSPOSE, Operation.TRANSPOSE, 0)
    ]
    assert session.timing.value.operation is Operation.TRANSPOSE
    assert session.timing.value.ticked == first_ticked(Operation.TRANSPOSE)


def test_ticking_and_unticking() -> None:
    session = Session()
    before = session.timing.value.ticked
    assert "cpu.naive" in before
    session.tick(catalogue.by_id("cpu.naive"), ticked=False)
    session.tick(catalogue.by_id("gpu.naive"), ticked=True)
    assert session.timing.value.ticked == before - {"cpu.naive"} | {"gpu.naive"}


def test_a_tile_that_nobody_chose_gives_way_to_that_which_suits_another_rung() -> None:
    session = Session("cpu.blocked")
    session.choose_variant(catalogue.by_id("cpu.simd-blocked"))
    assert session.stage.value.parameters["tile"] == 8


def test_a_tile_that_another_rung_cannot_have_is_not_kept() -> None:
    session = Session("gpu.vectorized-k8")
    assert session.set_stage_parameter("tile", 64) is None
    session.choose_variant(catalogue.by_id("gpu.tiled"))
    assert session.stage.value.parameters == catalogue.by_id("gpu.tiled").defaults


@pytest.mark.parametrize(
    "problem", [Problem(Operation.MATMUL, 5000, 4, 4), Problem(Operation.MATMUL, 64, 64, 64), Problem(Operation.MATMUL, 4, 4, 0)]
)
def test_a_problem_that_the_stage_cannot_record_is_refused_at_the_field(problem: Problem) -> None:
    session = Session()
    before = session.stage.value
    assert session.set_stage_problem(problem) is not None
    assert session.stage.value == before


def test_the_largest_offered_size_is_recorded_whole_by_every_rung() -> None:
    for variant in catalogue.VARIANTS:
        if variant.device is Device.CPU:
            problem = Problem.square(variant.operation, STAGE_SIZES[-1])
            assert refuse_stage(variant, problem) is None
            assert trace(variant, problem, stage_defaults(variant), seed=1).steps > 0


def test_threads_have_tiles_to_share_on_the_stage() -> None:
    session = Session()
    session.choose_variant(catalogue.by_id("cpu.transpose-naive"))
    assert session.stage.value.problem == Problem.square(Operation.TRANSPOSE, DEFAULT_SIDES[Device.CPU])
    session.choose_variant(catalogue.by_id("cpu.transpose-parallel"))
    shown = session.stage.value
    assert shown.problem.m == 2 * shown.parameters["tile"] == 32


def test_no_tile_of_a_kernel_that_is_animated_is_larger_than_the_matrices_on_the_stage() -> None:
    animated = [each for each in catalogue.VARIANTS if each.device is Device.GPU and each.launch is not None and each.measured_only is None]
    parameters = {(each.id, part.name): (stage_defaults(each)[part.name], part.minimum) for each in animated for part in each.parameters}
    sides = {(name, part): pair for (name, part), pair in parameters.items() if part in ("tile", "tile_rows")}
    assert [place for place, (side, least) in sides.items() if side > max(DEFAULT_SIDES[Device.GPU], least)] == []


def test_an_operation_comes_back_as_it_was_left() -> None:
    session = Session()
    session.choose_variant(catalogue.by_id("gpu.tiled"))
    assert session.set_stage_parameter("tile", 8) is None
    session.tick(catalogue.by_id("cpu.simd"), ticked=True)
    shown, ticked = session.stage.value, session.timing.value.ticked
    session.choose_operation(Operation.TRANSPOSE)
    session.tick(catalogue.by_id("cpu.transpose-naive"), ticked=False)
    transposed = session.timing.value.ticked
    session.choose_operation(Operation.MATMUL)
    assert (session.stage.value, session.timing.value.ticked) == (shown, ticked)
    session.choose_operation(Operation.TRANSPOSE)
    assert session.timing.value.ticked == transposed


def test_an_operation_can_be_chosen_after_a_text_of_another_was_put_on_the_stage() -> None:
    session = Session()
    session.choose_variant(catalogue.by_id("gpu.naive"))
    assert session.draft_editor.edit_copy() is None
    session.choose_operation(Operation.TRANSPOSE)
    session.draft_editor.resume()
    session.choose_variant(catalogue.by_id("gpu.tiled"))
    session.choose_operation(Operation.TRANSPOSE)
    assert session.stage.value.variant.operation is Operation.TRANSPOSE


def test_blocking_is_seen_to_help_in_the_first_picture() -> None:
    shown, plain = Session().stage.value, catalogue.by_id("cpu.loop-order")
    misses = []
    for variant in (shown.variant, plain):
        counts = count(variant, shown.problem, stage_defaults(variant), preset(SCALED))
        assert not isinstance(counts, Message)
        misses.append(counts.levels[0].total.misses)
    assert (shown.variant.id, misses) == ("cpu.blocked", [696, 936])
