"""What the command line points at: a lane of whichever warp runs, an instruction by its name; what there is nothing of is said."""

from __future__ import annotations

import pytest

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.executed import UNSPECIFIED, instructions_at
from app.core.stage.model import LAST_INSTRUCTION, NO_INSTRUCTION, GpuPicture, StageModel
from app.core.stage.pointing import Pointed
from kernels.base.messages import Message
from tests.launches.launch_records import launch_of


def shown(model: StageModel) -> GpuPicture:
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    return picture


def test_the_lane_is_that_of_the_warp_of_each_step() -> None:
    model, threads = StageModel(), set[int]()
    model.shown.value = launch_of("gpu.tiled", 32)
    for step in range(40):
        model.timeline.scrub(step)
        Pointed(13).show(model)
        assert model.pinned.value == Selection(thread=shown(model).frame.first_thread + 13)
        threads.add(shown(model).frame.warp)
    assert len(threads) > 1


@pytest.mark.parametrize("name", ["mma", "mma.m16n8k16", "mma.m16n8k16.f32.bf16.bf16.f32", "ldmatrix", "ldmatrix.x4"])
def test_an_instruction_is_chosen_by_how_its_name_begins(name: str) -> None:
    model, index, chosen = StageModel(), launch_of("gpu.mma-bf16", 64), set[int]()
    model.shown.value = index
    assert Pointed(instruction=name).refuse(index, range(index.steps)) is None
    for step in range(index.steps):
        model.timeline.scrub(step)
        Pointed(instruction=name).show(model)
        names = instructions_at(index, shown(model).frame)
        number = model.choices.instruction.value
        chosen.add(number)
        found = [number for number, each in enumerate(names) if each.startswith(name)]
        assert number == (found[0] if found else 0)
    assert chosen == ({0, 1} if name.startswith("mma") else {0})


@pytest.mark.parametrize(("variant", "pointed", "steps", "said"), [
    ("gpu.tiled", Pointed(0, "mma"), range(1), "--instruction: this launch executes no matrix instruction."),
    ("gpu.mma-bf16", Pointed(31, "mm"), range(160), "--instruction: 'mm' is not one of ldmatrix.x4, mma.m16n8k16.f32.bf16.bf16.f32."),
    ("gpu.mma-bf16", Pointed(31, "mma"), range(4), "--instruction: no step that is shown executes a matrix instruction; step 97 does"),
    ("gpu.wmma-bf16", Pointed(31, "mma"), range(4), "CUDA does not say which lane holds which element of a wmma fragment"),
])  # fmt: skip
def test_what_the_launch_does_not_execute_is_refused(variant: str, pointed: Pointed, steps: range, said: str) -> None:
    reason = pointed.refuse(launch_of(variant, 64), steps)
    assert isinstance(reason, Message)
    assert str(reason).startswith(said)


def test_a_block_of_few_threads_has_few_lanes() -> None:
    index = launch_of("gpu.tiled", 16, tile=4)
    assert str(Pointed(16).refuse(index, range(1))) == "--lane must be from 0 to 15, not 16: the warp of step 1 has 16 threads."
    assert Pointed(15).refuse(index, range(1)) is None
    assert str(Pointed(15).refuse(None, range(1))) == "--lane: what is shown has neither lanes nor matrix instructions."
    assert Pointed().refuse(None, range(1)) is None


def test_a_lane_is_one_of_every_warp_that_is_shown() -> None:
    index = launch_of("gpu.tiled", 12, tile=6)
    few = next(step for step in range(index.steps) if index.place(step)[1] == 1)
    assert Pointed(31).refuse(index, range(few)) is None
    assert Pointed(3).refuse(index, range(few + 1)) is None
    said = f"--lane must be from 0 to 3, not 4: the warp of step {few + 1} has 4 threads."
    assert str(Pointed(4).refuse(index, range(index.steps))) == said


def test_what_is_pinned_goes_with_another_kernel_and_stays_in_another_size_of_the_same() -> None:
    model = StageModel()
    model.shown.value = launch_of("gpu.transpose-shared", 64, tile=32)
    model.pinned.value = Selection(thread=5)
    model.shown.value = launch_of("gpu.transpose-shared", 32, tile=32)
    assert model.pinned.value == Selection(thread=5)
    model.shown.value = launch_of("gpu.transpose-padded", 64, tile=32)
    assert model.pinned.value == NOTHING


def test_the_next_matrix_instruction_is_gone_to_where_the_step_is_none() -> None:
    model, index = StageModel(), launch_of("gpu.mma-bf16", 64)
    model.shown.value = index
    assert not instructions_at(index, shown(model).frame)
    assert model.next_instruction() is None
    first = model.timeline.position.value.step
    assert instructions_at(index, shown(model).frame)
    assert first == next(step for step in range(index.steps) if instructions_at(index, frame_at(index, step)))


def test_each_matrix_instruction_is_gone_to_and_behind_the_last_one_it_is_said() -> None:
    model, index = StageModel(), launch_of("gpu.mma-bf16", 32)
    model.shown.value = index
    seen: list[tuple[int, int]] = []
    while (said := model.next_instruction()) is None:
        seen.append((model.timeline.position.value.step, model.choices.instruction.value))
    steps = [(step, instructions_at(index, frame_at(index, step))) for step in range(index.steps)]
    assert seen == [(step, number) for step, names in steps for number in range(len(names))]
    assert said == LAST_INSTRUCTION


def test_where_there_is_no_matrix_instruction_it_is_said() -> None:
    model = StageModel()
    assert model.next_instruction() == NO_INSTRUCTION
    for variant, said in (("gpu.tiled", NO_INSTRUCTION), ("gpu.wmma-bf16", UNSPECIFIED)):
        model.shown.value = launch_of(variant, 64)
        assert model.next_instruction() == said
        assert model.timeline.position.value.step == 0
