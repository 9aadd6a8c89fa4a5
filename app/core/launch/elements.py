"""One element of an array at a moment: its value, who wrote it, how many requests have read it; in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.i18n import MINUS
from app.core.launch.arrays import ShownArray
from app.core.launch.frame import Frame
from app.core.launch.index import NOWHERE, LaunchIndex
from app.core.launch.threads import thread_place
from app.core.table import Table
from kernels.analysis.cases import Ints
from kernels.messages import Message, message
from kernels.simt.contents import UNDEFINED, WRITTEN
from kernels.simt.launch import Dim3
from kernels.simt.trace import WARP


@dataclass(frozen=True, slots=True)
class Writer:
    """A thread (x, y, z) of a block (x, y, z)."""

    thread: Dim3
    block: Dim3


def value_of(index: LaunchIndex, allocation: int, element: int, frame: Frame) -> tuple[str, int, int]:
    """The value of an element as text ("" where there is none), its state, and the step that wrote it (-1: none). Of a vector or a struct
    all parts."""
    array = index.trace.allocations[allocation]
    parts = max(1, index.record.contents.scalars(allocation) * array.element_bytes // max(array.bytes, 1))
    places = np.arange(element * parts, (element + 1) * parts)
    seen = index.record.contents.window(allocation, places, frame.moment, frame.band.block)
    if (seen.state == UNDEFINED).any():
        return "", UNDEFINED, int(seen.writer.max())
    text = ", ".join(f"{value:g}".replace("-", MINUS) for value in seen.values.tolist())
    return text if parts == 1 else f"({text})", int(seen.state.max()), int(seen.writer.max())


def writer_of(index: LaunchIndex, allocation: int, element: int, step: int) -> Writer | None:
    """The thread that wrote an element in a step: where several lanes did, the last of them."""
    lanes, site = index.lanes(step), index.site(step)
    span = index.span(site, allocation)
    own = np.flatnonzero((lanes.allocation == allocation) & (lanes.element <= element) & (element < lanes.element + span))
    if not len(own):
        return None
    thread = index.place(step)[1] * WARP + int(own[-1])
    return Writer(thread_place(index.trace.block, thread), index.trace.blocks[index.band(step).block])


def requests_before(index: LaunchIndex, allocation: int, element: int, moment: int) -> int:
    """How many warp instructions of the steps before a moment have read an element."""
    trace, rows = index.trace, index.trace.rows
    array = trace.allocations[allocation]
    first = array.address + element * array.element_bytes
    count = 0
    for number, site in enumerate(trace.sites):
        if site.operation == "store" or site.allocation not in (NOWHERE, allocation):
            continue
        own = np.flatnonzero(rows.site == number)
        for base in np.unique(rows.base[own]).tolist():
            lanes = np.sort(np.unique(trace.bases[base]))
            of_base = own[rows.base[own] == base]
            wanted = first + array.element_bytes - 1 - rows.offset[of_base]
            near = lanes[np.maximum(np.searchsorted(lanes, wanted, side="right") - 1, 0)]
            reached = of_base[(near <= wanted) & (near > wanted - array.element_bytes - site.bytes + 1)]
            count += _requests(index, reached, first, array.element_bytes, site.bytes, moment)
    return count


def _requests(index: LaunchIndex, reached: Ints, first: int, size: int, moved: int, moment: int) -> int:
    trace, rows = index.trace, index.trace.rows
    address = trace.bases[rows.base[reached]] + rows.offset[reached][:, None]
    hit = trace.masks[rows.mask[reached]] & (address < first + size) & (address + moved > first)
    warps = hit.reshape(len(reached), hit.shape[1] // WARP, WARP).any(axis=2)
    ranks = index.record.order.rank[reached]
    return int((warps & (ranks >= 0) & (ranks < moment)).sum())


def element_words(index: LaunchIndex, array: ShownArray, element: int, frame: Frame) -> Message:
    """What a tooltip says of an element."""
    name = array.element_name(element)
    value, state, step = value_of(index, array.allocation, element, frame)
    count = requests_before(index, array.allocation, element, frame.step + 1)
    if state == UNDEFINED:
        return message("{element}: not yet written. Requests that have read it: {count}", element=name, count=count)
    writer = writer_of(index, array.allocation, element, step) if state == WRITTEN and step >= 0 else None
    if writer is None:
        return message(
            "{element} = {value}, as before the launch. Requests that have read it: {count}", element=name, value=value, count=count
        )
    return message(
        "{element} = {value}, written by thread ({x}, {y}) of block ({i}, {j}) in step {step}. Requests that have read it: {count}",
        element=name, value=value, x=writer.thread[0], y=writer.thread[1], i=writer.block[0], j=writer.block[1], step=step + 1, count=count,
    )  # fmt: skip


def lanes_table(index: LaunchIndex, arrays: tuple[ShownArray, ...], frame: Frame) -> Table:
    """The lanes of the step: thread, element and value of each that takes part."""
    named = {array.allocation: array for array in arrays}
    rows: list[tuple[Message | str, ...]] = []
    for lane in np.flatnonzero(frame.lanes.active).tolist():
        allocation, element = int(frame.lanes.allocation[lane]), int(frame.lanes.element[lane])
        thread = str(frame.first_thread + lane)
        if allocation == NOWHERE:
            rows.append((str(lane), thread, message("outside of every array"), ""))
            continue
        name = named[allocation].element_name(element) if allocation in named else _name(index, allocation, element)
        rows.append((str(lane), thread, name, value_of(index, allocation, element, frame)[0]))
    return Table((message("Lane"), message("Thread"), message("Element"), message("Value")), tuple(rows))


def _name(index: LaunchIndex, allocation: int, element: int) -> str:
    """An element of an array that is not in global memory, with one index for each of its dimensions."""
    array = index.trace.allocations[allocation]
    shape = array.shape if array.shape and int(np.prod(array.shape)) > element else (array.bytes,)
    return array.name + "".join(f"[{place}]" for place in np.unravel_index(element, shape))
