"""The matrices of a launch as a value: tiles, routes, counts and words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.frames.matrix import Box, MatrixPicture, Role
from app.core.gpu_view.arrays import ShownArray, arrays_of
from app.core.gpu_view.frame import Frame, frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.elements import element_fact, element_text, lanes_table
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.matrices.tiles import Tiles, traffic
from app.core.gpu_view.selection import NO_HIGHLIGHT, Selection, highlight
from kernels.simt.base.launch import Fill, Filled
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of, record_of


def at(index: LaunchIndex, step: int, fraction: float = 0.0) -> tuple[Matrices, Frame, MatrixPicture]:
    matrices, frame = Matrices(index), frame_at(index, step, fraction)
    return matrices, frame, matrices.at(frame)


def first_step(index: LaunchIndex, space: Space, operation: str, name: str) -> int:
    names = [allocation.name for allocation in index.trace.allocations]
    wanted = space, operation, names.index(name)
    sites = (index.site(step) for step in range(index.steps))
    return next(step for step, site in enumerate(sites) if (site.space, site.operation, site.allocation) == wanted)


def test_a_step_of_a_tiled_product() -> None:
    index = launch_of("gpu.tiled", 64, tile=16)
    _, frame, shown = at(index, 288)
    assert (frame.tile, frame.tiles, shown.added) == (1, 4, (1, 4))
    a, b, c = shown.matrices
    assert (a.tile, b.tile, c.tile) == (Box(0, 16, 16, 16), Box(16, 0, 16, 16), Box(0, 0, 16, 16))
    assert (a.boxes, b.boxes, c.boxes) == ((Box(0, 16, 2, 16),), (), ())
    assert [tick.text for tick in a.ticks[1]] == [tick.text for tick in b.ticks[0]] == ["t = 0", "t = 1", "t = 2", "t = 3"]
    assert [tick.present for tick in a.ticks[1]] == [False, True, False, False]
    assert [(tick.first, tick.stop) for tick in b.ticks[0]] == [(0, 16), (16, 32), (32, 48), (48, 64)]


@pytest.mark.parametrize(
    ("variant", "space", "operation", "array", "route", "target", "pending"),
    [
        ("gpu.tiled", Space.GLOBAL, "load", "A", "global → shared", None, True),
        ("gpu.tiled", Space.SHARED, "store", "Bs", "global → shared", None, True),
        ("gpu.tiled", Space.SHARED, "load", "As", "shared → register", Box(0, 0, 4, 8), True),
        ("gpu.tiled", Space.GLOBAL, "store", "C", "register → global", None, False),
        ("gpu.naive", Space.GLOBAL, "load", "B", "global → register", Box(0, 0, 4, 8), True),
        ("gpu.transpose-shared", Space.SHARED, "load", "tile", "shared → register", Box(0, 0, 4, 8), True),
        ("gpu.transpose-shared", Space.GLOBAL, "store", "C", "register → global", Box(0, 0, 4, 8), False),
    ],
)
def test_where_values_go(variant: str, space: Space, operation: str, array: str, route: str, target: Box | None, *, pending: bool) -> None:
    index = launch_of(variant, 16, tile=8)
    _, _, shown = at(index, first_step(index, space, operation, array))
    assert shown.route is not None
    assert (shown.route.template, shown.target, shown.pending) == (route, target, pending)


@pytest.mark.parametrize("variant", ["gpu.split-k", "gpu.async"])
def test_an_asynchronous_copy_passes_no_register(variant: str) -> None:
    """Of split-k both operands lie in one array: whose values it holds, is not known."""
    index = launch_of(variant, 64)
    sites = [index.site(step) for step in range(60)]
    copies = [step for step, site in enumerate(sites) if site.function == "__pipeline_memcpy_async" and site.operation == "load"]
    shown = [at(index, step)[2] for step in copies]
    assert {each.route and each.route.template for each in shown} == {"global → shared"}
    assert {each.target for each in shown} == {None}


def test_a_product_takes_the_operand_that_was_read_just_before_with_it() -> None:
    index = launch_of("gpu.tiled", 16, tile=8)
    _, _, shown = at(index, first_step(index, Space.SHARED, "load", "Bs"))
    assert shown.matrix("B").boxes == (Box(0, 0, 1, 8),)
    assert shown.matrix("A").held == (Box(0, 0, 4, 1),)
    _, _, before = at(index, first_step(index, Space.SHARED, "load", "As"))
    assert before.matrix("B").held == ()


def test_a_sum_that_is_stored_comes_from_both_of_its_operands() -> None:
    text = """__global__ void add(const float* x, const float* y, const float* z, float* w) {
    int i = threadIdx.x;
    w[i] = x[i] + y[i];
    w[i + 32] = z[i];
}"""
    index = record_of(text, 32, {name: Filled(64, Fill.RANDOM) for name in "xyzw"})
    store = first_step(index, Space.GLOBAL, "store", "w")
    row = (Box(0, 0, 1, 32),)
    assert {each.name: each.held for each in at(index, store)[2].matrices} == {"x": row, "y": row, "z": (), "w": ()}
    later = at(index, store + 2)[2]
    assert later.matrix("w").boxes == (Box(1, 0, 1, 32),)
    assert {each.name: each.held for each in later.matrices} == {"x": (), "y": (), "z": row, "w": ()}


@pytest.mark.parametrize(
    ("lines", "operands"),
    [("w[t[i]] = x[i] + y[i];", "xy"), ("w[i] = x[t[i]] * y[i];", "xy"), ("w[t[i]] = x[t[i]];", "x"),
     ("int to = t[i];\nw[to] = x[i];", "x"), ("int to = t[i];\nw[i] = to;", "t"), ("if (t[i] >= 0) w[i] = y[i];", "y"),
     ("float a = x[i];\nfloat b = y[i];\n\n\nw[i] = a - b;", "xy"), ("float a[2];\na[t[i] & 1] = x[i];\nw[i] = a[0];", "x"),
     ("float a = x[i];\nfloat* p = &a;\n*p += y[i];\nw[t[i]] = *p;", "xy"), ("w[t[i]] = sum(x[t[i]], y + i);", "xy"),
     ("w[i] = t[i] > 3 ? x[i] : y[i];", "txy"), ("w[(int)sqrtf(t[i])] = fmaxf(x[i], y[i]);", "xy")],
)  # fmt: skip
def test_what_makes_an_address_is_no_operand_of_what_is_stored(lines: str, operands: str) -> None:
    text = f"""__device__ float sum(float a, const float* b) {{ return a + *b; }}
