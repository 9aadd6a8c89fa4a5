"""The words of a launch: titles by what the kernel is made of, and the singular where there is one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from app.core.gpu_view.blocks import device_name_text, device_text, schedule
from app.core.gpu_view.counters import counters_at
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.margins import margins
from app.core.gpu_view.sectors import accessed_sectors, past_sentence, sentence, table, verdict
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.bank_sentences import reason_of, verdict_of, why_nothing
from app.core.gpu_view.shared.banks import banks_picture
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.step_texts import region_name, tell_launch
from app.core.gpu_view.synchronisation.pipeline_stages import stages_of
from app.core.inspector.occupancy_sentences import occupancy_card
from app.core.session.session import profile_named
from app.core.stage.model import picture_of
from kernels.base.messages import Message
from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of, record_of, recorded

MANY = re.compile(r"(?<!of )(?<!× )(?<![\d.,])\b1 (sectors|wavefronts|lanes|values|blocks|warps|phases|banks|words|bytes)\b")


@pytest.mark.parametrize(
    ("variant", "n", "title"),
    [("gpu.naive", 64, "Block (0, 0) of 4 × 4"), ("gpu.tiled", 64, "Tile step 1 of 4"), ("gpu.tiled", 16, "Block (0, 0) of 1 × 1")],
)
def test_the_title_says_the_tile_step_or_else_the_block(variant: str, n: int, title: str) -> None:
    index = launch_of(variant, n)
    assert str(tell_launch(index, frame_at(index, 0)).title) == title


def test_a_copy_ahead_says_which_tile_step_it_is_for() -> None:
    """The step under way, what it copies, and the number that the pipeline gives that filling, are one sentence."""
    index = launch_of("gpu.async", 64, tile=64)
    filling = stages_of(index, 0).fillings[4]
    said = [str(tell_launch(index, frame_at(index, step)).title) for step in (filling.sizes[0][0], filling.read or 0)]
    assert said == ["Tile step 3 of 8, copies for 5 (t = 4)", "Tile step 5 of 8"]
    assert filling.number + 1 == 5


def test_copies_that_arrive_are_no_stores_of_the_warp_that_waits_for_them() -> None:
    index = launch_of("gpu.mma-swizzled-bf16", 64, tile=64, tile_rows=64)
    said = str(tell_launch(index, frame_at(index, 73)).sentence)
    assert said == "What warp 0 copied arrives in stages[12800..13311]."


PRODUCT = """__global__ void product(const float* A, const float* B, float* C, int n) {
    __shared__ float As[2][8][8], Bs[2][8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int t = 0; t < n / 8; ++t) {
        As[BUFFER][y][x] = A[row * n + t * 8 + x];
        Bs[BUFFER][y][x] = B[(t * 8 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            sum += As[BUFFER][y][k] * Bs[BUFFER][k][x];
        LAST
    }
    C[row * n + column] = sum;
}
"""


@pytest.mark.parametrize(
    ("buffer", "last", "title"),
    [
        pytest.param("0", "", "Tile step 1 of 3, warp 0 in 2", id="a barrier is missing"),
        pytest.param("0", "__syncthreads();", "Tile step 2 of 3", id="no barrier is missing"),
        pytest.param("t % 2", "", "Tile step 1 of 3", id="two tiles in turn"),
    ],
)
def test_the_title_says_of_a_warp_that_nothing_holds_back_that_it_is_in_the_next_tile_step(buffer: str, last: str, title: str) -> None:
    n = 24
    matrices = {name: Filled(n * n, Fill.RANDOM if name != "C" else Fill.ZEROS) for name in "ABC"}
    index = recorded(PRODUCT.replace("BUFFER", buffer).replace("LAST", last), LaunchRequest((3, 3, 1), (8, 8, 1), {**matrices, "n": n}))
    second = next(int(step) for step in index.steps_of_line(6)[2:] if index.place(int(step))[1] == 0)
    assert str(tell_launch(index, frame_at(index, second)).title) == title
    other = next(int(step) for step in index.steps_of_line(10) if index.place(int(step))[1] == 1)
    assert str(tell_launch(index, frame_at(index, other)).title) == "Tile step 1 of 3"


def test_a_step_that_prints_is_called_so() -> None:
    index = launch_of("gpu.hello", 1)
    description = tell_launch(index, frame_at(index, 0))
    assert str(description.title) == f"Printed line 1 of {index.steps}"
    assert str(description.phase) == "print"


@pytest.mark.parametrize(
    ("variant", "n"), [("gpu.tiled", 9), ("gpu.naive", 5), ("gpu.uncoalesced", 3), ("gpu.transpose-shared", 33), ("gpu.vectorized-k8", 8)]
)
def test_one_is_never_many(variant: str, n: int) -> None:
    index = launch_of(variant, n)
    memory = SharedMemory(index)
    said: list[Message | None] = []
    for step in range(0, index.steps, max(index.steps // 300, 1)):
        frame = frame_at(index, step)
        description = tell_launch(index, frame)
        said += [description.sentence, description.place, description.title, *(part for fact in description.facts for part in fact)]
        access = accessed_sectors(index, frame)
        judged = verdict(access)
        said += [] if judged is None or access is None else [judged.text, sentence(access)]
        banks = banks_picture(memory, frame)
        said += [] if banks.access is None else [reason_of(banks.access), verdict_of(banks.access).text]
    for profile in (profile_named("h200"), profile_named("t4")):
        card = occupancy_card(index, profile, 255)
        plan = schedule(index, profile, 255)
        said += [*card.sentences, *card.others, device_text(plan), device_name_text(plan)]
    wrong = {str(each) for each in said if each is not None and MANY.search(str(each))}
    assert wrong == set()


@pytest.mark.parametrize(("variant", "words"), [
    ("gpu.transpose-copy", ["C tile", "=", "A tile"]), ("gpu.transpose-elements", ["C tile", "=", "A tile", "transposed"]),
    ("gpu.transpose-in-place", []),
])  # fmt: skip
def test_the_equation_of_a_transposition_says_what_c_is_to_hold(variant: str, words: list[str]) -> None:
    index = launch_of(variant, 16)
    assert [str(term.text) for term in tell_launch(index, frame_at(index, 0)).equation] == words


@pytest.mark.parametrize(("variant", "said"), [("gpu.naive", "C += A × B"), ("gpu.tiled", "C tile += A tile × B tile")])
def test_the_equation_of_a_product_is_of_tiles_where_there_are_tile_steps(variant: str, said: str) -> None:
    index = launch_of(variant, 32)
    assert " ".join(str(term.text) for term in tell_launch(index, frame_at(index, 0)).equation) == said


@pytest.mark.parametrize("variant", ["gpu.transpose-elements", "gpu.tiled"])
def test_what_a_text_of_its_own_makes_of_its_matrices_is_not_guessed(variant: str) -> None:
    known = launch_of(variant, 16)
    index = LaunchIndex(replace(known.subject, variant_id=""), known.record)
    assert tell_launch(index, frame_at(index, 0)).equation == ()


def test_what_one_lane_reaches_is_told_of_the_selected_one_where_it_is_active() -> None:
    index = launch_of("gpu.tiled", 9)
    step = next(step for step in range(index.steps) if 3 < frame_at(index, step).lanes.active.sum() < 32)
    active = frame_at(index, step).lanes.active
    other, idle = int(active.nonzero()[0][2]), int((~active).nonzero()[0][0])
    said = []
    for selection in (NOTHING, Selection(thread=other), Selection(thread=idle)):
        picture = picture_of(index, step, 0.0, selection)
        said.append(next((str(name), str(text)) for name, text in picture.description.facts if str(name).startswith("Lane")))
    assert [name for name, _ in said] == [f"Lane {lane}" for lane in (active.argmax(), other, active.argmax())]
    assert said[0][1] != said[1][1]
    lanes = frame_at(index, step).lanes
    assert said[1][1] == region_name(index, int(lanes.allocation[other]), lanes.element[other : other + 1])


def test_what_engines_move_is_not_said_of_the_warp_or_its_lanes() -> None:
    index = launch_of("gpu.wgmma-bf16", 64)
    told: dict[str, str] = {}
    for step in range(index.steps):
        if index.site(step).engine:
            description = tell_launch(index, frame_at(index, step))
            told.setdefault(" ".join(str(description.sentence).split()[:4]), str(description.sentence))
            assert not [str(name) for name, _ in description.facts if str(name).startswith("Lane")]
    assert set(told) == {"Tensor cores read stages", "The copy engine reads", "The copy engine writes", "The copy engine updates"}, told
    assert told["Tensor cores read stages"] == "Tensor cores read stages from shared memory for warp 0."


def test_operands_of_tensor_cores_are_no_requests_and_their_wavefronts_are_a_row_of_their_own() -> None:
    index = launch_of("gpu.wgmma-bf16", 64)
    steps = [step for step in range(index.steps) if index.site(step).operand]
    rows = {str(each.title): each for each in counters_at(index, frame_at(index, steps[-1]))}
    assert "Shared requests" not in rows
    assert 0 < rows["Wavefronts of wgmma operands"].so_far == rows["Shared wavefronts"].so_far
    assert rows["Wavefronts of wgmma operands"].this_step == rows["Shared wavefronts"].this_step > 0


def test_what_another_launch_prepared_is_named_where_it_is_read_and_in_the_equation() -> None:
    index, plain = launch_of("gpu.mma-bf16", 64), launch_of("gpu.tiled", 16)
    told = tell_launch(index, frame_at(index, 0))
    packed = "T holds A and B as the launch before packed them, two bfloat16 in one element."
    assert str(told.sentence) == f"Warp 0 reads T[0..7][0..15] from global memory. {packed}"
    assert [str(term.text) for term in told.equation] == ["C tile", "+=", "A tile", "×", "B tile", "from T"]
    others = {
        str(tell_launch(index, frame_at(index, step)).sentence) for step in range(index.steps) if index.site(step).space is Space.SHARED
    }
    assert not any("launch before" in each for each in others)
    assert str(tell_launch(plain, frame_at(plain, 0)).equation[-1].text) == "B"


def test_who_looks_at_a_barrier_changes_nothing() -> None:
    index = launch_of("gpu.wgmma-bf16", 64)
    told: dict[str, set[str]] = {}
    for step in range(index.steps):
        told.setdefault(index.site(step).function, set()).add(str(tell_launch(index, frame_at(index, step)).sentence).split(" ", 2)[2])
    assert {each.split(" ")[0] for each in told["mbarrier.test_wait.parity"]} == {"looks"}
    assert {each.split(" ")[0] for each in told["mbarrier.arrive"]} == {"arrives"}


def test_of_a_tile_operation_nothing_is_said_that_is_not_specified() -> None:
    """Neither a cost nor a lane's element, nor that sums are copies of A; what is counted is said to be without it."""
    index = launch_of("gpu.wmma-bf16", 16)
    told = {step: tell_launch(index, frame_at(index, step)) for step in range(index.steps) if index.site(step).tile}
    assert told
    for each in told.values():
        facts = {str(name): str(text) for name, text in each.facts}
        assert facts.keys() == {"Tile operation", "So far"}
        assert facts["So far"].endswith("without those of tile operations")
        assert "values of A" not in str(each.sentence)
    assert "without" not in str(tell_launch(index, frame_at(index, min(told) - 1)).facts[-1][1])


def test_a_step_that_stores_what_was_read_is_not_said_to_have_nothing_to_do_with_it() -> None:
    """The matrices call it a half of the way from global to shared memory, and the view beside them said that it does not touch that."""
    index = launch_of("gpu.tiled", 64)
    said = {}
    for step in range(4):
        frame = frame_at(index, step)
        access = accessed_sectors(index, frame)
        assert access is not None
        if access.past:
            said[step] = str(past_sentence(index, frame, access))
    assert said == dict.fromkeys((1, 3), "This step puts what this access has read into shared memory.")
    computing = next(step for step in range(index.steps) if index.site(step).space is Space.SHARED and index.site(step).operation == "load")
    frame = frame_at(index, computing)
    access = accessed_sectors(index, frame)
    assert access is not None
    assert str(past_sentence(index, frame, access)) == "This step does not touch global memory."


def test_a_barrier_is_said_to_meet_no_banks() -> None:
    """Not on the card, not beside the source, not in the picture of the banks; its operations are counted by themselves."""
    index = launch_of("gpu.wgmma-bf16", 64)
    steps = [step for step in range(index.steps) if index.site(step).barrier]
    for step in steps:
        frame = frame_at(index, step)
        said = {str(name): str(text) for name, text in tell_launch(index, frame).facts}
        assert said["Shared memory"] == "a barrier: no bank, no wavefront"
        assert banks_picture(SharedMemory(index), frame).past
        assert "meets no banks" in str(why_nothing(index, frame.site))
    lines = margins(index)
    places = {site.function: site.location.line for site in index.trace.sites}
    waits, arrives = lines[places["mbarrier.test_wait.parity"]], lines[places["mbarrier.arrive"]]
    assert (waits.degree, waits.all_wavefronts, arrives.degree) == (None, 0, None)
    assert waits.requests
    assert f"{waits.requests} requests of global and shared memory" in str(waits.words)
    assert "% of the launch's sectors and wavefronts." in str(waits.words)
    rows = {str(row.title): row for row in counters_at(index, frame_at(index, index.steps - 1))}
    assert rows["Barrier operations"].so_far == len(steps)


@pytest.mark.parametrize(
    ("place", "told"),
    [("p[i].at.y", "p[0..31].at.y"), ("p[to[i]].mass", "p[0..31].mass"), ("p[to[threadIdx.x]].at.x", "p[0..31].at.x"),
     ("p[i].part[1]", "p[0..31]"), ("(p + i)->mass", "p[0..31]"), ("inner(p[i].at)", "p[0..31]"), ("to[i]", "to[0..31]")],
)  # fmt: skip
def test_of_a_struct_the_member_is_told_that_is_touched(place: str, told: str) -> None:
    text = f"""struct Particle {{ float3 at; float mass; int part[2]; }};
__device__ float inner(const float3& q) {{ return q.y; }}
__global__ void k(const Particle* p, const int* to, float* out) {{
    int i = threadIdx.x;
    out[i] = {place};
}}"""
    index = record_of(text, 32, {"p": Filled(32), "to": Filled(32, Fill.ARANGE), "out": Filled(32)})
    step = next(step for step in reversed(range(index.steps)) if index.site(step).operation == "load")
    description = tell_launch(index, frame_at(index, step, 0.0))
    assert str(description.sentence) == f"Warp 0 reads {told} from global memory."
    assert str(description.facts[1][1]) == told.replace("0..31", "0")


def test_in_an_array_of_several_dimensions_the_member_is_told_too() -> None:
    text = """__global__ void k(float* out) {
    __shared__ float2 s[4][32];
    int i = threadIdx.x;
    s[1][i].x = 1.0f;
    out[i] = s[1][i].x;
}"""
    index = record_of(text, 32, {"out": Filled(32)})
    step = next(step for step in range(index.steps) if index.site(step).operation == "load")
    assert str(tell_launch(index, frame_at(index, step)).sentence) == "Warp 0 reads s[1][0..31].x from shared memory."


def test_the_table_of_global_memory_counts_from_the_start_of_the_array() -> None:
    index = launch_of("gpu.naive", 64, tile=16)
    step = next(step for step in range(index.steps) if index.site(step).space is Space.GLOBAL)
    rows = [[str(cell) for cell in row] for row in table(index, frame_at(index, step)).rows]
    assert rows[0] == ["0", "0", "A[0][0]", "A + 0", "0", "0"]
    assert rows[16] == ["16", "16", "A[1][0]", "A + 256", "8", "2"]


def test_a_line_tells_how_many_of_its_wavefronts_are_conflicts() -> None:
    lines = margins(launch_of("gpu.transpose-shared", 32, tile=32))
    conflicting = [line for line in lines.values() if line.conflicts]
    assert [(line.conflicts, line.all_wavefronts) for line in conflicting] == [(31 * 32, 32 * 32)]
    assert "1024 wavefronts, 992 of them bank conflicts: " in str(conflicting[0].words)
    assert all("conflicts" not in str(line.words) for line in lines.values() if not line.conflicts)


def test_a_half_of_a_line_is_not_said_to_have_nothing_to_do_with_the_memory_of_the_other() -> None:
    """Beside `tile[ty][tx] = A[...]` stood: "This step does not touch shared memory"."""
    index = launch_of("gpu.transpose-shared", 64)
    said: dict[tuple[Space, str], str] = {}
    for step in range(index.steps):
        site = index.site(step)
        if site.space is Space.GLOBAL:
            said[site.space, site.operation] = str(why_nothing(index, site)).partition(": ")[2]
        elif site.operation == "load":
            frame = frame_at(index, step)
            access = accessed_sectors(index, frame)
            assert access is not None
            said[site.space, site.operation] = str(past_sentence(index, frame, access)).partition(": ")[2]
    assert said == {
        (Space.GLOBAL, "load"): "what it reads is put there in a step of its own.",
        (Space.GLOBAL, "store"): "what it writes was read there in a step of its own.",
        (Space.SHARED, "load"): "what it reads is written there in a step of its own.",
    }
    naive = launch_of("gpu.naive", 32)
    assert {str(why_nothing(naive, naive.site(step))) for step in range(naive.steps)} == {"This step does not touch shared memory."}


def test_values_that_lanes_read_several_of_each_are_not_said_to_be_one_for_each() -> None:
    """It said "64 values for 32 lanes" of lanes that read four each."""
    index = launch_of("gpu.async", 64)
    site = next(site for site in index.trace.sites if site.space is Space.SHARED and site.operation == "load" and "Bs" in site.text)
    step = next(step for step in range(index.steps) if index.site(step) is site)
    assert str(tell_launch(index, frame_at(index, step)).sentence).endswith(": 64 values for 32 lanes, 4 each.")
