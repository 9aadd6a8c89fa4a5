"""Place in a trace found again: in another one, of an edited text, of another order or of another size, or in the same one, left and turned
back to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.core.base.timeline import Position
from app.core.cpu_view.index import TraceIndex
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import Subject
from app.core.session.draft_changes import moved_line
from app.core.tracing.work import Work
from kernels.catalogue.case import Case
from kernels.cpusim.trace import Trace
from kernels.simt.base.launch import LaunchRequest


def same_place(before: LaunchIndex, step: int, after: LaunchIndex) -> int | None:
    """The step at which the same warp of the same block executes the same line for the same time; None where there is none."""
    row, warp = before.place(step)
    block = before.trace.blocks[int(before.trace.rows.block[row])]
    line = moved_line(before.subject.text, after.subject.text, before.site(step).location.line)
    if line is None or before.site(step).location.file:
        return None
    turns = _turns(before, before.site(step).location.line, warp, block)
    found = _turns(after, line, warp, block)
    return int(found[min(int(np.searchsorted(turns, step)), len(found) - 1)]) if len(found) else None


def _turns(index: LaunchIndex, line: int, warp: int, block: tuple[int, int, int]) -> npt.NDArray[np.intp]:
    """The steps of a warp of a block on a line."""
    steps, order = index.steps_of_line(line), index.record.order
    if block not in index.trace.blocks:
        return steps[:0]
    number = index.trace.blocks.index(block)
    mine = (order.warp[steps] == warp) & (index.trace.rows.block[order.row[steps]] == number)
    return np.asarray(steps[mine])


def same_settings(before: Subject, after: Subject) -> bool:
    """Whether a block does the same in both: then a larger matrix has only more of them, or longer ones."""
    if before.launch.block != after.launch.block:
        return False
    return before.launch.grid == after.launch.grid or dict(before.defines) == dict(after.defines)


def same_iteration(before: Trace, step: int, after: Trace) -> int | None:
    """The step at which the same line is executed in the same iteration of all loops, and by the same call of a kernel that calls itself;
    None where there is none, or where the loops are others."""
    if before.parameters != after.parameters or [loop.line for loop in before.loops] != [loop.line for loop in after.loops]:
        return None
    turns, found = _like(before, before, step), _like(after, before, step)
    return int(found[min(int(np.searchsorted(turns, step)), len(found) - 1)]) if len(found) else None


def _like(trace: Trace, model: Trace, step: int) -> npt.NDArray[np.intp]:
    """The steps on the line, and in the iteration, that `step` of `model` has."""
    like = (trace.lines == model.lines[step]) & (trace.indices == model.indices[step]).all(axis=1)
    if model.chains:
        chain = model.chains[model.chain[step]]
        numbers = [number for number, lines in enumerate(trace.chains) if lines == chain]
        like &= np.isin(trace.chain, numbers)
    return np.flatnonzero(like)


MOST_LEFT = 16


class LeftPlaces:
    """Places of the traces that were left since the last motion: who only looks at another one, and turns back, stands where he was."""

    def __init__(self) -> None:
        self._left: list[tuple[object, float]] = []
        self._came = Position()
        """Where the present trace was begun with."""

    def leave(self, shown: TraceIndex | LaunchIndex | None, position: Position) -> None:
        """Note where a trace is left; those before it are of no use any more where something moved in it."""
        if position != self._came:
            self._left.clear()
        if shown is not None:
            key = _shown_key(shown)
            self._left = [*(each for each in self._left if each[0] != key), (key, position.time)][-MOST_LEFT:]

    def come(self, position: Position) -> None:
        """Note where the next trace begins."""
        self._came = position

    def time_of(self, shown: TraceIndex | LaunchIndex) -> float | None:
        """The steps that were done of a trace when it was left; None where it was not."""
        key = _shown_key(shown)
        return next((time for each, time in self._left if each == key), None)


def _shown_key(shown: TraceIndex | LaunchIndex) -> object:
    if isinstance(shown, LaunchIndex):
        return work_key(shown.subject), shown.subject.schedule
    return work_key(Case(shown.trace.variant_id, shown.trace.problem, dict(shown.trace.parameters)))


def work_key(work: Work) -> object:
    """Equal for what gives equal traces."""
    if isinstance(work, Case):
        return work
    launch = work.launch
    return (
        work.name, work.text, work.entry, work.path, work.variant_id, work.matrices, dict(work.defines), dict(work.texts),
        launch.grid, launch.block, _values(launch), launch.shared_bytes, launch.shared_limit, launch.mode, launch.blocks,
        launch.seed, launch.gpu,
    )  # fmt: skip


def _values(launch: LaunchRequest) -> object:
    """Arguments to be compared: arrays, which a program's launches have, are the same only if they are one object."""
    given = {**launch.arguments, **launch.variables}
    return {name: id(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}
