"""Elements that hold no value of their type: two of 16 bits, for the tensor cores that read them.

The type that a text gives an array says how far apart its elements lie, not what its bytes are. Copies move them as bytes; what reads them
then says what they are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.core.base.i18n import digits_text
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.tensor_core_steps import operand_kind
from kernels.base.messages import Message, message
from kernels.simt.base.rounding import bfloat16_value
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import Window
from kernels.simt.trace.trace import Site, Trace

_KINDS = {"bf16": "bfloat16", "f16": "half"}
_WORD = 4
_WHOLE_MATRICES = ("ldmatrix", "wgmma.")
_BITS = ""
"""Instead of a type: other accesses reach the array too, so that not all of it need be such values."""


def packed_text(index: LaunchIndex, allocation: int, seen: Window) -> Message | None:
    """The values in an element that is read as two of 16 bits, or its bits where it may hold something else; None where its own type is
    what it holds, for all that is known."""
    kind = index.once(_packed).get(allocation)
    if kind is None or len(seen.values) != 1:  # a vector of two such values is written as that anyway
        return None
    bits = seen.values.view(np.uint32)
    if kind == _BITS:
        return message("the bits 0x{bits}", bits=f"{int(bits[0]):08X}")
    halves = bits.view(np.uint16)
    low, high = (bfloat16_value(halves) if kind == _KINDS["bf16"] else halves.view(np.float16)).tolist()
    return message("{low} and {high}, two {kind} values in one element", low=digits_text(low), high=digits_text(high), kind=kind)


def packed_kind(index: LaunchIndex, allocation: int) -> str | None:
    """What an array's elements hold two of, where that is known of all of them."""
    return index.once(_packed).get(allocation) or None


def _packed(index: LaunchIndex) -> Mapping[int, str]:
    """The arrays whose elements are copied to shared memory, where only products of 16 bits read: what these take them for."""
    trace = index.trace
    kind = _KINDS.get(operand_kind(trace))
    reads = [site for site in trace.sites if site.space is Space.SHARED and site.operation == "load"]
    if kind is None or not all(site.function.startswith(_WHOLE_MATRICES) for site in reads):
        return {}
    found = dict[int, str]()
    for number, array in enumerate(trace.allocations):
        reached = [site for at, site in enumerate(trace.sites) if _reaches(trace, at, site, number)]
        if array.space is Space.GLOBAL and array.element_bytes == _WORD and any(_copies(site) for site in reached):
            found[number] = kind if all(_copies(site) for site in reached) else _BITS
    return found


def _copies(site: Site) -> bool:
    return site.piece and site.operation == "load"


def _reaches(trace: Trace, number: int, site: Site, allocation: int) -> bool:
    """Whether a site accesses an array: by the first lane of each of its rows."""
    if site.space is not Space.GLOBAL or site.allocation != NOWHERE:
        return site.allocation == allocation
    rows, array = trace.rows, trace.allocations[allocation]
    own = np.flatnonzero(rows.site == number)
    address = trace.bases[rows.base[own], trace.masks.argmax(axis=1)[rows.mask[own]]] + rows.offset[own]
    return bool(((address >= array.address) & (address < array.address + array.bytes)).any())
