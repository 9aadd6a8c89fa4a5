"""The answers of the cache model. It takes as long as executing takes: this is called in a tracing process."""

from __future__ import annotations

from app.core.nest.question import CacheAnswer, CacheQuestion, HistoryQuestion
from kernels.cachesim.count import count
from kernels.cachesim.history import history
from kernels.catalog import find
from kernels.messages import message
from kernels.simt.worker import NotTraced


def answer_caches(question: CacheQuestion) -> CacheAnswer | NotTraced:
    """The answer, or why there is none. The first one of a variant compiles it."""
    asked = question.execution
    variant = find(asked.variant_id)
    if variant is None:
        return NotTraced(message("There is no variant {variant}.", variant=asked.variant_id))
    execution = variant, asked.problem, dict(asked.values), asked.hierarchy
    found = history(*execution) if isinstance(question, HistoryQuestion) else count(*execution, classified=question.classified)
    return found if isinstance(found, CacheAnswer) else NotTraced(found)
