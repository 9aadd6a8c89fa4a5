"""The operands of matrix instructions in a picture: the steps that have them, who holds which element, and what CUDA does not say."""

from __future__ import annotations

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.shared.executed import UNSPECIFIED, fragments_picture, instructions_at, multiplies_matrices, next_instruction
from app.core.gpu_view.shared.fragments import FragmentsPicture, element_words, fragments_table, given_row, lane_brief, lane_words
from kernels.base.messages import Message
from tests.launches.launch_records import launch_of, recorded
from tests.launches.tensor_kernels import product
from tests.oracle.corpus import FOLDER, read
from tests.oracle.instructions import filled

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


def test_the_next_instruction_is_found_also_where_no_access_is_one_itself() -> None:
    case = read(FOLDER / "instructions" / "mma-m16n8k16-f16.cu")
    index = recorded(case.text, filled(case.kernel, case.request))
    (only,) = steps_of(index, "mma.m16n8k16.f32.f16.f16.f32")
    assert 0 < only < index.steps - 1
    assert [next_instruction(index, step) for step in (0, only, index.steps - 1)] == [only] * 3
    said = [str(fragments_picture(index, frame_at(index, step), None)) for step in (0, index.steps - 1)]
    assert said == [
        f"This step is no matrix instruction. The next one is step {only + 1}: mma.m16n8k16.f32.f16.f16.f32.",
        f"This step is no matrix instruction. The last one was step {only + 1}: mma.m16n8k16.f32.f16.f16.f32.",
    ]
    assert [next_instruction(product(), step) for step in steps_of(product(), MMA)] == steps_of(product(), MMA)


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


def test_a_lane_gives_another_row_of_ldmatrix_than_it_holds() -> None:
    index = product()
    shown = picture(index, steps_of(index, "ldmatrix.x4")[0], 13)
    assert [given_row(shown, lane) for lane in (0, 13, 31)] == [(0, 0), (1, 5), (3, 7)]
    assert str(lane_words(shown, 13)).startswith("Lane 13 gives the address of r1, row 5. It holds r0: [3][2], [3][3];")
    assert given_row(picture(index, steps_of(index, MMA)[0], 13, chosen=1), 13) is None


def test_colours_of_registers_are_explained_where_an_operand_has_several() -> None:
    index = product()
    moved, multiplied = picture(index, steps_of(index, "ldmatrix.x4")[0]), picture(index, steps_of(index, MMA)[0], chosen=1)
    assert [each.several_registers for each in moved.operands] == [()] * 4
    assert [each.several_registers for each in multiplied.operands] == [(0, 1, 2, 3), (0, 1), (0, 1, 2, 3)]


def test_in_brief_too_the_elements_of_each_operand_are_called_as_the_manual_does() -> None:
    index = product()
    step = steps_of(index, MMA)[0]
    assert str(lane_brief(picture(index, step, 13, chosen=1), 13)) == (
        "Lane 13 holds the elements where these rows and columns cross: "
        "A a0–7 [3, 11][2, 3, 10, 11]; B b0–3 [2, 3, 10, 11][3]; C, D c0–3 [3, 11][2, 3]"
    )
    moved = picture(index, steps_of(index, "ldmatrix.x4")[0], 13)
    assert "r0 [3][2, 3]; r1 [3][2, 3]" in str(lane_brief(moved, 13))


def test_each_warp_of_a_warpgroup_holds_its_rows() -> None:
    """As the PTX manual has them in D of wgmma.m64nNk16: row 16 * (warp % 4) + lane / 4, and 8 rows on; two of each 8 columns."""
    index = launch_of("gpu.wgmma-bf16", 128)
    steps = steps_of(index, "wgmma.m64n128k16.f32.bf16.bf16")
    by_warp = {frame_at(index, step).warp % 4: step for step in steps}
    assert sorted(by_warp) == [0, 1, 2, 3]
    for rank, step in by_warp.items():
        shown = picture(index, step, 13)
        assert shown.lane is not None
        operand, first = shown.operands[0], 16 * rank
        assert (operand.shape, shown.first_lane, shown.lane) == ((16, 16), rank * 32, rank * 32 + 13)
        assert f"rows {first} to {first + 15} of D, 64 × 128" in str(shown.sentence)
        assert str(shown.more) == "Columns 0 to 15 are shown: each 8 columns are held alike."
        assert [(operand.row + piece.row, piece.column) for piece in operand.of_lanes if piece.lane == shown.lane] == [
            (first + 3, 2), (first + 3, 10), (first + 11, 2), (first + 11, 10),
        ]  # fmt: skip
        assert str(lane_words(shown, shown.lane)) == (
            f"Lane 13 holds D: d0 [{first + 3}][2], d1 [{first + 3}][3], d2 [{first + 11}][2], d3 [{first + 11}][3], "
            f"d4 [{first + 3}][10], d5 [{first + 3}][11], d6 [{first + 11}][10], d7 [{first + 11}][11], "
            "and so on in each 8 columns, to column 127"
        )
        said = str(lane_brief(shown, shown.lane))
        assert said.startswith("Lane 13 holds the elements where these rows and columns cross: ")
        assert f"[{first + 3}, {first + 11}][2, 3, 10, 11]" in said
        assert str(element_words(operand, 11, 3)) == f"D[{first + 11}][3]: lane 13, element d3, register 3"


def test_of_wmma_it_is_said_that_nothing_is_specified() -> None:
    index = launch_of("gpu.wmma-bf16", 64)
    step = next(step for step in range(index.steps) if index.site(step).tile)
    found = fragments_picture(index, frame_at(index, step), None)
    assert isinstance(found, Message)
    assert found == UNSPECIFIED
    other = next(step for step in range(index.steps) if not index.site(step).tile)
    assert fragments_picture(index, frame_at(index, other), None) == UNSPECIFIED


def test_every_step_in_which_tensor_cores_read_shows_their_instruction() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    steps = [step for step in range(index.steps) if index.site(step).function.startswith("wgmma.m64")]
    assert len(steps) > 20
    for step in steps:
        assert instructions_at(index, frame_at(index, step)) == (index.site(step).function,)
        assert isinstance(fragments_picture(index, frame_at(index, step), None), FragmentsPicture)
