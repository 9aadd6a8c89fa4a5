"""The grid of every kernel covers each element of the output once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import assume, given
from hypothesis import strategies as st

from kernels.base.limits import Limits, refuse_parameters, refuse_variant_launch
from kernels.base.spec import Launch, Operation, Output, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.catalogue.gpu_simple import column_a_thread, column_of_tile
from kernels.catalogue.gpu_transpositions import tile_of_float4s
from kernels.catalogue.launches import thread_per_element, thread_per_element_by_columns
from kernels.catalogue.tensor_launches import PRODUCT_COLUMNS, wgmma_clusters_bf16

launched = st.sampled_from([variant for variant in VARIANTS if variant.launch is not None and variant.operation is not Operation.HELLO])
of_a_tile_each = launched.filter(lambda variant: variant.launch is not wgmma_clusters_bf16)
"""Not those whose blocks stay and take tile after tile: which, the text says, and executing it."""
side = st.integers(1, 70)


@st.composite
def settings(draw: st.DrawFn, variant: Variant, largest: int) -> dict[str, int]:
    """Values for a variant's parameters, each in its range and up to `largest`, that go together."""
    values = {}
    for each in variant.parameters:
        most = max(each.minimum, min(each.maximum, largest))
        values[each.name] = draw(st.sampled_from([stop for stop in each.stops if stop <= most] or [most]) | st.integers(each.minimum, most))
    assume(refuse_parameters(variant, values) is None)
    return values


def coverage(grid: tuple[int, int], block: tuple[int, int], rows: int, columns: int) -> npt.NDArray[np.int64]:
    """How often each element of a rows x columns matrix is some block's, at (blockIdx * block + 0 to block - 1)."""
    x = np.add.outer(np.arange(grid[0]) * block[0], np.arange(block[0])).ravel()
    y = np.add.outer(np.arange(grid[1]) * block[1], np.arange(block[1])).ravel()
    count = np.zeros((rows, columns), np.int64)
    np.add.at(count, np.ix_(y[y < rows], x[x < columns]), 1)
    return count


def covered(variant: Variant, values: dict[str, int], launch: Launch) -> tuple[int, int]:
    """Columns and rows of elements that a block of threads takes."""
    block = launch.block
    if "TILE_M" in launch.defines:
        return launch.defines.get("TILE_N", PRODUCT_COLUMNS), launch.defines["TILE_M"]
    if variant.output is Output.COPY:
        return block[0] * 16, 1
    if "tile_rows" in values:
        return values["tile"], values["tile_rows"] or values["tile"]
    if variant.launch in (column_of_tile, column_a_thread):
        return values["tile"], values["tile"] if variant.launch is column_of_tile else values["results"]
    if "rows" in values and variant.launch not in (thread_per_element, thread_per_element_by_columns):
        return values["tile"], values["tile"]
    each = 4 if variant.launch is tile_of_float4s else values.get("results", 1)
    return block[0] * each, block[1] * each


def tiles_of(launch: Launch, across: int, down: int) -> tuple[int, int]:
    """The grid of tiles that a row of blocks takes, as matmul_split_k.cu counts them: first a block each, then clusters each."""
    cluster, (blocks, _) = launch.defines["CLUSTER"], launch.grid
    if places := launch.defines.get("PLACES", 0):
        shared = across * down % places
        assert blocks == across * down or (shared and (blocks - across * down) % shared == 0)
        return across, down
    share = cluster * launch.defines.get("GROUPS", 1)
    alone = across * down if share == 1 else across * down - (blocks - across * down) // (share - 1)
    assert alone % cluster == (blocks - alone) % share == 0
    assert 0 <= alone <= across * down
    shared = (blocks - alone) // share
    assert (alone + shared) % across == 0
    return across, (alone + shared) // across


@given(st.data(), of_a_tile_each, side, side, side)
def test_the_grid_covers_each_element_once_and_has_no_idle_block(data: st.DataObject, variant: Variant, m: int, n: int, k: int) -> None:
    values = data.draw(settings(variant, 64))
    assert variant.launch is not None
    launch = variant.launch(Problem.of(variant.operation, m, n, k), values)
    across, down = (m, n) if variant.launch is thread_per_element_by_columns else (n, m)
    if variant.output is Output.COPY:
        across, down = m * n, 1
    block, grid = covered(variant, values, launch), launch.grid
    if "CLUSTER" in launch.defines:
        grid = tiles_of(launch, -(-across // block[0]), -(-down // block[1]))
    assert (coverage(grid, block, down, across) == 1).all()
    assert (grid[0] - 1) * block[0] < across
    assert (grid[1] - 1) * block[1] < down


@given(st.data(), launched, st.integers(1, 1 << 17), st.integers(1, 1 << 17))
def test_a_launch_that_is_not_refused_is_within_the_limits(data: st.DataObject, variant: Variant, m: int, n: int) -> None:
    limits = Limits()
    problem = Problem.of(variant.operation, m, n, 1)
    values = data.draw(settings(variant, 256))
    assert variant.launch is not None
    launch = variant.launch(problem, values)
    threads = launch.block[0] * launch.block[1]
    most = (227 if launch.dynamic_shared_bytes else 48) * 1024
    allowed = threads <= 1024 and launch.grid[1] <= 65535 and launch.shared_bytes <= most
    assert (refuse_variant_launch(variant, problem, values, limits) is None) == allowed
