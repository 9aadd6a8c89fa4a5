"""Access steps: the first and the last step at which each element of an array is touched, in a range of steps; only of those that are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.core.frames.matrix import Box
from app.core.gpu_view.arrays import places_of
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

_DIRECT = 1 << 15
"""Accesses (rows times lanes) that are looked at one by one; of more, rows with alike lanes are looked at together."""
_DENSE = 1 << 22
"""Elements of a rectangle up to which a grid of it is filled."""
_NEVER = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True, eq=False)
class AccessSteps:
    """Steps of the accesses to some elements: `element` ascends, each once; `first` and `last` are the steps at which it is touched."""

    element: Ints
    first: npt.NDArray[np.int32]
    last: npt.NDArray[np.int32]

    def within(self, window: Box, columns: int) -> AccessSteps:
        """Return the steps in a rectangle of an array with so many columns."""
        if window.column == 0 and window.columns >= columns:
            chosen: slice | Ints = slice(*np.searchsorted(self.element, [window.row * columns, (window.row + window.rows) * columns]))
        else:
            begins = np.arange(window.row, window.row + window.rows) * columns + window.column
            starts, stops = np.searchsorted(self.element, begins), np.searchsorted(self.element, begins + window.columns)
            chosen = np.concatenate([np.arange(0), *(np.arange(a, b) for a, b in zip(starts, stops, strict=True) if b > a)])
        return AccessSteps(self.element[chosen], self.first[chosen], self.last[chosen])


NOTHING = AccessSteps(np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))


def rows_between(index: LaunchIndex, start: int, stop: int) -> npt.NDArray[np.intp]:
    """The access rows of the steps from `start` to `stop` (exclusive), ascending."""
    flags = np.zeros(len(index.trace.rows.site), np.bool_)
    flags[index.record.order.row[start:stop]] = True
    return np.flatnonzero(flags)


def touches(index: LaunchIndex, rows: npt.NDArray[np.intp], allocation: int, start: int, stop: int) -> tuple[Ints, Ints, Ints]:
    """The elements of an array that rows touch, some of them several times, with the first and last step at which lanes of that row do.
    Steps outside of `start` to `stop` do not count."""
    parts = [_of_group(index, group, allocation, start, stop) for group in _alike(index, rows)]
    if not parts:
        return NOTHING.element, NOTHING.element, NOTHING.element
    element, first, last = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return element, first, last


def reached(index: LaunchIndex, rows: npt.NDArray[np.intp], allocation: int) -> Ints:
    """The elements of an array that rows touch, some several times."""
    table, trace, parts = index.trace.rows, index.trace, [NOTHING.element]
    array = trace.allocations[allocation]
    for group in _alike(index, rows):
        if _uniform(index, group):
            base = np.unique(trace.bases[table.base[group[0]]][trace.masks[table.mask[group[0]]]])
            place = (base[None, :] + (table.offset[group] - array.address)[:, None]).ravel()
        else:
            place = (trace.bases[table.base[group]] + (table.offset[group] - array.address)[:, None])[trace.masks[table.mask[group]]]
        if len(place) and (place.min() < 0 or place.max() >= array.bytes):
            place = place[(place >= 0) & (place < array.bytes)]
        element = place // array.element_bytes
        parts += [element + part for part in range(index.span(trace.sites[table.site[group[0]]], allocation))]
    return np.concatenate(parts)


def reaching(index: LaunchIndex, rows: npt.NDArray[np.intp], allocation: int) -> npt.NDArray[np.intp]:
    """Return the rows that touch an array: of an instruction that may touch several, its first lane tells which."""
    trace, table = index.trace, index.trace.rows
    array, first = trace.allocations[allocation], trace.masks.argmax(axis=1)[table.mask[rows]]
    place = trace.bases[table.base[rows], first] + table.offset[rows] - array.address
    found: npt.NDArray[np.intp] = rows[(place >= 0) & (place < array.bytes)]
    return found


def condense(element: Ints, first: Ints, last: Ints, columns: int) -> AccessSteps:
    """Return the steps with each element once.

    A grid is filled where the elements lie close together, which is far faster than sorting them.
    """
    if not len(element):
        return NOTHING
    grid = _grid(element, columns)
    if grid is None:
        distinct, place = np.unique(element, return_inverse=True)
        count = len(distinct)
    else:
        around, place = grid
        count = around.rows * around.columns
    begin, end = np.full(count, _NEVER, np.int32), np.full(count, -1, np.int32)
    np.minimum.at(begin, place, first.astype(np.int32))
    np.maximum.at(end, place, last.astype(np.int32))
    if grid is None:
        return AccessSteps(distinct, begin, end)
    found = np.flatnonzero(end >= 0)
    return AccessSteps(_elements(found, around, columns), begin[found], end[found])


def distinct(element: Ints, columns: int) -> Ints:
    """Return each element once, ascending."""
    grid = _grid(element, columns) if len(element) else None
    if grid is None:
        return np.unique(element)
    around, place = grid
    flags = np.zeros(around.rows * around.columns, np.bool_)
    flags[place] = True
    return _elements(np.flatnonzero(flags), around, columns)


def _grid(element: Ints, columns: int) -> tuple[Box, Ints] | None:
    """The rectangle around some elements, and their places in it counted row-major; None where they lie too far from each other."""
    row, column = places_of(element, columns)
    top, left = int(row.min()), int(column.min())
    around = Box(top, left, int(row.max()) - top + 1, int(column.max()) - left + 1)
    if around.rows * around.columns > max(_DENSE, 4 * len(element)):
        return None
    return around, (row - top) * around.columns + (column - left)


def _elements(place: Ints, around: Box, columns: int) -> Ints:
    """The elements at places in a rectangle."""
    row, column = places_of(place, around.columns)
    return (row + around.row) * columns + column + around.column


def _alike(index: LaunchIndex, rows: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    """Rows in groups that can be looked at together: few in all, or of one base, mask and size."""
    if len(rows) * index.trace.masks.shape[1] <= _DIRECT:
        size = np.array([site.bytes for site in index.trace.sites], np.int64)[index.trace.rows.site[rows]]
        return [rows[size == each] for each in np.unique(size)]
    table = index.trace.rows
    size = np.array([site.bytes for site in index.trace.sites], np.int64)[table.site[rows]]
    key = (table.base[rows].astype(np.int64) * len(index.trace.masks) + table.mask[rows]) * 32 + size
    order = np.argsort(key, kind="stable")
    return np.split(rows[order], np.flatnonzero(np.diff(key[order])) + 1)


def _uniform(index: LaunchIndex, rows: npt.NDArray[np.intp]) -> bool:
    """Whether all rows are of one base and mask."""
    base, mask = index.trace.rows.base[rows], index.trace.rows.mask[rows]
    return bool((base == base[:1]).all() and (mask == mask[:1]).all() and len(rows))


def _of_group(index: LaunchIndex, rows: npt.NDArray[np.intp], allocation: int, start: int, stop: int) -> tuple[Ints, Ints, Ints]:
    table, trace = index.trace.rows, index.trace
    array, rank = trace.allocations[allocation], index.record.order.rank[rows]
    if _uniform(index, rows):
        base, lanes_first, lanes_last = _distinct(trace.bases[table.base[rows[0]]], trace.masks[table.mask[rows[0]]])
        address = base[None, :] + table.offset[rows][:, None]
        first, last = rank[:, lanes_first // WARP], rank[:, lanes_last // WARP]
        active = np.ones(address.shape, np.bool_)
    else:
        address, active = trace.bases[table.base[rows]] + table.offset[rows][:, None], trace.masks[table.mask[rows]]
        first = last = np.repeat(rank, WARP, axis=1)
    chosen: Bools = active & (address >= array.address) & (address < array.address + array.bytes) & (first < stop) & (last >= start)
    element = (address[chosen] - array.address) // array.element_bytes
    span = index.span(trace.sites[table.site[rows[0]]], allocation)
    begin, end = np.maximum(first[chosen], start), np.minimum(last[chosen], stop - 1)
    if span == 1:
        return element, begin, end
    return (element[:, None] + np.arange(span)).ravel(), np.repeat(begin, span), np.repeat(end, span)


def _distinct(address: Ints, active: Bools) -> tuple[Ints, Ints, Ints]:
    """The distinct addresses of the active lanes, with the first and the last lane of each. Steps of one row ascend with the warp."""
    lanes = np.flatnonzero(active)
    values, first = np.unique(address[lanes], return_index=True)
    last = len(lanes) - 1 - np.unique(address[lanes][::-1], return_index=True)[1]
    return values, lanes[first], lanes[last]
