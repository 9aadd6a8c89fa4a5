"""The picture of shared memory: what each word is, which lanes wait, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.gpu_view.frame import Frame, frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.bank_sentences import brief_progress, element_text, moved, progress_of, reason_of, rows_of, tip_of, verdict_of
from app.core.gpu_view.shared.banks import BanksPicture, Cell, Part, Serving, banks_picture, cells, columns, parts, shown_rows
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.gpu_view.shared.wavefronts import serve
from kernels.analysis.banks import BANKS
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP
from tests.launches.launch_records import launch_of, record_of

LANES = np.arange(WARP)
ALL = np.ones(WARP, np.bool_)


def shown(index: LaunchIndex, step: int, fraction: float = 0.0) -> tuple[BanksPicture, Frame]:
    frame = frame_at(index, step, fraction)
    return banks_picture(SharedMemory(index), frame), frame


def steps_of(index: LaunchIndex, operation: str, space: Space = Space.SHARED) -> list[int]:
    return [step for step in range(index.steps) if (index.site(step).operation, index.site(step).space) == (operation, space)]


def said(words: np.ndarray, size: int = 4, operation: str = "load", active: np.ndarray = ALL) -> tuple[str, str]:
    access = serve(words, active, size, operation)
    return str(verdict_of(access).text), str(reason_of(access))


@pytest.mark.parametrize(
    ("words", "size", "operation", "verdict", "reason"),
    [
        (32 * LANES + 5, 4, "load", "32-way conflict", "All lanes need bank 5: (32 × lane + 5) mod 32 = 5"),
        (33 * LANES + 5, 4, "load", "no conflict", "Every lane its own bank: (33 × lane + 5) mod 32 = (lane + 5) mod 32"),
        (LANES + 7, 4, "store", "no conflict", "Every lane its own bank: (lane + 7) mod 32"),
        (LANES, 4, "store", "no conflict", "Every lane its own bank: lane mod 32"),
        (2 * LANES, 4, "load", "2-way conflict", "32 lanes need 16 banks, up to 2 the same: (2 × lane) mod 32"),
        (32 * LANES + (LANES ^ 5), 4, "load", "no conflict",
         "Every lane its own bank: lane XOR 5. The layout exchanges columns within each row."),
        (np.where(LANES < 16, LANES, LANES ^ 3), 4, "load", "no conflict",
         "Every lane its own bank, though their words are not in order: the layout spreads them."),
        (np.full(WARP, 9), 4, "load", "broadcast", "All 32 lanes read one word of bank 9: one broadcast."),
        (np.full(WARP, 9), 4, "store", "no conflict", "All 32 lanes write one word of bank 9: one of them wins."),
        (LANES // 16, 4, "load", "broadcast", "32 lanes, 2 words: lanes at one word share its wavefront."),
        (np.full(WARP, 9), 4, "atomic", "32 lanes take turns",
         "Up to 32 lanes need one bank. Each has to see what the one before it left."),
        (LANES, 4, "compare-and-swap", "no conflict", "No two lanes need the same bank."),
        (4 * LANES, 16, "load", "no conflict", "16 bytes a lane: 4 phases of up to 8 lanes, each without a conflict."),
        (64 * LANES, 8, "load", "16-way conflict",
         "8 bytes a lane: 2 phases of up to 16 lanes, with up to 16 words of one bank in each."),
    ],
)  # fmt: skip
def test_what_is_said_of_an_access(words: np.ndarray, size: int, operation: str, verdict: str, reason: str) -> None:
    assert said(words, size, operation) == (verdict, reason)


@pytest.mark.parametrize(("tile", "rows"), [(8, "4 rows of 8"), (16, "2 rows of 16")])
def test_the_rows_of_a_warp_are_those_of_its_block(tile: int, rows: str) -> None:
    index = launch_of("gpu.transpose-padded", 2 * tile, tile=tile)
    access = SharedMemory(index).access(steps_of(index, "store")[0])
    assert access is not None
    said = f"This warp is {rows} threads: each alone has banks of its own, together up to 2 words lie in one."
    assert str(reason_of(access, index.trace.block[0])) == said
    assert "rows of" not in str(reason_of(access))


def test_one_active_lane_is_no_line() -> None:
    assert said(LANES, active=LANES == 3)[1] == "One lane, one bank."


def test_how_far_an_access_is() -> None:
    conflict, whole = serve(32 * LANES, ALL, 4, "load"), serve(LANES, ALL, 4, "load")
    assert str(progress_of(conflict, 6)) == "Wavefront 7 of 32. One lane is served at a time."
    assert str(progress_of(conflict, None)) == "Wavefront 32 of 32 is done."
    assert str(progress_of(whole, 0)) == "Wavefront 1 of 1. All active lanes are served at once."
    assert [str(brief_progress(conflict, now)) for now in (6, None)] == ["Wavefront 7 of 32", "Wavefront 32 of 32"]
    assert str(progress_of(serve(2 * LANES, ALL, 4, "load"), 1)) == "Wavefront 2 of 2. 16 lanes are served together."


def test_a_conflict_is_served_lane_by_lane_as_the_step_advances() -> None:
    index = launch_of("gpu.transpose-shared", 64, tile=32)
    step = steps_of(index, "load")[5]
    for fraction, served in ((0.0, 0), (0.5, 16), (0.999, 31), (1.0, 32)):
        picture, _ = shown(index, step, fraction)
        states = [group.serving for group in picture.groups]
        now = min(1, WARP - served)
        assert states == [Serving.SERVED] * served + [Serving.NOW] * now + [Serving.BLOCKED] * (WARP - served - now)
        assert len(picture.contested) == 1


def test_lanes_at_one_word_are_one_token_and_later_phases_wait_without_a_conflict() -> None:
    tiled = launch_of("gpu.tiled", 48, tile=16)
    picture, _ = shown(tiled, next(step for step in steps_of(tiled, "load") if tiled.site(step).text.startswith("As")))
    assert [group.runs for group in picture.groups] == [((0, 15),), ((16, 31),)]
    wide = launch_of("gpu.vectorized-k8", 128)
    step = next(step for step in steps_of(wide, "load") if frame_at(wide, step).wavefronts == 4)
    picture, _ = shown(wide, step, 0.3)
    assert [group.serving for group in picture.groups] == [Serving.SERVED] * 8 + [Serving.NOW] * 8 + [Serving.WAITING] * 16


def test_padding_is_what_the_launch_never_uses() -> None:
    index = launch_of("gpu.transpose-padded", 64, tile=32)
    memory = SharedMemory(index)
    (array,) = memory.arrays
    assert memory.padding(array) == 1
    unused = [memory.element(word) for word in np.flatnonzero(~memory.used).tolist()]
    assert unused == [(array.allocation, row * 33 + 32) for row in range(32)]
    picture, _ = shown(index, index.steps - 1)
    kinds, _ = cells(memory, shown_rows(picture), picture.content)
    assert (kinds == Cell.UNUSED).sum() == 32


def test_words_are_empty_then_written_then_stale() -> None:
    index = launch_of("gpu.tiled", 48, tile=16)
    memory = SharedMemory(index)

    def kinds(step: int, fraction: float = 0.0) -> set[int]:
        picture = banks_picture(memory, frame_at(index, step, fraction))
        return set(np.unique(cells(memory, shown_rows(picture), picture.content)[0]).tolist())

    first_read, stores = steps_of(index, "load")[0], steps_of(index, "store")
    second_tile = next(step for step in stores if frame_at(index, step).tile == 1)
    assert kinds(stores[0]) == {Cell.EMPTY}
    assert kinds(stores[0], 0.8) == {Cell.EMPTY, Cell.FRESH}
    assert kinds(first_read) == {Cell.FRESH, Cell.FRESH + 2}
    assert kinds(second_tile) == {Cell.FRESH + 1, Cell.FRESH + 3}


def test_a_swizzled_tile_shows_the_columns_where_they_are() -> None:
    index = launch_of("gpu.transpose-swizzled", 64, tile=32)
    picture, frame = shown(index, steps_of(index, "load")[0])
    _, writers = cells(picture.memory, shown_rows(picture), picture.content)
    rows = np.arange(32)[:, None]
    assert (columns(picture.memory, shown_rows(picture), writers, picture.content[0]) == (rows ^ LANES)).all()
    (array,) = picture.memory.arrays
    assert str(tip_of(picture, frame, Selection(element=(array.allocation, 32 * 3 + 5)))) == "tile[3][5], word 101, bank 5: holds A[3][6]."


@pytest.mark.parametrize(("variant", "n", "parameters"), [("gpu.tiled", 48, {"tile": 16}), ("gpu.vectorized-k8", 128, {})])
def test_every_word_of_a_tile_knows_what_it_holds(variant: str, n: int, parameters: dict[str, int]) -> None:
    """By the values: those of the words are those of the elements that they are said to hold."""
    index = launch_of(variant, n, **parameters)
    memory = SharedMemory(index)
    step = next(step for step in steps_of(index, "load") if frame_at(index, step).tile == 1)
    words = np.arange(memory.rows * BANKS)
    allocation, element = memory.sources(words, memory.writers(words, step, 0), 0)
    for array in memory.arrays:
        own = memory.array == array.allocation
        (source,) = np.unique(allocation[own]).tolist()
        assert index.record.letters[source] == array.letter
        held = index.record.contents.window(array.allocation, words[own] - array.first, step, 0).values
        assert (held == index.record.contents.window(source, element[own], 0).values).all()


def test_what_lies_beyond_all_arrays_was_written_by_nobody() -> None:
    index = launch_of("gpu.tiled", 48, tile=16)
    memory, step = SharedMemory(index), steps_of(index, "load")[-1]
    last = memory.rows * BANKS
    inside, *beyond = memory.writers(np.array([0, last, last + 7, -1]), step, 0).tolist()
    assert inside >= 0
    assert beyond == [-1, -1, -1]


def test_without_an_access_the_last_one_of_the_block_stays() -> None:
    index = launch_of("gpu.transpose-shared", 64, tile=32)
    first, second = shown(index, 0)[0], shown(index, 2)[0]
    assert (first.past, first.access) == (True, None)
    assert second.past
    assert second.access is not None
    assert second.now is None


def test_a_kernel_without_shared_memory_has_no_rows() -> None:
    picture, frame = shown(launch_of("gpu.naive", 16), 0)
    assert (picture.memory.rows, picture.parts, picture.access) == (0, (), None)
    assert rows_of(picture, frame).rows == ()
    assert moved(picture, frame, NOTHING, 1, 0) == Selection(thread=frame.first_thread)


def test_the_table_has_a_row_for_each_lane() -> None:
    picture, frame = shown(launch_of("gpu.transpose-shared", 64, tile=32), 74)
    table = rows_of(picture, frame)
    assert [str(title) for title in table.titles] == ["Lane", "Thread", "Address", "Word", "Bank", "Phase", "Wavefront"]
    assert table.rows[3] == ("3", str(frame.first_thread + 3), str(4 * (3 * 32 + 5)), str(3 * 32 + 5), "5", "1", "4")
    assert len(table.rows) == WARP


def test_arrow_keys_go_from_lane_to_lane_from_bank_to_bank_and_from_word_to_word() -> None:
    picture, frame = shown(launch_of("gpu.transpose-shared", 64, tile=32), 74)
    thread = frame.first_thread
    assert moved(picture, frame, NOTHING, 0, 0) == Selection(thread=thread)
    assert moved(picture, frame, Selection(thread=thread), 1, 0) == Selection(thread=thread + 1)
    assert moved(picture, frame, Selection(thread=thread), -1, 0) == Selection(thread=thread)
    assert moved(picture, frame, Selection(bank=4), 1, 0) == Selection(bank=5)
    assert moved(picture, frame, Selection(bank=31), 1, 0) == Selection(bank=31)
    allocation = picture.memory.arrays[0].allocation
    assert moved(picture, frame, Selection(element=(allocation, 33)), 0, -1) == Selection(element=(allocation, 1))


def test_what_the_pointer_is_told() -> None:
    index = launch_of("gpu.transpose-shared", 64, tile=32)
    picture, frame = shown(index, 74)
    lane = str(tip_of(picture, frame, Selection(thread=frame.first_thread + 3)))
    assert lane == f"Lane 3, thread {frame.first_thread + 3}: tile[3][5], word 101, bank 5, wavefront 4 of 32."
    assert str(tip_of(picture, frame, Selection(bank=5))) == "Bank 5: 32 lanes, 32 words."
    assert str(tip_of(picture, frame, Selection(bank=6))) == "Bank 6: not needed by this step."
    assert tip_of(picture, frame, NOTHING) is None
    written, row = shown(index, 1)
    assert str(tip_of(written, row, Selection(bank=6))) == "Bank 6: 1 lane, 1 word.", "counts, not the number of a lane"


def test_up_to_48_rows_all_are_shown_and_of_more_the_touched_ones_with_their_neighbours() -> None:
    assert parts(48, {3}, (0, 32)) == (Part(0, 32), Part(32, 48))
    assert parts(64, {13}, (0, 32)) == (
        Part(0, 8, folded=True),
        Part(8, 16),
        Part(16, 32, folded=True),
        Part(32, 40),
        Part(40, 64, folded=True),
    )
    spread = parts(2048, set(range(0, 2048, 64)), (0,))
    assert sum(part.rows for part in spread if not part.folded) == 32


def test_arrays_that_begin_within_a_row_and_short_elements_are_where_they_lie() -> None:
    text = """
    __global__ void mixed(int* out) {
        __shared__ short s[6];
        __shared__ double d[4];
        if (threadIdx.x < 6) s[threadIdx.x] = threadIdx.x;
        if (threadIdx.x < 3) d[threadIdx.x] = 1.0;
        out[threadIdx.x] = s[0];
    }"""
    memory = SharedMemory(record_of(text, 32, {"out": np.zeros(32, np.int32)}))
    short, double = memory.arrays
    assert [element_text(memory, *(memory.element(short.first + word) or (0, 0))) for word in range(3)] == ["s[0]", "s[2]", "s[4]"]
    assert [element_text(memory, *(memory.element(double.first + word) or (0, 0))) for word in (0, 2, 3)] == ["d[0]", "d[1]", "d[1]"]
    assert memory.used[double.first : double.first + 8].tolist() == [True] * 6 + [False] * 2
    assert memory.element(10_000) is None


def test_lanes_of_an_atomic_take_turns_at_one_word() -> None:
    text = """
    __global__ void count(int* out) {
        __shared__ int c[1];
        if (threadIdx.x == 0) c[0] = 0;
        __syncthreads();
        atomicAdd(&c[0], threadIdx.x);
        __syncthreads();
        out[threadIdx.x] = c[0];
    }"""
    index = record_of(text, 32, {"out": np.zeros(32, np.int32)})
    (step,) = steps_of(index, "atomic")
    picture, _ = shown(index, step, 0.5)
    assert picture.access is not None
    assert picture.access.wavefronts == 32
    assert [group.lanes for group in picture.groups] == [(lane,) for lane in range(WARP)]
    assert [group.serving for group in picture.groups].count(Serving.NOW) == 1
    assert {word.word % BANKS for word in picture.words} == {0}
