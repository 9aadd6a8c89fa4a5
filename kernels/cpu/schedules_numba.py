"""Teaches numba the functions of `atomics` and `schedules`: importing this module registers what each of them means."""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from llvmlite.binding import add_symbol
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import Signature
from numba.extending import overload

from kernels.cpu import atomics, schedules
from kernels.cpu.simd_types import INDEX, INT, Code, instruction

CLOCK, YIELD, SLEEP = "tilescope_clock", "tilescope_yield", "tilescope_sleep"
REST = 1 if sys.platform == "win32" else 50
"""Milliseconds on Windows, else microseconds."""
MONOTONIC = {"linux": 1, "darwin": 6}.get(sys.platform, 0)
WORDS = types.int64


def _system_functions() -> tuple[Any, Any, Any]:
    """The system's monotonic clock, and the calls by which a thread gives its core to another and sleeps."""
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32")
        return kernel.QueryPerformanceCounter, kernel.SwitchToThread, kernel.Sleep
    library = ctypes.CDLL(None)
    return library.clock_gettime, library.sched_yield, library.usleep


def _nanoseconds_per_tick() -> float:
    """Of Windows' counter."""
    frequency = ctypes.c_int64()
    ctypes.windll.kernel32.QueryPerformanceFrequency(ctypes.byref(frequency))  # type: ignore[attr-defined,unused-ignore]
    return 1e9 / frequency.value


for _name, _function in zip((CLOCK, YIELD, SLEEP), _system_functions(), strict=True):
    add_symbol(_name, ctypes.cast(_function, ctypes.c_void_p).value)


@instruction(atomics.compare_and_swap, lambda words, index, expected, new: WORDS(words, types.intp, WORDS, WORDS))
def _compare_and_swap(code: Code, signature: Signature, values: Any) -> Any:
    pair = code.builder.cmpxchg(_word(code, signature, values), values[2], values[3], "acq_rel", "acquire")
    return code.builder.extract_value(pair, 0)


@instruction(atomics.fetch_add, lambda words, index, amount: WORDS(words, types.intp, WORDS))
def _fetch_add(code: Code, signature: Signature, values: Any) -> Any:
    return code.builder.atomic_rmw("add", _word(code, signature, values), values[2], "acq_rel")


@instruction(atomics.fetch, lambda words, index: WORDS(words, types.intp))
def _fetch(code: Code, signature: Signature, values: Any) -> Any:
    return code.builder.load_atomic(_word(code, signature, values), "acquire", align=8)


@instruction(atomics.now, lambda: WORDS())
def _now(code: Code, signature: Signature, values: Any) -> Any:
    builder = code.builder
    memory = cgutils.alloca_once(builder, INDEX, size=2)
    if sys.platform == "win32":
        builder.call(code.function(CLOCK, ir.FunctionType(INT, [memory.type])), [memory])
        ticks = builder.sitofp(builder.load(memory), ir.DoubleType())
        return builder.fptosi(builder.fmul(ticks, ir.Constant(ir.DoubleType(), _nanoseconds_per_tick())), INDEX)
    builder.call(code.function(CLOCK, ir.FunctionType(INT, [INT, memory.type])), [INT(MONOTONIC), memory])
    seconds, rest = builder.load(memory), builder.load(builder.gep(memory, [INDEX(1)]))
    return builder.add(builder.mul(seconds, INDEX(1_000_000_000)), rest)


@instruction(atomics.give_way, lambda words: types.void(words))
def _give_way(code: Code, signature: Signature, values: Any) -> None:
    code.builder.call(code.function(YIELD, ir.FunctionType(INT, [])), [])


@instruction(atomics.rest, lambda words: types.void(words))
def _rest(code: Code, signature: Signature, values: Any) -> None:
    code.builder.call(code.function(SLEEP, ir.FunctionType(INT, [INT])), [INT(REST)])


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
    schedules.next_chunk, schedules.claim, schedules.wait_for_all,
    schedules.begin_run, schedules.await_run, schedules.finish_run, schedules.end_run,
):  # fmt: skip
    _compile_as_it_is(_schedule)
