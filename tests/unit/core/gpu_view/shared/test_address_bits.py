"""The layout of a tile, found from where its elements lie: exclusive or of address bits, or a distance between rows, or neither."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.gpu_view.shared.address_bits import AddressBits, Pitch, layout_of
from kernels.simt.base.swizzle import swizzled

ROW, COLUMN = (each.ravel() for each in np.indices((32, 16)))


@pytest.mark.parametrize(("span", "sources"), [(32, {4: (7,)}), (64, {4: (7,), 5: (8,)}), (128, {4: (7,), 5: (8,), 6: (9,)})])
def test_the_swizzles_of_hopper_are_found(span: int, sources: dict[int, tuple[int, ...]]) -> None:
    dense = ROW * span + COLUMN * 4 % span
    kept = span > COLUMN * 4
    found = layout_of(ROW[kept], COLUMN[kept], swizzled(dense[kept], span), 4)
    assert isinstance(found, AddressBits)
    assert found.sources == sources
    assert (found.dense(ROW[kept], COLUMN[kept]) == dense[kept]).all()


def test_parts_at_a_distance_are_no_swizzle() -> None:
    """384 bytes are two bits, both above those of a bank: nothing is exchanged."""
    row, column = (each.ravel() for each in np.indices((2, 32)))
    offset = row * 384 + column * 4
    found = layout_of(row, column, offset, 4)
    assert isinstance(found, AddressBits)
    assert found.sources == {}
    assert (found.dense(row, column) == offset).all()


def test_a_turned_tile_is_told_from_a_plain_one() -> None:
    plain, turned = (layout_of(ROW, COLUMN, offset, 4) for offset in (ROW * 64 + COLUMN * 4, COLUMN * 128 + ROW * 4))
    assert plain is not None
    assert turned is not None
    assert (plain.turned, turned.turned, plain.sources, turned.sources) == (False, True, {}, {})


def test_padding_is_a_distance_between_rows() -> None:
    assert layout_of(ROW, COLUMN, ROW * 68 + COLUMN * 4, 4) == Pitch(68, 64, 4, turned=False)
    row, column = ROW[ROW < 6], COLUMN[ROW < 6]
    assert layout_of(row, column, column * 28 + row * 4, 4) == Pitch(28, 24, 4, turned=True)


def test_one_element_elsewhere_is_no_layout() -> None:
    offset = ROW * 64 + COLUMN * 4
    offset[[70, 200]] = offset[[200, 70]]
    assert layout_of(ROW, COLUMN, offset, 4) is None


@given(st.lists(st.tuples(st.integers(2, 6), st.integers(7, 10)), max_size=6))
def test_what_is_found_leads_to_every_place(pairs: list[tuple[int, int]]) -> None:
    dense = ROW * 64 + COLUMN * 4
    offset = dense.copy()
    for target, source in pairs:
        offset ^= (dense >> source & 1) << target
    found = layout_of(ROW, COLUMN, offset, 4)
    assert isinstance(found, AddressBits)
    assert (found.offset(found.dense(ROW, COLUMN)) == offset).all()
