"""What memory holds at a moment, found the slow way: every write of a trace's history, lane by lane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.types import Space
from kernels.simt.trace.contents import INITIAL, UNDEFINED, WRITTEN, Contents
from kernels.simt.trace.trace import WARP, Held, Trace


class Replay:
    """The bytes of one array at a moment: what they hold, whether they are defined, who wrote them last."""

    def __init__(self, trace: Trace, allocation: int, moment: int, block: int = 0, moments: npt.NDArray[np.int64] | None = None) -> None:
        self._trace, self._array, self._block = trace, trace.allocations[allocation], block
        begun = trace.initial[allocation]
        self.held = np.zeros(self._array.bytes, np.uint8) if begun.bytes is None else begun.bytes.copy()
        self.defined = np.full(self._array.bytes, begun.held is not Held.UNDEFINED)
        self.writer = np.full(self._array.bytes, -1, np.int64)
        assert trace.written is not None
        rows, warps = len(trace.rows.site), trace.masks.shape[1] // WARP
        self._moments = np.arange(rows * warps).reshape(rows, warps) if moments is None else moments
        writes = [write for number, row in enumerate(trace.written.row.tolist()) for write in self._writes(number, row)]
        for when, start, held in sorted(writes, key=lambda write: write[0]):
            if when < moment:
                reached = slice(start, start + len(held))
                self.held[reached], self.defined[reached], self.writer[reached] = held, True, when

    def _writes(self, number: int, row: int) -> Iterator[tuple[int, int, npt.NDArray[np.uint8]]]:
        """Moment, first byte and bytes of what each lane of a row wrote to the array."""
        trace, written, array = self._trace, self._trace.written, self._array
        site = trace.sites[trace.rows.site[row]]
        shared = array.space is Space.SHARED
        if (site.space is Space.SHARED) != shared or (shared and trace.rows.block[row] != self._block):
            return
        if site.allocation >= 0 and trace.allocations[site.allocation].address != array.address:
            return
        assert written is not None
        place = int(written.start[number])
        for lane in np.flatnonzero(trace.masks[trace.rows.mask[row]]).tolist():
            start = int(trace.bases[trace.rows.base[row], lane] + trace.rows.offset[row])
            if start % site.bytes == 0 and array.address <= start <= array.address + array.bytes - site.bytes:
                yield int(self._moments[row, lane // WARP]), start - array.address, written.bytes[place : place + site.bytes]
            place += site.bytes


def assert_window(
    contents: Contents, trace: Trace, allocation: int, moment: int, block: int = 0, moments: npt.NDArray[np.int64] | None = None
) -> None:
    """The window over a whole array is what the replay finds."""
    whole = np.arange(contents.scalars(allocation))
    window, replay = contents.window(allocation, whole, moment, block), Replay(trace, allocation, moment, block, moments)
    if not len(whole):
        return
    size = trace.allocations[allocation].bytes // len(whole)
    used = len(whole) * size
    held, defined, writer = (column[:used].reshape(-1, size) for column in (replay.held, replay.defined, replay.writer))
    state = np.where(~defined.all(axis=1), UNDEFINED, np.where((writer >= 0).any(axis=1), WRITTEN, INITIAL))
    np.testing.assert_array_equal(window.state, state)
    np.testing.assert_array_equal(window.writer, writer.max(axis=1))
    known = state != UNDEFINED
    assert not window.values[~known].any()
    if window.values.dtype.itemsize == size:
        np.testing.assert_array_equal(as_bytes(window.values[known]), held[known].reshape(-1))


def as_bytes(values: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The memory of an array."""
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8)


def assert_same_end(trace: Trace, results: Trace) -> None:
    """At the end the window over each argument is what the same launch without a history left, where that is defined."""
    contents = Contents(trace)
    numbers = {array.name: number for number, array in enumerate(trace.allocations) if array.space is not Space.SHARED}
    for name, expected in results.values.items():
        number = numbers[name]
        window = contents.window(number, np.arange(contents.scalars(number)), contents.end)
        if window.values.dtype.itemsize * window.values.size == expected.nbytes and window.values.size:
            found, given = (as_bytes(each).reshape(len(window.state), -1) for each in (window.values, expected))
            known = window.state != UNDEFINED
            np.testing.assert_array_equal(found[known], given[known])
            if trace.initial[number].held is Held.UNDEFINED:
                assert (given[window.writer < 0] == 0xFF).all()
