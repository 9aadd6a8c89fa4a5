"""The shipped kernels: exact outputs, and every access counted, by formulas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from kernels.simt.base.launch import Argument, LaunchRequest, Mode
from kernels.simt.base.types import Space
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import WARP, Trace
from tests.launches.simt_launch import addresses, launch, requests

GPU = Path(__file__).parents[5] / "kernels" / "gpu"
EPSILON = float(np.finfo(np.float32).eps)
Matrix = npt.NDArray[np.float32]


def matmul(name: str, m: int, n: int, k: int, tile: int, mode: Mode = Mode.BLOCK) -> tuple[Trace, Matrix, Matrix]:
    rng = np.random.default_rng(m * n + k)
    a, b = rng.standard_normal((m, k), np.float32), rng.standard_normal((k, n), np.float32)
    text = f"#define TILE {tile}\n" + (GPU / f"{name}.cu").read_text(encoding="utf-8")
    arguments: dict[str, Argument] = {"A": a, "B": b, "C": np.full((m, n), np.nan, np.float32), "M": m, "N": n, "K": k}
    request = LaunchRequest((-(-n // tile), -(-m // tile), 1), (tile, tile, 1), arguments, mode=mode)
    return execute(lower(parse(text), name), request, text), a, b


def within_bound(trace: Trace, a: Matrix, b: Matrix) -> None:
    error = np.abs(trace.values["C"].astype(np.float64) - a.astype(np.float64) @ b)
    assert (error <= a.shape[1] * EPSILON * (np.abs(a).astype(np.float64) @ np.abs(b))).all()


def count(trace: Trace, operation: str, space: Space) -> int:
    lines = {site.location.line for site in trace.sites if (site.operation, site.space) == (operation, space)}
    other = {site.location.line for site in trace.sites if site.operation == operation and site.space is not space}
    assert not lines & other or space is Space.SHARED
    warps = trace.masks.reshape(len(trace.masks), -1, WARP).any(axis=2).sum(axis=1)
    chosen = np.array([(site.operation, site.space) == (operation, space) for site in trace.sites])
    return int(warps[trace.rows.mask[chosen[trace.rows.site]]].sum())


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("m", "n", "k"), [(32, 32, 32), (40, 24, 56)])
def test_tiled_matmul(m: int, n: int, k: int, mode: Mode) -> None:
    tile = 8
    trace, a, b = matmul("matmul_tiled", m, n, k, tile, mode)
    within_bound(trace, a, b)
    blocks, tiles, warps = -(-n // tile) * -(-m // tile), -(-k // tile), tile * tile // WARP
    assert trace.findings == ()
    assert count(trace, "load", Space.SHARED) == blocks * tiles * warps * 2 * tile
    assert count(trace, "store", Space.SHARED) == blocks * tiles * warps * 2
    assert count(trace, "load", Space.GLOBAL) == blocks * tiles * warps * 2
    assert count(trace, "store", Space.GLOBAL) == blocks * warps
    assert trace.flops == blocks * tile * tile * tiles * tile * 2
    assert len([event for event in trace.barriers if event.block == 0]) == 2 * tiles * (1 if mode is Mode.BLOCK else warps)
    assert int(trace.rows.epoch.max()) == 2 * tiles


def test_naive_matmul_leaves_what_lies_outside() -> None:
    m, n, k, tile = 20, 37, 9, 16
    trace, a, b = matmul("matmul_naive", m, n, k, tile)
    within_bound(trace, a, b)
    warps = sum(  # a warp is two rows of 16 threads: it goes on if one of its threads is inside
        1 for y in range(0, 32, tile) for x in range(0, 48, tile) for pair in range(0, tile, 2) if y + pair < m and x < n
    )
    assert requests(trace, "load") == 2 * k * warps
    assert requests(trace, "store") == warps
    assert trace.flops == 2 * m * n * k


@pytest.mark.parametrize("name", ["transpose_global", "transpose_padded"])
def test_transposes(name: str) -> None:
    m, n, tile = 40, 23, 16
    a = np.arange(m * n, dtype=np.float32).reshape(m, n)
    text = f"#define TILE {tile}\n" + (GPU / f"{name}.cu").read_text(encoding="utf-8")
    arguments: dict[str, Argument] = {"A": a, "C": np.zeros((n, m), np.float32), "M": m, "N": n}
    trace = execute(lower(parse(text), name), LaunchRequest((2, 3, 1), (tile, tile, 1), arguments), text)
    np.testing.assert_array_equal(trace.values["C"], a.T)
    assert trace.findings == ()
    assert trace.flops == 0


def test_addresses_are_those_of_the_text() -> None:
    text = """
