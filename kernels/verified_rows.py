"""Which rows of an output are verified: all of them, or of a large one some in every part."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.spec import Problem

WHOLE_ELEMENTS = 1 << 26
"""The most elements of an output that is verified as a whole, 8192 x 8192. For a larger product the reference in float64 alone takes
minutes, and three times the memory of C."""
VERIFIED_BANDS = 128
"""Of a larger output the first and the last row are verified, and one drawn at random of each of so many bands of rows."""

Rows = npt.NDArray[np.int64]
"""Numbers of rows, ascending."""


def verified_rows(problem: Problem, seed: int) -> Rows | None:
    """The rows of C that are verified, with all of their columns; None: all rows. The same for the same seed."""
    rows, columns = problem.shapes["C"]
    if rows * columns <= WHOLE_ELEMENTS or rows <= VERIFIED_BANDS + 2:
        return None
    bands = np.linspace(0, rows, VERIFIED_BANDS + 1).astype(np.int64)
    drawn = np.random.default_rng(seed).integers(bands[:-1], bands[1:])
    return np.unique(np.concatenate(([0], drawn, [rows - 1])))
