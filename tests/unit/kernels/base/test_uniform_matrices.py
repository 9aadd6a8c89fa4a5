"""Random matrices are the same however many cores draw them."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.base.reference import fill_uniform


@pytest.mark.parametrize("piece", [2, 6, 1000, 1 << 22])
@pytest.mark.parametrize("shapes", [((3, 5), (5, 7)), ((4, 4), (4, 4)), ((7, 1), (0, 9), (9, 9)), ((1, 1),)])
def test_the_numbers_are_those_of_one_stream(shapes: tuple[tuple[int, int], ...], piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.base.reference.PIECE", piece)
    matrices = [np.full(shape, np.nan, np.float32) for shape in shapes]
    fill_uniform(matrices, 3)
    random = np.random.default_rng(3)
    for matrix in matrices:
        np.testing.assert_array_equal(matrix, 2 * random.random(matrix.shape, dtype=np.float32) - 1)
