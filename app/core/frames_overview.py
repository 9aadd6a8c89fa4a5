"""A trace at a glance: for each matrix how long the steps stay on one tile of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.core.frames_index import TraceIndex


@dataclass(frozen=True, slots=True)
class Lane:
    """One matrix: `starts` are the steps at which another rectangle of it comes into use; each is used until the next."""

    matrix: str
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """All lanes of a trace, and the steps at which the outermost loop moves on, or the outermost call of a kernel by itself."""

    steps: int
    lanes: tuple[Lane, ...]
    turns: tuple[int, ...]


def overview(index: TraceIndex) -> Overview:
    """The overview of a trace. A tile step that does not touch a matrix leaves its rectangle in use."""
    groups = index.groups
    lanes = []
    for name in index.trace.arrays:
        used = np.flatnonzero(groups.boxes[name][:, 1] > groups.boxes[name][:, 0])
        boxes = groups.boxes[name][used]
        changed = np.concatenate(([True], (boxes[1:] != boxes[:-1]).any(axis=1)))[: len(used)]
        lanes.append(Lane(name, tuple(groups.start[used[changed]].tolist())))
    return Overview(index.trace.steps, tuple(lanes), _turns(index))


def _turns(index: TraceIndex) -> tuple[int, ...]:
    if not index.trace.loops and not index.trace.chains:
        return ()
    outermost = _outermost_call(index) if index.trace.chains else index.trace.indices[:, 0]
    return tuple((np.flatnonzero(outermost[1:] != outermost[:-1]) + 1).tolist())


def _outermost_call(index: TraceIndex) -> npt.NDArray[np.int64]:
    """For each step the number of the outermost call that it is in, or beside; 0 outside of all."""
    found = np.zeros(len(index.trace.chains), np.int64)
    for number, lines in enumerate(index.trace.chains):
        calls = [index.recursion[line].number for line in lines if line in index.recursion]
        found[number] = calls[0] if calls else 0
    return found[index.trace.chain]
