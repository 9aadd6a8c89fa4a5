"""Times a compiled kernel from compiled code: the clock is read right before and after its calls, no interpreter in between.

A function that numba compiled takes a matrix as nine words (owner, parent, elements, bytes of an element, address, then rows, columns and
the strides of both) and returns 0, or another status where it raised; all its arguments fit into words of 64 bits
(numba's documentation, "Notes on Numba's threading and calling conventions": `numba/core/callconv.py`).
"""

from __future__ import annotations

import ctypes
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

SHORTEST_SAMPLE_MS = 3.0
"""The clock is exact to some 50 ns. Longer samples are of two kinds of moments, where another machine comes and goes on a core within
milliseconds: of samples of 10 ms half could be told from others, of 1 and 2 ms four fifths (an AMD EPYC)."""
MOST_CALLS = 100_000
LONGEST_FIRST_MS = 200.0
"""A first call may take so long because nothing is in the caches yet; a longer one is long enough by itself."""
_OUTCOME = 2
"""Words that hold what a call returns and what it raised; nobody looks at them."""


class RaisedError(Exception):
    """The kernel raised an error: called by the interpreter, it says which."""


class TimedCalls:
    """Calls of one compiled function with the same arguments, arrays and whole numbers in the order of its signature."""

    def __init__(self, address: int, arguments: Sequence[Any], kernel: object = None) -> None:
        """`address` is that of the function of `kernel`, whose machine code is kept as long as this."""
        from kernels.jit.teams_numba import nanoseconds_per_tick

        self._tick_ns = nanoseconds_per_tick()
        self._address, self._kept = address, (kernel, arguments, outcome := np.zeros(_OUTCOME, np.int64))
        at = outcome.ctypes.data
        self._words = np.array([at, at + 8, *flattened(arguments)], np.int64)
        self._engine = _engine(len(self._words))
        self._function = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 5)(self._engine.get_function_address("timed_calls"))

    def milliseconds(self, calls: int, first: int = 0) -> float:
        """The time of `calls` calls together, after `first` others that are not timed. Raises `RaisedError`."""
        ticks = self._function(self._address, self._words.ctypes.data, first, calls)
        if ticks < 0:
            raise RaisedError
        return float(ticks * self._tick_ns / 1e6)


TimeCalls = Callable[[int, int], float]
"""`TimedCalls.milliseconds`, or what times another kind of function so."""


class Batch:
    """Batch: how many calls each sample of one run times together, so that a sample is long enough for the clock."""

    def __init__(self) -> None:
        self._taken, self._first_ms = 0, 0.0
        self.calls = 1
        """Calls that a sample times."""

    def sample(self, milliseconds: TimeCalls) -> float:
        """Milliseconds of one call.

        The first sample is one call exactly. From the second on, where one call is short, so many are timed together that they take
        `SHORTEST_SAMPLE_MS`, after one that is not timed and brings the operands back to the caches.
        """
        self._taken += 1
        if self._taken == 1:
            self._first_ms = milliseconds(1, 0)
            return self._first_ms
        if self._taken == 2 and self._first_ms < LONGEST_FIRST_MS:
            one = min(milliseconds(1, 1), milliseconds(1, 0), milliseconds(1, 0))
            self.calls = min(MOST_CALLS, max(1, math.ceil(SHORTEST_SAMPLE_MS / max(one, 1e-6))))
        return milliseconds(self.calls, int(self.calls > 1)) / self.calls


def timing(kernel: Callable[..., None], arguments: Sequence[Any]) -> TimeCalls:
    """What times calls of a kernel: compiled code where numba compiled it, else, for a library's routine that Python calls, Python."""
    address = address_of(kernel)
    if address is None:
        return partial(_time_python, kernel, arguments)
    return TimedCalls(address, arguments, kernel).milliseconds


def _time_python(kernel: Callable[..., None], arguments: Sequence[Any], calls: int, first: int) -> float:
    for _ in range(first):
        kernel(*arguments)
    start = time.perf_counter_ns()
    for _ in range(calls):
        kernel(*arguments)
    return (time.perf_counter_ns() - start) / 1e6


def address_of(kernel: Any) -> int | None:
    """Where the machine code of a kernel begins that numba compiled for one signature; None for any other function."""
    overloads = getattr(kernel, "overloads", None)
    if not overloads:
        return None
    (compiled,) = overloads.values()
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return address


def flattened(arguments: Sequence[Any]) -> list[int]:
    """The words that stand for arguments."""
    words: list[int] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            words += [0, 0, argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides]
        else:
            words.append(int(argument))
    return words


@cache
def _engine(count: int) -> Any:
    """An engine with the function that calls another one with `count` words."""
    return engine_of(_text(count))


def engine_of(text: str) -> Any:
    """An engine with the functions of a module in LLVM's text. Takes a few milliseconds."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _text(count: int) -> str:
    """LLVM's text of the function: the ticks that the calls took, or -1 where one of them raised."""
    loads = (f"  %p{i} = getelementptr i64, ptr %words, i64 {i}\n  %w{i} = load i64, ptr %p{i}" for i in range(count))
    call = f"call i32 %function({', '.join(f'i64 %w{i}' for i in range(count))})"
    return clock_text() + _TIMED_CALLS.replace("; loads", "\n".join(loads)).replace("; call", call)


_TIMED_CALLS = """
define i64 @timed_calls(ptr %function, ptr %words, i64 %first, i64 %calls) {
entry:
; loads
  br label %before
before:
  %b = phi i64 [ 0, %entry ], [ %b1, %unmeasured ]
  %warm = icmp slt i64 %b, %first
  br i1 %warm, label %unmeasured, label %begin
unmeasured:
  %s0 = ; call
  %b1 = add i64 %b, 1
  %ok0 = icmp eq i32 %s0, 0
  br i1 %ok0, label %before, label %raised
begin:
  %t0 = call i64 @now()
  br label %loop
loop:
  %i = phi i64 [ 0, %begin ], [ %i1, %next ]
  %s = ; call
  %ok = icmp eq i32 %s, 0
  br i1 %ok, label %next, label %raised
next:
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %calls
  br i1 %more, label %loop, label %end
end:
  %t1 = call i64 @now()
  %ticks = sub i64 %t1, %t0
  ret i64 %ticks
raised:
  ret i64 -1
}
"""


def clock_text() -> str:
    """The text of a function that returns the clock's ticks since some fixed moment: nanoseconds, on Windows those of its counter."""
    from kernels.jit.teams_numba import CLOCK, MONOTONIC

    if sys.platform == "win32":
        return f"""
declare i32 @{CLOCK}(ptr)
define i64 @now() {{
  %memory = alloca i64
  %done = call i32 @{CLOCK}(ptr %memory)
  %ticks = load i64, ptr %memory
  ret i64 %ticks
}}"""
    return f"""
declare i32 @{CLOCK}(i32, ptr)
define i64 @now() {{
  %memory = alloca [2 x i64]
  %done = call i32 @{CLOCK}(i32 {MONOTONIC}, ptr %memory)
  %seconds = load i64, ptr %memory
  %at = getelementptr i64, ptr %memory, i64 1
  %rest = load i64, ptr %at
  %whole = mul i64 %seconds, 1000000000
  %ticks = add i64 %whole, %rest
  ret i64 %ticks
}}"""
