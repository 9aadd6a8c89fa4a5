"""The views of a launch and of a CPU kernel."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Self

from kernels.base.messages import Message, message


class NumberedView(IntEnum):
    """Views with their titles, by the numbers that stand at them and that the keys and the command line call them by."""

    title: Message

    def __new__(cls, number: int, title: Any = None) -> Self:  # none is given where a member is looked up by its number
        member = int.__new__(cls, number)
        member._value_ = number
        member.title = title
        return member


class View(NumberedView):
    """Views of a CUDA launch."""

    MATRICES = 1, message("Matrices")
    THREADS = 2, message("Threads")
    SHARED_MEMORY = 3, message("Shared memory")
    GLOBAL_MEMORY = 4, message("Global memory")
    MEMORY_ORDER = 5, message("Memory order")
    FRAGMENTS = 6, message("Fragments")
    SWIZZLE = 7, message("Swizzle")
    PIPELINE = 8, message("Pipeline")
    CLUSTERS = 9, message("Clusters")


class CpuView(NumberedView):
    """Views of a CPU kernel."""

    MATRICES = 1, message("Matrices")
    LOOPS = 2, message("Loops")
    CACHE = 3, message("Cache")
    HIT_RATE = 4, message("Hit rate")
