"""Output matrices before a run."""

from __future__ import annotations

import numpy as np

from kernels.base.arrays import Matrix
from kernels.base.spec import Problem


def poisoned_output(problem: Problem) -> Matrix:
    """An output matrix full of NaN, so that an element that is never written cannot pass for right."""
    return np.full(problem.shapes["C"], np.nan, dtype=np.float32)
