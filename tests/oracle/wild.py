"""How a program of tests/corpus/wild is launched, and what NumPy says that it computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.simt.base.launch import Argument, Dim3

Given = dict[str, Argument]
RANDOM = np.random.default_rng(5)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A kernel of a program, its launch, and what it leaves in which argument; `tolerance` is relative to the largest value, 0 is exact."""

    file: str
    entry: str
    grid: Dim3
    block: Dim3
    arguments: Mapping[str, Argument]
    expected: Mapping[str, npt.NDArray[np.generic]]
    tolerance: float = 0.0
    shared_bytes: int = 0


def floats(*shape: int) -> npt.NDArray[np.float32]:
    return RANDOM.standard_normal(shape).astype(np.float32)


def whole(low: int, high: int, *shape: int) -> npt.NDArray[np.int32]:
    return RANDOM.integers(low, high, shape, dtype=np.int32)
