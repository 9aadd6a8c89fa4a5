"""The views of a launch."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from kernels.base.messages import Message, message


class View(IntEnum):
    """Views of a CUDA launch, by the numbers that stand at them and that the keys and the command line call them by, with their titles."""

    title: Message

    MATRICES = 1, message("Matrices")
    THREADS = 2, message("Threads")
    SHARED_MEMORY = 3, message("Shared memory")
    GLOBAL_MEMORY = 4, message("Global memory")
    MEMORY_ORDER = 5, message("Memory order")
    FRAGMENTS = 6, message("Fragments")
    SWIZZLE = 7, message("Swizzle")
    PIPELINE = 8, message("Pipeline")
    CLUSTERS = 9, message("Clusters")

    def __new__(cls, number: int, title: Any = None) -> View:  # none is given where a member is looked up by its number
        member = int.__new__(cls, number)
        member._value_ = number
        member.title = title
        return member
