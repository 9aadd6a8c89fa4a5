"""Laws of the CuTe algebra: what operations on layouts are as functions of a coordinate's number."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from kernels.analysis.layout_access import Pattern, wavefronts_of
from kernels.analysis.layout_text import parse_layout
from kernels.analysis.layouts import (
    ComposedLayout,
    CuteLayout,
    IntTuple,
    Swizzle,
    coalesce,
    compact,
    complement,
    composition,
    logical_divide,
)
from kernels.base.messages import Message
from kernels.simt.base.swizzle import swizzled

SIZES = st.sampled_from([1, 2, 2, 3, 4, 4, 6, 8])
SHAPES = st.recursive(SIZES, lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=4)


@st.composite
def layouts(draw: st.DrawFn) -> CuteLayout:
    def strides(shape: IntTuple) -> IntTuple:
        if isinstance(shape, int):
            return draw(st.sampled_from([0, 1, 2, 3, 4, 8, 12, 16, 64]))
        return tuple(strides(part) for part in shape)

    shape = draw(SHAPES)
    return CuteLayout(shape, strides(shape))


@st.composite
def injective_parts(draw: st.DrawFn) -> CuteLayout:
    """Some of the modes of a compact layout, in any order."""
    sizes = draw(st.lists(st.sampled_from([2, 3, 4]), min_size=1, max_size=4))
    pairs = list(compact(tuple(sizes)).flat)
    kept = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=len(pairs), unique=True))
    return CuteLayout(tuple(shape for shape, _ in kept), tuple(stride for _, stride in kept))


def all_offsets(layout: CuteLayout) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return layout.offsets(np.arange(layout.size))


def by_parts(layout: CuteLayout, index: int) -> int:
    """The offset of a number, mode within mode."""
    if isinstance(layout.shape, int):
        assert isinstance(layout.stride, int)
        return index * layout.stride
    total = 0
    for mode in layout.modes:
        total += by_parts(mode, index % mode.size)
        index //= mode.size
    return total


@given(layouts())
def test_an_offset_is_the_sum_of_its_modes(layout: CuteLayout) -> None:
    offsets = all_offsets(layout).tolist()
    assert offsets == [by_parts(layout, index) for index in range(layout.size)]
    assert max(offsets) == sum((shape - 1) * stride for shape, stride in layout.flat)
    assert layout.size == prod(mode.size for mode in layout.modes)


@given(layouts())
def test_coalescing_keeps_the_function_and_leaves_nothing_to_join(layout: CuteLayout) -> None:
    short = coalesce(layout)
    assert (all_offsets(short) == all_offsets(layout)).all()
    assert coalesce(short) == short
    assert all(stride * shape != after for (shape, stride), (_, after) in pairwise(short.flat))


@given(layouts(), layouts())
def test_a_composition_is_the_function_of_the_function(outer: CuteLayout, inner: CuteLayout) -> None:
    found = composition(outer, inner)
    assume(isinstance(found, CuteLayout))
    assert isinstance(found, CuteLayout)
    assert (all_offsets(found) == outer.offsets(all_offsets(inner))).all()
    assert isinstance(inner.shape, int) or [mode.size for mode in found.modes] == [mode.size for mode in inner.modes]


@given(injective_parts(), st.integers(1, 4))
def test_a_complement_covers_with_its_layout_every_offset_once(layout: CuteLayout, times: int) -> None:
    cosize = prod(shape for shape, _ in layout.flat) * times
    rest = complement(layout, cosize)
    assume(isinstance(rest, CuteLayout))
    assert isinstance(rest, CuteLayout)
    both = np.add.outer(all_offsets(layout), all_offsets(rest)).ravel()
    assert np.unique(both).size == both.size
    assert set(range(cosize)) <= set(both.tolist())


@given(layouts(), st.sampled_from([(2, 1), (2, 2), (4, 1), (3, 1), (2, 4)]))
def test_a_division_covers_what_was_divided_by_tiles(layout: CuteLayout, tile: tuple[int, int]) -> None:
    tiler = CuteLayout(*tile)
    found = logical_divide(layout, tiler)
    assume(isinstance(found, CuteLayout) and layout.size % (tile[0] * tile[1]) == 0)
    assert isinstance(found, CuteLayout)
    assert sorted(all_offsets(found)) == sorted(all_offsets(layout))
    within, _ = found.modes
    assert (all_offsets(within) == layout.offsets(all_offsets(tiler))).all()


@given(layouts(), st.lists(st.one_of(st.integers(0, 99), st.builds(Swizzle, st.integers(0, 3), st.integers(0, 4), st.just(3))), max_size=3))
def test_a_layout_is_read_as_it_is_written(layout: CuteLayout, before: list[int | Swizzle]) -> None:
    whole = ComposedLayout((*before, layout))
    assert parse_layout(str(whole)) == whole


@given(st.text(alphabet="()<>,: oSw0123456789_∘x", max_size=40) | st.text(max_size=20))
def test_any_text_is_a_layout_or_is_refused_with_its_column(text: str) -> None:
    found = parse_layout(text)
    if isinstance(found, Message):
        assert str(found).startswith("Column ")
    else:
        assert parse_layout(str(found)) == found
        assert wavefronts_of(found, 2, Pattern.ROW) is not None


@given(st.lists(st.integers(0, 2**18 - 1), min_size=1, max_size=50))
def test_the_librarys_swizzles_are_those_of_shared_memory(addresses: list[int]) -> None:
    given_addresses = np.array(addresses)
    for span, bits in ((32, 1), (64, 2), (128, 3)):
        swizzle = Swizzle(bits, 4, 3)
        assert (swizzle.offsets(given_addresses) == swizzled(given_addresses, span)).all()
        assert (swizzle.offsets(swizzle.offsets(given_addresses)) == given_addresses).all()
