"""The views of a CPU kernel."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from kernels.base.messages import Message, message


class CpuView(IntEnum):
    """Views of a CPU kernel, by the numbers that stand at them and that the keys and the command line call them by, with their titles."""

    title: Message

    MATRICES = 1, message("Matrices")
    LOOPS = 2, message("Loops")
    CACHE = 3, message("Cache")
    HIT_RATE = 4, message("Hit rate")

    def __new__(cls, number: int, title: Any = None) -> CpuView:  # none is given where a member is looked up by its number
        member = int.__new__(cls, number)
        member._value_ = number
        member.title = title
        return member
