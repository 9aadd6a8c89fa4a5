"""Why an access missed, from a second cache beside the level (`caches.Shadow`) that the same accesses go through. Compiled by numba.

What was never there before had to be fetched (compulsory). What the shadow lacks as well did not fit (capacity). What it holds left the
level only because its set was full (conflict).
"""

from __future__ import annotations

from kernels.cachesim.caches import ENDS, GONE, NEVER, NEXT, PREVIOUS, ROOM
from kernels.cachesim.memory import field, inlined, set_field

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
        _unlink(shadow, node)
        _link(shadow, node)
        return CONFLICT
    if is_kept:
        _make_room(shadow)
        _link(shadow, node)
    else:
        set_field(following, node, GONE)
    return COMPULSORY if state == NEVER else CAPACITY


@inlined
def _make_room(shadow: int) -> None:
    """Let the line go that was used longest ago, where there is no room."""
    room = field(shadow, ROOM)
    if room > 0:
        set_field(shadow, ROOM, room - 1)
        return
    last = field(field(shadow, PREVIOUS), ENDS)
    _unlink(shadow, last)
    set_field(field(shadow, NEXT), last, GONE)


@inlined
def _unlink(shadow: int, node: int) -> None:
    """Take a node out of the list."""
    following, previous = field(shadow, NEXT), field(shadow, PREVIOUS)
    before, after = field(previous, node), field(following, node)
    set_field(following, before, after)
    set_field(previous, after, before)


@inlined
def _link(shadow: int, node: int) -> None:
    """Put a node to the front of the list."""
    following, previous = field(shadow, NEXT), field(shadow, PREVIOUS)
    first = field(following, ENDS)
    set_field(following, node, first)
    set_field(previous, node, ENDS)
    set_field(following, ENDS, node)
    set_field(previous, first, node)
