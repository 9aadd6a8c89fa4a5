"""What threads that share memory need: indivisible operations, a clock, and waiting, awake or asleep.

As plain Python these functions serve the trace, where one thread runs at a time; `teams_numba` tells numba which machine
instructions and system calls they mean.
"""

from __future__ import annotations

import time
from typing import Protocol

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.int64]
"""Memory that the threads share."""


class Turns(Protocol):
    """Decides, in a trace, which thread goes on."""

    def give_way(self) -> None:
        """Return when it is the calling thread's turn again."""


class TracedWords(np.ndarray[tuple[int, ...], np.dtype[np.int64]]):
    """Words with the turns of the threads that share them."""

    turns: Turns | None = None


def compare_and_swap(words: Words, index: int, expected: int, new: int) -> int:
    """Write `new` to a word if it is `expected`, indivisibly. Returns what it was."""
    before = int(words[index])
    if before == expected:
        words[index] = new
    return before


def fetch_add(words: Words, index: int, amount: int) -> int:
    """Add to a word, indivisibly. Returns what it was."""
    before = int(words[index])
    words[index] = before + amount
    return before


def fetch(words: Words, index: int) -> int:
    """What a word is now, whoever wrote it."""
    return int(words[index])


def now() -> int:
    """Nanoseconds since some fixed moment; the same clock in all threads."""
    return time.perf_counter_ns()


def pause(words: Words) -> None:
    """Wait awake for an instant; tells the processor so."""
    meet(words)


def sleep_while(words: Words, index: int, value: int) -> None:
    """Sleep while a word is `value`: until `wake`, but a few milliseconds at most, so that no wake-up can be missed for long."""
    meet(words)


def wake(words: Words, index: int) -> None:
    """Wake the threads that sleep while a word has the value that it had."""


def meet(words: Words) -> None:
    """A place where a trace may switch to another thread; the compiled kernel goes straight on."""
    turns = getattr(words, "turns", None)
    if turns is not None:
        turns.give_way()
