"""How the work of a CPU kernel's threads is shared out, where they take turns and every step takes as long as any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.core.facts.fact import Fact, Setting, Value
from kernels.cpu.shares import imbalance
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.messages import Message, message
from kernels.spec import Device

Count = Callable[[Trace, Fact], Value | Message]
SEED = 0
KEPT = 4


def count_of_team(fact: Fact) -> Value | Message:
    """The answer to a fact about threads. `thread` chooses one; chunks are those of the last loop that is shared out."""
    setting = fact.of
    threads = setting.parameters.get("threads", 1)
    if setting.variant.device is not Device.CPU or "threads" not in setting.variant.features:
        return message("{variant} does not share its work out to threads.", variant=setting.variant.id)
    if fact.number("thread") >= threads:
        return message("There are {threads} threads, from 0 on.", threads=threads)
    executed = _execution(setting)
    return executed if isinstance(executed, Message) else COUNTS[fact.count](executed, fact)


@lru_cache(maxsize=KEPT)
def _execution(setting: Setting) -> Trace | Message:
    try:
        return trace(setting.variant, setting.problem, setting.parameters, SEED)
    except TraceTooLarge as refused:
        return refused.reason


def _steps(executed: Trace) -> npt.NDArray[np.int64]:
    """By thread."""
    return np.bincount(executed.threads, minlength=executed.parameters["threads"])


def _lengths(executed: Trace, fact: Fact) -> npt.NDArray[np.int64]:
    """Iterations of each chunk."""
    thread, loop, first, last = executed.chunks.T
    chosen = (loop == loop.max(initial=0)) & (thread == fact.number("thread", -1) if "thread" in dict(fact.options) else True)
    lengths: npt.NDArray[np.int64] = (last - first)[chosen]
    return lengths


def _share(executed: Trace, fact: Fact) -> Value:
    """Of all steps those of one thread."""
    steps = _steps(executed)
    return float(steps[int(fact.number("thread"))] / steps.sum())


COUNTS: Mapping[str, Count] = {
    "chunks": lambda executed, fact: float(_lengths(executed, fact).size),
    "iterations": lambda executed, fact: float(_lengths(executed, fact).sum()),
    "largest_chunk": lambda executed, fact: float(_lengths(executed, fact).max(initial=0)),
    "imbalance": lambda executed, _fact: imbalance(_steps(executed).tolist()),
    "share": _share,
}
