"""Flows as values: where what another order, clock or rounding would change comes from in a kernel, and what it decides."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from kernels.base.values import dataclass

ATOMIC, CLOCK, APPROXIMATE, TENSOR = "atomic", "clock", "approximate", "tensor"
"""Labels of values: results of atomics and what they leave in arrays, readings of the clock, functions that GPUs approximate, sums of
tensor cores."""
ARRAY = "array "
"""What a label begins with that stands for the values of an array; its name follows."""


class Reach(StrEnum):
    """What a value decides."""

    CONTROL = "control-flow"
    ADDRESSES = "addresses"
    SYNCHRONISATION = "synchronisation"


@dataclass(frozen=True, slots=True)
class Flows:
    """For each label where its values come from (lines of the text) and what they reach."""

    lines: Mapping[str, tuple[int, ...]]
    reaches: Mapping[str, frozenset[Reach]]


NO_FLOWS = Flows({}, {})
