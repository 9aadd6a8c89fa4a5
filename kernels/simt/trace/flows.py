"""Flows as values: where what another order, clock or rounding would change comes from in a kernel, and what it decides."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from kernels.base.values import dataclass
from kernels.simt.base.types import Location

ATOMIC, CLOCK, APPROXIMATE, TENSOR = "atomic", "clock", "approximate", "tensor"
"""Labels of values: results of atomics and what they leave in arrays, readings of the clock, functions that GPUs approximate, sums of
tensor cores."""
ARRAY = "array "
"""What a label begins with that stands for the values of an array; its name follows."""


class Reach(StrEnum):
    """Reach of a value: what it decides."""

    CONTROL = "control-flow"
    ADDRESSES = "addresses"
    SYNCHRONISATION = "synchronisation"


Places = frozenset[Location]


@dataclass(frozen=True, slots=True)
class Flows:
    """For each label where its values come from (lines of the text) and what they reach."""

    lines: Mapping[str, tuple[int, ...]]
    reaches: Mapping[str, frozenset[Reach]]
    operands: frozenset[Places] | None = None
    """The accesses whose values go into the same expression, that of its result among them; None: not known."""

    def together(self, read: Location, access: Location) -> bool:
        """Whether what is read at one place in the text, and no address, goes into what another access reads or writes, or goes with it."""
        return self.operands is None or any(read in each and access in each for each in self.operands)


NO_FLOWS = Flows({}, {})
