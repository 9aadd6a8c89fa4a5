"""A tile step is one filling of the tiles that is computed with, however a kernel fills them and wherever its barriers are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.base.picture_parts import MatrixRole
from app.core.execution.execute import execute
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from app.core.session.session import stage_defaults
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Argument, Fill, Filled, Keep, LaunchRequest
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of

N = 40
"""No multiple of what most rungs take at once."""
_START = """
__global__ void own(const float* A, const float* B, float* C, int K) {
    __shared__ float As[3][16][16], Bs[3][16][16];
    int u = threadIdx.x, v = threadIdx.y, steps = K / 16;
    float sum = 0, a = 0, b = 0;
    auto load = [&](int t) { if (t < steps) { a = A[v * K + t * 16 + u]; b = B[(t * 16 + v) * 16 + u]; } };
    auto put = [&](int t, int s) { if (t < steps) { As[s][v][u] = a; Bs[s][v][u] = b; } };
    auto fill = [&](int t, int s) { load(t); put(t, s); };
    auto part = [&](int s, int first, int end) { for (int k = first; k < end; ++k) sum += As[s][v][k] * Bs[s][k][u]; };
    auto compute = [&](int s) { part(s, 0, 16); };
"""
_END = "C[v * 16 + u] = sum; }"
KERNELS = {
    "two barriers": "for (int t = 0; t < steps; ++t) { fill(t, 0); __syncthreads(); compute(0); __syncthreads(); }",
    "one barrier": "fill(0, 0); for (int t = 0; t < steps; ++t) { __syncthreads(); compute(t % 2); fill(t + 1, (t + 1) % 2); }",
    "one barrier, filled first":
        "fill(0, 0); for (int t = 0; t < steps; ++t) { __syncthreads(); fill(t + 1, (t + 1) % 2); compute(t % 2); }",
    "the last apart":
        "fill(0, 0); for (int t = 0; t + 1 < steps; ++t) { __syncthreads(); fill(t + 1, (t + 1) % 2); compute(t % 2); }"
        "__syncthreads(); compute((steps - 1) % 2);",
    "two ahead":
        "fill(0, 0); fill(1, 1); for (int t = 0; t < steps; ++t) { __syncthreads(); compute(t % 3); fill(t + 2, (t + 2) % 3); }",
    "through registers":
        "load(0); for (int t = 0; t < steps; ++t) { put(t, 0); __syncthreads(); load(t + 1); compute(0); __syncthreads(); }",
    "through registers with one barrier":
        "load(0); put(0, 0); load(1);"
        "for (int t = 0; t < steps; ++t) { __syncthreads(); put(t + 1, (t + 1) % 2); load(t + 2); compute(t % 2); }",
    "a barrier within a step":
        "for (int t = 0; t < steps; ++t) { fill(t, 0); __syncthreads(); part(0, 0, 8); __syncthreads(); part(0, 8, 16); __syncthreads(); }",
    "sums through shared memory":
        "for (int t = 0; t < steps; ++t) { fill(t, 0); __syncthreads(); compute(0); __syncthreads(); }"
        "As[0][u][v] = sum; __syncthreads(); sum = As[0][u][v];",
}  # fmt: skip


def product(body: str, steps: int, *, races: bool = False) -> LaunchIndex:
    """A block that multiplies 16 rows by 16 columns, 16 k at a time."""
    operand = Filled(256 * steps, Fill.RANDOM)
    arguments: dict[str, Argument] = {"A": operand, "B": operand, "C": Filled(256), "K": 16 * steps}
    request = LaunchRequest((1, 1, 1), (16, 16, 1), arguments, keep=Keep.HISTORY)
    roles = MatrixRole("A", "A", 16, 16 * steps), MatrixRole("B", "B", 16 * steps, 16), MatrixRole("C", "C", 16, 16)
    subject = replace(Subject(_START + body + _END, None, request, name="own.cu"), matrices=roles)
    found = execute(subject)
    assert isinstance(found, LaunchRecord), found
    assert bool(found.findings) is races
    return LaunchIndex(subject, found)


@pytest.mark.parametrize("kind", KERNELS)
def test_tile_steps_are_counted_wherever_the_barriers_are(kind: str) -> None:
    for steps in (1, 2, 5):
        index = product(KERNELS[kind], steps)
        assert index.tiles(0) == steps
        computed = [index.tile(step) for step in index.steps_in(Space.SHARED).tolist() if index.site(step).operation == "load"]
        assert computed == sorted(computed)
        assert [computed.count(tile) for tile in range(steps - 1)] == [8 * 32] * (steps - 1)  # each warp takes 16 of A and 16 of B


RACES = {
    "the first": "for (int t = 0; t < steps; ++t) { fill(t, 0); compute(0); __syncthreads(); }",
    "the second": "for (int t = 0; t < steps; ++t) { fill(t, 0); __syncthreads(); compute(0); }",
}


@pytest.mark.parametrize("missing", RACES)
def test_a_missing_barrier_changes_no_tile_step(missing: str) -> None:
    index = product(RACES[missing], 4, races=True)
    assert index.tiles(0) == 4
    computed = [index.tile(step) for step in index.steps_in(Space.SHARED).tolist() if index.site(step).operation == "load"]
    assert [computed.count(tile) for tile in range(4)] == [8 * 32] * 4
    stored = [index.tile(step) for step in index.steps_in(Space.SHARED).tolist() if index.site(step).operation == "store"]
    assert missing == "the second" or [stored.count(tile) for tile in range(4)] == [8 * 2] * 4


def depth_of(defines: dict[str, str]) -> int:
    """How many k a rung multiplies at once."""
    if "SLICES" in defines:
        return 8 * int(defines["SLICES"])
    return int(defines.get("DEPTH", 8 if "TILE_M" in defines else defines["TILE"]))


RUNGS = [
    variant
    for variant in catalogue.of(Operation.MATMUL)
    if variant.device is Device.GPU and not variant.library and "shared memory" in variant.features
    # Their warps wait for each other: no barrier of the block parts steps.
    and variant.id not in ("gpu.wgmma-bf16", "gpu.wgmma-clusters-bf16", "gpu.three-parts")
]  # fmt: skip


@pytest.mark.parametrize("variant", RUNGS, ids=lambda variant: variant.id)
def test_as_many_tile_steps_are_counted_as_depths_go_into_k(variant: Variant) -> None:
    index = launch_of(variant.id, N, **stage_defaults(variant))
    depth = depth_of({name: str(value) for name, value in index.subject.defines.items()})
    ranges = int(index.subject.defines.get("CLUSTER", 1))
    whole = -(-N // depth)
    share = -(-whole // ranges)
    for block in {band.block for band in index.record.bands}:
        rank = index.trace.blocks[block][0] % ranges
        assert index.tiles(block) == min(share, whole - rank * share)


@pytest.mark.parametrize(
    ("variant", "n", "tiles"),
    [("gpu.wgmma-bf16", 40, 1), ("gpu.wgmma-bf16", 128, 2), ("gpu.wgmma-bf16", 256, 4), ("gpu.three-parts", 100, 4),
     ("gpu.wgmma-clusters-bf16", 256, 4), ("gpu.wgmma-clusters-bf16", 512, 8)],
)  # fmt: skip
def test_tile_steps_of_tensor_cores_are_what_their_groups_multiply(variant: str, n: int, tiles: int) -> None:
    index = launch_of(variant, n)
    for block in {each.block for each in index.record.bands}:
        assert index.tiles(block) == tiles
        read = [index.tile(step) for step in index.steps_in(Space.SHARED).tolist()
                if index.site(step).operand and index.band(step).block == block]  # fmt: skip
        assert read == sorted(read)
        assert {read.count(tile) for tile in range(tiles)} == {len(read) // tiles}


def test_no_tile_step_is_told_where_a_warp_multiplies_what_another_one_has_left() -> None:
    index = launch_of("gpu.wgmma-bf16", 512)
    assert index.trace.mode == "warp"
    assert index.tiles(0) == 1


def test_a_tile_step_is_added_when_its_group_has_been_waited_for() -> None:
    index = launch_of("gpu.wgmma-bf16", 256)
    matrices = Matrices(index)
    begins = [each.start for each in index.record.tiles]
    assert [matrices.at(frame_at(index, step)).added for step in begins] == [(0, 4), (0, 4), (1, 4), (2, 4)]
    last = next(step for step in reversed(range(index.steps)) if index.site(step).operand)
    assert [matrices.at(frame_at(index, step)).added for step in (last, last + 1)] == [(2, 4), (3, 4)]
    assert matrices.at(frame_at(index, index.steps - 1)).added == (4, 4)
