"""Which lane holds which element, against the formulas of the PTX manual, typed in instruction by instruction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kernels.simt.base.fragments import MMA_SHAPES, LaneMap, matrix_map, mma_maps, wgmma_maps

Place = Callable[[int, int, int], tuple[int, int]]
"""Row and column of element i of the lane in quad g, t-th of it."""

MANUAL: dict[tuple[int, int, int, str], tuple[Place, Place, Place]] = {
    (16, 8, 8, "f16"): (
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
        lambda g, t, i: (t * 2 + i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    (16, 8, 16, "bf16"): (
        lambda g, t, i: (g if i < 2 or 4 <= i < 6 else g + 8, t * 2 + (i & 1) + (0 if i < 4 else 8)),
        lambda g, t, i: (t * 2 + (i & 1) + (0 if i < 2 else 8), g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    (16, 8, 4, "tf32"): (
        lambda g, t, i: (g if i == 0 else g + 8, t),
        lambda g, t, _: (t, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    (16, 8, 8, "tf32"): (
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i < 2 else t + 4),
        lambda g, t, i: (t if i == 0 else t + 4, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    (16, 8, 16, "s8"): (
        lambda g, t, i: (g if i < 4 else g + 8, t * 4 + (i & 3)),
        lambda g, t, i: (t * 4 + i, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    (16, 8, 32, "s8"): (
        lambda g, t, i: (g if i < 4 or 8 <= i < 12 else g + 8, t * 4 + (i & 3) + (0 if i < 8 else 16)),
        lambda g, t, i: (t * 4 + (i & 3) + (0 if i < 4 else 16), g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
    (8, 8, 4, "f64"): (
        lambda g, t, _: (g, t),
        lambda g, t, _: (t, g),
        lambda g, t, i: (g, t * 2 + (i & 1)),
    ),
    (16, 8, 16, "f64"): (
        lambda g, t, i: (g if i % 2 == 0 else g + 8, i * 2 + t if i % 2 == 0 else i * 2 - 2 + t),
        lambda g, t, i: (t + i * 4, g),
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
    ),
}  # fmt: skip


def held(each: LaneMap, lane: int, element: int) -> tuple[int, int]:
    register, part = divmod(element, each.parts)
    return int(each.row[lane, register, part]), int(each.column[lane, register, part])


def check(each: LaneMap, place: Place, *, rows_of_warp: int = 0) -> None:
    for lane in range(each.lanes):
        for element in range(each.registers * each.parts):
            row, column = place(lane % 32 // 4, lane % 4, element)
            assert held(each, lane, element) == (row + lane // 32 * rows_of_warp, column)


@pytest.mark.parametrize("instruction", MANUAL, ids=str)
def test_operands_of_mma_lie_as_the_manual_says(instruction: tuple[int, int, int, str]) -> None:
    maps = mma_maps(*instruction)
    for each, place in zip(maps, MANUAL[instruction], strict=True):
        check(each, place)
    m, n, k, _ = instruction
    assert [(each.rows, each.columns) for each in maps] == [(m, k), (k, n), (m, n)]


def test_an_accumulator_of_halves_has_two_in_a_register() -> None:
    check(mma_maps(16, 8, 16, "f16", 16)[2], lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)))
    assert mma_maps(16, 8, 16, "f16", 16)[2].registers == 2


@pytest.mark.parametrize("n", [8, 24, 128, 256])
def test_operands_of_wgmma_lie_as_the_manual_says(n: int) -> None:
    a, d = wgmma_maps(n, "bf16")
    check(a, MANUAL[16, 8, 16, "bf16"][0], rows_of_warp=16)
    check(d, lambda g, t, i: (g + 8 * (i // 2 % 2), i // 4 * 8 + t * 2 + i % 2), rows_of_warp=16)
    assert (d.rows, d.columns, d.lanes, d.registers) == (64, n, 128, n // 2)
    halves = wgmma_maps(n, "f16", 16)[1]
    assert (halves.registers, halves.parts) == (n // 4, 2)
    check(halves, lambda g, t, i: (g + 8 * (i // 2 % 2), i // 4 * 8 + t * 2 + i % 2), rows_of_warp=16)


def test_a_lane_of_ldmatrix_gets_two_neighbours_of_a_row_or_of_a_column() -> None:
    assert held(matrix_map(4), 13, 4) == (8 * 2 + 3, 2)
    assert held(matrix_map(4), 13, 5) == (8 * 2 + 3, 3)
    assert held(matrix_map(4, transposed=True), 13, 4) == (8 * 2 + 2, 3)
    assert held(matrix_map(4, transposed=True), 13, 5) == (8 * 2 + 3, 3)


def test_ldmatrix_brings_a_of_mma_and_its_transposed_form_b_that_lies_by_rows() -> None:
    a, b, _ = mma_maps(16, 8, 16, "f16")
    four, two = matrix_map(4), matrix_map(2, transposed=True)
    matrix, row = np.divmod(four.row, 8)
    assert (row + matrix % 2 * 8 == a.row).all()
    assert (four.column + matrix // 2 * 8 == a.column).all()
    assert (two.row == b.row).all()
    assert (two.column == b.column).all()


def every_map() -> list[LaneMap]:
    mma = [each for kind, shapes in MMA_SHAPES.items() for m, n, k in shapes for each in mma_maps(m, n, k, kind)]
    moved = [matrix_map(count, transposed=way) for count in (1, 2, 4) for way in (False, True)]
    return [*mma, *moved, *wgmma_maps(40, "tf32"), *wgmma_maps(8, "s8"), *wgmma_maps(16, "f16", 16)]


def test_every_element_has_one_place_and_every_place_one_element() -> None:
    for each in every_map():
        assert each.row.size == each.lane.size
        assert (each.row[each.lane, each.register, each.part] == np.arange(each.rows)[:, None]).all()
        assert (each.column[each.lane, each.register, each.part] == np.arange(each.columns)).all()


def test_registers_are_packed_into_elements_and_back() -> None:
    random = np.random.default_rng(5)
    for each in every_map():
        words = random.integers(0, 2**32, (3, each.lanes, each.registers * max(1, each.bits // 32)), np.uint32)
        registers = words.view(f"u{each.bits * each.parts // 8}")
        elements = each.elements(registers)
        assert elements.shape == (3, each.rows, each.columns)
        assert (each.pack(elements) == registers).all()
        lane, register, part = each.lanes - 3, each.registers - 1, each.parts - 1
        there = elements[2, each.row[lane, register, part], each.column[lane, register, part]]
        assert int(there) == int(registers[2, lane, register]) >> part * each.bits & (1 << each.bits) - 1


@pytest.mark.parametrize("asked", [lambda: mma_maps(16, 8, 4, "f16"), lambda: mma_maps(16, 8, 8, "f128"),
                                   lambda: wgmma_maps(12, "f16"), lambda: wgmma_maps(8, "f64"), lambda: matrix_map(3)])  # fmt: skip
def test_what_the_manual_does_not_have_is_refused(asked: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"has no|take 1, 2 or 4"):
        asked()
