"""At every moment the contents of memory are those of a replay, lane by lane; at the end, those of the launch without a history."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.spec import PREPARED, Output, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.simt.base.launch import Argument, Fill, Filled, Keep, LaunchRequest, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel, Space
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.contents import Contents
from kernels.simt.trace.launch_spec import LaunchSpec
from kernels.simt.trace.trace import WARP, Trace
from tests.launches.memory_replay import assert_same_end, assert_window
from tests.oracle.corpus import files, read

SHIPPED = Path(__file__).parents[5] / "kernels" / "gpu"
WRITERS = """
__global__ void k(int* a, float4* b, short* c, int n, int step, int rounds) {
    __shared__ int tile[96];
    extern __shared__ short pieces[];
    extern __shared__ int words[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int r = 0; r < rounds; ++r) {
        tile[(t * step + r) % 96] = i - r;
        if (t % 3 != r) pieces[(t * 2 + r) % 64] = tile[(t * step + r) % 96];
        if ((t + r) % 4 == 0) words[t % 32] = r;
        __syncthreads();
        if (i * step % n < n) a[i * step % n] = r * 1000 + i;
        if (t % 2 == r % 2) b[(i + r) % 16] = make_float4(i, r, tile[t % 96], 1);
        atomicAdd(&a[t % 5], r + 1);
        atomicMax(&tile[t % 7], t);
        c[t + r] = t;
        reinterpret_cast<char*>(a)[t + r] = r;
    }
}
"""
QUICK = settings(deadline=None, max_examples=25)


@pytest.fixture(scope="module")
def writers() -> Kernel:
    return lower(parse(WRITERS), "k")


def both(kernel: Kernel, request: LaunchRequest) -> tuple[Trace, Trace]:
    """The launch with a history, and with results."""
    kept, results = (execute(kernel, replace(request, keep=keep)) for keep in (Keep.HISTORY, Keep.RESULTS))
    np.testing.assert_array_equal(kept.rows.offset, results.rows.offset)
    assert kept.findings == results.findings
    return kept, results


def check(kernel: Kernel, request: LaunchRequest, fractions: tuple[float, ...]) -> None:
    """Every array, at moments that are fractions of all, in the block that is executed then."""
    trace, results = both(kernel, request)
    contents = Contents(trace)
    assert_same_end(trace, results)
    for moment in {round(fraction * contents.end) for fraction in fractions}:
        row = min(moment * len(trace.rows.site) // max(contents.end, 1), len(trace.rows.site) - 1)
        block = int(trace.rows.block[row]) if row >= 0 else 0
        for number in range(len(trace.allocations)):
            assert_window(contents, trace, number, moment, block)


@QUICK
@given(
    step=st.integers(1, 5), rounds=st.integers(1, 3), threads=st.sampled_from([20, 32, 64, 70]), mode=st.sampled_from(Mode),
    seed=st.integers(0, 9), fill=st.sampled_from([None, *Fill]), moments=st.tuples(*[st.floats(0, 1)] * 3),
)  # fmt: skip
def test_contents_are_those_of_a_replay(writers: Kernel, moments: Any, fill: Any, **chosen: Any) -> None:
    n = 90
    request = LaunchRequest(
        (2, 1, 1), (chosen["threads"], 1, 1),
        {"a": Filled(n, fill), "b": Filled(16, fill), "c": Filled(50), "n": n, "step": chosen["step"], "rounds": chosen["rounds"]},
        shared_bytes=128, mode=chosen["mode"], seed=chosen["seed"],
    )  # fmt: skip
    check(writers, request, (0, *moments, 1))


def test_moments_may_be_numbered_otherwise(writers: Kernel) -> None:
    """One warp after the other instead of one row after the other."""
    arguments: dict[str, Any] = {"a": Filled(90), "b": Filled(16), "c": Filled(150), "n": 90, "step": 1, "rounds": 2}
    request = LaunchRequest((1, 1, 1), (70, 1, 1), arguments, shared_bytes=128, keep=Keep.HISTORY)
    trace = execute(writers, request)
    rows, warps = len(trace.rows.site), trace.masks.shape[1] // WARP
    moments = np.arange(rows * warps).reshape(warps, rows).T
    contents = Contents(trace, moments)
    assert contents.end == rows * warps
    for moment in (0, 5, rows, 2 * rows + 7, contents.end):
        for number in range(len(trace.allocations)):
            assert_window(contents, trace, number, moment, 0, moments)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for folder in ("clean", "bugs") for path in files(folder)])
def test_contents_of_the_corpus(path: Path) -> None:
    case = read(path)
    few = replace(case.request, budget=replace(case.request.budget, rows=400))
    for mode in Mode:
        check(case.kernel, replace(few, mode=mode), (0.37, 0.8))


@pytest.mark.parametrize("variant", [pytest.param(each, id=each.id) for each in VARIANTS if each.interpreted])
@pytest.mark.parametrize("mode", list(Mode))
def test_contents_of_the_shipped_kernels(variant: Variant, mode: Mode) -> None:
    columns = 40 if variant.output is Output.IN_PLACE else 72
    taken = launch_spec(variant, Problem.of(variant.operation, 40, columns, 12), variant.defaults)
    arguments = dict(taken.launch.arguments)
    if taken.before is not None:
        kernel, request = prepared(taken.before, arguments, mode)
        check(kernel, request, (0.4,))
        arguments[PREPARED] = execute(kernel, request).values[PREPARED].view(np.float32)
    kernel, request = prepared(taken, arguments, mode)
    blocks = (0,) if request.grid == (1, 1, 1) else (0, 1)
    check(kernel, replace(request, blocks=blocks), (0.2, 0.7))


def prepared(taken: LaunchSpec, arguments: dict[str, Argument], mode: Mode) -> tuple[Kernel, LaunchRequest]:
    """The kernel of a launch, and the whole of it."""
    kernel = lower(parse(taken.text, defines=taken.defines), str(taken.entry))
    return kernel, replace(taken.launch, arguments=arguments, mode=mode)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_tile_holds_its_part_of_the_matrix_between_the_barriers(mode: Mode) -> None:
    tile, n = 8, 16
    text = f"#define TILE {tile}\n" + (SHIPPED / "matmul_tiled.cu").read_text(encoding="utf-8")
    a, b = np.random.default_rng(3).standard_normal((2, n, n), np.float32)
    request = LaunchRequest(
        (2, 2, 1), (tile, tile, 1), {"A": a, "B": b, "C": Filled(n * n), "M": n, "N": n, "K": n}, mode=mode, keep=Keep.HISTORY
    )
    trace = execute(lower(unit := parse(text), unit.kernels[0].name), request)
    contents, warps = Contents(trace), trace.masks.shape[1] // WARP
    tiles = [number for number, array in enumerate(trace.allocations) if array.space is Space.SHARED]
    for block, (column, row, _) in enumerate(trace.blocks):
        for part in range(n // tile):
            interval = np.flatnonzero((trace.rows.block == block) & (trace.rows.epoch == 2 * part + 1))
            for matrix, number, (top, left) in ((a, tiles[0], (row, part)), (b, tiles[1], (part, column))):
                found = contents.window(number, np.arange(tile * tile).reshape(tile, tile), int(interval[0]) * warps, block)
                np.testing.assert_array_equal(found.values, matrix[top * tile :, left * tile :][:tile, :tile])


@QUICK
@given(
    step=st.integers(1, 5), rounds=st.integers(1, 3), threads=st.sampled_from([20, 32, 70]), mode=st.sampled_from(Mode),
    seed=st.integers(0, 9),
)  # fmt: skip
def test_the_first_and_the_last_write_to_each_element(writers: Kernel, threads: int, mode: Mode, seed: int, step: int, rounds: int) -> None:
    arguments: dict[str, Any] = {"a": Filled(90), "b": Filled(16), "c": Filled(150), "n": 90, "step": step, "rounds": rounds}
    request = LaunchRequest((2, 1, 1), (threads, 1, 1), arguments, shared_bytes=128, mode=mode, seed=seed, keep=Keep.HISTORY)
    trace = execute(writers, request)
    contents = Contents(trace)
    for number, array in enumerate(trace.allocations):
        if array.space is not Space.GLOBAL:
            continue
        places = np.arange(contents.scalars(number)).reshape(array.bytes // array.element_bytes, -1)

        def writer(moment: int, number: int = number, places: Any = places) -> Any:
            return contents.window(number, places, moment).writer.max(axis=1)

        element, first, last = contents.written(number)
        assert np.array_equal(element, np.flatnonzero(writer(contents.end) >= 0))
        assert np.array_equal(last, writer(contents.end)[element])
        for each, begin in zip(element[::5].tolist(), first[::5].tolist(), strict=True):
            assert writer(begin)[each] == -1
            assert writer(begin + 1)[each] == begin
