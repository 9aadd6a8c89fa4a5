"""A schedule of a launch: which warp, or which lanes of a warp, goes when, access by access."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

WHOLE_WARP = 0xFFFFFFFF
SINGLE_LANES = tuple(1 << lane for lane in range(32))


class Rule(StrEnum):
    """Who goes next where a schedule leaves it open."""

    IN_STEP = "in step"
    """All in turn, one access each."""
    IN_ORDER = "in order"
    """One after the other, each up to its next barrier or its end."""
    REVERSED = "reversed"
    """So too, the last first."""
    RANDOM = "random"
    """The one of the highest priority. Priorities are drawn; at `Schedule.changes` accesses, drawn too, whoever goes gets the lowest."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread by its block's place among those executed, and its own in the block."""

    block: int
    lane: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Who executes with `thread` does not begin its access number `access`, from 0, until who executes with `until` has made its first
    `reached` accesses."""

    thread: Thread
    access: int
    until: Thread
    reached: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rule, and exceptions from it. `parts`: the lanes of each warp that go together, as bits."""

    rule: Rule
    holds: tuple[Hold, ...] = ()
    parts: tuple[int, ...] = (WHOLE_WARP,)
    seed: int = 0
    changes: int = 0
    span: int = 0
    """Accesses among which those of `changes` are drawn."""
    copies_at_once: bool = False
    """Whether asynchronous copies write as soon as they are issued, not when they are waited for: they may at any time between."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Accesses that some lanes of a warp make, one after the other, while nobody else goes. `rows` of the trace from `first` on."""

    block: int
    warp: int
    lanes: int
    first: int
    rows: int
