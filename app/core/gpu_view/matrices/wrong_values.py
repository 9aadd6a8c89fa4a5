"""Wrong values of a schedule that breaks a race: which elements hold one at a moment, and which the step moves."""

from __future__ import annotations

import numpy as np

from app.core.base.picture_parts import Verdict
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """All writes, one for each byte that begins an element: where, when, whether wrong. In the order of place and row."""

    place: Ints
    row: Ints
    wrong: Bools


def wrong_elements(index: LaunchIndex, frame: Frame, allocation: int) -> Ints:
    """The elements of an array that hold a wrong value when the frame's step is over, or whose wrong value it moves; ascending."""
    if not index.record.wrong:
        return np.zeros(0, np.int64)
    array = index.trace.allocations[allocation]
    shared = array.space is Space.SHARED
    written = index.once(_shared_writes if shared else _global_writes)
    block = frame.band.block if shared else 0
    first = (block << _BLOCK) + array.address
    some = slice(*np.searchsorted(written.place, [first, first + array.bytes]))
    place, before = written.place[some], written.row[some] <= frame.row
    place, wrong = place[before], written.wrong[some][before]
    last = np.append(place[1:] != place[:-1], True)[: len(place)]
    held = (place[last & wrong] - first) // array.element_bytes
    return np.unique(np.concatenate((held, _moved(index, frame, allocation))))


def wrong_lanes(index: LaunchIndex, frame: Frame) -> frozenset[int]:
    """The lanes of the step that move a wrong value, counted in their warp."""
    lanes = index.once(_by_row).get(frame.row, ())
    return frozenset(lane - 32 * frame.warp for lane in lanes if lane // 32 == frame.warp)


def wrong_move(index: LaunchIndex, frame: Frame) -> Verdict | None:
    """Say that the step moves a wrong value; None where it moves none."""
    lanes = wrong_lanes(index, frame)
    if not lanes:
        return None
    return Verdict(message("wrong value read") if frame.site.operation == "load" else message("wrong value written"), 1 + len(lanes))


def _moved(index: LaunchIndex, frame: Frame, allocation: int) -> Ints:
    chosen = wrong_lanes(index, frame)
    lanes = index.lanes(frame.step)
    mine = np.isin(np.arange(len(lanes.active)), list(chosen)) & (lanes.allocation == allocation)
    found: Ints = lanes.element[mine]
    return found


def _by_row(index: LaunchIndex) -> dict[int, tuple[int, ...]]:
    return {each.row: each.lanes for each in index.record.wrong}


_BLOCK = 40
"""Bits of a place in shared memory below its block."""


def _shared_writes(index: LaunchIndex) -> _Written:
    return _writes(index, shared=True)


def _global_writes(index: LaunchIndex) -> _Written:
    return _writes(index, shared=False)


def _writes(index: LaunchIndex, *, shared: bool) -> _Written:
    trace = index.trace
    writing = np.array([each.operation != "load" and (each.space is Space.SHARED) == shared for each in trace.sites], np.bool_)
    chosen = np.flatnonzero(writing[trace.rows.site])
    order, lane = np.nonzero(trace.masks[trace.rows.mask[chosen]])
    row = chosen[order]
    place = trace.bases[trace.rows.base[row], lane] + trace.rows.offset[row]
    if shared:
        place = place + (trace.rows.block[row].astype(np.int64) << _BLOCK)
    wrong = {(each.row, lane) for each in index.record.wrong for lane in each.lanes}
    flags = np.array([pair in wrong for pair in zip(row.tolist(), lane.tolist(), strict=True)], np.bool_)
    placed = np.lexsort((row, place))
    return _Written(place[placed], row[placed], flags[placed])
