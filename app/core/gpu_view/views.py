"""The views of a launch."""

from __future__ import annotations

from enum import IntEnum


class View(IntEnum):
    """Views of a CUDA launch, by the numbers that stand at them and that the keys and the command line call them by."""

    MATRICES = 1
    THREADS = 2
    SHARED_MEMORY = 3
    GLOBAL_MEMORY = 4
    MEMORY_ORDER = 5
    FRAGMENTS = 6
    SWIZZLE = 7
    PIPELINE = 8
    CLUSTERS = 9
