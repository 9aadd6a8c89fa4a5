"""A schedule of a launch: which warp, or which lanes of a warp, goes when, access by access."""

from __future__ import annotations

from enum import StrEnum

from kernels.base.values import dataclass

WHOLE_WARP = 0xFFFFFFFF
SINGLE_LANES = tuple(1 << lane for lane in range(32))


class Rule(StrEnum):
    """Rule for who goes next where a schedule leaves it open."""

    IN_STEP = "in step"
    """All in turn, one access each."""
    LAST_FIRST = "in step, the last first"
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
class Late:
    """What who executes with `thread` stores at a line, others see as late as the order of memory lets them; at the latest when who
    executes with `until` has made its first `reached` accesses. Atomics and volatile stores are seen at once."""

    thread: Thread
    file: str
    line: int
    until: Thread | None = None
    reached: int = 0


@dataclass(frozen=True, slots=True)
class Old:
    """What who executes with `thread` loads at a line is as old as the order of memory lets it be, at most so many writes of the place.
    Atomics of the device's scope and volatile loads see what is there."""

    thread: Thread
    file: str
    line: int
    most: int | None = None


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
    late: tuple[Late, ...] = ()
    old: tuple[Old, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Accesses that some lanes of a warp make, one after the other, while nobody else goes. `rows` of the trace from `first` on."""

    block: int
    warp: int
    lanes: int
    first: int
    rows: int
    late: bool = False
    """Whether this is no turn of theirs: a store that they made before is seen by all from here on."""
