"""What is asked of the cache model, and the answers: they are found in a tracing process."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.cachesim.count import Counts, count
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.history import History, history
from kernels.catalog import find
from kernels.messages import message
from kernels.simt.worker import NotTraced
from kernels.spec import Parameters, Problem


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
class HistoryQuestion:
    """Asks what became of each access."""

    execution: Execution


@dataclass(frozen=True, slots=True)
class CountsQuestion:
    """Asks how many misses there were; `classified` asks of what kinds too."""

    execution: Execution
    classified: bool = False


CacheQuestion = HistoryQuestion | CountsQuestion
CacheAnswer = History | Counts


def answer_caches(question: CacheQuestion) -> CacheAnswer | NotTraced:
    """The answer, or why there is none. The first one of a variant compiles it."""
    asked = question.execution
    variant = find(asked.variant_id)
    if variant is None:
        return NotTraced(message("There is no variant {variant}.", variant=asked.variant_id))
    execution = variant, asked.problem, dict(asked.values), asked.hierarchy
    found = history(*execution) if isinstance(question, HistoryQuestion) else count(*execution, classified=question.classified)
    return found if isinstance(found, CacheAnswer) else NotTraced(found)
