"""Functions that are more than a value from values: results through pointers, fences, the clock, the device's heap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.base.messages import message
from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.types import F32, F64, I32, MemoryOrder, Scalar, ThreadScope
from kernels.simt.intrinsics.calling_convention import argument_dtype
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

NO_ALLOCATION = message("free is given an address that no allocation of the device's heap begins at.")
NO_FUNCTION = message("The pointer that is called points to no __device__ function.")
STACK_OVERFLOW = message(
    "A function calls itself deeper than is followed here: its threads end. Up to 24 calls within each other are followed, 7 where it calls"
    " itself in two places. A GPU's stack has 1024 bytes of each thread, unless the host asks for more."
)
TICKS = 4
"""What the clock counts from one reading to the next: time passes, but no time of a real GPU is claimed."""


def _both(sine: Callable[..., Any], cosine: Callable[..., Any]) -> Function:
    """Sine and cosine through two pointers."""

    def call(context: Context, angle: Value, sine_address: Value, cosine_address: Value) -> None:
        dtype = argument_dtype(context, 0)
        vector, scalar = context.vector(angle, dtype), F64 if dtype == np.float64 else F32
        context.store(sine_address, np.asarray(sine(vector)).astype(dtype), scalar)
        context.store(cosine_address, np.asarray(cosine(vector)).astype(dtype), scalar)

    return call


def _split(parts: Callable[..., tuple[Any, Any]], second: Scalar | None) -> Function:
    """One part of a number as the value, the other through a pointer, of the type `second` (None: the number's own)."""

    def call(context: Context, number: Value, address: Value) -> Value:
        dtype = argument_dtype(context, 0)
        value, other = parts(context.vector(number, dtype))
        scalar = second or (F64 if dtype == np.float64 else F32)
        context.store(address, np.asarray(other).astype(scalar_dtype(scalar)), scalar)
        return np.asarray(value).astype(dtype)

    return call


def _clock(bits: int) -> Function:
    def call(context: Context) -> int:
        ticks: int = context.state.get("clock", 0) + TICKS
        context.state["clock"] = ticks
        return ticks & ((1 << (bits - 1)) - 1)

    return call


def _fence(reach: ThreadScope, order: MemoryOrder = MemoryOrder.ACQ_REL) -> Function:
    def call(context: Context) -> None:
        context.fence(reach, order)

    return call


def _shared_bytes(context: Context, *, dynamic: bool) -> int:
    shared = context.state["shared memory"]
    size: int = shared.dynamic_bytes if dynamic else shared.allocated
    return size


def _nothing(context: Context) -> None:
    """A breakpoint needs a debugger."""


def _sleep(_context: Context, _time: Value) -> None:
    """Others go first: the generated code has let them."""


def _trap(context: Context) -> None:
    """Ends the program on a GPU. Here, as where an assertion fails, the threads say so and go on."""
    for lane in np.flatnonzero(context.active).tolist():
        context.print(lane, f"{context.location.line}: __trap() reached.\n")
    context.end_launch(message("__trap(): a GPU would end the launch here."))


def _call_nothing(context: Context) -> None:
    """A call through a pointer that points to no function."""
    context.find(FindingKind.OUT_OF_BOUNDS, NO_FUNCTION)


def _overflow(context: Context) -> None:
    """A function that calls itself once more than is followed."""
    context.find(FindingKind.BUDGET_EXCEEDED, STACK_OVERFLOW)


def _allocate(context: Context, size: Value) -> Value:
    """Allocate for each active thread; null where the heap is full, or nothing is asked for."""
    sizes, found = context.vector(size, np.uint64), np.zeros(context.lanes, np.int64)
    for lane in context.mask.indices.tolist():
        found[lane] = context.take(int(sizes[lane]))
    return found


def _free(context: Context, address: Value) -> None:
    """Give back what each active thread names; null is nothing."""
    addresses = context.vector(address, np.int64)
    wrong = [lane for lane in context.mask.indices.tolist() if addresses[lane] and not context.give_back(int(addresses[lane]))]
    context.find_in(FindingKind.OUT_OF_BOUNDS, NO_ALLOCATION, wrong)


def functions(mathematics: dict[str, Callable[..., Any]]) -> dict[str, Function]:
    """Return these functions by their CUDA names; `mathematics` has the sines and cosines."""
    fences = {
        "__threadfence": _fence(ThreadScope.DEVICE),
        "__threadfence_block": _fence(ThreadScope.BLOCK),
        "__threadfence_system": _fence(ThreadScope.SYSTEM),
        "__tilescope_relaxed": _fence(ThreadScope.SYSTEM, MemoryOrder.RELAXED),
        "__tilescope_release": _fence(ThreadScope.DEVICE, MemoryOrder.RELEASE),
        "__tilescope_acquire": _fence(ThreadScope.DEVICE, MemoryOrder.ACQUIRE),
        "__tilescope_release_block": _fence(ThreadScope.BLOCK, MemoryOrder.RELEASE),
        "__tilescope_acquire_block": _fence(ThreadScope.BLOCK, MemoryOrder.ACQUIRE),
        "__brkpt": _nothing,
        "fence.proxy.async": _fence(ThreadScope.BLOCK, MemoryOrder.PROXY),
        "fence.mbarrier_init": _fence(ThreadScope.DEVICE, MemoryOrder.BARRIER_INIT),
    }
    pairs = {
        **dict.fromkeys(("sincos", "sincosf", "__sincosf"), _both(mathematics["sin"], mathematics["cos"])),
        **dict.fromkeys(("sincospi", "sincospif"), _both(mathematics["sinpi"], mathematics["cospi"])),
    }
    parts = {
        **dict.fromkeys(("frexp", "frexpf"), _split(np.frexp, I32)),
        **dict.fromkeys(("modf", "modff"), _split(np.modf, None)),
    }
    return {
        **fences,
        **pairs,
        **parts,
        "__tilescope_dynamic_smem_size": partial(_shared_bytes, dynamic=True),
        "__tilescope_total_smem_size": partial(_shared_bytes, dynamic=False),
        "clock": _clock(32),
        "clock64": _clock(64),
        "__nanosleep": _sleep,
        "__trap": _trap,
        "malloc": _allocate,
        "free": _free,
        "__tilescope_no_function": _call_nothing,
        "__tilescope_stack_overflow": _overflow,
    }
