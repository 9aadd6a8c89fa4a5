"""Memory order in a picture: which accesses are a pair, what orders them, and what is drawn of it."""

from __future__ import annotations

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.memory_order import MOST_TRACKS, OrderPicture, Sign, order_picture, order_table, synchronises
from kernels.simt.base.launch import Fill, Filled
from tests.launches.launch_records import launch_of, record_of

FILLED = Filled(64, Fill.ZEROS)
CHAINED = """__global__ void chained(int* flags, int* sums)
{{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {{
        while (b > 0 && atomicAdd(&flags[b], 0) == 0) {{}}
        sums[b + 1] = (b > 0 ? sums[b] : 0) + 1;
        {fence}
        atomicAdd(&flags[b + 1], 1);
    }}
}}"""


def chained(fence: str) -> LaunchIndex:
    return record_of(CHAINED.format(fence=fence), 32, {"flags": FILLED, "sums": FILLED}, blocks=3)


def reads(index: LaunchIndex, line: int, turn: int = 0) -> int:
    """A step that loads on a line."""
    steps = [step for step in index.steps_of_line(line).tolist() if index.site(step).operation == "load"]
    return int(steps[turn])


def picture(index: LaunchIndex, step: int, most: int = 14) -> OrderPicture:
    return order_picture(index, frame_at(index, step), None, None, most)


def way(shown: OrderPicture) -> list[tuple[Sign, int, int]]:
    """Sign, line and block of the marks on the way."""
    return [(mark.sign, mark.line, shown.tracks[mark.track].block) for mark in (shown.marks[each] for each in shown.way)]


def test_a_message_orders_across_blocks() -> None:
    index = chained("__threadfence();")
    shown = picture(index, reads(index, 6))
    expected = [(Sign.STORE, 6, 0), (Sign.FENCE, 7, 0), (Sign.ATOMIC, 8, 0), (Sign.ATOMIC, 5, 1), (Sign.LOAD, 6, 1)]
    assert (shown.ordered, way(shown)) == (True, expected)
    assert "fence in line 7" in str(shown.sentence)
    columns = [shown.marks[each].column for each in shown.way]
    assert columns == sorted(set(columns))


def test_without_the_fence_nothing_does() -> None:
    index = chained("")
    shown = picture(index, reads(index, 6))
    assert (shown.ordered, way(shown)) == (False, [(Sign.STORE, 6, 0), (Sign.LOAD, 6, 1)])
    assert "__threadfence() belongs there" in str(shown.sentence)


def test_a_fence_of_the_block_is_too_narrow() -> None:
    index = chained("__threadfence_block();")
    assert picture(index, reads(index, 6)).ordered is False


def test_a_flag_that_is_waited_for_is_no_race() -> None:
    text = """__global__ void wait(volatile int* flag)
{
    if (blockIdx.x == 0)
        *flag = 1;
    else
        while (*flag == 0) {}
}"""
    index = record_of(text, 1, {"flag": FILLED}, blocks=2)
    shown = picture(index, reads(index, 6))
    assert (shown.ordered, way(shown)) == (None, [(Sign.STORE, 4, 0), (Sign.LOAD, 6, 1)])
    assert "no data race" in str(shown.sentence)


def test_what_many_threads_read_and_none_writes_needs_no_order() -> None:
    """All lanes of a warp read the same two words of A: other threads do touch it."""
    index = launch_of("gpu.naive", 64)
    load, store = (next(step for step in range(index.steps) if index.site(step).operation == each) for each in ("load", "store"))
    alone = "Nothing here orders threads, and none needs it: "
    assert str(picture(index, load).sentence) == f"{alone}no other thread writes what this one reads."
    assert str(picture(index, store).sentence) == f"{alone}no other thread touches what this one writes."


def test_what_others_add_to_by_atomics_is_not_called_untouched() -> None:
    text = "__global__ void count(int* sum)\n{\n    atomicAdd(sum, 1);\n}"
    shown = picture(record_of(text, 64, {"sum": FILLED}), 0)
    assert str(shown.sentence).endswith("what other threads do there, if anything, is atomic too.")


TURNED = """__global__ void turned(int* out)
{{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    {barrier}
    out[threadIdx.x] = s[threadIdx.x ^ {other}];
}}"""


def turned(barrier: str, other: int) -> LaunchIndex:
    return record_of(TURNED.format(barrier=barrier, other=other), 64, {"out": FILLED})


def test_a_barrier_orders_the_threads_of_a_block() -> None:
    index = turned("__syncthreads();", 32)
    shown = picture(index, reads(index, 6))
    assert (shown.ordered, way(shown)) == (True, [(Sign.STORE, 4, 0), (Sign.BARRIER, 5, 0), (Sign.LOAD, 6, 0)])


def test_a_barrier_of_the_warp_orders_its_lanes_alone() -> None:
    index = turned("__syncwarp();", 1)
    shown = picture(index, reads(index, 6))
    assert (shown.ordered, way(shown)) == (True, [(Sign.STORE, 4, 0), (Sign.WARP, 5, 0), (Sign.LOAD, 6, 0)])
    index = turned("__syncwarp();", 32)
    assert picture(index, reads(index, 6)).ordered is False


def test_what_is_not_touched_twice_shows_the_first_race() -> None:
    index = turned("", 32)
    store = int(index.steps_of_line(6)[-1])
    assert index.site(store).operation == "store"
    shown = picture(index, store)
    assert (shown.ordered, way(shown)) == (False, [(Sign.STORE, 4, 0), (Sign.LOAD, 6, 0)])


def test_the_other_access_can_be_chosen() -> None:
    text = TURNED.replace("s[threadIdx.x ^ {other}]", "s[0]").format(barrier="__syncthreads();")
    index = record_of(text, 64, {"out": FILLED})
    other = index.place(reads(index, 6, 1))[0], 40
    shown = order_picture(index, frame_at(index, 0), 0, other, 14)
    assert [shown.tracks[shown.marks[each].track].warp for each in shown.way] == [0, 0, 1]
    assert shown.marks[shown.way[-1]].lane == 40 - 32


def test_no_more_columns_than_there_is_room_for_but_all_of_the_way() -> None:
    index = chained("__threadfence();")
    shown = picture(index, reads(index, 6, 1), most=1)
    assert shown.columns == len(shown.way) == 5
    assert len(picture(launch_of("gpu.tiled", 64), 40).tracks) <= MOST_TRACKS


def test_the_table_has_a_row_for_each_mark() -> None:
    index = chained("__threadfence();")
    shown = picture(index, reads(index, 6))
    rows = [[str(cell) for cell in row] for row in order_table(index, shown).rows]
    assert len(rows) == len(shown.marks)
    assert ["(0, 0)", "0", "", "fence", "of the device", "7"] in rows


def test_who_passes_no_messages_needs_no_such_picture() -> None:
    assert not synchronises(launch_of("gpu.tiled", 32))
    assert synchronises(chained(""))
    assert synchronises(turned("__syncwarp();", 1))
