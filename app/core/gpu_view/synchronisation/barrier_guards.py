"""Guards of stages: which stage a barrier in shared memory is for, told by the addresses of what was executed.

Copies complete on a barrier: its phase says that their stage is full. A warp waits for another one before it fills a stage, each time anew:
that one says that the stage is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.pipeline_stages import LINE, Stages
from app.core.gpu_view.synchronisation.warp_waits import warps_of
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.events import Event, Happening


@dataclass(frozen=True, slots=True)
class Guard:
    """Guard of `stages`: its phases say that they are full, else that they are empty."""

    stages: tuple[int, ...]
    full: bool

    def words(self, barrier: int) -> Message:
        """What the barrier with this number is for."""
        numbers = ", ".join(map(str, self.stages))
        if len(self.stages) > 1:
            return message("barrier {number}: stages {stages} full", number=barrier, stages=numbers)
        if self.full:
            return message("barrier {number}: stage {stage} full", number=barrier, stage=numbers)
        return message("barrier {number}: stage {stage} empty", number=barrier, stage=numbers)


def barrier_guards(index: LaunchIndex, block: int, stages: Stages) -> dict[int, Guard]:
    """The barriers of a block that guard stages, by address; those of which the execution does not tell it are left out."""
    own = [each for each in index.trace.events if each.block == block]
    full: dict[int, set[int]] = {}
    for event in own:
        stage = _filled(event, stages)
        if stage is not None:
            full.setdefault(event.other, set()).add(stage)
    empty: dict[int, set[int]] = {}
    for stage, barriers in _waited_each_time(index, own, stages).items():
        for address in barriers - full.keys():
            empty.setdefault(address, set()).add(stage)
    found = {address: Guard(tuple(sorted(of)), full=True) for address, of in full.items()}
    return found | {address: Guard(tuple(of), full=False) for address, of in empty.items() if len(of) == 1}


def _filled(event: Event, stages: Stages) -> int | None:
    """The stage that a copy goes to whose bytes a barrier counts; None for all else."""
    copies = event.kind is Happening.COPY_ISSUED and event.other >= 0
    return stages.lines.get(event.address // LINE) if copies else None


def _waited_each_time(index: LaunchIndex, events: list[Event], stages: Stages) -> Mapping[int, set[int]]:
    """For each stage the barriers that were waited for before each of its fillings; the first need not wait, if others do."""
    found: dict[int, list[set[int]]] = {}
    for stage, waited in _fillings(index, events, stages):
        found.setdefault(stage, []).append(waited)
    return {stage: set.intersection(*(each[1:] or each)) for stage, each in found.items()}


def _fillings(index: LaunchIndex, events: list[Event], stages: Stages) -> Iterator[tuple[int, set[int]]]:
    """Each filling of a stage by a warp, with the barriers that the warp has waited for since it filled one before."""
    waited, last = dict[int, set[int]](), dict[int, int]()
    for event in events:
        stage = _filled(event, stages)
        for warp in warps_of(index, event) if stage is not None or event.kind is Happening.BARRIER_WAITED else ():
            if stage is None:
                waited.setdefault(warp, set()).add(event.address)
            elif waited.get(warp) or last.get(warp) != stage:
                yield stage, waited.pop(warp, set())
                last[warp] = stage
