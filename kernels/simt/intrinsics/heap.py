"""The device's heap: malloc and free, as kernels call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernels.base.messages import message
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value

NO_ALLOCATION = message("free is given an address that no allocation of the device's heap begins at.")


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


def functions() -> dict[str, Function]:
    """Return the functions of the heap by their CUDA names."""
    return {"malloc": _allocate, "free": _free}
