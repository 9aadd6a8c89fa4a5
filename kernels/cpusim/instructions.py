"""Which instruction of a function is being executed."""

from __future__ import annotations

import dis
from bisect import bisect_right
from functools import lru_cache
from types import CodeType, FrameType


def instruction_of(frame: FrameType) -> int:
    """The number of the instruction that a frame is at, in the order of its function's text.

    Not `f_lasti`: Python 3.12 and later say that a call stands in the cache behind its instruction once it has been specialised.
    """
    return bisect_right(_starts(frame.f_code), frame.f_lasti) - 1


@lru_cache(maxsize=64)
def _starts(code: CodeType) -> tuple[int, ...]:
    """Where the instructions of a function begin, ascending, in bytes; the caches behind them are none."""
    return tuple(instruction.offset for instruction in dis.get_instructions(code))
