"""A variant with all that decides what it does: what is shown, traced, counted, predicted and measured."""

from __future__ import annotations

from kernels.base.spec import Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import by_id


@dataclass(frozen=True, slots=True)
class Case:
    """A variant, its problem and its parameters; equal for equal parameters, in whatever order. It can be a key."""

    variant_id: str
    problem: Problem
    parameters: Parameters

    @staticmethod
    def of(variant: Variant, problem: Problem, parameters: Parameters) -> Case:
        """The case of a variant of the catalogue."""
        return Case(variant.id, problem, parameters)

    def __hash__(self) -> int:
        return hash((self.variant_id, self.problem, frozenset(self.parameters.items())))

    @property
    def variant(self) -> Variant:
        return by_id(self.variant_id)

    @property
    def error_growth(self) -> float | None:
        """How many times ordinary summation's error is allowed, as `Variant.error_growth` says; None: bounded element by element."""
        growth = self.variant.error_growth
        return None if growth is None else growth(self.problem, self.parameters)
