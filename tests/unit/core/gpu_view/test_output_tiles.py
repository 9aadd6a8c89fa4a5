"""Blocks that compute several tiles of C one after the other: which tile a step is for is found from what is executed, or not told."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from app.core.base.picture_parts import MatrixRole
from app.core.execution.execute import execute
from app.core.frames.matrix import OUTPUT, Box, MatrixPicture
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.step_texts import tell_launch
from app.core.gpu_view.subject import Subject
from kernels.base.spec import Device, Operation
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Argument, Fill, Filled, Keep, LaunchRequest
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of

M, N, K = 40, 48, 32
"""Two tile steps for a tile of C, and nine tiles, of which the lowest are cut off."""
_KERNEL = """
__global__ void own(const float* A, const float* B, float* C, int M, int N, int K) {{
    __shared__ float As[16][16], Bs[16][16];
    int u = threadIdx.x, v = threadIdx.y, across = (N + 15) / 16, down = (M + 15) / 16;
    for (int tile = blockIdx.x; tile < across * down; tile += gridDim.x) {{
        int row = tile / across * 16 + v, column = tile % across * 16 + u;
        bool inside = row < M && column < N;
        float sum = 0;
        {before}
        for (int t = 0; t < K; t += 16) {{
            As[v][u] = row < M ? A[row * K + t + u] : 0;
            Bs[v][u] = column < N ? B[(t + v) * N + column] : 0;
            __syncthreads();
            for (int k = 0; k < 16; ++k) sum += As[v][k] * Bs[k][u];
            {within}
            __syncthreads();
        }}
        {after}
    }}
}}
"""
ENDS = {
    "stored at the end": ("", "", "if (inside) C[row * N + column] = sum;"),
    "added in memory": ("", "if (inside) { C[row * N + column] += sum; sum = 0; }", ""),
    "by atomics": ("", "", "if (inside) atomicAdd(&C[row * N + column], sum);"),
}
UNTOLD = {
    "a half by other warps": ("", "if (inside && (v < 8) == (t > 0)) C[row * N + column] = sum;", ""),
    "made ready before": ("if (inside) C[row * N + column] = 0;", "if (inside) { C[row * N + column] += sum; sum = 0; }", ""),
    "all tiles again": ("", "", "if (inside) { C[row * N + column] = sum; C[v * N + u] = sum; }"),
    "the last one is not stored": ("", "", "if (inside && row < 32) C[row * N + column] = sum;"),
}


@cache
def launch(before: str, within: str, after: str, blocks: int = 3) -> LaunchIndex:
    """Blocks that take one tile of C after the other."""
    arguments: dict[str, Argument] = {
        "A": Filled(M * K, Fill.RANDOM), "B": Filled(K * N, Fill.RANDOM), "C": Filled(M * N), "M": M, "N": N, "K": K,
    }  # fmt: skip
    request = LaunchRequest((blocks, 1, 1), (16, 16, 1), arguments, keep=Keep.HISTORY)
    roles = MatrixRole("A", "A", M, K), MatrixRole("B", "B", K, N), MatrixRole("C", "C", M, N)
    subject = replace(
        Subject(_KERNEL.format(before=before, within=within, after=after), None, request, name="own.cu"), matrices=roles
    )  # fmt: skip
    found = execute(subject)
    assert isinstance(found, LaunchRecord), found
    return LaunchIndex(subject, found)


def title(index: LaunchIndex, step: int) -> str:
    return str(tell_launch(index, frame_at(index, step)).title)


def of_block(index: LaunchIndex, block: int, space: Space, operation: str) -> list[int]:
    return [step for step in index.steps_in(space).tolist() if index.band(step).block == block and index.site(step).operation == operation]


@pytest.mark.parametrize("end", ENDS)
def test_each_tile_of_c_has_its_own_tile_steps(end: str) -> None:
    index = launch(*ENDS[end])
    for block in range(3):
        computed = list(dict.fromkeys(title(index, step) for step in of_block(index, block, Space.SHARED, "load")))
        assert computed == [f"C tile {tile} of 3: tile step {step} of 2" for tile in (1, 2, 3) for step in (1, 2)]
        assert [each.box for each in index.record.outputs[block]] == [
            Box(0, 16 * block, 16, 16), Box(16, 16 * block, 16, 16), Box(32, 16 * block, 8, 16),
        ]  # fmt: skip


def test_what_stores_a_tile_belongs_to_it_though_the_next_one_is_begun() -> None:
    index = launch(*ENDS["stored at the end"])
    stored = [title(index, step) for step in of_block(index, 0, Space.GLOBAL, "store")]
    assert stored == [f"C tile {tile} of 3: tile step 2 of 2" for tile, warps in ((1, 8), (2, 8), (3, 4)) for _ in range(warps)]


@pytest.mark.parametrize("end", UNTOLD)
def test_where_execution_does_not_tell_the_tile_of_c_that_is_said(end: str) -> None:
    index = launch(*UNTOLD[end])
    assert title(index, 0) == "Tile step 1 of 6; which C tile it is for cannot be told"
    assert index.output(0) is None
    shown = Matrices(index).at(frame_at(index, index.steps - 1, 0.9))
    assert shown.added == (0, 0)


def test_a_block_with_one_tile_of_c_speaks_of_none() -> None:
    index = launch(*ENDS["stored at the end"], blocks=9)
    assert not index.record.outputs
    assert title(index, 0) == "Tile step 1 of 2"


@pytest.mark.parametrize(
    "variant",
    [each for each in catalogue.of(Operation.MATMUL) if each.device is Device.GPU and not each.library and each.measured_only is None],
    ids=lambda variant: variant.id,
)
def test_no_rung_has_more_than_one_tile_of_c_for_a_block(variant: object) -> None:
    index = launch_of(variant.id, 40)  # type: ignore[attr-defined]
    assert not index.record.outputs


def picture(index: LaunchIndex, step: int) -> MatrixPicture:
    return Matrices(index).at(frame_at(index, step, 0.9))


def test_the_picture_has_the_tile_that_is_computed_with_its_own_steps() -> None:
    index = launch(*ENDS["stored at the end"])
    last = {tile: of_block(index, 1, Space.SHARED, "load")[tile * 512 + 511] for tile in range(3)}
    for tile, box in enumerate((Box(0, 16, 16, 16), Box(16, 16, 16, 16), Box(32, 16, 8, 16))):
        shown = picture(index, last[tile])
        matrices = {each.name: each for each in shown.matrices}
        assert matrices[OUTPUT].tile == box
        assert shown.added == (2, 2)
        assert [tick.text for tick in matrices["A"].ticks[1]] == ["t = 0", "t = 1"]
        assert shown.meter is not None
        assert str(shown.meter.label) == "Global reads for the C tiles of this block"
