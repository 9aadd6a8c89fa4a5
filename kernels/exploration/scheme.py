"""Scheme of a launch: how many elements its arrays have, and how many blocks there are, as formulas of the sizes among its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Argument, Filled, LaunchRequest


@dataclass(frozen=True, slots=True)
class Formula:
    """coefficient × the product of parameters + added."""

    factors: tuple[str, ...]
    coefficient: int = 1
    added: int = 0

    def at(self, sizes: Mapping[str, int]) -> int:
        return self.coefficient * prod(sizes[name] for name in self.factors) + self.added

    def __str__(self) -> str:
        parts = [str(self.coefficient)] if self.coefficient != 1 or not self.factors else []
        text = " × ".join((*parts, *self.factors))
        return f"{text} + {self.added}" if self.added > 0 else f"{text} - {-self.added}" if self.added else text


def constant(value: int) -> Formula:
    """A number that follows nothing."""
    return Formula((), value)


@dataclass(frozen=True, slots=True)
class Axis:
    """Axis of a grid, and how many blocks there are along it: `covers` elements in blocks of `each`; a constant where `each` is 0."""

    covers: Formula
    each: int = 0

    @property
    def factors(self) -> tuple[str, ...]:
        return self.covers.factors

    def at(self, sizes: Mapping[str, int]) -> int:
        return -(-self.covers.at(sizes) // self.each) if self.each else self.covers.at(sizes)

    def __str__(self) -> str:
        return f"⌈{self.covers} / {self.each}⌉" if self.each > 1 else str(self.covers)


Extent = Formula | Axis


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """Scheme by which a launch follows its sizes, `values` as launched. `extents` are those of the arrays, outermost first.

    `capped` are sizes that cannot grow: an array whose extent is known for the launch alone is reached further with them. `indices` are
    the arrays whose values are used in addresses, each with the arrays that they address. `kept` says what is not varied, and why.
    """

    base: LaunchRequest
    values: Mapping[str, int]
    extents: Mapping[str, tuple[Extent, ...]]
    grid: tuple[Axis, Axis, Axis]
    capped: frozenset[str]
    indices: Mapping[str, tuple[str, ...]]
    kept: tuple[Message, ...]
    tied: bool
    """Whether the sizes are varied together alone: the executions do not tell which array, or which axis, follows which of them."""
    rows: int

    def at(self, sizes: Mapping[str, int]) -> LaunchRequest:
        """The launch with other sizes. Indices are kept below the extents of what they address."""
        values = {**self.values, **sizes}
        arguments: dict[str, Argument] = {**self.base.arguments, **values}
        counts = {name: prod(shape) for name, shape in self.shapes(values).items()}
        for name, count in counts.items():
            given = arguments[name]
            if isinstance(given, Filled):
                limit = self._limit(name, counts, given)
                arguments[name] = replace(given, count=max(count, 0), limit=limit)
        x, y, z = (axis.at(values) for axis in self.grid)
        return replace(self.base, grid=(x, y, z), arguments=arguments)

    def has_blocks(self, sizes: Mapping[str, int]) -> bool:
        """Whether anything is launched with other sizes: a GPU refuses a grid of 0 blocks."""
        values = {**self.values, **sizes}
        return all(axis.covers.at(values) > 0 for axis in self.grid)

    def shapes(self, sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The extents of each array with other sizes."""
        values = {**self.values, **sizes}
        return {name: tuple(each.at(values) for each in extents) for name, extents in self.extents.items()}

    def _limit(self, name: str, counts: Mapping[str, int], given: Filled) -> int | None:
        shrunk = [counts[each] for each in self.indices.get(name, ()) if each in counts and counts[each] < self._count(each)]
        return min((*shrunk, *([] if given.limit is None else [given.limit]))) or None if shrunk else given.limit

    def _count(self, name: str) -> int:
        return prod(each.at(self.values) for each in self.extents[name])
