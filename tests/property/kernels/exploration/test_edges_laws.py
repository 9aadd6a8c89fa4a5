"""Laws of edge search: whatever the names, sizes and blocks, a right check is quiet and the smallest that fails is the smallest tried."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.exploration.edge_cases import smallest
from tests.launches.edge_kernels import doubled, searched

THREADS = st.sampled_from([1, 7, 32, 48, 128, 256])
NAMES = st.sampled_from(["n", "stride", "length", "value", "threads", "x9"])


@settings(deadline=None, max_examples=12)
@given(THREADS, st.integers(2, 900), NAMES)
def test_a_right_check_works_with_every_size(threads: int, count: int, name: str) -> None:
    tried = searched(doubled(f"if (i < {name})", count, threads, name))
    assert smallest(tried) is None
    assert {1, threads, threads + 1, count} <= {each.edge.sizes[name] for each in tried}


@settings(deadline=None, max_examples=12)
@given(st.sampled_from([7, 32, 48, 128, 256]), st.integers(1, 5), NAMES)
def test_without_a_check_just_the_sizes_that_fill_no_block_fail(threads: int, blocks: int, name: str) -> None:
    tried = searched(doubled("", threads * blocks, threads, name))
    for each in tried:
        size = each.edge.sizes[name]
        assert each.fails == (size % threads != 0)
    found = smallest(tried)
    assert found is not None
    assert found.edge.sizes[name] == min(each.edge.sizes[name] for each in tried if each.fails)
