"""Toy GPUs of several ranks in one process: streams whose work is done in any order that CUDA and NCCL allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernels.base.arrays import Matrix

Choose = Callable[[int], int]
"""Chooses one of so many: which stream goes on."""


@dataclass
class ToyEvent:
    done: bool = False


@dataclass(frozen=True)
class Broadcast:
    panel: Matrix
    members: tuple[int, ...]
    root: int


Work = Callable[[], None] | Broadcast | ToyEvent
"""What a stream does next; an event is waited for."""


@dataclass
class ToyStream:
    """Keeps what it is given. A `deaf` one waits for no event."""

    deaf: bool
    work: list[Work] = field(default_factory=list)

    def clear(self, block: Matrix) -> None:
        self.work.append(lambda: block.fill(0))

    def copy(self, panel: Matrix, part: Matrix) -> None:
        assert panel.shape == part.shape
        self.work.append(lambda: np.copyto(panel, part))

    def broadcast(self, panel: Matrix, members: tuple[int, ...], root: int) -> None:
        if len(members) > 1 and panel.size:
            self.work.append(Broadcast(panel, members, members[root]))

    def add_product(self, c: Matrix, a: Matrix, b: Matrix) -> None:
        def work() -> None:
            c[...] += a @ b

        self.work.append(work)

    def event(self) -> ToyEvent:
        event = ToyEvent()
        self.work.append(lambda: setattr(event, "done", True))
        return event

    def wait(self, event: ToyEvent) -> None:
        if not self.deaf:
            self.work.append(event)

    def finish(self) -> None:
        """Nothing is done before all ranks have said what is to be done."""


@dataclass
class ToyGpu:
    """GPU of one rank of a grid; rows and columns are the ranks in them."""

    rank: int
    ranks: int
    row: tuple[int, ...]
    column: tuple[int, ...]
    deaf: bool = False
    streams: list[ToyStream] = field(default_factory=list)

    def stream(self, *, urgent: bool = False) -> ToyStream:
        self.streams.append(ToyStream(self.deaf))
        return self.streams[-1]

    def room(self, count: int) -> Matrix:
        return np.full(count, np.nan, np.float32)


def carry_out(gpus: list[ToyGpu], choose: Choose) -> Counter[tuple[int, int]]:
    """Do all work; the bytes that went from rank to rank. Fails where no stream can go on."""
    moved: Counter[tuple[int, int]] = Counter()
    while any(stream.work for gpu in gpus for stream in gpu.streams):
        ready = list(_ready(gpus))
        assert ready, "every stream waits for another"
        work, streams = ready[choose(len(ready))]
        panels = {rank: stream.work.pop(0) for rank, stream in streams}
        if isinstance(work, Broadcast):
            for rank, other in panels.items():
                assert isinstance(other, Broadcast)
                if rank != work.root:
                    root: Any = panels[work.root]
                    np.copyto(other.panel, root.panel)
                    moved[work.root, rank] += other.panel.nbytes
        elif not isinstance(work, ToyEvent):
            work()
    return moved


def _ready(gpus: list[ToyGpu]) -> Iterator[tuple[Work, list[tuple[int, ToyStream]]]]:
    """What can be done next, and whose streams do it: a broadcast is done when all of its members have come to it."""
    for gpu in gpus:
        for number, stream in enumerate(gpu.streams):
            work = stream.work[0] if stream.work else None
            if isinstance(work, Broadcast):
                all_there = [(rank, gpus[rank].streams[number]) for rank in work.members]
                if gpu.rank == work.root and all(_same(work, each) for _, each in all_there):
                    yield work, all_there
            elif work is not None and not (isinstance(work, ToyEvent) and not work.done):
                yield work, [(gpu.rank, stream)]


def _same(work: Broadcast, stream: ToyStream) -> bool:
    other = stream.work[0] if stream.work else None
    return isinstance(other, Broadcast) and (other.members, other.root) == (work.members, work.root)
