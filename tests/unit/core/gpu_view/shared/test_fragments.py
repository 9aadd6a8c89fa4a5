"""The operands of matrix instructions in a picture: the steps that have them, who holds which element, and what CUDA does not say."""

from __future__ import annotations

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.shared.executed import UNSPECIFIED, fragments_picture, instructions_at, multiplies_matrices
from app.core.gpu_view.shared.fragments import FragmentsPicture, element_words, fragments_table, lane_words
from kernels.base.messages import Message
from tests.launch_records import launch_of
from tests.tensor_kernels import product

MMA = "mma.m16n8k16.f32.bf16.bf16.f32"


def steps_of(index: LaunchIndex, name: str) -> list[int]:
    return [step for step in range(index.steps) if name in instructions_at(index, frame_at(index, step))]


def picture(index: LaunchIndex, step: int, lane: int | None = None, chosen: int = 0) -> FragmentsPicture:
    frame = frame_at(index, step)
    found = fragments_picture(index, frame, None if lane is None else frame.first_thread + lane, chosen)
    assert isinstance(found, FragmentsPicture), found
    return found


def test_a_step_has_its_own_instruction_and_the_products_behind_it() -> None:
    index = product()
    loads, products = steps_of(index, "ldmatrix.x4"), steps_of(index, MMA)
    assert products == loads[1::2]
    assert instructions_at(index, frame_at(index, loads[0])) == ("ldmatrix.x4",)
    assert instructions_at(index, frame_at(index, loads[1])) == ("ldmatrix.x4", MMA)
    assert multiplies_matrices(index)
    assert not multiplies_matrices(launch_of("gpu.tiled", 16))


def test_lane_13_holds_what_the_manual_says() -> None:
    shown = picture(product(), steps_of(product(), MMA)[0], 13, chosen=1)
    assert [(each.name, each.shape, each.element) for each in shown.operands] == [
        ("A", (16, 16), "bf16"), ("B", (16, 8), "bf16"), ("C, D", (16, 8), "f32"),
    ]  # fmt: skip
    own = [
        {(piece.row, piece.column): piece.names(each.registers) for piece in each.of_lanes if piece.lane == 13} for each in shown.operands
    ]
    assert own == [
        {(3, 2): "a0,1", (11, 2): "a2,3", (3, 10): "a4,5", (11, 10): "a6,7"},
        {(2, 3): "b0,1", (10, 3): "b2,3"},
        {(3, 2): "c0,1", (11, 2): "c2,3"},
    ]
    assert str(element_words(shown.operands[0], 11, 3)) == "A[11][3]: lane 13, element a3, register 1"
    assert "C, D: c0 [3][2], c1 [3][3], c2 [11][2], c3 [11][3]" in str(lane_words(shown, 13))


def test_pieces_cover_each_element_once() -> None:
    shown = picture(product(), steps_of(product(), MMA)[0], chosen=1)
    for operand in shown.operands:
        for pieces in (operand.of_lanes, operand.of_registers):
            covered = [
                (piece.row + row, piece.column + column) for piece in pieces for row in range(piece.rows) for column in range(piece.columns)
            ]
            assert sorted(covered) == [(row, column) for row in range(operand.shape[0]) for column in range(operand.shape[1])]
    assert {piece.columns for piece in shown.operands[2].of_lanes} == {2}
    assert {piece.columns for piece in shown.operands[2].of_registers} == {1}


def test_the_rows_of_ldmatrix_are_the_lanes_addresses() -> None:
    index = product()
    step = steps_of(index, "ldmatrix.x4")[0]
    shown = picture(index, step, 13)
    assert len(shown.operands) == 4
    assert [lane for lane, _ in shown.givers[1]] == list(range(8, 16))
    assert [address for _, address in shown.givers[1]] == frame_at(index, step).lanes.address[8:16].tolist()
    assert [(piece.row, piece.column) for piece in shown.operands[2].of_lanes if piece.lane == 13] == [(3, 2)]
    assert len(fragments_table(shown).rows) == 32 * 4


def test_each_warp_of_a_warpgroup_holds_its_rows() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    name = "wgmma.m64n128k16.f32.bf16.bf16"
    step = steps_of(index, name)[0]
    shown = picture(index, step, 13)
    rank = frame_at(index, step).warp % 4
    assert (shown.operands[0].shape, shown.first_lane, shown.lane) == ((16, 32), rank * 32, rank * 32 + 13)
    assert f"rows {rank * 16} to {rank * 16 + 15} of D, 64 × 128" in str(shown.sentence)
    assert [(piece.row, piece.column) for piece in shown.operands[0].of_lanes if piece.lane == shown.lane][:2] == [(3, 2), (3, 10)]


def test_of_wmma_it_is_said_that_nothing_is_specified() -> None:
    index = launch_of("gpu.wmma-bf16", 64)
    step = next(step for step in range(index.steps) if index.site(step).tile)
    found = fragments_picture(index, frame_at(index, step), None)
    assert isinstance(found, Message)
    assert found == UNSPECIFIED


def test_every_step_in_which_tensor_cores_read_shows_their_instruction() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    steps = [step for step in range(index.steps) if index.site(step).function.startswith("wgmma.m64")]
    assert len(steps) > 20
    for step in steps:
        assert instructions_at(index, frame_at(index, step)) == (index.site(step).function,)
        assert isinstance(fragments_picture(index, frame_at(index, step), None), FragmentsPicture)
