"""Edges as values: launches of a kernel and runs of a program that are to be tried, and what was found in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce
from math import prod

from kernels.analysis.trust import Trust
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Argument, IndexArrangement, LaunchRequest
from kernels.simt.host.result import HostFinding
from kernels.simt.trace.trace import Finding


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """One launch to be tried: its `sizes`, and the `order` of the indices in `array`. `launch` has the grid and all arguments."""

    sizes: Mapping[str, int]
    launch: LaunchRequest
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The extents of each array."""
    array: str = ""
    order: IndexArrangement | None = None
    wider: bool = False
    """Whether it has more blocks or threads than were launched: how long arrays are then is only what is reached."""
    whole: frozenset[str] = frozenset()
    """Arrays that have to be written wholly."""
    variables: Mapping[str, Argument] = field(default_factory=dict)
    """The variables of the device that were given, with their values; `launch` holds them as bytes."""
    turned: bool = False
    """Whether the last block goes first, and warps take turns."""

    @property
    def work(self) -> tuple[bool, int, int]:
        """What is smaller comes first; with other indices after the sizes."""
        return self.order is not None or self.turned, prod(max(size, 1) for size in self.sizes.values()), sum(self.sizes.values())


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Launches to be tried, smallest first; in words what is varied in them, and what is not."""

    edges: tuple[Edge, ...]
    varied: tuple[Message, ...]
    kept: tuple[Message, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A launch that was tried and what was found in it. `reason` says why nothing can be said of it."""

    edge: Edge
    findings: tuple[Finding, ...] = ()
    reason: Message | None = None
    trust: Trust | None = None

    @property
    def fails(self) -> bool:
        return bool(self.findings)


def smallest(tried: Sequence[Tried]) -> Tried | None:
    """The smallest launch that fails; None where all do right."""
    return min((each for each in tried if each.fails), key=lambda each: each.edge.work, default=None)


ORDERS = {
    IndexArrangement.EQUAL: message("all equal"),
    IndexArrangement.ZERO: message("all 0"),
    IndexArrangement.SORTED: message("sorted"),
    IndexArrangement.REVERSED: message("reversed"),
    IndexArrangement.BELOW: message("one below 0"),
    IndexArrangement.BEYOND: message("one beyond the end"),
}


def edge_text(edge: Edge) -> Message:
    """The launch in a few words: "n = 17", "M = N = K = 17", "n = 256, idx: all equal"."""
    groups: dict[int, list[str]] = {}
    for name, size in edge.sizes.items():
        groups.setdefault(size, []).append(name)
    sizes = ", ".join(f"{' = '.join(names)} = {size}" for size, names in groups.items())
    parts = [message("{sizes}", sizes=sizes)] if sizes else []
    if edge.order is not None:
        parts.append(message("{name}: {order}", name=edge.array, order=ORDERS[edge.order]))
    if edge.turned:
        parts.append(message("blocks from the last to the first, warps in turns"))
    if not parts:
        return message("as launched")
    return reduce(lambda first, rest: message("{one}, {other}", one=first, other=rest), parts)


@dataclass(frozen=True, slots=True)
class ProgramEdge:
    """Words that a program is run with; `places` are those of the sizes."""

    arguments: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(int(self.arguments[place]) for place in self.places)


@dataclass(frozen=True, slots=True)
class ProgramPlan:
    """Runs to be made, smallest first; in words what is varied in them, and what is not."""

    edges: tuple[ProgramEdge, ...]
    varied: tuple[Message, ...]
    kept: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class TriedProgram:
    """A run that was made. `reason` says why nothing can be said of it: it was not begun, or the program itself would not."""

    edge: ProgramEdge
    status: int = 0
    findings: tuple[HostFinding, ...] = ()
    reason: Message | None = None
    trusts: tuple[Trust, ...] = ()
    """One for each launch that was executed."""

    @property
    def fails(self) -> bool:
        return self.reason is None and (bool(self.findings) or self.status != 0)
