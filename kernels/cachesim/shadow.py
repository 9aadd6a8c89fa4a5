"""A second cache beside a level: as large, but one set with LRU. It tells why an access missed (`classify`).

It is a list of lines in the order of their last use, linked through two arrays that are indexed by line: as quick with half a million
ways as with eight.
"""

from __future__ import annotations

import numpy as np

from kernels.cachesim.geometry import Level

NEXT, PREVIOUS, ROOM = range(3)
"""Fields of a shadow: the addresses of its two arrays, and how many lines it may yet take before one has to leave."""
FIELDS = 3
NEVER, GONE = -1, -2
"""In place of the next line: this one has not been here, or is here no longer."""
ENDS = 0
"""The list is a ring through this node; line n is node n + 1."""


class Shadow:
    """The second cache beside a level. Its arrays grow with the addresses that it sees."""

    def __init__(self, level: Level) -> None:
        self._line = level.line
        self._next = np.zeros(1, np.int64)
        self._previous = np.zeros(1, np.int64)
        self.fields = np.zeros(FIELDS, np.int64)
        self.fields[ROOM] = level.lines

    def reach(self, end: int) -> None:
        """Make room for lines of addresses below `end`."""
        nodes = -(-end // self._line) + 1
        if nodes > len(self._next):
            more = max(nodes, 2 * len(self._next)) - len(self._next)
            self._next = np.concatenate([self._next, np.full(more, NEVER, np.int64)])
            self._previous = np.concatenate([self._previous, np.zeros(more, np.int64)])
        self.fields[[NEXT, PREVIOUS]] = self._next.ctypes.data, self._previous.ctypes.data
