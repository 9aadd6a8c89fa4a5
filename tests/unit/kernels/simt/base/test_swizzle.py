"""Swizzles, matrix descriptors and boxes: the drawings of the manuals, and layouts of the CuTe library, as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.simt.base.swizzle import SPANS, MatrixDescriptor, box_addresses, exchanged, swizzled


@pytest.mark.parametrize(("span", "rows"), [
    (128, ["01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"]),
    (64, ["01234567", "10325476", "23016745", "32107654"] * 2),
    (32, ["01234567", "10325476"] * 4),
    (0, ["01234567"] * 8),
])  # fmt: skip
def test_pieces_change_places_as_the_manuals_drawings_show(span: int, rows: list[str]) -> None:
    pieces = swizzled(np.arange(64).reshape(8, 8) * 16, span) // 16 % 8
    assert ["".join(map(str, row)) for row in pieces.tolist()] == rows


@given(st.lists(st.integers(0, 2**18 - 1), min_size=1, max_size=50), st.sampled_from(SPANS), st.integers(0, 7))
def test_a_swizzle_undoes_itself_and_keeps_rows_and_the_bytes_of_a_piece(addresses: list[int], span: int, base: int) -> None:
    before = np.array(addresses)
    after = swizzled(before, span, base)
    assert (swizzled(after, span, base) == before).all()
    assert (after // 128 == before // 128).all()
    assert (after % 16 == before % 16).all()
    assert (after ^ before == exchanged(before, span, base)).all()


def test_a_descriptor_is_read_as_the_kernel_writes_it() -> None:
    bits = 0x12340 >> 4 | 1 << 16 | 64 << 32 | 1 << 62  # matmul_wgmma_bf16.cu
    descriptor = MatrixDescriptor.of(bits)
    assert descriptor == MatrixDescriptor(0x12340, 16, 1024, 128)
    assert descriptor.bits == bits


@given(st.integers(0, 2**14 - 1), st.integers(0, 2**14 - 1), st.integers(0, 2**14 - 1), st.sampled_from(SPANS), st.integers(0, 7))
def test_a_descriptors_bits_say_all_of_it(start: int, leading: int, stride: int, span: int, base: int) -> None:
    descriptor = MatrixDescriptor(start * 16, leading * 16, stride * 16, span, base)
    assert MatrixDescriptor.of(descriptor.bits) == descriptor


@pytest.mark.parametrize("step", range(4))
def test_the_bricks_of_our_kernel_are_read_where_they_were_packed(step: int) -> None:
    row, k = np.indices((64, 16))
    whole = step * 16 + k
    packed = 4096 + row * 128 + (whole // 8 ^ row % 8) * 16 + whole % 8 * 2  # matmul_wgmma_bf16.cu, `place`
    assert (MatrixDescriptor(4096 + step * 32, 16, 1024, 128).addresses(64, 16, 16, "K") == packed).all()


@pytest.mark.parametrize("span", [32, 64, 128])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_tensor_copys_box_is_what_wgmma_reads_along_k(span: int, bits: int) -> None:
    per_row, k = span * 8 // bits, 256 // bits
    box = box_addresses(8192, (per_row, 64), bits // 8, span)
    for first in range(0, per_row, k):
        read = MatrixDescriptor(8192 + first * bits // 8, 0, span * 8, span).addresses(64, k, bits, "K")
        assert (read == box[:, first : first + k]).all()


@pytest.mark.parametrize("span", [32, 64, 128])
def test_a_tensor_copys_boxes_are_what_wgmma_reads_along_m_or_n(span: int) -> None:
    per_row = span // 2
    boxes = [box_addresses(8192 + i * 16 * span, (per_row, 16), 2, span) for i in range(128 // per_row)]
    tile = np.concatenate(boxes, axis=1)  # k x mn
    read = MatrixDescriptor(8192, 16 * span, 8 * span, span).addresses(128, 16, 16, "MN")
    assert (read == tile.T).all()


def test_without_a_swizzle_8_rows_of_16_bytes_lie_together() -> None:
    by_k = MatrixDescriptor(0, 128, 256, 0).addresses(16, 16, 16, "K")
    assert by_k[3, 5] == 3 * 16 + 5 * 2
    assert by_k[3, 8] - by_k[3, 0] == 128
    assert by_k[8, 0] == 256
    by_mn = MatrixDescriptor(0, 128, 256, 0).addresses(16, 16, 16, "MN")
    assert by_mn[5, 3] == 3 * 16 + 5 * 2
    assert by_mn[8, 0] == 256
    assert by_mn[0, 8] == 128


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("major", ["K", "MN"])
def test_no_two_elements_share_a_byte(span: int, major: str) -> None:
    tight = MatrixDescriptor(0, 2048 if span else 128, 8 * span or 256, span)
    addresses = tight.addresses(64 if major == "K" or not span else span, 16, 16, "K" if major == "K" else "MN")
    assert np.unique(addresses).size == addresses.size


def test_a_box_of_three_dimensions_has_its_innermost_last() -> None:
    addresses = box_addresses(0, (16, 4, 3), 2, 0)
    assert addresses.shape == (3, 4, 16)
    assert addresses[2, 1, 5] == (2 * 4 + 1) * 32 + 5 * 2
    assert box_addresses(0, (16, 4), 2, 64)[1, 0] == 64  # a row of 32 bytes has a span of 64 to itself


@pytest.mark.parametrize(("box", "size", "span", "reason"), [
    ((40, 8), 2, 64, "80 bytes; it must have pieces of 16 bytes, at most 64 bytes"),
    ((3, 8), 4, 0, "12 bytes; it must have pieces of 16 bytes, any number"),
    ((16, 8), 2, 48, "32, 64 or 128 bytes, or 0 for none, not 48"),
])  # fmt: skip
def test_a_box_that_no_copy_has_is_refused(box: tuple[int, ...], size: int, span: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        box_addresses(0, box, size, span)