__global__ void k(const float* x, const float* y, const int* t, float* w) {{
int i = threadIdx.x;
{lines}
}}"""
    index = record_of(text, 32, {name: Filled(32, Fill.ARANGE) for name in "xytw"})
    shown = at(index, first_step(index, Space.GLOBAL, "store", "w"))[2]
    assert {each.name for each in shown.matrices if each.held} == set(operands)


def test_an_index_that_was_read_just_before_is_no_operand_of_what_it_leads_to() -> None:
    text = """__global__ void k(const float* v, const int* c, const float* x, float* y) {
    float sum = 0;
    for (int j = 0; j < 2; ++j) sum += v[j] * x[c[j]];
    y[threadIdx.x] = sum;
}"""
    index = record_of(text, 32, {name: Filled(32, Fill.ARANGE) for name in "vcxy"})
    shown = at(index, first_step(index, Space.GLOBAL, "load", "x"))[2]
    assert {each.name for each in shown.matrices if each.held} == {"v"}


def test_one_element_is_not_called_elements() -> None:
    text = "__global__ void k(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }"
    shown = at(record_of(text, 32, {"x": Filled(32), "sum": Filled(1)}), 0)[2]
    assert [str(each.extent) for each in shown.matrices] == ["32 elements", "1 element"]


def test_a_loop_in_one_line_takes_nothing_of_its_pass_before() -> None:
    text = """__global__ void dot(const float* x, const float* y, float* w) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += x[k] * y[k];
    w[threadIdx.x] = sum;
}"""
    index = record_of(text, 32, {name: Filled(32, Fill.RANDOM) for name in "xyw"})
    second = at(index, first_step(index, Space.GLOBAL, "load", "y") + 2)[2]
    assert (second.matrix("y").boxes, second.matrix("x").held) == ((Box(0, 1, 1, 1),), (Box(0, 1, 1, 1),))


def test_a_store_of_a_transposition_shows_the_mirrored_elements() -> None:
    index = launch_of("gpu.transpose-padded", 32, tile=16)
    _, _, shown = at(index, first_step(index, Space.GLOBAL, "store", "C") + 2)
    (stored,), (taken,) = shown.matrix("C").boxes, shown.matrix("A").held
    assert stored == Box(taken.column, taken.row, taken.columns, taken.rows)
    assert shown.meter is None


@pytest.mark.parametrize(
    ("variant", "n", "block", "operands"),
    [
        ("gpu.warp-tiled", 64, 0, {"A": Box(0, 0, 64, 8), "B": Box(0, 0, 8, 64)}),
        ("gpu.async", 128, 1, {"A": Box(64, 0, 64, 8), "B": Box(0, 0, 8, 128)}),
        ("gpu.fastest", 64, 0, {"T": Box(0, 0, 8, 128), "B": Box(0, 0, 8, 64)}),
        ("gpu.wmma-tf32", 64, 0, {"A": Box(0, 0, 64, 16), "B": Box(0, 0, 16, 64)}),
        ("gpu.wmma-bf16", 64, 0, {"A": Box(0, 0, 64, 16), "B": Box(0, 0, 16, 64)}),
    ],
)
def test_a_tile_step_has_what_it_multiplies_though_copies_run_ahead_and_values_change_places(
    variant: str, n: int, block: int, operands: dict[str, Box]
) -> None:
    tiles = Tiles(launch_of(variant, n))
    arrays = {tiles.index.trace.allocations[array.allocation].name: array for array in tiles.arrays}
    for name, first in operands.items():
        down, right = (0, first.columns) if name == "A" else (first.rows, 0)
        steps = range(n // (down or right))
        expected = [first._replace(row=first.row + down * step, column=first.column + right * step) for step in steps]
        assert [tiles.box(arrays[name], block, step) for step in steps] == expected


def test_the_steps_of_a_matrix_that_was_turned_follow_each_other_downwards() -> None:
    index = launch_of("gpu.fastest", 64)
    matrices, _, shown = at(index, first_step(index, Space.SHARED, "load", "As"))
    turned, b = shown.matrix("A"), shown.matrix("B")
    assert matrices.arrangement.turned
    assert (turned.title, turned.ticks[1]) == ("T", ())
    assert [tick.first for tick in turned.ticks[0]] == [tick.first for tick in b.ticks[0]] == list(range(0, 64, 8))
    assert not Matrices(launch_of("gpu.tiled", 64, tile=16)).arrangement.turned


def test_the_sums_of_tensor_cores_are_no_tile_step_on_their_way_through_shared_memory() -> None:
    assert launch_of("gpu.wmma-tf32", 64).tiles(0) == 4


def test_a_double_buffered_step_shows_the_tile_that_is_read_ahead() -> None:
    index = launch_of("gpu.double-buffered-k8", 64)
    matrices = Matrices(index)
    frames = (frame_at(index, step) for step in range(index.steps))
    later = next(frame for frame in frames if frame.tile == 2)
    a = matrices.at(later).matrix("A")
    assert a.tile is not None
    assert a.ahead is not None
    assert (a.tile.column, a.ahead.column) == (16, 24)


@pytest.mark.parametrize(
    ("variant", "n", "parameters", "needed", "read", "distinct", "words"),
    [
        ("gpu.tiled", 64, {"tile": 16}, 32768, 2048, 2048, "16× fewer: each value is read once and used 16 times."),
        ("gpu.naive", 64, {"tile": 16}, 32768, 32768, 2048, "Nothing is kept: this block reads each value 16 times."),
        ("gpu.async", 64, {}, 524288, 8192, 8192, "64× fewer: each value is read once and used 64 times."),
        ("gpu.fastest", 64, {}, 524288, 12288, 12288, "42.7× fewer: each value is read once and used 42.7 times."),
        (
            "gpu.mma-swizzled-bf16",
            64,
            {"tile": 64, "tile_rows": 64},
            524288,
            8192,
            8192,
            "64× fewer: each value is read once and used 64 times.",
        ),
        ("gpu.tiled", 37, {"tile": 16}, 18944, 1184, 1184, "16× fewer: each value is read once and used 16 times."),
    ],
)
def test_reads_for_a_tile_of_c(variant: str, n: int, parameters: dict[str, int], needed: int, read: int, distinct: int, words: str) -> None:
    matrices, frame, shown = at(launch_of(variant, n, **parameters), 0)
    counts = traffic(matrices.tiles, frame.band.block)
    assert counts is not None
    assert (counts.needed, counts.read, counts.distinct) == (needed, read, distinct)
    assert shown.meter is not None
    assert [count for _, count in shown.meter.bars] == [needed, read]
    template, arguments = shown.meter.words.template, dict(shown.meter.words.arguments)
    assert template.format(**arguments) == words


def test_elements_read_and_written_so_far() -> None:
    index = launch_of("gpu.naive", 16, tile=8)
    matrices, _, shown = at(index, 5)
    a, c = shown.matrix("A"), shown.matrix("C")
    roles = a.cells.layers(Box(0, 0, *a.shape), 1).roles()
    assert (roles[:4, :3] == Role.TOUCHED).all()
    assert (roles[:4, 3:] == Role.BAND).all()
    assert (roles[4:8] == Role.BAND).all()
    assert (roles[8:] == Role.IDLE).all()
    end = frame_at(index, index.steps - 1, 1.0)
    done = matrices.at(end).matrix("C").cells.layers(Box(0, 0, *c.shape), 1).roles()
    assert set(done.reshape(-1).tolist()) == {Role.DONE, Role.WRITE}


def test_words_for_an_element() -> None:
    index = launch_of("gpu.naive", 16, tile=8)
    a, _, c = arrays_of(index)
    end = frame_at(index, index.steps - 1, 1.0)
    assert element_text(index, c, 0, frame_at(index, 0)).template == "{element}: not yet written. Requests that have read it: {count}"
    written = dict(element_text(index, c, 17, end).arguments)
    assert (written["element"], written["x"], written["y"], written["i"], written["j"], written["count"]) == ("C[1][1]", 1, 1, 0, 0, 0)
    assert element_text(index, a, 0, end).template.startswith("{element} = {value}, as before the launch.")
    assert dict(element_text(index, a, 0, end).arguments)["count"] == 2
    assert dict(element_text(index, a, 0, frame_at(index, 0)).arguments)["count"] == 1


def test_a_header_tells_a_value_that_a_result_is_awaited_in_place_of() -> None:
    text = "__global__ void twice(const float* in, float* out) { out[threadIdx.x] = 2.0f * in[threadIdx.x]; }"
    index = record_of(text, 32, {name: Filled(32, Fill.RANDOM, seed) for seed, name in enumerate(("in", "out"))})
    given, result = arrays_of(index)
    start, end = frame_at(index, 0), frame_at(index, index.steps - 1, 1.0)
    assert element_fact(index, result, 3, start).template == "{element} = {value}, as before the launch"
    assert element_fact(index, result, 3, end).template == "{element} = {value}"
    assert element_fact(index, given, 3, start).template == "{element} = {value}"  # it is nothing else at any time


def test_a_table_of_the_lanes() -> None:
    index = launch_of("gpu.tiled", 16, tile=8)
    frame = frame_at(index, first_step(index, Space.SHARED, "load", "Bs"))
    table = lanes_table(index, arrays_of(index), frame)
    assert len(table.rows) == 32
    assert table.rows[9][:3] == ("9", "9", "Bs[0][1]")
    frame = frame_at(index, 0)
    assert lanes_table(index, arrays_of(index), frame).rows[9][:3] == ("9", "9", "A[1][1]")


def test_arrays_that_are_no_matrices_are_wrapped() -> None:
    index = record_of("__global__ void k(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x + 1]; }", 32,
                      {"x": Filled(100, Fill.RANDOM), "y": Filled(32, None)})  # fmt: skip
    assert arrays_of(index) == (ShownArray(0, "x", "x", 4, 32, 100, matrix=False), ShownArray(1, "y", "y", 1, 32, 32, matrix=False))
    _, _, shown = at(index, 0)
    assert shown.matrix("x").boxes == (Box(0, 1, 1, 31), Box(1, 0, 1, 1))
    assert arrays_of(index)[0].element_at(3, 3) == 99
    assert arrays_of(index)[0].element_at(3, 4) is None
    assert shown.route is not None
    assert (shown.route.template, shown.target, shown.meter) == ("global → register", None, None)


@pytest.mark.parametrize("factor", [1, 3])
def test_a_wrapped_array_ends_where_its_elements_do(factor: int) -> None:
    index = record_of("__global__ void k(float* x) { x[threadIdx.x] = 1; }", 32, {"x": Filled(100, Fill.RANDOM)})
    (array,) = arrays_of(index)
    rows, columns = array.shape
    (x,) = at(index, 0, 1.0)[2].matrices
    roles = x.cells.layers(Box(0, 0, rows, columns), factor).roles()
    elements = np.arange(rows * columns).reshape(rows, columns) < 100
    for row, column in np.ndindex(*roles.shape):
        there = elements[row * factor : (row + 1) * factor, column * factor : (column + 1) * factor].any()
        assert (roles[row, column] != Role.ABSENT) == there, (row, column)


def test_a_kernel_without_arrays_shows_none() -> None:
    index = launch_of("gpu.hello", 0)
    assert arrays_of(index) == ()


def test_a_tile_step_is_added_when_its_last_product_has_landed() -> None:
    index = launch_of("gpu.tiled", 64, tile=16)  # 32 steps that load, then 256 that compute
    assert [at(index, step, fraction)[2].added for step, fraction in ((0, 0.0), (40, 0.0), (287, 0.0), (287, 0.9), (288, 0.0))] == [
        (0, 4), (0, 4), (0, 4), (1, 4), (1, 4)]  # fmt: skip
    assert at(launch_of("gpu.naive", 64), 100)[2].added == (0, 0)


@given(st.lists(st.tuples(st.sampled_from((0, 31, 32, 287)), st.sampled_from((0.0, 0.2, 0.9)), st.booleans()), min_size=2, max_size=6))
def test_a_picture_does_not_depend_on_those_before_it(asked: list[tuple[int, float, bool]]) -> None:
    index = launch_of("gpu.tiled", 64, tile=16)
    kept, window = Matrices(index), Box(0, 0, 64, 64)
    for step, fraction, selected in asked:
        frame = frame_at(index, step, fraction)
        chosen = highlight(index, frame, Selection(thread=frame.first_thread)) if selected else NO_HIGHLIGHT
        one, other = (each.at(frame, chosen) for each in (kept, Matrices(index)))
        for matrix, fresh in zip(one.matrices, other.matrices, strict=True):
            assert (matrix.boxes, matrix.held, matrix.lit, matrix.focus) == (fresh.boxes, fresh.held, fresh.lit, fresh.focus)
            assert (matrix.cells.layers(window, 1).roles() == fresh.cells.layers(window, 1).roles()).all()
            assert np.array_equal(matrix.cells.values(window), fresh.cells.values(window), equal_nan=True)
        assert one.fraction == fraction
