"""Teaches numba the functions of `atomics` and `teams`: importing this module registers what each of them means."""

from __future__ import annotations

import ctypes
import inspect
import platform
import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from llvmlite.binding import add_symbol
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import Signature
from numba.extending import overload

from kernels.cpu import atomics, teams
from kernels.jit.simd_types import INDEX, INT, Code, instruction

CLOCK, CALL, SLEEP = "tilescope_clock", "tilescope_system_call", "tilescope_sleep"
FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine()) if sys.platform == "linux" else None
"""Linux' call by which threads sleep on a word (futex(2)), where its number is known; elsewhere they sleep for a fixed while."""
WAIT_PRIVATE, WAKE_PRIVATE, ALL = 128, 129, 0x7FFFFFFF
LONGEST_SLEEP_NS = 5_000_000
REST = 1 if sys.platform == "win32" else 50
"""The fixed while: milliseconds on Windows, else microseconds."""
PAUSES = {"x86_64": "llvm.x86.sse2.pause", "AMD64": "llvm.x86.sse2.pause"}
MONOTONIC = {"linux": 1, "darwin": 6}.get(sys.platform, 0)
WORDS = types.int64


def _system_functions() -> tuple[Any, Any, Any]:
    """The system's monotonic clock, its calls by number where they are used, and the call by which a thread sleeps."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        return kernel.QueryPerformanceCounter, kernel.QueryPerformanceCounter, kernel.Sleep
    library = ctypes.CDLL(None)
    return library.clock_gettime, library.syscall, library.usleep


def nanoseconds_per_tick() -> float:
    """Return the nanoseconds of one count of the clock, which is Windows' counter there and counts nanoseconds elsewhere."""
    if sys.platform == "win32":
        frequency = ctypes.c_int64()
        ctypes.windll.kernel32.QueryPerformanceFrequency(ctypes.byref(frequency))
        return 1e9 / frequency.value
    return 1.0


for _name, _function in zip((CLOCK, CALL, SLEEP), _system_functions(), strict=True):
    add_symbol(_name, ctypes.cast(_function, ctypes.c_void_p).value)


@instruction(atomics.compare_and_swap, lambda words, index, expected, new: WORDS(words, types.intp, WORDS, WORDS))
def _compare_and_swap(code: Code, signature: Signature, values: Any) -> Any:
    pair = code.builder.cmpxchg(_word(code, signature, values), values[2], values[3], "seq_cst", "seq_cst")
    return code.builder.extract_value(pair, 0)


@instruction(atomics.fetch_add, lambda words, index, amount: WORDS(words, types.intp, WORDS))
def _fetch_add(code: Code, signature: Signature, values: Any) -> Any:
    return code.builder.atomic_rmw("add", _word(code, signature, values), values[2], "seq_cst")


@instruction(atomics.fetch, lambda words, index: WORDS(words, types.intp))
def _fetch(code: Code, signature: Signature, values: Any) -> Any:
    return code.builder.load_atomic(_word(code, signature, values), "seq_cst", align=8)


@instruction(atomics.now, lambda: WORDS())
def _now(code: Code, signature: Signature, values: Any) -> Any:
    builder = code.builder
    memory = cgutils.alloca_once(builder, INDEX, size=2)
    if sys.platform == "win32":
        builder.call(code.function(CLOCK, ir.FunctionType(INT, [memory.type])), [memory])
        ticks = builder.sitofp(builder.load(memory), ir.DoubleType())
        return builder.fptosi(builder.fmul(ticks, ir.Constant(ir.DoubleType(), nanoseconds_per_tick())), INDEX)
    builder.call(code.function(CLOCK, ir.FunctionType(INT, [INT, memory.type])), [INT(MONOTONIC), memory])
    seconds, rest = builder.load(memory), builder.load(builder.gep(memory, [INDEX(1)]))
    return builder.add(builder.mul(seconds, INDEX(1_000_000_000)), rest)


@instruction(atomics.pause, lambda words: types.void(words))
def _pause(code: Code, signature: Signature, values: Any) -> None:
    name = PAUSES.get(platform.machine())
    if name is not None:
        code.call(name, ir.VoidType(), [])


@instruction(atomics.sleep_while, lambda words, index, value: types.void(words, types.intp, WORDS))
def _sleep_while(code: Code, signature: Signature, values: Any) -> None:
    if FUTEX is None:
        code.builder.call(code.function(SLEEP, ir.FunctionType(INT, [INT])), [INT(REST)])
        return
    builder = code.builder
    longest = cgutils.alloca_once(builder, INDEX, size=2)
    builder.store(INDEX(0), longest)
    builder.store(INDEX(LONGEST_SLEEP_NS), builder.gep(longest, [INDEX(1)]))
    _futex(code, _word(code, signature, values), WAIT_PRIVATE, values[2], builder.ptrtoint(longest, INDEX))


@instruction(atomics.wake, lambda words, index: types.void(words, types.intp))
def _wake(code: Code, signature: Signature, values: Any) -> None:
    if FUTEX is not None:
        _futex(code, _word(code, signature, values), WAKE_PRIVATE, INDEX(ALL), INDEX(0))


def _futex(code: Code, word: Any, operation: int, value: Any, timeout: Any) -> None:
    """Emit a futex call on the lower half of a word, which is what counts up: a futex has 32 bits."""
    arguments = [INDEX(FUTEX), code.builder.ptrtoint(word, INDEX), INDEX(operation), value, timeout, INDEX(0), INDEX(0)]
    code.builder.call(code.function(CALL, ir.FunctionType(INDEX, [INDEX] * len(arguments))), arguments)


@instruction(atomics.meet, lambda words: types.void(words))
def _meet(code: Code, signature: Signature, values: Any) -> None:
    return None


def _word(code: Code, signature: Signature, values: Any) -> Any:
    array = code.context.make_array(signature.args[0])(code.context, code.builder, values[0])
    return code.builder.gep(array.data, [values[1]])


def _compile_as_it_is(function: Callable[..., Any]) -> None:
    """Let compiled kernels call a Python function: its own text is compiled with them."""

    def answer(*arguments: Any) -> Callable[..., Any]:
        return function

    answer.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # numba compares the two
    overload(function)(answer)


for _schedule in (
    teams.next_chunk, teams.claim, teams.wait_for_all, teams.wait_while, teams.advance, teams.reset, teams.take_place,
    teams.begin_run, teams.await_run, teams.finish_run, teams.end_run,
):  # fmt: skip
    _compile_as_it_is(_schedule)
