"""Questions to the cache model, and their answers, which are found in a tracing process."""

from __future__ import annotations

from typing import ClassVar

from app.core.base.question import Question
from kernels.base.values import dataclass
from kernels.cachesim.count import Counts
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.history import History
from kernels.catalogue.case import Case


@dataclass(frozen=True, slots=True)
class ColdRun:
    """A CPU case executed once, in empty caches."""

    case: Case
    hierarchy: Hierarchy


@dataclass(frozen=True, slots=True)
class HistoryQuestion(Question):
    """Asks what became of each access."""

    compiles: ClassVar[bool] = True
    execution: ColdRun


@dataclass(frozen=True, slots=True)
class CountsQuestion(Question):
    """Asks how many misses there were; `classified` asks of what kinds too."""

    compiles: ClassVar[bool] = True
    execution: ColdRun
    classified: bool = False


CacheQuestion = HistoryQuestion | CountsQuestion
CacheAnswer = History | Counts
