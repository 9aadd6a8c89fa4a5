"""Why an access missed: the same accesses go through a second cache, its shadow. Compiled by numba.

What was never there before had to be fetched (compulsory). What the shadow lacks as well did not fit (capacity). What it holds left the
level only because its set was full (conflict).

A second cache beside a level: as large, but one set with LRU. It tells why an access missed (`classify`).

It is a list of lines in the order of their last use, linked through two arrays that are indexed by line: as quick with half a million
ways as with eight.
"""

from __future__ import annotations

import numpy as np

from kernels.cachesim.geometry import Level
from kernels.cachesim.memory import field, inlined, set_field

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


CONFLICT, CAPACITY, COMPULSORY = range(3)
"""The kinds of misses. What misses for several lines counts as the last of theirs."""


@inlined
def kind_of_miss(shadow: int, line: int, is_kept: bool) -> int:
    """The kind that this is if the level misses it. The line is the last used one then, unless it is neither there nor kept."""
    node = line + 1
    following = field(shadow, NEXT)
    if field(following, ENDS) == node:
        return CONFLICT
    state = field(following, node)
    if state >= 0:
        unlink(shadow, node)
        link(shadow, node)
        return CONFLICT
    if is_kept:
        make_room(shadow)
        link(shadow, node)
    else:
        set_field(following, node, GONE)
    return COMPULSORY if state == NEVER else CAPACITY


@inlined
def make_room(shadow: int) -> None:
    """Let the line go that was used longest ago, where there is no room."""
    room = field(shadow, ROOM)
    if room > 0:
        set_field(shadow, ROOM, room - 1)
        return
    last = field(field(shadow, PREVIOUS), ENDS)
    unlink(shadow, last)
    set_field(field(shadow, NEXT), last, GONE)


@inlined
def unlink(shadow: int, node: int) -> None:
    """Take a node out of the list."""
    following, previous = field(shadow, NEXT), field(shadow, PREVIOUS)
    before, after = field(previous, node), field(following, node)
    set_field(following, before, after)
    set_field(previous, after, before)


@inlined
def link(shadow: int, node: int) -> None:
    """Put a node to the front of the list."""
    following, previous = field(shadow, NEXT), field(shadow, PREVIOUS)
    first = field(following, ENDS)
    set_field(following, node, first)
    set_field(previous, node, ENDS)
    set_field(following, ENDS, node)
    set_field(previous, first, node)