__global__ void f(const float* in, float2* out, int n)
{
    __shared__ float s[2][64];
    int i = threadIdx.x;
    for (int k = 0; k < 2; ++k)
        s[k][63 - i] = in[blockIdx.x * 64 + i + k * n];
    out[i] = make_float2(s[0][i], s[1][i]);
}
"""
    trace = launch(text, 2, 64, {"in": np.zeros(300, np.float32), "out": np.zeros(128, np.float32), "n": 128}, blocks=(1,))
    lanes = np.arange(64)
    given = {each.name: each.address for each in trace.allocations}
    assert given["s"] == 0
    assert all(each.address % 256 == 0 for each in trace.allocations)
    assert trace.blocks == ((1, 0, 0),)
    expected = []
    for k in range(2):
        expected += [given["in"] + (64 + lanes + k * 128) * 4, (k * 64 + 63 - lanes) * 4]
    expected += [lanes * 4, (64 + lanes) * 4, given["out"] + lanes * 8]
    assert len(trace.rows.site) == len(expected)
    for row, each in enumerate(expected):
        np.testing.assert_array_equal(addresses(trace, row), each)
    assert [(site.operation, site.bytes, site.text) for site in trace.sites] == [
        ("load", 4, "in[blockIdx.x * 64 + i + k * n]"), ("store", 4, "s[k][63 - i]"), ("load", 4, "s[0][i]"), ("load", 4, "s[1][i]"),
        ("store", 8, "out[i]"),
    ]  # fmt: skip


def test_bases_and_masks_are_kept_once() -> None:
    trace, _, _ = matmul("matmul_tiled", 64, 64, 64, 16)
    assert len(trace.bases) == 5  # one address for all, along rows of threads, along columns, into the matrices, into the tiles
    assert len(trace.masks) == 2  # nobody and everybody
    assert not any((base == other).all() for at, base in enumerate(trace.bases) for other in trace.bases[:at])


def test_blocks_that_go_to_other_places_share_their_bases() -> None:
    text = "__global__ void f(int* a) { int i = threadIdx.x; i += blockIdx.x * blockDim.x; a[i] = i; }"
    trace = launch(text, 8, 64, {"a": np.zeros(512, np.int32)})
    assert len(trace.bases) == 2
    np.testing.assert_array_equal(np.diff(trace.rows.offset), np.full(7, 256))


def test_warp_mode_executes_the_same_accesses() -> None:
    def accesses(mode: Mode) -> list[tuple[int, ...]]:
        trace, _, _ = matmul("matmul_tiled", 24, 24, 24, 8, mode)
        rows = trace.rows
        return sorted(
            (
                int(rows.block[row]),
                int(rows.epoch[row]),
                trace.sites[rows.site[row]].location.column,
                lane,
                int(trace.bases[rows.base[row], lane] + rows.offset[row]),
            )
            for row in range(len(rows.site))
            for lane in np.flatnonzero(trace.masks[rows.mask[row]]).tolist()
        )

    assert accesses(Mode.BLOCK) == accesses(Mode.WARP)


def test_stores_tell_which_lanes_changed_memory_and_which_lost() -> None:
    text = """
__global__ void f(int* a)
{
    int i = threadIdx.x;
    a[i] = i & 1;
    a[32] = i / 16;
    a[33] = 5;
    a[33] = 5;
}
"""
    trace = launch(text, 1, 32, {"a": np.zeros(34, np.int32)})
    lanes = np.arange(32)
    assert trace.rows.changed is not None
    assert trace.rows.lost is not None
    changed, lost = trace.masks[trace.rows.changed], trace.masks[trace.rows.lost]
    np.testing.assert_array_equal(changed, [lanes % 2 == 1, lanes >= 16, np.ones(32), np.zeros(32)])
    np.testing.assert_array_equal(lost, [np.zeros(32), lanes < 16, np.zeros(32), np.zeros(32)])


def test_atomics_are_sequential_and_return_what_was_there() -> None:
    text = """
__global__ void f(int* bins, int* order, float* sum)
{
    int i = threadIdx.x;
    __shared__ int count[4];
    if (i < 4)
        count[i] = 0;
    __syncthreads();
    order[i] = atomicAdd(&count[i % 3], 1);
    atomicAdd(sum, 1.0f);
    __syncthreads();
    if (i < 4)
        atomicMax(&bins[i], count[i]);
}
"""
    trace = launch(text, 1, 64, {"bins": np.zeros(4, np.int32), "order": np.zeros(64, np.int32), "sum": np.zeros(1, np.float32)})
    np.testing.assert_array_equal(trace.values["order"], np.arange(64) // 3)
    np.testing.assert_array_equal(trace.values["bins"], [22, 21, 21, 0])
    np.testing.assert_array_equal(trace.values["sum"], [64])
    assert requests(trace, "atomic") == 2 + 2 + 1
    assert {site.space for site in trace.sites if site.operation == "atomic"} == {Space.SHARED, Space.GLOBAL}
