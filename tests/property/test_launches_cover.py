"""The grid of every kernel covers each element of the output once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from kernels.catalog import VARIANTS
from kernels.limits import Limits, refuse_launch
from kernels.spec import Launch, Operation, Problem, Variant

launched = st.sampled_from([variant for variant in VARIANTS if variant.launch is not None])
side = st.integers(1, 70)
tile = st.integers(1, 32)


def coverage(launch: Launch, rows: int, columns: int) -> npt.NDArray[np.int64]:
    """How often each element of a rows x columns matrix is some thread's (blockIdx * blockDim + threadIdx)."""
    x = np.add.outer(np.arange(launch.grid[0]) * launch.block[0], np.arange(launch.block[0])).ravel()
    y = np.add.outer(np.arange(launch.grid[1]) * launch.block[1], np.arange(launch.block[1])).ravel()
    count = np.zeros((rows, columns), np.int64)
    np.add.at(count, np.ix_(y[y < rows], x[x < columns]), 1)
    return count


@given(launched, side, side, side, tile)
def test_the_grid_covers_each_element_once_and_has_no_idle_block(variant: Variant, m: int, n: int, k: int, tile: int) -> None:
    problem = Problem(variant.operation, m, n, k if variant.operation is Operation.MATMUL else 0)
    assert variant.launch is not None
    launch = variant.launch(problem, {"tile": tile})
    assert (coverage(launch, m, n) == 1).all()
    assert (launch.grid[0] - 1) * launch.block[0] < n
    assert (launch.grid[1] - 1) * launch.block[1] < m


@given(launched, st.integers(1, 1 << 17), st.integers(1, 1 << 17), st.integers(1, 64))
def test_a_launch_that_is_not_refused_is_within_the_limits(variant: Variant, m: int, n: int, tile: int) -> None:
    limits = Limits()
    problem = Problem(variant.operation, m, n, 1 if variant.operation is Operation.MATMUL else 0)
    assert variant.launch is not None
    launch = variant.launch(problem, {"tile": tile})
    threads = launch.block[0] * launch.block[1]
    allowed = threads <= 1024 and launch.grid[1] <= 65535 and launch.static_shared_bytes <= 48 * 1024
    assert (refuse_launch(variant, problem, {"tile": tile}, limits) is None) == allowed
