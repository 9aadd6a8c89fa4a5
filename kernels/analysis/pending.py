"""Asynchronous copies into shared memory while they are under way: the write may happen at any time from the issue to the wait.

The trace has the store where it has been waited for. Races look for it in every barrier interval in which it may happen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernels.analysis.cases import Ints
from kernels.simt.trace import Trace


def with_pending(trace: Trace) -> tuple[Trace, Ints]:
    """A trace in which such a store also stands where it was issued and in each barrier interval between, and its rows' numbers in the
    given one."""
    rows = trace.rows
    everything = np.arange(len(rows.site))
    if rows.issued is None:
        return trace, everything
    store, place = _places(trace, rows.issued.astype(np.int64))
    order = np.argsort(np.concatenate([2 * everything + 1, 2 * place]), kind="stable")
    number, at = np.concatenate([everything, store])[order], np.concatenate([everything, place])[order]
    taken = {name: getattr(rows, name)[number] for name in ("site", "mask", "base", "offset", "block")}
    timed = {name: getattr(rows, name)[at] for name in ("epoch", "warp_epoch")}
    changed, lost = (None if column is None else column[number] for column in (rows.changed, rows.lost))
    before = np.sort(place)
    barriers = tuple(replace(event, row=event.row + int(np.searchsorted(before, event.row))) for event in trace.barriers)
    return replace(trace, rows=replace(rows, **taken, **timed, changed=changed, lost=lost, issued=None), barriers=barriers), number


def _places(trace: Trace, issued: Ints) -> tuple[Ints, Ints]:
    """The stores, each as often as it is repeated, and the rows before which: the first after the issue, and the first of every barrier
    interval between that one's and the store's own."""
    rows = trace.rows
    store = np.flatnonzero(issued >= 0)
    begin = issued[store]
    other = (rows.epoch[begin] != rows.epoch[store]) | (rows.warp_epoch[begin] != rows.warp_epoch[store])
    starts = np.flatnonzero(np.r_[True, (rows.block[1:] != rows.block[:-1]) | (rows.epoch[1:] != rows.epoch[:-1])])
    first, last = np.searchsorted(starts, begin, "right"), np.searchsorted(starts, store, "right") - 1
    count = np.maximum(last - first, 0)
    each = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.concatenate([store[other], np.repeat(store, count)]), np.concatenate([begin[other], starts[each]])
