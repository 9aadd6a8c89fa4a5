"""The views of a CPU kernel."""

from __future__ import annotations

from enum import IntEnum


class CpuView(IntEnum):
    """Views of a CPU kernel, by the numbers that stand at them and that the keys and the command line call them by."""

    MATRICES = 1
    LOOPS = 2
    CACHE = 3
    HIT_RATE = 4
