"""Questions to the cache model, and their answers, which are found in a tracing process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.core.base.question import Question
from kernels.base.spec import Parameters, Problem
from kernels.cachesim.count import Counts
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.history import History


@dataclass(frozen=True, slots=True)
class Execution:
    """A CPU variant executed once, in empty caches."""

    variant_id: str
    problem: Problem
    values: tuple[tuple[str, int], ...]
    """The parameters by name."""
    hierarchy: Hierarchy

    @staticmethod
    def of(variant_id: str, problem: Problem, parameters: Parameters, hierarchy: Hierarchy) -> Execution:
        """Equal for equal parameters, in whatever order."""
        return Execution(variant_id, problem, tuple(sorted(parameters.items())), hierarchy)


@dataclass(frozen=True, slots=True)
class HistoryQuestion(Question):
    """Asks what became of each access."""

    compiles: ClassVar[bool] = True
    execution: Execution


@dataclass(frozen=True, slots=True)
class CountsQuestion(Question):
    """Asks how many misses there were; `classified` asks of what kinds too."""

    compiles: ClassVar[bool] = True
    execution: Execution
    classified: bool = False


CacheQuestion = HistoryQuestion | CountsQuestion
CacheAnswer = History | Counts
